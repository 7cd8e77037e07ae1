"""What a format of replies is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

from factprobe.registry import Registry
from factprobe.storage import Problems

T = TypeVar("T")

Record = Mapping[str, Any]
"""A reply with its question and right answers, under the names of its columns."""


class UnusableError(Exception):
    """What is wrong with a record."""


def by_id(
    records: Iterable[tuple[str, Record]],
    id_of: Callable[[Record, int], str],
    read: Callable[[Record, str], T],
    problems: Problems,
) -> dict[str, T]:
    """What is read of each record, by its id; one that cannot be used, or whose id another has, goes to `problems`.

    Args:
        records: each with its place.
        id_of: the id of a record, which has a number from 1.
        read: reads a record of an id; both raise `UnusableError`.
        problems: takes what is broken.
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
    """A format of files that hold replies.

    A subclass gives their records. It says by which names, and how its files begin, they are told from others.

    Args:
        path: the file.
        problems: takes what is broken there.
    """

    suffixes: ClassVar[tuple[str, ...]] = ()
    """How the names of its files end, in small letters, with the dot."""
    by_content: ClassVar[bool] = False
    """Whether `claims` looks into a file; such a format goes before those that only know its name."""

    sorted_by: ClassVar[str] = "relation"
    """What people call what its column `relation` holds."""

    def __init__(self, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems

    @classmethod
    def claims(cls, path: Path, start: bytes) -> bool:  # noqa: ARG003  (for those that look inside)
        """Whether a file is of this format.

        Args:
            path: of the file.
            start: how it begins, some ten thousand bytes.
        """
        return path.name.lower().endswith(cls.suffixes)

    @classmethod
    def title(cls, path: Path) -> str:  # noqa: ARG003  (for those whose names say more)
        """What the replies of a file are called, where its name has a better word for them than itself."""
        return ""

    def count(self) -> int | None:
        """About how many records there are, where that takes far less time than to read them; by default None.

        May raise what `records` does.
        """
        return None

    @abstractmethod
    def records(self) -> Iterator[tuple[str, Record]]:
        """Each record with the place where it stands, for people; read anew by each call.

        The setting `columns` says under which names the question, its answers and the reply are looked for, by default
        `question`, `answers` and `response`.

        Raises:
            DataError: the file cannot be read.
        """


inputs: Registry[Input] = Registry(
    "inputs",
    "input format",
    {
        "csv": "factprobe.inputs.tables:Csv",
        "helm": "factprobe.inputs.helm:Helm",
        "inspect": "factprobe.inputs.inspect_logs:InspectLog",
        "json": "factprobe.inputs.tables:Json",
        "lm_eval": "factprobe.inputs.lm_eval:LmEval",
        "parquet": "factprobe.inputs.tables:Parquet",
    },
)
