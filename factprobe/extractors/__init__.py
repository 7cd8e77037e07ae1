"""Extractors: from a graph's source files to triplets and relation summaries, behind the registry `extractors`."""

from factprobe.extractors.base import Extracted, Extractor, extractors

__all__ = ["Extracted", "Extractor", "extractors"]
