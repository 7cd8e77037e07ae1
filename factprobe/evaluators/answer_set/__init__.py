"""Evaluator of a set of answers in words: the reply must name all of them and nothing else."""
