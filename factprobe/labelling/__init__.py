"""Replies that people judge: the draw, the queue, the file of labels, and how far they have come."""
