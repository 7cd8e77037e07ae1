"""One record of a table as a question with its response."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from math import isnan
from typing import Any, Literal

import msgspec
from msgspec import Struct

from factprobe.config import Columns
from factprobe.errors import listed
from factprobe.inputs.base import Record, UnusableError
from factprobe.question_types import (
    BINARY,
    CHOICES,
    KINDS,
    MULTIPLE,
    SINGLE,
    QuestionKind,
    QuestionType,
    question_types,
)
from factprobe.reading.language import vocabulary
from factprobe.records import SIDES, Answer, Message, Question, Response, Side

Match = Literal["any", "all"]
_GLUED = re.compile(r"""['"]\s+['"]""")
"""Texts with no comma between them, as NumPy prints lists; Python would take them for one text."""
MISSING = object()


class Answered(Struct, frozen=True, gc=False):
    """A reply with what was asked."""

    id: str
    """As the record has it, or its number from 1."""
    question: Question
    response: Response
    system: str = ""
    """Who replied, where that is known."""
    human: str = ""
    """What people say of the reply, where they were asked."""


def found_in(record: Record, name: str) -> Any:
    """What a record has under a name; dots lead into mappings."""
    if name in record:
        return record[name]
    value: Any = record
    for part in name.split("."):
        if not isinstance(value, Mapping) or part not in value:
            return MISSING
        value = value[part]
    return value


class Row:
    """One record, and where in it is what."""

    def __init__(self, record: Record, columns: Columns) -> None:
        self._record = record
        self._columns = columns

    def answered(self, number: int, match: Match, system: str) -> Answered:
        """The question and the response.

        Raises:
            UnusableError: something is missing or cannot be used.
        """
        question = self.text("question").strip()
        if not question:
            raise UnusableError(f"has no question under {self._columns.question!r}")
        name = self.text("id").strip()
        choices = tuple(self.list_of("choices"))
        kind = self._kind(choices, match)
        asked = Question(
            question_id=name or str(number),
            question_type=kind,
            prompts=(Message("user", self.text("prompt") or question),),
            answers=self._answers(kind, choices),
            relation=self.text("relation").strip(),
            subject_uri=blake2b(question.encode(errors="surrogatepass"), digest_size=8).hexdigest(),
            object_uri="",
            choices=choices,
            bare=question,
        )
        return Answered(
            asked.question_id,
            asked,
            self._response(asked),
            self.text("system").strip() or system,
            self.text("human").strip(),
        )

    def text(self, field: str) -> str:
        """The text of a column; empty where there is none."""
        return _text(self._value(field), f"the column {getattr(self._columns, field)!r}") or ""

    def list_of(self, field: str) -> list[str]:
        """The texts of a column that holds a list, or a text for one."""
        return [name for names in self._groups(field) for name in names]

    def _value(self, field: str) -> Any:
        value = found_in(self._record, getattr(self._columns, field))
        value = value.tolist() if hasattr(value, "tolist") else value  # NumPy's
        return None if value is MISSING else value

    def _groups(self, field: str) -> list[list[str]]:
        """The same, where each item of the list may be a list of other names for one thing."""
        value, where = self._value(field), f"an item of {getattr(self._columns, field)!r}"
        items = items_of(value, self._columns.separator) if isinstance(value, str) else value
        items = [] if items is None else items if isinstance(items, list | tuple) else [items]
        groups = [item if isinstance(item, list | tuple) else [item] for item in items]
        named = ([text.strip() for one in group if (text := _text(one, where))] for group in groups)
        return [list(dict.fromkeys(filter(None, names))) for names in named if any(names)]

    def _kind(self, choices: tuple[str, ...], match: Match) -> QuestionType:
        given = self.text("question_type").strip()
        if given and (given not in KINDS or given not in question_types()):
            raise UnusableError(f"unknown question type {given!r}; known: {listed(question_types())}")
        kind = given or self._told_kind(choices, match).question_type
        if kind == CHOICES.question_type and len(choices) < 2:
            raise UnusableError(f"is of the type {kind} and has not two options under {self._columns.choices!r}")
        return kind

    def _told_kind(self, choices: tuple[str, ...], match: Match) -> QuestionKind:
        if choices:
            return CHOICES
        first = self.text("question").casefold().split()[:1]
        asks = not vocabulary("auxiliary").isdisjoint(first) and all(
            name.casefold() in _yes_or_no() for name in self.list_of("answers")
        )
        return BINARY if asks else MULTIPLE if match == "all" else SINGLE

    def _answers(
        self, kind: QuestionType, choices: tuple[str, ...]
    ) -> tuple[Answer, ...] | Literal["correct", "incorrect"]:
        groups = self._groups("answers")
        names = list(dict.fromkeys(name for group in groups for name in group))
        if not names:
            raise UnusableError(f"has no right answer under {self._columns.answers!r}")
        if kind == BINARY.question_type:
            sides = {(SIDES | _yes_or_no()).get(name.casefold()) for name in names}
            side = sides.pop()
            if side is None or sides:
                raise UnusableError(f"{', '.join(names)!r} is none of {', '.join(SIDES)}")
            return side
        if kind == CHOICES.question_type:
            return tuple(_answer([_option(name, choices)]) for name in names)
        return tuple(map(_answer, groups)) if KINDS[kind].is_set else (_answer(names),)

    def _response(self, asked: Question) -> Response:
        value = self._value("response")
        reply = _text(value, f"the column {self._columns.response!r}")
        scores = self._record.get("loglikelihoods")
        return Response(
            asked.question_id,
            reply,
            _text(self._record.get("finish_reason"), "finish_reason"),
            None,
            "the input has no reply" if reply is None else None,
            scores=tuple(scores) if isinstance(scores, list) else (),
        )


@cache
def _yes_or_no() -> dict[str, Side]:
    """The words that answer a question with yes or no, each with the side that it takes."""
    yes, no = vocabulary("binary_answers_yes"), vocabulary("binary_answers_no")
    sides: dict[str, Side] = dict.fromkeys(yes, "correct")
    return sides | dict.fromkeys(no, "incorrect")


def _answer(names: list[str]) -> Answer:
    return Answer(names[0], names[0], tuple(names[1:]))


def _option(name: str, choices: tuple[str, ...]) -> str:
    """The option that an answer names by its text or its letter."""
    named = [choice for choice in choices if choice.casefold() == name.casefold()]
    letter = ord(name.upper()) - ord("A") if len(name) == 1 else -1
    if not named and 0 <= letter < len(choices):
        return choices[letter]
    if not named:
        raise UnusableError(f"the right answer {name!r} is none of the options, nor the letter of one")
    return named[0]


def _text(value: Any, where: str) -> str | None:
    """A value as text; None where there is none."""
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        raise UnusableError(f"{where} holds {listed([*map(str, value)])}; name one of them with a dot")
    if isinstance(value, list | tuple | set | bytes):
        raise UnusableError(f"{where} is a {type(value).__name__}, no text")
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def items_of(text: str, separator: str | None = None) -> list[Any]:
    """The items of a text: a list in JSON or as Python prints it, or what stands between separators."""
    text = text.strip()
    if text.startswith("[") and text.endswith("]"):
        try:
            return list(msgspec.json.decode(text))
        except (msgspec.MsgspecError, RecursionError):
            pass
        try:
            with warnings.catch_warnings(action="ignore"):  # of a backslash that escapes nothing
                found = None if _GLUED.search(text) else ast.literal_eval(text)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            found = None
        if isinstance(found, list):
            return found
    return text.split(separator) if separator else [text]
