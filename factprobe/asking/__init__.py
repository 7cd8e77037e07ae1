"""Asking: how models are asked; several at once, within limits, from the cache, and never twice."""
