"""Claim extraction from free text.

`graph.py` lists the stages of the extractor without a language model. The other extractors are in `base.py` (sentences)
and `llm.py`, which parses replies with `reply_parsing.py` and `line_lists.py`. `localisation.py` finds the claims of
any extractor in texts and references.
"""

from factprobe.claims.base import ClaimExtractor as ClaimExtractor
from factprobe.claims.base import claim_extractors as claim_extractors
