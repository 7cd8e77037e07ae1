"""One record of a table as a question with its response."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, Literal

from msgspec import Struct

from factprobe.config import Columns
from factprobe.errors import listed
from factprobe.inputs.base import Record, UnusableError
from factprobe.inputs.judgments import judgment_of
from factprobe.inputs.kinds import Match, side_of, told_kind
from factprobe.inputs.options import right_option, unlabelled
from factprobe.inputs.values import MISSING, found_in, is_unread, items_of, no_text, plain, text_of
from factprobe.question_types import BINARY, CHOICES, KINDS, QuestionType, question_types
from factprobe.records import SIDES, Answer, Message, Question, Response
from factprobe.storage import Problems


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


class Row:
    """One record, and where in it is what.

    Args:
        record: under the names of its columns.
        columns: which of them hold what.
        problems: takes what an optional column holds that cannot be used.
        place: where the record stands.
    """

    def __init__(self, record: Record, columns: Columns, problems: Problems, place: str) -> None:
        self._record = record
        self._columns = columns
        self._problems = problems
        self._place = place

    def answered(self, number: int, match: Match, system: str) -> Answered:
        """The question and the response.

        Raises:
            UnusableError: something is missing or cannot be used.
        """
        question = self._text("question").strip()
        if not question:
            raise UnusableError(f"has no question under {self._columns.question!r}")
        groups = self._groups("answers", self._value("answers"))
        names = list(dict.fromkeys(name for group in groups for name in group))
        if not names:
            raise UnusableError(f"has no right answer under {self._columns.answers!r}")
        name = self._beside("id")
        options = self._groups("choices", unlabelled(self._value("choices")))
        choices = tuple(option for group in options for option in group)
        kind = self._given_kind() or told_kind(question, names, bool(choices), match).question_type
        asked = Question(
            question_id=name or str(number),
            question_type=kind,
            prompts=(Message("user", self._beside("prompt", strip=False) or question),),
            answers=self._answers(kind, choices, groups, names),
            relation=self._beside("relation"),
            subject_uri=blake2b(question.encode(errors="surrogatepass"), digest_size=8).hexdigest(),
            object_uri="",
            choices=choices,
            bare=question,
        )
        human = judgment_of(self._value("human"), self._columns.separator)
        return Answered(asked.question_id, asked, self._response(asked), self._beside("system") or system, human)

    def _value(self, field: str) -> Any:
        value = plain(found_in(self._record, getattr(self._columns, field)))
        return None if value is MISSING else value

    def _text(self, field: str) -> str:
        """The text of a column; empty where there is none."""
        value = self._value(field)
        if isinstance(value, str):
            return value
        name = getattr(self._columns, field)
        return text_of(value, f"the column {name!r}", f"columns.{field}={name}") or ""

    def _beside(self, field: str, *, strip: bool = True) -> str:
        """The text of a column that a reply is graded without, too."""
        try:
            text = self._text(field)
        except UnusableError as error:
            self._problems.warn_once(str(error), self._place)
            return ""
        return text.strip() if strip else text

    def _groups(self, field: str, value: Any) -> list[list[str]]:
        """The texts of a column that holds a list, or a text for one; an item may be a list of other names for one
        thing."""
        if value is None:
            return []
        name = getattr(self._columns, field)
        if isinstance(value, str):
            if is_unread(value):
                what = f"the column {name!r} holds a list or dictionary as it was printed, which is read as one text"
                self._problems.warn_once(
                    f"{what}; write a list as JSON, or name what is inside it: columns.{field}={name}.KEY", self._place
                )
            value = items_of(value, self._columns.separator)
        if isinstance(value, Mapping):
            raise UnusableError(no_text(value, f"the column {name!r}", f"columns.{field}={name}", lists=True))
        items = value if isinstance(value, list | tuple) else [value]
        where, setting = f"an item of {name!r}", f"columns.{field}={name}.0"
        groups = (item if isinstance(item, list | tuple) else [item] for item in items)
        named = ([text.strip() for one in group if (text := text_of(one, where, setting))] for group in groups)
        return [list(dict.fromkeys(filter(None, names))) for names in named if any(names)]

    def _given_kind(self) -> QuestionType | None:
        """The type that the record has, or that the settings name in the place of a column."""
        column = self._columns.question_type
        given = self._text("question_type").strip()
        given = given or (column if column in KINDS else "")
        if given and (given not in KINDS or given not in question_types()):
            raise UnusableError(f"unknown question type {given!r}; known: {listed(question_types())}")
        return given or None

    def _answers(
        self, kind: QuestionType, choices: tuple[str, ...], groups: list[list[str]], names: list[str]
    ) -> tuple[Answer, ...] | Literal["correct", "incorrect"]:
        if kind == BINARY.question_type:
            side = side_of(names)
            if side is None:
                raise UnusableError(f"{', '.join(names)!r} is none of {', '.join(SIDES)}")
            return side
        if kind == CHOICES.question_type:
            if len(choices) < 2:
                raise UnusableError(f"is of the type {kind} and has not two options under {self._columns.choices!r}")
            given = self._value("answers")
            by_number = isinstance(given[0] if isinstance(given, list) and len(given) == 1 else given, int)
            if by_number and names[0] not in choices:
                what = "numbers for right answers are taken for the places of options, counted from 0"
                self._problems.warn_once(what, self._place)
            return tuple(_answer([right_option(name, choices, by_number=by_number)]) for name in names)
        return tuple(map(_answer, groups)) if KINDS[kind].is_set else (_answer(names),)

    def _response(self, asked: Question) -> Response:
        reply = self._value("response")
        if not isinstance(reply, str):
            name = self._columns.response
            reply = text_of(reply, f"the column {name!r}", f"columns.response={name}")
        ended, scores = self._record.get("finish_reason"), self._record.get("loglikelihoods")
        return Response(
            asked.question_id,
            reply,
            ended if isinstance(ended, str) else None,
            None,
            "the input has no reply" if reply is None else None,
            scores=_numbers(scores),
        )


def _numbers(value: Any) -> tuple[float, ...]:
    """Return a list of numbers; empty where the value is none, or one of them is no number of the computer's."""
    try:
        return tuple(map(float, value)) if isinstance(value, list) else ()
    except (OverflowError, TypeError, ValueError):
        return ()


def _answer(names: list[str]) -> Answer:
    return Answer(names[0], names[0], tuple(names[1:]))
