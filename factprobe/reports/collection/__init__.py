"""Collection of the data for a report, while grades are read."""
