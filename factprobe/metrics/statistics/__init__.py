"""General statistics: intervals, paired tests, bootstrap, measures of classification, sampling of streams."""
