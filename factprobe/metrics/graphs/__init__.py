"""Statistics of the relations of a graph, and problems in its facts."""
