"""Texts with words that a masked model has put into them, as HaDes is made, and what people say of these."""
