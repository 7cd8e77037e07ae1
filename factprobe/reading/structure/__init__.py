"""Extraction of the answer from a reply, without the reasoning, fields, Markdown, tags and LaTeX around it."""
