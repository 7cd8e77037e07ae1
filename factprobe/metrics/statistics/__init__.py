"""General statistics: intervals, paired tests, bootstrap, ranking, classification."""
