"""Model that replays recorded responses by question id."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from factprobe.config import Filled, path_of
from factprobe.errors import CallError, ConfigError
from factprobe.models.base import Model, ModelSettings, Reply, SameAnswers, request_hash
from factprobe.records import LogProbability, Request, Usage
from factprobe.storage import SUPERSEDED, Lines, Problems, file_hash, short_hash
from factprobe.text import format_count

log = logging.getLogger(__name__)
_HINT = "a line needs a question_id and a response; scores and logprobs are lists of finite numbers, logprobs at most 0"


class ReplaySettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of recorded responses."""

    path: SameAnswers[Filled]
    """A file of responses, or a folder of such files: JSON Lines with at least `question_id` and `response`."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64


class _RecordedResponse(Struct, frozen=True, gc=False):
    question_id: str
    response: str | None
    prompts_hash: Any = ""
    """Hash of the recorded request; empty if the record has none."""
    finish_reason: Any = None
    """Finish reason; ignored if it is not a text."""
    usage: Usage | None = None
    error: str | None = None
    scores: tuple[float | None, ...] = ()
    """Log-likelihoods of the choices; None for null and NaN, which are errors."""
    logprobs: tuple[LogProbability | None, ...] = ()

    def finite(self, name: str) -> tuple[float, ...]:
        """Return the numbers of a field; `start` has raised an error if one is None."""
        return tuple(number for number in getattr(self, name) if number is not None)


class Replay(Model):
    """Model that replays recorded responses by question id.

    The responses come from a file, or from all files of a folder except superseded ones. The last of several responses
    to a question is used; a question without one fails. Warnings report different responses to a question, responses to
    questions that are not asked or had other prompts, and numbers of scores other than that of the choices.
    """

    settings_type: ClassVar[type[ModelSettings]] = ReplaySettings
    cached: ClassVar[bool] = False

    def __init__(self, settings: ReplaySettings) -> None:
        path = path_of(settings.path)
        paths = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        self._files = [file for file in paths if SUPERSEDED not in file.relative_to(path).parts]
        if not self._files or not self._files[0].is_file():
            raise ConfigError("has no recorded responses", where=path, hint="set model.path= to a file or folder")
        self._responses: dict[str, _RecordedResponse] = {}
        self._places: dict[str, str] = {}
        self._requested_ids: set[str] = set()
        self._misfit_places: dict[str, str] = {}
        self._reworded_places: dict[str, str] = {}
        self._has_warned = False
        super().__init__(settings)

    def identity(self) -> dict[str, object]:
        """Return the settings, with the path replaced by a hash of the files' contents."""
        return {**super().identity(), "recorded": short_hash([file_hash(file) for file in self._files])}

    async def start(self) -> None:
        """Read the files."""
        if self._responses:
            return
        problems, conflicts = Problems(strict=True, hint=_HINT), []
        for file in self._files:
            for number, line in Lines(file, _RecordedResponse, problems).numbered():
                place = f"{file}:{number}"
                for name in ("scores", "logprobs"):
                    if None in getattr(line, name):
                        problems.add(f"has null or NaN in {name}", place)
                earlier = self._responses.get(line.question_id)
                if earlier is None or line.response is not None:
                    if earlier is not None and earlier.response not in (None, line.response):
                        conflicts.append(place)
                    self._responses[line.question_id], self._places[line.question_id] = line, place
        _warn_about_records(conflicts, "after another to the same question: the last one counts")

    async def __aexit__(self, *error: object) -> None:
        """Warn, once, of recorded responses that do not fit the questions, unless an error ended the requests."""
        await super().__aexit__(*error)
        if not any(error) and not self._has_warned:
            self._has_warned = True
            _warn_about_records([*self._misfit_places.values()], "without as many scores as choices: the text counts")
            reworded = "to questions whose prompts or choices were others: grades may be wrong"
            _warn_about_records([*self._reworded_places.values()], reworded)
            unasked = [place for name, place in self._places.items() if name not in self._requested_ids]
            _warn_about_records(unasked, "to questions that were not asked")

    async def reply(self, request: Request) -> Reply:
        """Return the recorded response."""
        self._requested_ids.add(request.question_id)
        record = self._responses.get(request.question_id)
        if record is None:
            raise CallError(f"{self.settings.path} has no response to {request.question_id}")
        if record.response is None:
            raise CallError(record.error or "the recorded response is empty")
        if record.prompts_hash and record.prompts_hash != request_hash(request):
            self._reworded_places[request.question_id] = self._places[request.question_id]
        if record.scores and len(record.scores) != len(request.choices):
            self._misfit_places[request.question_id] = self._places[request.question_id]
        scores, logprobs = record.finite("scores"), record.finite("logprobs")
        return Reply(record.response, record.finish_reason, record.usage, scores, logprobs)

    async def rank(self, request: Request) -> Reply:
        """Return the recorded response, with its scores."""
        return await self.reply(request)


def _warn_about_records(places: Sequence[str], what: str) -> None:
    """Log a warning about recorded responses, if any, with their number and the place of the first."""
    if places:
        log.warning("model=replay: %s %s; first: %s", format_count(len(places), "response"), what, places[0])
