"""Reading of grades with their questions and replies, and collection of the data for a report in one pass."""
