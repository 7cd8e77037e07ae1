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
        records: Each with its place.
        id_of: Returns the id of a record with a number from 1.
        read: Reads a record with an id; both raise `UnusableError`.
        problems: Takes broken records.
    """
    found: dict[str, T] = {}
    for number, (place, record) in enumerate(records, 1):
        try:
            name = id_of(record, number)
            if name in found:
                raise UnusableError(f"has the id {name!r}, as one before has it")
            found[name] = read(record, name)
        except UnusableError as error:
            problems.add(str(error), place)
    return found


class Input(ABC):
    """Base class of file formats with replies.

    A subclass yields their records, and recognises its files by name or content.

    Args:
        path: File.
        problems: Takes broken records.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    """Endings of its file names, in lower case, with the dot."""
    by_content: ClassVar[bool] = False
    """True if `claims` looks into a file; such formats take precedence over those that look at the name only."""

    sorted_by: ClassVar[str] = "relation"
    """Word for the values of its column `relation`, for messages."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:  # noqa: ARG003  (for those that look inside)
        """Return whether a file has this format.

        Args:
            path: File.
            start: Its first bytes, some ten thousand.
        """
        return path.name.lower().endswith(cls.suffixes)

    @classmethod
    def title(cls, path: Path) -> str:  # noqa: ARG003  (for those whose names say more)
        """Return a name for the replies of a file if there is a better one than the file's; by default empty."""
        return ""

    def count(self) -> int | None:
        """Return the approximate number of records if that is much faster than reading them; by default None.

        Errors are those of `records`.
        """
        return None

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record]]:
        """Yield each record with its place, for messages; every call reads the file again.

        The setting `columns` gives the keys of the question, its answers and the reply, by default `question`,
        `answers` and `response`.

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
