"""Passages of a source before questions, and the facts that they state."""
