"""Statistics and flaws of the relations of a graph."""
