"""The rows of `benchmarks/faults.py`."""
