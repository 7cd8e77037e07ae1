"""Grading of true/false questions, by the side (true or false) that a reply takes on the statement."""
