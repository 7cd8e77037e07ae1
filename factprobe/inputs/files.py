"""The files that hold replies: which they are, and of what format."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from factprobe.config import Columns, path_of
from factprobe.errors import ConfigError, DataError, listed
from factprobe.inputs.base import Input, inputs
from factprobe.inputs.records import answered
from factprobe.inputs.rows import Answered
from factprobe.storage import Problems

_START = 1 << 16


class Replies:
    """The replies of some files, in their order; they can be read several times and are never held.

    Args:
        names: the files; `*` stands for anything.
        columns: under which names what stands.
        match: whether any of a question's answers will do, or all are asked for.
        input_format: that of all files; by default told by their names and contents.

    Raises:
        ConfigError: no file is named.
        DataError: there is no such file, or it is of no known format.
        UnknownNameError: there is no such format.
    """

    def __init__(
        self,
        names: Sequence[str],
        columns: Columns | None = None,
        match: Literal["any", "all"] = "any",
        input_format: str | None = None,
    ) -> None:
        if not names:
            mend = "input=answers.jsonl, with the columns question, answers and response"
            raise ConfigError("no file is named", where="input", mend=mend)
        self.paths = [path for name in names for path in paths_of(name)]
        self.formats = [inputs.get(input_format) if input_format else _format(path) for path in self.paths]
        self._columns = columns or Columns()
        self._match = match

    def read(self, problems: Problems) -> Iterator[Answered]:
        """Each reply; what cannot be graded goes to `problems`.

        Raises:
            DataError: a file cannot be read, is empty or has not the columns.
        """
        for path, of, system in zip(self.paths, self.formats, self._systems(), strict=True):
            records = of(path, problems).records()
            yield from answered(records, self._columns, self._match, problems, where=path, system=system)

    def _systems(self) -> list[str]:
        """Who replied where a record does not tell: the file, if there are several."""
        if len(self.paths) == 1:
            return [""]
        stems = [path.stem for path in self.paths]
        return stems if len({*stems}) == len(stems) else [str(path) for path in self.paths]


def paths_of(name: str) -> list[Path]:
    """The files that a setting names; `*` stands for anything.

    Raises:
        DataError: it names a folder, or a pattern that no file has.
    """
    path = path_of(name)
    if path.is_dir():
        raise DataError("is a folder", where=path, mend=f"name its files: '{path}/*.jsonl'")
    if "*" not in name or path.exists():
        return [path]
    found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not found:
        raise DataError("no file has a name like that", where=path)
    return found


def _format(path: Path) -> type[Input]:
    """The format of a file, by its name and how it begins."""
    try:
        with path.open("rb") as file:
            start = file.read(_START)
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=path) from error
    known = {name: inputs.get(name) for name in inputs.names()}
    claiming = {name: of for name, of in known.items() if of.claims(path, start)}
    sure = {name: of for name, of in claiming.items() if of.by_content} or claiming
    if len(sure) == 1:
        return next(iter(sure.values()))
    what = f"may be {' or '.join(sure)}" if sure else "is of no format that its name or content tells"
    raise DataError(what, where=path, mend=f"set input_format= to one of {listed(sure or known)}")
