"""Claim extraction from free text."""

from factprobe.claims.base import ClaimExtractor as ClaimExtractor
from factprobe.claims.base import claim_extractors as claim_extractors
