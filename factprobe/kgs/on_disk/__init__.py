"""Graphs that are sorted on disk by DuckDB."""
