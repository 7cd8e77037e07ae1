"""Grading of answers in words without a graph, against the right answers alone."""
