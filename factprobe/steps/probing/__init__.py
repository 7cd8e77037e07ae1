"""Steps on a graph and the questions made from it."""
