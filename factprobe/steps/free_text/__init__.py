"""Steps on texts: claims, verdicts, detectors, and people's labels."""
