"""The step `extract_check`: claims of texts, extracted and checked."""

from __future__ import annotations

from factprobe.steps.base import Run, Step, StepResult
from factprobe.steps.claim_steps import ASKED, CHECKING, EXTRACTING, PAGE, SHARED, Texts, locks, one_writer

_SETTINGS = (*SHARED, *EXTRACTING, *CHECKING)


def extract_check(run: Run) -> StepResult:
    """Extract the claims of the texts of a file, check them, and aggregate the verdicts.

    Raises:
        ConfigError: no input is named, or it would be written over.
        DataError: the input cannot be read, or holds nothing of use.
        NoAnswersError: no call to a model succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    return Texts(run, "extract_check", _SETTINGS).run()


STEP = Step(
    run=extract_check,
    makes=(PAGE, *ASKED),
    settings=_SETTINGS,
    locks=locks,
    sweep_claims=one_writer("extract_check", _SETTINGS),
)
