"""Reports on free texts: checked claims, detectors, marked spans, self-consistency."""
