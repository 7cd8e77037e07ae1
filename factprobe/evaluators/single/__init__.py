"""Evaluator of one answer in words: the reply must name the right entity and no other."""
