"""Reading: what a text says; its words, values and names, what it commits to, whether it declines."""
