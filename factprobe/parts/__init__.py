"""What is common to the registered parts of the free-text steps: claim extractors, checkers, retrievers, detectors."""
