"""Conversion of a table's records to questions with responses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from io import IOBase
from itertools import chain, islice
from math import isnan
from pathlib import Path
from typing import Any

from factprobe.config import Columns
from factprobe.errors import DataError, format_list
from factprobe.inputs.answer_options import lacks_label
from factprobe.inputs.base import Record, UnusableError
from factprobe.inputs.column_synonyms import find_columns, nearest_columns, synonyms_read
from factprobe.inputs.question_kind import Match
from factprobe.inputs.record_values import MISSING, get_value
from factprobe.inputs.rows import AnsweredQuestion, ReplyRow
from factprobe.inputs.skipped import BrokenRecords
from factprobe.inputs.table_formats import check_distinct_columns, rows_of
from factprobe.question_types import question_types
from factprobe.storage import Problems

_Numbered = tuple[int, str, Record]
"""Number of a record from 1, its place for messages, and the record."""
_REQUIRED_FIELDS = ("question", "answers", "response")
_SOURCE_HINT = "give the path of a file, a data frame or a list of mappings"
_HEAD_SIZE = 1000
"""Number of records that are read to recognise the columns and to check the separator of answers."""
_SEPARATORS = {";": (re.compile(";"), 4), "\n": (re.compile("\n"), 4), ",": (re.compile(r",(?!\d)"), 2)}
"""Usual separators of answers: pattern, and n if more than one in n texts must contain it for a warning."""


def read_answered(
    records: Iterable[tuple[str, Record]],
    columns: Columns,
    match: Match,
    problems: Problems,
    where: str | Path,
    system: str = "",
    broken: BrokenRecords | None = None,
) -> Iterator[AnsweredQuestion]:
    """Yield each record as a question with its response, and report unusable ones to `problems`.

    With `match=any`, one of a question's answers is enough; with `all`, all are required. `where` is the source of the
    records, for messages. `system` is used for records without such a column. `broken` has the broken records that
    were skipped so far, so that numbers of records count them too.

    Raises:
        DataError: There are no records, a column is missing, or no record is usable.
    """
    broken = broken or BrokenRecords(problems)
    numbered = ((number + broken.count(), place, record) for number, (place, record) in enumerate(records, 1))
    head, failure = _read_head(numbered)
    if not head and broken.count():
        raise DataError("has no records that can be read", where=where, hint=f"the first one: {broken.first_reason}")
    columns = _columns_of(head, columns, problems, where)
    first, usable, texts, lacking = "", False, list[str](), list[bool]()
    for number, place, record in chain(head, numbered):
        right = get_value(record, columns.answers)
        if number <= _HEAD_SIZE and isinstance(right, str) and not right.startswith("["):
            texts.append(right)
        try:
            answered = ReplyRow(record, columns, problems, place).to_answered_question(number, match, system)
        except UnusableError as error:
            problems.add(str(error), place)
            first = first or str(error)
        else:
            usable = True
            if number <= _HEAD_SIZE and (lacks := _lacks_label(answered)) is not None:
                lacking.append(lacks)
            yield answered
    if failure:
        raise failure
    if not usable:
        raise DataError("holds no reply that can be graded", where=where, hint=f"the first record: {first}")
    _warn_of_separator(texts, columns.separator, problems, where)
    if sum(lacking) * 2 > len(lacking):
        share = f"{sum(lacking)} of {len(lacking)} replies"
        what = f"{share} to questions whose right answer is a letter or digit are texts"
        problems.warn_once(f"{what}, and no options are found in the questions; add a column 'choices'", where)


def _read_head(records: Iterator[_Numbered]) -> tuple[list[_Numbered], DataError | None]:
    """Return the first records, and the error that ended reading, or None."""
    head = list[_Numbered]()
    try:
        head.extend(islice(records, _HEAD_SIZE))
    except DataError as error:
        if not head:
            raise
        return head, error
    return head, None


def _lacks_label(answered: AnsweredQuestion) -> bool | None:
    """Return whether a reply has no option label; None if the right answers are no labels, or options are known."""
    question, reply = answered.question, (answered.response.response or "").strip()
    if question.choices or isinstance(question.answers, str) or not reply:
        return None
    return lacks_label([name for answer in question.answers for name in answer.names()], reply)


def _warn_of_separator(texts: list[str], separator: str, problems: Problems, where: str | Path) -> None:
    """Warn if answers contain no separator of the settings, but many of them another usual one."""
    if any(separator in text for text in texts):
        return
    for sign, (pattern, share) in _SEPARATORS.items():
        if sum(map(bool, map(pattern.search, texts))) * share > len(texts) > 0:
            what = f"many right answers hold {sign!r} and none holds {separator!r}"
            escaped = sign.replace("\n", "\\n")
            hint = f"if it stands between several answers, set 'columns.separator=\"{escaped}\"'"
            problems.warn_once(f"{what}; {hint}", where)
            return


def as_records(source: Any) -> Iterator[tuple[str, Record]]:
    """Yield the records of a data frame (pandas, Polars, Arrow) or of a list of mappings, each with its place.

    Raises:
        DataError: The source is not a data frame or a list, two of its columns have one name, or a record is not a
            mapping.
    """
    if hasattr(source, "columns"):
        check_distinct_columns(getattr(source, "column_names", source.columns), "the data frame")
    if hasattr(source, "notna") and hasattr(source, "columns"):  # pandas has several kinds of missing values
        short = [name for name, type_ in source.dtypes.items() if str(type_) == "float32"]
        frame = source.astype(dict.fromkeys(short, str)).astype(dict.fromkeys(short, float))  # 0.1, not 0.10000000149
        source = frame.astype(object).where(source.notna(), None).to_dict("records")
    elif hasattr(source, "to_dicts"):
        source = source.to_dicts()
    elif hasattr(source, "to_pylist"):
        source = rows_of(source)
    if isinstance(source, Mapping | IOBase) or not isinstance(source, Iterable):
        what = f"are no list or table, but of the type {type(source).__name__}"
        hint = "put a record into a list, and columns into a data frame"
        raise DataError(what, where="the records", hint=hint if isinstance(source, Mapping) else _SOURCE_HINT)
    for number, record in enumerate(source, 1):
        if isinstance(record, Exception):
            raise DataError(f"cannot be read: {record}", where=f"record {number}") from record
        if not isinstance(record, Mapping):
            raise DataError(f"is of the type {type(record).__name__}", where=f"record {number}", hint=_SOURCE_HINT)
        yield f"record {number}", record


def fill_empty_cells(records: Iterable[tuple[str, Record]]) -> Iterator[tuple[str, Record]]:
    """Yield the records of a table with null and NaN replaced by an empty text, as in CSV."""
    for place, record in records:
        empty = {name for name, value in record.items() if value is None or (isinstance(value, float) and isnan(value))}
        yield place, {**record, **dict.fromkeys(empty, "")}


def given_records(source: Any) -> Iterator[tuple[str, Record]]:
    """Yield the records of a data frame, with null replaced by an empty text, or of a list of mappings."""
    return fill_empty_cells(as_records(source)) if hasattr(source, "columns") else as_records(source)


def _columns_of(head: list[_Numbered], columns: Columns, problems: Problems, where: str | Path) -> Columns:
    """Return the columns, with default names that the first records lack replaced by synonyms.

    Raises:
        DataError: None of the first records has a required column, or one that the user has set.
    """
    names = [*dict.fromkeys(str(name) for _, _, record in head for name in record)]
    resolved = find_columns(columns, names, [record for _, _, record in head])
    default = Columns()
    named = {field: getattr(resolved, field) for field in Columns.__struct_fields__ if field != "separator"}
    missing = {}
    for field, name in named.items():
        is_needed = field in _REQUIRED_FIELDS or name != getattr(default, field)
        is_type_of_all = field == "question_type" and name in question_types()
        if is_needed and not is_type_of_all and all(get_value(record, name) is MISSING for _, _, record in head):
            missing[field] = name
    note = synonyms_read(columns, resolved, names)
    if head and not missing:
        if note:
            problems.warn_once(f"{note}; columns.<name>= says otherwise", where)
        return resolved
    if not head:
        if isinstance(where, str):
            raise DataError("there are none", where=where, hint=f"{_SOURCE_HINT} with question, answers and response")
        raise DataError("has no records", where=where, hint="check that it is the right file")
    for key, value in head[0][2].items() if len(head) == 1 else ():
        if isinstance(value, list) and value and isinstance(value[0], Mapping):
            what = f"is one object, whose records seem to be the list {key!r}"
            raise DataError(what, where=where, hint="write that list into a file of its own, as jq does")
    there = dict.fromkeys(name for _, _, record in head for name in _names(record))
    what = f"has no {' and no '.join(map(repr, missing.values()))}; its columns are {format_list(there)}"
    used = {*named.values()} - {*missing.values()}
    near = nearest_columns([*missing], [name for name in there if name not in used])
    hint = " ".join(f"columns.{field}={name or 'NAME'}" for field, name in near.items())
    raise DataError(what, where=where, hint=f"name the columns: {hint}" + (f"; it {note}" if note else ""))


def _names(record: Record) -> Iterator[str]:
    """Yield the names of a record's values, as the setting `columns` can use them: `id`, `doc.question`."""
    for key, value in record.items():
        yield from (f"{key}.{inner}" for inner in value) if isinstance(value, Mapping) else (str(key),)
