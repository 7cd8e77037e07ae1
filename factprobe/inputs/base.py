"""Base class of input formats, and their registry."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import inf
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from factprobe.registry import Registry
from factprobe.storage import Problems

T = TypeVar("T")

Record = Mapping[str, Any]
"""Record of a reply with its question and right answers, by column name."""


class UnusableError(Exception):
    """Error for a record that cannot be used, with the reason."""


def given_id(record: Record) -> str:
    """Return the id in a record; empty if there is none.

    Raises:
        UnusableError: The id is neither text nor a whole number.
    """
    name = record.get("id")
    if isinstance(name, bool) or not isinstance(name, str | int | None):
        raise UnusableError("has an id that is neither text nor a whole number")
    return "" if name is None else str(name)


def is_number(value: Any) -> bool:
    """Return whether a value is a finite number."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < inf


def read_by_id(
    records: Iterable[tuple[str, Record]],
    id_of: Callable[[Record, int], str],
    read: Callable[[Record, str], T],
    problems: Problems,
) -> dict[str, T]:
    """Read records by id, and report unusable ones and those with a repeated id to `problems`.

    `id_of` returns the id of a record, given its number from 1, and `read` reads a record; both may raise
    `UnusableError`.
    """
    found: dict[str, T] = {}
    for number, (place, record) in enumerate(records, 1):
        try:
            name = id_of(record, number)
            if name in found:
                raise UnusableError(f"has the id {name!r} of an earlier record")
            found[name] = read(record, name)
        except UnusableError as error:
            problems.add(str(error), place)
    return found


class Input(ABC):
    """Base class of file formats with replies.

    A subclass yields the records of a file, and detects its files by name or content.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    """Lower-case endings of the names of the format's files, with the dot."""
    by_content: ClassVar[bool] = False
    """True if `claims` reads the content of a file; such formats take precedence over those that only use its name."""
    keys: ClassVar[tuple[bytes, ...]] = ()
    """Keys at the start of each file of the format, if the files are JSON objects."""
    name_pattern: ClassVar[re.Pattern[str] | None] = None
    """Pattern of a file's name without the ending; its first group is the title of the replies."""
    has_null_cells: ClassVar[bool] = False
    """True for tables with null for an empty cell, which is an empty text in CSV."""
    sorted_by: ClassVar[str] = "relation"
    """Noun for the values of the column `relation`, used in messages."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:
        """Return whether a file has this format, given its first bytes, some ten thousand."""
        has_keys = not cls.keys or (start.lstrip()[:1] == b"{" and all(key in start for key in cls.keys))
        return path.name.lower().endswith(cls.suffixes) and has_keys

    @classmethod
    def title(cls, path: Path) -> str:
        """Return a name for the replies of a file, or an empty text to use the file's name."""
        named = cls.name_pattern.fullmatch(path.stem) if cls.name_pattern else None
        return named[1] if named else ""

    def count(self) -> int | None:
        """Return the approximate number of records, or None if counting is as slow as reading them."""
        return None

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield each record with its place for messages; each call reads the file again.

        The setting `columns` has the keys of the question, its answers and the reply, by default `question`, `answers`
        and `response`. `given_by` is `text` or `letter` if the format tells which of them the answers to questions with
        options are.

        Raises:
            DataError: The file cannot be read.
        """


inputs: Registry[Input] = Registry(
    "inputs",
    "input format",
    {
        "csv": "factprobe.inputs.table_formats:Csv",
        "helm": "factprobe.inputs.helm:Helm",
        "inspect": "factprobe.inputs.inspect_logs:InspectLog",
        "json": "factprobe.inputs.table_formats:Json",
        "lm_eval": "factprobe.inputs.lm_eval:LmEval",
        "parquet": "factprobe.inputs.table_formats:Parquet",
    },
)
