"""The step `extract_check`: what texts claim, taken apart and checked."""

from __future__ import annotations

from factprobe.steps.base import Done, Run, Step
from factprobe.steps.texts import ASKED, CHECKING, EXTRACTING, SHARED, Texts, locks, one_writer

_SETTINGS = (*SHARED, *EXTRACTING, *CHECKING)


def extract_check(run: Run) -> Done:
    """Takes the claims out of the texts of a file, checks them, and sums them up.

    Raises:
        ConfigError: no input is named, or it would be written over.
        DataError: the input cannot be read, or holds nothing of use.
        NoAnswersError: no call to a model succeeds, or none any more.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    return Texts(run, "extract_check", _SETTINGS).run()


STEP = Step(
    run=extract_check, makes=ASKED, settings=_SETTINGS, locks=locks, sweep_claims=one_writer("extract_check", _SETTINGS)
)
