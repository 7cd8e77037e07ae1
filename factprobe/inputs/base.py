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
"""Record of a reply with its question and right answers: value by column name."""


class UnusableError(Exception):
    """Error raised for a record that cannot be used; the message is the reason."""


def record_id(record: Record) -> str:
    """Return the id in a record, empty without one; raise an `UnusableError` if it is no text or whole number."""
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
    """Parse records, and return the results by id; report unusable records and repeated ids to `problems`.

    `records` come with their places, for messages. `id_of` returns a record's id, given the record and its number from
    1. `read` parses a record, given its id too. Both may raise `UnusableError`.
    """
    results: dict[str, T] = {}
    for number, (place, record) in enumerate(records, 1):
        try:
            name = id_of(record, number)
            if name in results:
                raise UnusableError(f"has the id {name!r} of an earlier record")
            results[name] = read(record, name)
        except UnusableError as error:
            problems.add(str(error), place)
    return results


class Input(ABC):
    """Base class of formats of files with replies.

    A subclass yields the records of a file, and tells by name or content whether a file has the format.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    """Lower-case endings of the names of the format's files, with the dot."""
    by_content: ClassVar[bool] = False
    """True if `claims` reads the content of a file, which takes precedence over formats that use only the name."""
    keys: ClassVar[tuple[bytes, ...]] = ()
    """Keys that occur at the start of each file, for formats whose files are JSON objects."""
    name_pattern: ClassVar[re.Pattern[str] | None] = None
    """Pattern of a file's name without its ending; the first group is the title of the replies."""
    has_null_cells: ClassVar[bool] = False
    """True for tables that have null in empty cells; it is then replaced by an empty text, as in CSV."""
    sorted_by: ClassVar[str] = "relation"
    """Noun for the content of the column `relation` in messages: `relation`, `task` …"""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:
        """Return whether a file has this format; `start` are its first bytes (64 KiB)."""
        has_keys = not cls.keys or (start.lstrip()[:1] == b"{" and all(key in start for key in cls.keys))
        return path.name.lower().endswith(cls.suffixes) and has_keys

    @classmethod
    def title(cls, path: Path) -> str:
        """Return a title for the replies in a file; empty if the file's name is to be used."""
        named = cls.name_pattern.fullmatch(path.stem) if cls.name_pattern else None
        return named[1] if named else ""

    @classmethod
    def task_and_time(cls, path: Path) -> tuple[str, str] | None:  # noqa: ARG003  # for overrides
        """Return the task and the time of the run that wrote a file; None if its name lacks either.

        Of several runs of one task in one folder only the last one counts.
        """
        return None

    def count(self) -> int | None:
        """Return the approximate number of records, or None if counting is as slow as reading them."""
        return None

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield the place of each record, for messages, and the record; each call reads the file again.

        The setting `columns` names the keys of a record, by default `question`, `answers`, `response` and others. A
        format may also set the key `given_by`: `text` or `letter`, if answers that name options always do so by text or
        by letter.

        Raises:
            DataError: The file cannot be read.
        """


inputs: Registry[Input] = Registry("inputs", "input format")
