"""Grading of questions with options: mentions, features, and one decision per option."""
