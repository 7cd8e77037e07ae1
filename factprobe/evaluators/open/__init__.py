"""Answers to questions of which no graph knows more than the right answers."""
