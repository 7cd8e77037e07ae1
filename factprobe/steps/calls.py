"""Model calls of a run: one cost limit for all steps, and the cost in the manifest."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress

from factprobe.asking.job import AskSettings, CallCounts, ask_all
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import path_of, plain_settings
from factprobe.errors import FactprobeError
from factprobe.models import Model
from factprobe.records import Request
from factprobe.secrecy import hide
from factprobe.steps.base import Run

log = logging.getLogger(__name__)

AGAIN = "run step=generate again"
"""Hint for a broken file of questions."""


def ask_settings(run: Run) -> AskSettings:
    """Convert the run's settings for asking a model."""
    config = run.config
    folder = path_of(config.cache_dir) if config.cache_dir else None
    return AskSettings(config.cache, folder, config.max_cost_usd)


def sum_unanswered(respondent: str, counts: Iterable[CallCounts], reword: Callable[[str], str]) -> UnansweredQuestions:
    """Return the unanswered requests of several rounds of calls, with reworded reasons."""
    found = UnansweredQuestions(respondent)
    for one in counts:
        found.join(one.unanswered)
    found.reword(reword)
    return found


def make_calls(
    run: Run,
    step: str,
    model: Model,
    todo: PendingRequests[Request],
    count: Callable[[CallCounts], None] = lambda _: None,
) -> CallCounts:
    """Ask a model the open requests, within the rest of `max_cost_usd`.

    `count` is told what came of the calls, of those too that end with an error.

    Raises:
        ConfigError: the cost is limited, and the model's price is not known.
        NoAnswersError: no call succeeds, or none any more; what was answered is kept.
        CostLimitError: the next call could pass `max_cost_usd`.
    """
    if run.config.cache == "refresh" and todo.kept and model.name not in run.kept_of:
        run.kept_of.add(model.name)  # a part asks in rounds
        what = "cache: refresh asks only what has no response in the output folder; those of %s in %s are kept, "
        log.warning(what + "and asked anew in another one: output_dir=", model.name, run.layout.root)

    def stopped(counts: CallCounts, error: BaseException) -> None:
        account(counts)
        entry = {**counts.as_dict(), "stopped": hide(str(error)) or type(error).__name__}
        with suppress(OSError, FactprobeError):  # what ended the run is the error to tell
            run.manifest.add(step, plain_settings(run.config), todo.files, entry)

    def account(counts: CallCounts) -> None:
        run.usd += counts.spending.usd
        count(counts)

    counts = ask_all(model, todo, ask_settings(run), step, run.usd, stopped)
    run.warned_of.update((model.name, note) for note in counts.notes())
    account(counts)
    return counts
