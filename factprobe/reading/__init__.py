"""Text analysis of replies: words, values, names, assertion status and abstention."""
