"""HaDes, the detection of hallucinated words or spans from the text alone (Liu et al. 2022, ACL)."""
