"""Collection of the data for a report, in one pass over the grades."""
