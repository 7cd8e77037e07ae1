"""Answers in words, one or a set: who grades them, and what their rules ask of a reply."""
