"""Sampling of facts to ask about, and of wrong answers."""
