"""Detectors that mark the hallucinated spans of an output."""
