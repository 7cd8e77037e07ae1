"""Conversion of one record of a table to a question with a response."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from itertools import chain
from math import inf, isfinite, nan
from typing import Any, Literal

from msgspec import Struct

from factprobe.config import Columns
from factprobe.errors import format_list
from factprobe.inputs.answer_options import (
    LIKELY_LETTERS,
    find_right_option,
    has_options_from_0,
    is_label_list,
    option_columns,
    options_in,
    without_labels,
)
from factprobe.inputs.base import Record, UnusableError
from factprobe.inputs.labels import parse_judgment
from factprobe.inputs.question_kind import Match, infer_kind, side_of
from factprobe.inputs.record_values import (
    MISSING,
    explain_not_text,
    get_value,
    is_unparsed_list,
    plain,
    split_items,
    to_text,
)
from factprobe.question_types import KINDS, QuestionType, question_types
from factprobe.records import SIDES, Answer, Message, Question, Response
from factprobe.storage import Problems


class AnsweredQuestion(Struct, frozen=True, gc=False):
    """Question with one reply, read from a record."""

    id: str
    """Id in the record, or the record's number from 1 (broken records are counted too)."""
    question: Question
    response: Response
    system: str = ""
    """System that wrote the reply; empty if unknown."""
    human: str = ""
    """Human judgment of the reply, as a word or number; empty if there is none."""


class ReplyRow:
    """Record to be read by the names in `columns`; unusable optional values are reported to `problems`."""

    def __init__(self, record: Record, columns: Columns, problems: Problems, place: str) -> None:
        self._record, self._columns, self._problems, self._place = record, columns, problems, place

    def to_answered_question(self, number: int, match: Match, system: str) -> AnsweredQuestion:
        """Return the record as a question with its response; `number` replaces a missing id, `system` a missing system.

        Raises:
            UnusableError: A required value is missing, or cannot be used.
        """
        text = (self._text("question") or "").strip()
        if not text:
            raise UnusableError(f"has no question under {self._columns.question!r}")
        groups = self._groups("answers", self._value("answers"))
        names = list(dict.fromkeys(name for group in groups for name in group))
        if not names:
            raise UnusableError(f"has no right answer under {self._columns.answers!r}")
        name = self._optional_text("id")
        given, labels = without_labels(self._value("choices") or self._options_of_columns(names))
        options = self._groups("choices", given)
        choices = tuple(option for group in options for option in group)
        if not choices:
            choices, labels = options_in(text, names)
        prompt = self._optional_text("prompt", strip=False) or text
        is_from_0 = labels[0] == "0" if labels else has_options_from_0(prompt, choices)
        kind = self._given_kind() or infer_kind(text, names, bool(choices), match)
        question = Question(
            question_id=name or str(number),
            question_type=kind,
            prompts=(Message("user", prompt),),
            answers=self._answers(kind, match, choices, labels, groups, names),
            relation=self._optional_text("relation"),
            subject_uri=_cluster_of(text, choices),
            object_uri="",
            choices=choices,
            bare=text,
            wrong=tuple(chain.from_iterable(self._groups("wrong_answers", self._value("wrong_answers")))),
            first_number=0 if is_from_0 else 1,
        )
        human = parse_judgment(self._value("human"), self._columns.separator)
        system = self._optional_text("system") or system
        return AnsweredQuestion(question.question_id, question, self._response(question), system, human)

    def _value(self, field: str) -> Any:
        value = plain(get_value(self._record, getattr(self._columns, field)))
        return None if value is MISSING else value

    def _text(self, field: str) -> str | None:
        """Return the text of a column, or None without a value."""
        value = self._value(field)
        if isinstance(value, str):
            return value
        name = getattr(self._columns, field)
        return to_text(value, f"the column {name!r}", f"columns.{field}={name}")

    def _optional_text(self, field: str, *, strip: bool = True) -> str:
        """Return the text of an optional column, or an empty text if it is missing or unusable."""
        try:
            text = self._text(field) or ""
        except UnusableError as error:
            self._problems.warn_once(str(error), self._place)
            return ""
        return text.strip() if strip else text

    def _groups(self, field: str, value: Any) -> list[list[str]]:
        """Return the items of a list in a column; an item is a list of alternative names."""
        if value is None:
            return []
        name = getattr(self._columns, field)
        if isinstance(value, str):
            if is_unparsed_list(value):
                what = f"the column {name!r} holds a list or dictionary as it was printed, which is read as one text"
                hint = f"write a list as JSON, or name what is inside it: columns.{field}={name}.KEY"
                self._problems.warn_once(f"{what}; {hint}", self._place)
            original, value = value, split_items(value, self._columns.separator)
            if field == "answers" and len(value) > 1 and all(isinstance(item, int | float) for item in value):
                what = f"{original} is read as {len(value)} answers, each of them right"
                self._problems.warn_once(f'{what}; write ["{original}"] if it is one answer', self._place)
        if isinstance(value, Mapping):
            value = _names_in(value) or value
        if isinstance(value, Mapping):
            what = explain_not_text(value, f"the column {name!r}", f"columns.{field}={name}", lists=True)
            raise UnusableError(what)
        items = value if isinstance(value, list | tuple) else [value]
        where, setting = f"an item of {name!r}", f"columns.{field}={name}.0"
        groups = (item if isinstance(item, list | tuple) else [item] for item in items)
        named = ([text.strip() for item in group if (text := to_text(item, where, setting))] for group in groups)
        answer_groups = [list(dict.fromkeys(filter(None, names))) for names in named]
        if field == "choices":
            while answer_groups and not answer_groups[-1]:
                answer_groups.pop()  # the end of a table's widest list
            if [] in answer_groups:
                raise UnusableError(f"option {answer_groups.index([]) + 1} of {len(answer_groups)} is empty")
        return [*filter(None, answer_groups)]

    def _options_of_columns(self, names: Sequence[str]) -> dict[str, Any] | None:
        """Return the options that are in a column each (`option_a`, `option_b`), by label; None if there are none.

        Columns called A, B and so on hold options only if each right answer, in `names`, is the text or label of one,
        or another letter up to J, whose option is missing.
        """
        columns, is_certain = option_columns(tuple(self._record))
        options = {label: self._record[column] for label, column in columns.items()}
        texts = {str(value).strip().casefold() for value in options.values()}
        labels = {*options, *LIKELY_LETTERS}
        are_named = all(name.casefold() in texts or is_label_list(name, labels) for name in names)
        if not any(options.values()) or not (is_certain or are_named):
            return None
        first, *_, last = columns.values()
        self._problems.warn_once(f"reads the columns {first} to {last} as options", self._place)
        return options

    def _given_kind(self) -> QuestionType | None:
        """Return the question type in the record, or else the type in the settings; None without either."""
        column = self._columns.question_type
        kind = (self._text("question_type") or "").strip() or (column if column in KINDS else "")
        if kind and (kind not in KINDS or kind not in question_types()):
            raise UnusableError(f"unknown question type {kind!r}; known: {format_list(question_types())}")
        return kind or None

    def _answers(
        self,
        kind: QuestionType,
        match: Match,
        choices: tuple[str, ...],
        labels: tuple[str, ...],
        groups: list[list[str]],
        names: list[str],
    ) -> tuple[Answer, ...] | Literal["correct", "incorrect"]:
        if kind == "binary_answer":
            side = side_of(names)
            if side is None:
                raise UnusableError(f"{', '.join(names)!r} is none of {', '.join(SIDES)}")
            return side
        if kind == "multi_choices":
            if len(choices) < 2:
                raise UnusableError(f"is of the type {kind} and has not two options under {self._columns.choices!r}")
            value = self._value("answers")
            single = value[0] if isinstance(value, list) and len(value) == 1 else value
            by_number = isinstance(single, int) or (isinstance(single, float) and single.is_integer())  # 1.0 of a table
            if by_number and names[0] not in choices and not labels:
                what = "numbers for right answers are taken for the places of options, counted from 0"
                self._problems.warn_once(what, self._place)
            by = str(self._record.get("given_by", "")) if self._columns.answers == Columns().answers else ""
            right = [find_right_option(one, choices, by_number=by_number, labels=labels, given_by=by) for one in names]
            if match == "all" and len({*right}) > 1:
                what = "has several right options, but a reply is graded by one"
                raise UnusableError(f"{what}; match=any takes each of them")
            return tuple(_answer([option]) for option in right)
        return tuple(map(_answer, groups)) if KINDS[kind].is_set else (_answer(names),)

    def _response(self, question: Question) -> Response:
        reply = self._text("response")
        ended = self._record.get("finish_reason")
        return Response(
            question.question_id,
            reply,
            ended if isinstance(ended, str) else None,
            None,
            "the input has no reply" if reply is None else None,
            scores=_loglikelihoods(self._record.get("loglikelihoods")),
            confidence=self._confidence(),
        )

    def _confidence(self) -> float | None:
        """Return the system's confidence in its reply, on the scale of the file; None if there is no number."""
        value = self._value("confidence")
        if value is None or value == "":
            return None
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            number = nan
        if not isfinite(number):
            what = f"the column {self._columns.confidence!r} holds values that are no numbers; left out"
            self._problems.warn_once(what, self._place)
            return None
        return 1.0 if 1 < number < 1.001 else number  # a sum of probabilities, rounded


def _cluster_of(question: str, choices: Sequence[str]) -> str:
    """Return a hash of a question's text and sorted options, as several questions may have the same text."""
    text = "\n".join((question, *sorted(choices)))
    return blake2b(text.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def _names_in(value: Mapping[str, Any]) -> list[Any]:
    """Return the names in an answer of TriviaQA (`{"value": …, "aliases": […]}`); empty for any other mapping."""
    parts = {str(key).lower(): part for key, part in value.items()}
    aliases = plain(parts.get("aliases"))
    return [parts["value"], *aliases] if "value" in parts and isinstance(aliases, list) else []


def _loglikelihoods(value: Any) -> tuple[float, ...]:
    """Return the log-likelihoods of options in a list; empty if the value is not a list.

    Raises:
        UnusableError: A value is +inf, NaN or not a number, or all are -inf, so that no option is the likeliest.
    """
    if not isinstance(value, list):
        return ()
    try:
        scores = tuple(nan if score is None else float(score) for score in value)
    except (OverflowError, TypeError, ValueError) as error:
        raise UnusableError("has log-likelihoods that are not numbers") from error
    for number, score in enumerate(scores, 1):
        if not score < inf:
            raise UnusableError(f"has the log-likelihood {score} for option {number}, so that none is the likeliest")
    if scores and max(scores) == -inf:
        raise UnusableError("has the log-likelihood -inf for all options, so that none is the likeliest")
    return scores


def _answer(names: list[str]) -> Answer:
    return Answer(names[0], names[0], tuple(names[1:]))
