"""Statistics that know nothing of questions: intervals, paired tests, bootstrap, ranking, classes."""
