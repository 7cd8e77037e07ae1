"""Answers from a rule or a file, for tests and dry runs: no model is asked."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import ClassVar, Literal

from msgspec import Struct

from factprobe.errors import ConfigError
from factprobe.models.base import CallError, Model, ModelSettings, Reply
from factprobe.records import Question, Usage
from factprobe.storage import Lines, Problems, file_hash
from factprobe.text import normalise

Rule = Literal["gold", "wrong", "abstain", "mixed"]


class ScriptedSettings(ModelSettings, frozen=True, kw_only=True):
    """What `conf/model/scripted.yaml` sets."""

    rule: Rule = "mixed"
    """`gold` gives the right answer, `wrong` a wrong one, `abstain` none; `mixed` takes turns by the question's id."""
    path: str | None = None
    """JSON Lines with `question_id` and `response`, used instead of the rule."""


class _ScriptLine(Struct, frozen=True):
    question_id: str
    response: str


class Scripted(Model):
    """Answers by rule, or by question id from a file.

    Raises:
        ConfigError: there is no such file.
        DataError: a line of it is broken.
    """

    settings_type: ClassVar[type[ModelSettings]] = ScriptedSettings
    cached: ClassVar[bool] = False

    def __init__(self, settings: ScriptedSettings) -> None:
        self._script: dict[str, str] | None = None
        self._script_hash = ""
        if settings.path is not None:
            path = Path(settings.path).expanduser()
            if not path.is_file():
                raise ConfigError("no such file of scripted answers", where=path, mend="set model.path= to one")
            lines = Lines(path, _ScriptLine, Problems(strict=True, mend="give it a question_id and a response"))
            self._script = {line.question_id: line.response for line in lines}
            self._script_hash = file_hash(path)
        super().__init__(settings)

    def identity(self) -> dict[str, object]:
        """The rule or the file's hash; no other setting changes an answer."""
        return {"rule": self.settings.rule, "script": self._script_hash}

    async def reply(self, question: Question) -> Reply:
        """See the base class."""
        if self._script is None:
            text = _by_rule(self.settings.rule, question)
        elif question.question_id in self._script:
            text = self._script[question.question_id]
        else:
            raise CallError(f"{self.settings.path} has no answer to {question.question_id}")
        prompt_words = sum(len(message.content.split()) for message in question.prompts)
        return Reply(text, "stop", Usage(prompt_words, len(text.split())))


def _by_rule(rule: Rule, question: Question) -> str:
    if rule == "mixed":
        share = hashlib.blake2b(question.question_id.encode(), digest_size=1).digest()[0] / 256
        rule = "gold" if share < 0.6 else "wrong" if share < 0.85 else "abstain"
    if rule == "abstain":
        return "I don't know."
    if isinstance(question.answers, str):
        other = "incorrect" if question.answers == "correct" else "correct"
        return question.answers if rule == "gold" else other
    if rule == "gold":
        return "\n".join(answer.label for answer in question.answers)
    right = {normalise(name) for answer in question.answers for name in answer.names()}
    return next((choice for choice in question.choices if normalise(choice) not in right), "Nowhereland")
