"""The step `check`: the claims of texts, checked."""

from __future__ import annotations

from factprobe.steps.base import Run, Step, StepResult
from factprobe.steps.claim_steps import ASKED, CHECKING, PAGE, SHARED, Texts, locks, one_writer

_SETTINGS = (*SHARED, *CHECKING)


def check(run: Run) -> StepResult:
    """Check the claims of a file against references or a graph, and aggregate the verdicts.

    Raises:
        ConfigError: no input is named, or it would be written over.
        DataError: the input cannot be read, or holds nothing of use.
        NoAnswersError: no call to a model succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    return Texts(run, "check", _SETTINGS).run()


STEP = Step(
    run=check, makes=(PAGE, *ASKED), settings=_SETTINGS, locks=locks, sweep_claims=one_writer("check", _SETTINGS)
)
