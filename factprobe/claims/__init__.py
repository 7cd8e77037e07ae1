"""Claim extraction from free text; `graph.py` lists the stages of the extractor without a language model."""

from factprobe.claims.base import ClaimExtractor as ClaimExtractor
from factprobe.claims.base import claim_extractors as claim_extractors
