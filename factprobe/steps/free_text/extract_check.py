"""The step `extract_check`: claims of texts, extracted and checked, with the verdicts aggregated."""

from factprobe.steps.claim_steps import CHECKING, EXTRACTING, PAGE, claim_step

_TITLE = "Extract the claims of texts, and check them against references or a graph."
STEP = claim_step("extract_check", _TITLE, (*EXTRACTING, *CHECKING), "checked", (PAGE,))
