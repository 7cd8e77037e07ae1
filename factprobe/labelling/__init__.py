"""Labelling of replies by people: drawing of replies, queue, file of labels, and progress."""
