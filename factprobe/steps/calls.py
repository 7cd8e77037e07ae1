"""Model calls of steps and their components, with one cost limit for the run, and the cost in the manifest."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from contextlib import nullcontext, suppress
from typing import Any

from factprobe.asking.job import AskSettings, CallCounts, ask_all, calls_left, estimate_left
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.components.base import Ask
from factprobe.config import plain_settings
from factprobe.errors import FactprobeError
from factprobe.factories import Role, in_words_of, settings_of
from factprobe.models import Model
from factprobe.records import PlainRequest, Request, Response
from factprobe.secrecy import hide
from factprobe.steps.base import DryRunEnd, Run
from factprobe.storage import write_lines

log = logging.getLogger(__name__)

GENERATE_AGAIN = "run step=generate again"
"""Hint for a broken file of questions."""


def describe_calls_left(run: Run, model: Model, todo: PendingRequests[Request]) -> str:
    """Return a line with the estimated calls to a model that are left, for a dry run."""
    return calls_left(model, todo, AskSettings.of(run.config))


def sum_unanswered(
    respondent: str, counts: Iterable[CallCounts], model: Model, role: Role | None = None
) -> UnansweredQuestions:
    """Sum the unanswered requests of `respondent` in rounds of calls; with a `role`, reasons name its settings."""
    total = UnansweredQuestions(respondent)
    for round_counts in counts:
        total.join(round_counts.unanswered)
    if role is not None:
        total.reword(lambda text: in_words_of(role, text, model.settings.backend))
    return total


def make_calls(
    run: Run,
    step: str,
    model: Model,
    todo: PendingRequests[Request],
    count: Callable[[CallCounts], None] = lambda _: None,
    role: Role | None = None,
) -> CallCounts:
    """Ask a model the pending requests, within what is left of `max_cost_usd`, and return the counts of the calls.

    `count` is called with the counts of the calls, even after an error. With a `role`, errors name the settings of this
    role instead of `model`.

    Raises:
        ConfigError: The cost is limited, and the model's price is unknown.
        NoAnswersError: No call succeeds, or the model stops answering; earlier answers are kept.
        CostLimitError: The next call could exceed `max_cost_usd`.
    """
    if run.config.cache == "refresh" and todo.answered_count and model.name not in run.kept_of:
        run.kept_of.add(model.name)  # one warning for all rounds of a component
        what = "cache: refresh asks only what has no response in the output folder; those of %s in %s are kept, "
        log.warning(what + "and asked anew in another one: output_dir=", model.name, run.layout.root)

    def stopped(counts: CallCounts, error: BaseException) -> None:
        account(counts)
        entry = {**counts.as_dict(), "stopped": hide(str(error)) or type(error).__name__}
        with suppress(OSError, FactprobeError):  # the error that ended the run takes precedence
            run.manifest.add(step, plain_settings(run.config), todo.files, entry)

    def account(counts: CallCounts) -> None:
        run.usd += counts.spending.usd
        count(counts)

    with settings_of(role, model.settings.backend) if role else nullcontext():
        counts = ask_all(model, todo, AskSettings.of(run.config), step, run.usd, stopped)
    run.warned_of.update((model.name, note) for note in counts.notes())
    account(counts)
    return counts


class StepModelCalls:
    """Model calls of the components of one step, with their counts."""

    def __init__(self, run: Run, step: str) -> None:
        self._run, self._step = run, step
        self._rounds: dict[tuple[str, Model, Role], list[CallCounts]] = {}
        """Counts of each round of calls, by component, its model, and the role of the model."""

    def asker_of(self, model: Model, role: Role, component_name: str) -> Ask:
        """Return a function that asks the model of the component called `component_name`, in rounds."""
        run, name = self._run, f"{role.setting.partition('.')[0]}={component_name}"
        rounds = self._rounds.setdefault((name, model, role), [])

        def ask(what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
            files = run.layout.component_requests(name, model.name, what)
            if not write_lines(files[0], requests):
                return []
            todo = PendingRequests({what: files}, PlainRequest, model.settings_hash)
            if run.config.dry_run:
                with settings_of(role, model.settings.backend):
                    if estimate_left(model, todo, AskSettings.of(run.config)).calls:
                        raise DryRunEnd(describe_calls_left(run, model, todo))
            make_calls(run, self._step, model, todo, rounds.append, role)
            answers = ((request.question_id, response) for request, response in todo.answers(what))
            return [response or Response(name, None, None, None, "was not asked") for name, response in answers]

        return ask

    def end_dry_run(self) -> None:
        """Raise a `DryRunEnd` in a dry run, in which nothing is left to ask, before anything is written."""
        if self._run.config.dry_run:
            raise DryRunEnd("nothing is left to ask: all is answered")

    def unanswered(self) -> list[UnansweredQuestions]:
        """Return the unanswered requests of each model."""
        return [
            sum_unanswered(f"{model.name}, whom {name} asks", rounds, model, role)
            for (name, model, role), rounds in self._rounds.items()
            if rounds
        ]

    def counts(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        return {
            name: {"model": model.name, "rounds": [counts.as_dict() for counts in rounds]}
            for (name, model, _), rounds in self._rounds.items()
            if rounds
        }
