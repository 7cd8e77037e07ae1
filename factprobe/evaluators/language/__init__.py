"""Words, values and phrases of a reply."""
