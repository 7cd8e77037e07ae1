"""Evaluator of answers in words without a graph, where only the right answers are known."""
