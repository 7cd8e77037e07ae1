"""Shared base of the components of the free-text steps: claim extractors, checkers, retrievers, detectors."""
