"""Download and unpacking of published archives of graphs."""
