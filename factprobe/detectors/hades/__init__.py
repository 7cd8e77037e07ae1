"""HaDes: whether a word or span of a text is hallucinated, by the text alone (Liu et al. 2022, ACL)."""
