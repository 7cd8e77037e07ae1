"""Base class of input formats, and their registry."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from factprobe.registry import Registry
from factprobe.storage import Problems

T = TypeVar("T")

Record = Mapping[str, Any]
"""Record of a reply with its question and right answers, by column name."""


class UnusableError(Exception):
    """Reason why a record cannot be used."""


def read_by_id(
    records: Iterable[tuple[str, Record]],
    id_of: Callable[[Record, int], str],
    read: Callable[[Record, str], T],
    problems: Problems,
) -> dict[str, T]:
    """Read records by id; unusable ones and those with a repeated id go to `problems`.

    Args:
        records: Records with their places.
        id_of: Function that returns the id of a record and its number from 1, or raises `UnusableError`.
        read: Function that reads a record and its id, or raises `UnusableError`.
        problems: Collector of broken records.
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

    Args:
        path: Path of the file.
        problems: Collector of broken records.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    """Endings of the names of its files, in lower case, with the dot."""
    by_content: ClassVar[bool] = False
    """True if `claims` reads the content of a file; such formats take precedence over those that use only its name."""

    sorted_by: ClassVar[str] = "relation"
    """Noun for the values of the column `relation`, for messages."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:  # noqa: ARG003  # for overrides
        """Return whether a file has this format.

        Args:
            path: Path of the file.
            start: First bytes of the file, some ten thousand.
        """
        return path.name.lower().endswith(cls.suffixes)

    @classmethod
    def title(cls, path: Path) -> str:  # noqa: ARG003  # for overrides
        """Return a name for the replies of a file, or an empty text to use the file's name."""
        return ""

    def count(self) -> int | None:
        """Return the approximate number of records, or None if counting is as slow as reading them.

        Raises:
            DataError: The file cannot be read.
        """
        return None

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield each record with its place for messages; each call reads the file again.

        The setting `columns` has the keys of the question, its answers and the reply, by default `question`, `answers`
        and `response`.

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
