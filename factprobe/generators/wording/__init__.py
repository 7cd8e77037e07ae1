"""Wording of sentences: articles, negation, and names, dates and numbers as people write them."""
