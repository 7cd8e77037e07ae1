"""Grades for answers in words where only the right answers are known, and no graph."""
