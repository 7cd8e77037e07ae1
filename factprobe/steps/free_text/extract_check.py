"""The step `extract_check`: claims of texts, extracted and checked, with the verdicts aggregated."""

from factprobe.steps.claim_steps import CHECKING, EXTRACTING, PAGE, claim_step

STEP = claim_step("extract_check", (*EXTRACTING, *CHECKING), "checked", (PAGE,))
