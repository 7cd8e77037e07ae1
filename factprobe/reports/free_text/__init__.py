"""Tables and pages about texts: claims, detectors and spans."""
