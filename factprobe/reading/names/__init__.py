"""Search for the graph's names in a text, in any form."""
