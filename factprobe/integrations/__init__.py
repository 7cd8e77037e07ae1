"""Grading inside other tools: pytest, inspect_ai, lm-evaluation-harness."""
