"""Published archives of graphs: fetched, and laid out."""
