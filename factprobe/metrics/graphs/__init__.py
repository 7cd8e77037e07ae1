"""Statistics of a graph's relations, and problems in its facts."""
