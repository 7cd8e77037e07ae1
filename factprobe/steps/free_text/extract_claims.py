"""The step `extract_claims`: claims of texts."""

from __future__ import annotations

from factprobe.steps.base import Run, Step, StepResult
from factprobe.steps.claim_steps import ASKED, EXTRACTING, SHARED, Texts, locks, one_writer

_SETTINGS = (*SHARED, *EXTRACTING)


def extract_claims(run: Run) -> StepResult:
    """Extract the claims of the texts of a file.

    Raises:
        ConfigError: no input is named, or it would be written over.
        DataError: the input cannot be read, or holds nothing of use.
        NoAnswersError: no call to a model succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    return Texts(run, "extract_claims", _SETTINGS).run()


STEP = Step(
    run=extract_claims,
    makes=ASKED,
    settings=_SETTINGS,
    locks=locks,
    sweep_claims=one_writer("extract_claims", _SETTINGS),
)
