"""Claim extraction by the entities and relations of a graph, without a language model; `reader.py` runs the stages."""
