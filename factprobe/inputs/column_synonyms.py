"""Recognition of the columns of a table of replies by synonyms of their names, and by their values."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from itertools import chain
from typing import Any

import msgspec

from factprobe.config import Columns
from factprobe.errors import format_list, nearest
from factprobe.inputs.answer_options import option_columns
from factprobe.inputs.base import Record
from factprobe.inputs.labels import parse_judgment
from factprobe.inputs.question_kind import side_of
from factprobe.inputs.record_values import plain
from factprobe.records import SIDES

_SYNONYMS = {
    "question": ("question", "query", "problem", "prompt", "input"),
    "answers": (
        *("gold", "goldanswer", "groundtruth", "target", "reference", "referenceanswer", "correctanswer"),
        *("rightanswer", "possibleanswer", "expected", "expectedanswer", "label", "answer"),
    ),
    "response": (
        *("response", "prediction", "output", "reply", "completion", "generation", "modelresponse", "modeloutput"),
        *("modelanswer", "answer"),
    ),
    "wrong_answers": ("wronganswer", "incorrectanswer"),
    "system": ("system", "model", "modelname"),
    "choices": ("choice", "option"),
    "id": ("id", "questionid"),
    **{field: (field,) for field in ("human", "confidence", "relation", "prompt")},
    "question_type": ("questiontype",),
}
"""Synonyms of each column's name, the most certain first; lower case, singular, without spaces and signs."""
_NON_WORD = re.compile(r"[\W_]+")
_FIRST_WORD = re.compile(r"\W*(\w+)")
_URL = re.compile(r"https?://\S+")


def find_columns(columns: Columns, names: Collection[str], records: Sequence[Record] = ()) -> Columns:
    """Return `columns` with default names that the table lacks replaced by synonyms that it has.

    `names` are those of the table's columns. A column `answer` is the reply if another has the right answers. Of
    several columns that may have the right answers, the first is taken whose values in `records` can be answers.
    """
    default_columns, replacements = Columns(), dict[str, str]()
    used_names = {name for field in columns.__struct_fields__ if (name := getattr(columns, field)) in names}
    used_names -= set() if columns.question in names else {"prompt"}
    for field in ("question", "response", *(field for field in _SYNONYMS if field not in ("question", "response"))):
        if getattr(columns, field) in used_names or getattr(columns, field) != getattr(default_columns, field):
            continue
        matches = _matches(field, [name for name in names if name not in used_names])
        is_answer = field == "response" and [*map(_simplify_name, matches[:1])] == ["answer"]
        if not matches or (is_answer and not _has_answers(columns, names)):
            continue
        if field == "answers" and matches[1:]:
            has_options = columns.choices in names or _matches("choices", names) or option_columns((*names,))[0]
            replies = _values(records, replacements.get("response", columns.response))
            matches = _likely_answers(matches, records, () if has_options else replies)
        replacements[field] = matches[0]
        used_names.add(matches[0])
    is_truthful_qa = {"correctanswer", "incorrectanswer"} <= {*map(_simplify_name, names)}
    if is_truthful_qa and columns.separator == default_columns.separator:  # its answers are separated by semicolons
        replacements["separator"] = ";"
    return msgspec.structs.replace(columns, **replacements)


def synonyms_read(columns: Columns, resolved: Columns, names: Collection[str]) -> str:
    """Return a message on the columns that `find_columns` replaced (`resolved` is its result); empty if none."""
    named = {field: getattr(resolved, field) for field in Columns.__struct_fields__}
    notes = []
    for field, name in named.items():
        if name == getattr(columns, field):
            continue
        others = [repr(other) for other in _matches(field, names) if other not in named.values()]
        notes.append(f"{name!r} as {field}" + (f", not {' or '.join(others)}" if others else ""))
    return f"reads {format_list(notes)}" if notes else ""


def nearest_columns(fields: Sequence[str], free: Sequence[str]) -> dict[str, str | None]:
    """Return for each missing field the column in `free` that may be meant, or None.

    This is the unused column most similar to the field's name or synonyms, or the only one left.
    """
    columns: dict[str, str | None] = {}
    for field in fields:
        unused = [name for name in free if name not in columns.values()]
        names = (field, *_SYNONYMS.get(field, ()))
        columns[field] = next((near for name in names if (near := nearest(name, unused))), None)
    unused = [name for name in free if name not in columns.values()]
    unknown = [field for field, name in columns.items() if name is None]
    if len(unused) == len(unknown) == 1:
        columns[unknown[0]] = unused[0]
    return columns


def _matches(field: str, names: Collection[str]) -> list[str]:
    """Return the columns whose names are synonyms of a field, the most certain first."""
    synonyms = map(_simplify_name, _SYNONYMS.get(field, ()))
    columns = [name for synonym in synonyms for name in names if _simplify_name(name) == synonym]
    return sorted(columns, key=lambda name: name.lower() != field)


def _has_answers(columns: Columns, names: Collection[str]) -> bool:
    """Return whether a column other than `answer` seems to have the right answers."""
    return columns.answers in names or any(_simplify_name(name) != "answer" for name in _matches("answers", names))


def _likely_answers(names: list[str], records: Sequence[Record], replies: Sequence[Any]) -> list[str]:
    """Return the columns whose values can be answers to the questions that got these replies; all if none can be.

    Web addresses are sources of answers, not answers. Truth values such as 0 and 1 are judgments of the replies, not
    answers, if few replies begin with one.
    """
    if not _values(records, names[0]):
        return names
    first_words = [found[1] for reply in replies if (found := _FIRST_WORD.match(str(reply)))]
    are_judged = 2 * sum(side_of([word]) is not None for word in first_words) < len(first_words)

    def can_be_answers(values: Sequence[Any]) -> bool:
        are_addresses = all(_URL.fullmatch(str(value).strip()) for value in values)
        are_judgments = are_judged and all(parse_judgment(value, "").casefold() in SIDES for value in values)
        return bool(values) and not are_addresses and not are_judgments

    return [name for name in names if can_be_answers(_values(records, name))] or names


def _values(records: Sequence[Record], name: str) -> list[Any]:
    """Return the values of a column that are not empty, and the items of those that are lists."""
    values = [plain(record.get(name)) for record in records]
    items = chain.from_iterable(value if isinstance(value, list | tuple) else [value] for value in values)
    return [item for item in items if item is not None and str(item).strip()]


def _simplify_name(name: str) -> str:
    """Return a column's name in lower case and singular, without spaces and signs."""
    return _NON_WORD.sub("", name).lower().removesuffix("s")
