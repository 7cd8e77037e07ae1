"""Passages that are shown before questions, and the facts that they state."""
