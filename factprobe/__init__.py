"""factprobe."""
