"""Models for the parts of the free-text steps, called through the queue of all models, with nothing asked twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from factprobe.asking.job import CallCounts, calls_left, estimate_left
from factprobe.asking.pending import PendingRequests
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.components.base import Ask
from factprobe.factories import Role, in_words_of, settings_of
from factprobe.models import Model
from factprobe.records import PlainRequest, Response
from factprobe.steps.base import Run
from factprobe.steps.calls import ask_settings, make_calls, sum_unanswered
from factprobe.storage import write_lines


class DryRunEnd(Exception):  # noqa: N818  (no error: a dry run ends where the first call would be made)
    """End of a dry run, with the calls that it would have made."""


class Asking:
    """Requests of the parts of one step to their models, with the counts."""

    def __init__(self, run: Run, step: str) -> None:
        self._this, self._step = run, step
        self._asked: list[_OfPart] = []

    def of(self, model: Model, role: Role, part: str) -> Ask:
        """Return the function through which a part asks its model."""
        asked = _OfPart(self._this, self._step, model, role, part)
        self._asked.append(asked)
        return asked

    def end_dry_run(self) -> None:
        """End a dry run that has nothing left to ask, before anything is written, with `DryRunEnd`."""
        if self._this.config.dry_run:
            raise DryRunEnd("nothing is left to ask: all is answered")

    def unanswered(self) -> list[UnansweredQuestions]:
        """Return the unanswered requests of each model."""
        return [asked.unanswered() for asked in self._asked if asked.rounds]

    def counts(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        return {
            asked.name: {"model": asked.model.name, "rounds": [counts.as_dict() for counts in asked.rounds]}
            for asked in self._asked
            if asked.rounds
        }


class _OfPart:
    """Requests of one part to its model, in rounds; see `Ask`."""

    def __init__(self, run: Run, step: str, model: Model, role: Role, part: str) -> None:
        self._this, self._step, self._role = run, step, role
        self.model = model
        self.name = f"{role.setting.partition('.')[0]}={part}"
        self._settings = {"backend": model.settings.backend}
        self.rounds: list[CallCounts] = []

    def __call__(self, what: str, requests: Iterable[PlainRequest]) -> Sequence[Response]:
        files = self._this.layout.asked(self.name, self.model.name, what)
        if not write_lines(files[0], requests):
            return []
        todo = PendingRequests({what: files}, PlainRequest, self.model.settings_hash)
        with settings_of(self._role, self._settings):
            if self._this.config.dry_run and estimate_left(self.model, todo, ask_settings(self._this)).calls:
                raise DryRunEnd(calls_left(self.model, todo, ask_settings(self._this)))
            make_calls(self._this, self._step, self.model, todo, self.rounds.append)
        return [
            said or Response(request.question_id, None, None, None, "was not asked")
            for request, said in todo.answers(what)
        ]

    def unanswered(self) -> UnansweredQuestions:
        """Return the unanswered requests of all rounds."""
        respondent = f"{self.model.name}, whom {self.name} asks"
        return sum_unanswered(respondent, self.rounds, lambda text: in_words_of(self._role, text, self._settings))
