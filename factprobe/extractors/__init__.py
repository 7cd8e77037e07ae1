"""Extraction of triplets and relation summaries from a graph, in the registry `extractors`."""

from factprobe.extractors.base import EntityCounter, ExtractedRelation, Extractor, digests, extractors

__all__ = ["EntityCounter", "ExtractedRelation", "Extractor", "digests", "extractors"]
