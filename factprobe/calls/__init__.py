"""How any endpoint is called: as many at once as it bears, again after a fault, and what a fault means."""
