"""Labelling of replies by people: the draw, the queue, the file of labels, and the progress."""
