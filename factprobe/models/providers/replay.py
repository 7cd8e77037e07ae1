"""Model that replays recorded responses by question id."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar

from msgspec import Meta, Struct

from factprobe.config import Filled, path_of
from factprobe.errors import CallError, ConfigError
from factprobe.models.base import Model, ModelSettings, Reply, SameAnswers, short_hash
from factprobe.records import Request, Usage
from factprobe.storage import SUPERSEDED, Lines, Problems, file_hash


class ReplaySettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of recorded responses."""

    path: SameAnswers[Filled]
    """A file of responses, or a folder of such files: JSON Lines with at least `question_id` and `response`."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64
    """Maximum number of open requests."""


class _Recorded(Struct, frozen=True, gc=False):
    question_id: str
    response: str | None
    finish_reason: Any = None
    """Finish reason; the runner ignores other values than text."""
    usage: Usage | None = None
    error: str | None = None
    scores: tuple[float, ...] = ()
    logprobs: tuple[float, ...] = ()


class Replay(Model):
    """Model that replays recorded responses by question id.

    The responses come from a file, or from all files of a folder except superseded ones. The last of several responses
    to a question counts, and a question without one fails.

    Raises:
        ConfigError: The path does not exist, or is a folder without files of responses.
        DataError: A line is broken.
    """

    settings_type: ClassVar[type[ModelSettings]] = ReplaySettings
    cached: ClassVar[bool] = False

    def __init__(self, settings: ReplaySettings) -> None:
        path = path_of(settings.path)
        found = sorted(path.rglob("*.jsonl")) if path.is_dir() else [path]
        self._files = [file for file in found if SUPERSEDED not in file.relative_to(path).parts]
        if not self._files or not self._files[0].is_file():
            raise ConfigError("has no recorded responses", where=path, hint="set model.path= to a file or folder")
        self._answers: dict[str, _Recorded] = {}
        super().__init__(settings)

    def identity(self) -> dict[str, object]:
        """Return the settings, with the path replaced by a hash of the files' contents."""
        return {**super().identity(), "recorded": short_hash([file_hash(file) for file in self._files])}

    async def start(self) -> None:
        """Read the files.

        Raises:
            DataError: A line is broken.
        """
        problems = Problems(strict=True, hint="add a question_id and a response")
        for file in self._files:
            for line in Lines(file, _Recorded, problems):
                if line.response is not None or line.question_id not in self._answers:
                    self._answers[line.question_id] = line

    async def reply(self, request: Request) -> Reply:
        """Return the recorded response.

        Raises:
            CallError: The question has no recorded response, or a failed one.
        """
        found = self._answers.get(request.question_id)
        if found is None:
            raise CallError(f"{self.settings.path} has no response to {request.question_id}")
        if found.response is None:
            raise CallError(found.error or "the recorded response is empty")
        return Reply(found.response, found.finish_reason, found.usage, found.scores, found.logprobs)

    async def rank(self, request: Request) -> Reply:
        """Return the recorded response, with its scores."""
        return await self.reply(request)
