"""Steps on texts: claims, verdicts, detectors, and labels of people."""
