"""Graphs in tables of facts."""
