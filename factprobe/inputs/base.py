"""What a format of replies is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

from factprobe.registry import Registry
from factprobe.storage import Problems

Record = Mapping[str, Any]
"""A reply with its question and right answers, under the names of its columns."""


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
