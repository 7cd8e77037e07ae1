"""Evaluator of true/false questions: clauses, judgments, and the side that a reply takes."""
