"""Agreement of graders, detectors, checkers and people on the same items."""
