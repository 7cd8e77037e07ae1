"""The step `extract_claims`: claims of texts."""

from __future__ import annotations

from factprobe.steps.base import Run, StepResult
from factprobe.steps.claim_steps import ASKED, EXTRACTING, SHARED, Texts, beside_texts, text_step

_SETTINGS = (*SHARED, *EXTRACTING)
_target = beside_texts("claims")


def extract_claims(run: Run) -> StepResult:
    """Extract the claims of the texts of a file."""
    return Texts(run, "extract_claims", _SETTINGS, _target(run)).run()


STEP = text_step(extract_claims, ASKED, _SETTINGS, _target)
