"""Claim extraction by a language model, and the parsing of its replies."""
