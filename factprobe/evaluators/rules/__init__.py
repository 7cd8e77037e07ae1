"""Rules of grading: their base, and the rules that all evaluators share."""
