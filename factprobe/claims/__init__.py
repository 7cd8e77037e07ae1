"""Claim extraction from free text: by a graph, by a language model, or with each sentence as a claim."""

from factprobe.claims.base import ClaimExtractor as ClaimExtractor
from factprobe.claims.base import claim_extractors as claim_extractors
