"""The step `check`: the claims of texts, checked."""

from __future__ import annotations

from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import ASKED, CHECKING, PAGE, SHARED, Texts, beside_texts, text_step

_SETTINGS = (*SHARED, *CHECKING)
_target = beside_texts("checked")


def check(run: Run) -> StepResult:
    """Check the claims of a file against references or a graph, and aggregate the verdicts."""
    return Texts(run, "check", _SETTINGS, _target(run)).run()


STEP = text_step(check, (PAGE, *ASKED), _SETTINGS, _target)
