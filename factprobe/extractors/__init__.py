"""Extractors: from a graph's source files to triplets and relation summaries, behind the registry `extractors`."""

from factprobe.extractors.base import Entities, Extracted, Extractor, digests, extractors

__all__ = ["Entities", "Extracted", "Extractor", "digests", "extractors"]
