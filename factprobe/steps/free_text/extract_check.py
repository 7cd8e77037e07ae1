"""The step `extract_check`: claims of texts, extracted and checked."""

from __future__ import annotations

from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import ASKED, CHECKING, EXTRACTING, PAGE, SHARED, Texts, beside_texts, text_step

_SETTINGS = (*SHARED, *EXTRACTING, *CHECKING)
_target = beside_texts("checked")


def extract_check(run: Run) -> StepResult:
    """Extract the claims of the texts of a file, check them, and aggregate the verdicts."""
    return Texts(run, "extract_check", _SETTINGS, _target(run)).run()


STEP = text_step(extract_check, (PAGE, *ASKED), _SETTINGS, _target)
