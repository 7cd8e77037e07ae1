"""Grading of questions with options by the mentions of options and their features."""
