"""Responses on disk: appended as they arrive, whole after a kill, and never asked for twice."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO

import jsonlines
import msgspec

from factprobe.models.base import short_hash
from factprobe.records import Question, Response
from factprobe.storage import Lines, Problems, write_lines


class ResponseLog:
    """The responses of one model to the questions of one relation.

    The file holds one response a question. A response to an earlier wording of a question, to a question that is no
    longer asked or under other settings of the model is set aside in the folder `superseded` and comes back when it
    fits again; only failed ones are dropped.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._aside = path.parent / "superseded" / path.name

    def resume(self, questions: Iterable[Question], settings_hash: str) -> set[str]:
        """Puts the file in order and gives the ids of the questions that are answered.

        A last line that a kill left half-written is dropped.
        """
        wanted = {question.question_id: short_hash(question.prompts) for question in questions}
        current: dict[str, Response] = {}
        aside: dict[tuple[str, str, str], Response] = {}
        for response in self._all():
            fits = wanted.get(response.question_id) == response.prompts_hash and response.settings_hash == settings_hash
            if fits:
                current.setdefault(response.question_id, response)
            else:
                aside.setdefault((response.question_id, response.prompts_hash, response.settings_hash), response)
        if aside:
            write_lines(self._aside, aside.values())
        if current or self.path.exists():
            write_lines(self.path, current.values())
        if not aside:
            self._aside.unlink(missing_ok=True)
        return set(current)

    def _all(self) -> Iterator[Response]:
        for path in (self.path, self._aside):
            if path.exists():
                yield from (response for response in Lines(path, Response, Problems()) if response.error is None)

    def open(self) -> IO[bytes]:
        """The file, to append to."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        return self.path.open("ab")

    @staticmethod
    def writer(file: IO[bytes]) -> jsonlines.Writer:
        """What appends responses to the opened file, each on disk before the next."""
        return jsonlines.Writer(file, dumps=msgspec.json.encode, flush=True)

    def matching(self, questions: Iterable[Question]) -> dict[str, Response]:
        """The responses to these questions as they are worded now, by question id; the failed ones too.

        Responses without a hash, from elsewhere, are taken as they are.
        """
        wanted = {question.question_id: short_hash(question.prompts) for question in questions}
        return {
            response.question_id: response
            for response in Lines(self.path, Response, Problems())
            if response.prompts_hash in ("", wanted.get(response.question_id)) and response.question_id in wanted
        }
