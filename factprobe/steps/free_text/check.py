"""The step `check`: the claims of texts, checked against references or a graph, with the verdicts aggregated."""

from factprobe.steps.claim_steps import CHECKING, PAGE, claim_step

STEP = claim_step("check", "Check the claims of texts against references or a graph.", CHECKING, "checked", (PAGE,))
