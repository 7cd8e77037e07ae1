"""Claim extraction from free text: `by_graph/`, `by_model/`, or each sentence as it is (`base.py`).

`localisation.py` finds the claims of any extractor in texts and references.
"""

from factprobe.claims.base import ClaimExtractor as ClaimExtractor
from factprobe.claims.base import claim_extractors as claim_extractors
