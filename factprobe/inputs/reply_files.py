"""Files with replies, and detection of their formats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

from factprobe.config import Columns, RunConfig, path_of, paths_of
from factprobe.errors import ConfigError, DataError, FactprobeError, format_list
from factprobe.inputs.base import Input, inputs
from factprobe.inputs.records import fill_empty_cells, read_answered
from factprobe.inputs.rows import AnsweredQuestion
from factprobe.inputs.skipped import BrokenRecords
from factprobe.storage import DeferredProblems, Problems, binary_kind, strip_bom

_SNIFFED_BYTES = 1 << 16
_HELM_SIDE_FILES = {"display_predictions.json", "display_requests.json", "per_instance_stats.json", "run_spec.json"}
"""Names of other files that HELM writes into the folder of the replies."""


class ReplyFiles:
    """Replies in files; they are read anew each time, and not kept in memory.

    In the paths of `patterns`, `*` is a wildcard; a file that is named twice is read once. With `match=any` one of a
    question's answers is enough, with `all` all are required. `input_format` is the format of all files; by default, it
    is detected from their names and contents.

    Raises:
        ConfigError: No file is given.
        DataError: A file does not exist, or has no known format.
        UnknownNameError: No format has the name.
    """

    def __init__(
        self,
        patterns: Sequence[str],
        columns: Columns | None = None,
        match: Literal["any", "all"] = "any",
        input_format: str | None = None,
    ) -> None:
        if not all(patterns) or not patterns:
            hint = "input=answers.jsonl, with the columns question, answers and response"
            raise ConfigError("no file is named", where="input", hint=hint)
        self.formats: dict[Path, type[Input]] = {}
        self._unreadable: list[DataError] = []
        resolved: set[Path] = set()
        for name in patterns:
            for path in paths_of(name):
                try:
                    _check_file(path)
                    format_ = inputs.get(input_format) if input_format else _detect_format(path)
                except DataError as error:
                    if str(path) == str(path_of(name)):  # the path has no wildcard
                        raise
                    self._unreadable.append(error)
                else:
                    if path.resolve() not in resolved:
                        resolved.add(path.resolve())
                        self.formats[path] = format_
        if not self.formats:
            raise self._unreadable[0]
        self._leave_out_older_runs()
        self.paths = [*self.formats]
        self._columns = columns or Columns()
        self._match = match

    def _leave_out_older_runs(self) -> None:
        """Leave out each file of a task if the same folder has a file of a later run of the task."""
        runs: dict[tuple[Path, str], list[tuple[str, Path]]] = {}
        for path, format_ in self.formats.items():
            if run := format_.task_and_time(path):
                runs.setdefault((path.resolve().parent, run[0]), []).append((run[1], path))
        newer = {path: max(several)[1] for several in runs.values() for _, path in several}
        for path in [path for path in self.formats if newer.get(path, path) != path]:
            self._unreadable.append(DataError(f"is an older run of the task in {newer[path].name}", where=path))
            del self.formats[path]

    @classmethod
    def of(cls, config: RunConfig) -> ReplyFiles:
        """Return the replies in the input files of a run's settings."""
        return cls(config.inputs, config.columns, config.match, config.input_format)

    @property
    def title(self) -> str:
        """Title of the replies if there is a single file with one; else empty."""
        return self.formats[self.paths[0]].title(self.paths[0]) if len(self.paths) == 1 else ""

    @property
    def sorted_by(self) -> str:
        """Noun for the content of the column `relation` in messages: `task`, `scenario` or `relation`."""
        nouns = {format_.sorted_by for format_ in self.formats.values()}
        return nouns.pop() if len(nouns) == 1 else Input.sorted_by

    def count(self) -> int | None:
        """Return the approximate number of records, or None if counting is as slow as reading them."""
        try:
            counts = [format_(path, DeferredProblems()).count() for path, format_ in self.formats.items()]
        except FactprobeError:  # reading raises it again
            return None
        return None if None in counts else sum(filter(None, counts))

    def read(self, problems: Problems) -> Iterator[AnsweredQuestion]:
        """Yield the replies; report unusable records to `problems`, and unreadable files if there are other files.

        Raises:
            DataError: All files are unreadable, empty or without the columns.
        """
        failed = []
        for error in self._unreadable:
            problems.add_file(f"nothing of the file is read: {error.what}", str(error.where))
        usable = False
        for (path, format_), system in zip(self.formats.items(), self._systems(), strict=True):
            broken, more = BrokenRecords(problems), ""
            records = format_(path, broken).records()
            records = fill_empty_cells(records) if format_.has_null_cells else records
            try:
                for reply in read_answered(records, self._columns, self._match, problems, path, system, broken):
                    usable, more = True, "more "
                    yield reply
            except DataError as error:
                if problems.strict or not self._are_several():
                    raise
                failed.append(error)
                problems.add_file(f"nothing {more}of the file is read: {error.what}", str(error.where))
        if not usable:
            raise (failed or self._unreadable)[0]

    def _are_several(self) -> bool:
        return len(self.paths) + len(self._unreadable) > 1

    def _systems(self) -> list[str]:
        """Return the default system of each file: empty for a single file, else its stem, or path if stems repeat."""
        if not self._are_several():
            return [""]
        stems = [path.stem for path in self.paths]
        return stems if len({*stems}) == len(stems) else [str(path) for path in self.paths]


def _check_file(path: Path) -> None:
    if path.exists() and not path.is_file():
        if path.is_dir():
            raise DataError("is a folder", where=path)
        hint = "write it to a file first, and name that"
        raise DataError("is a pipe or device, and replies are read twice", where=path, hint=hint)


def _detect_format(path: Path) -> type[Input]:
    """Return the format of a file, judging by its name and first bytes."""
    try:
        with path.open("rb") as file:
            start = strip_bom(file.read(_SNIFFED_BYTES))
    except (OSError, ValueError) as error:
        raise DataError(f"cannot be read: {getattr(error, 'strerror', None) or error}", where=path) from error
    if path.name in _HELM_SIDE_FILES:
        raise DataError("has no replies of HELM's", where=path, hint="name the scenario_state.json of the run")
    formats = {name: inputs.get(name) for name in inputs.names()}
    claiming = {name: format_ for name, format_ in formats.items() if format_.claims(path, start)}
    sure = {name: of for name, of in claiming.items() if of.by_content} or claiming
    if len(sure) == 1:
        return next(iter(sure.values()))
    if not sure and (kind := binary_kind(start)):
        raise DataError(f"is {kind}", where=path, hint="save a table as CSV in UTF-8, or unpack it")
    what = f"may be {' or '.join(sure)}" if sure else "is of no format that its name or content tells"
    raise DataError(what, where=path, hint=f"set input_format= to one of {format_list(sure or formats)}")
