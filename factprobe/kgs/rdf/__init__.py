"""Graphs in RDF."""
