"""Agreement of graders, detectors, checkers and human annotators on the same items."""
