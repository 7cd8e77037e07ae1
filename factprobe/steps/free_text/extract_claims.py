"""The step `extract_claims`: claims of texts."""

from factprobe.steps.claim_steps import EXTRACTING, claim_step

STEP = claim_step("extract_claims", "Extract the claims of texts.", EXTRACTING, "claims")
