"""Collectors of problems in the input, such as broken records."""

from __future__ import annotations

import logging
from pathlib import Path

from factprobe.errors import DataError

log = logging.getLogger(__name__)
_LOGGED_PROBLEMS = 10


class Problems:
    """Collector that logs and counts broken records, which are skipped; with `strict` it raises an error instead.

    `hint` is the hint of this error. Only the first ten problems are logged, and then `all_in`, which says where all
    are listed.
    """

    def __init__(
        self,
        strict: bool = False,
        hint: str = "fix it, or run without strict=true to skip it",
        all_in: str = "the manifest lists them when the run is done",
    ) -> None:
        self.strict = strict
        self.hint = hint
        self._all_in = all_in
        self.messages: list[str] = []
        self.files = 0
        """Number of input files that were not read completely."""
        self._hints: set[str] = set()

    def add(self, what: str, where: str) -> None:
        """Record a problem; raise a `DataError` if the run is `strict`."""
        if self.strict:
            raise DataError(what, where=where, hint=self.hint)
        self.note(f"{where}: {what}")

    def add_file(self, what: str, where: str) -> None:
        """Record a file that was not read completely; raise a `DataError` if the run is `strict`."""
        self.files += 1
        self.add(what, where)

    def note(self, message: str) -> None:
        """Record a message, and log it if it is one of the first."""
        self.messages.append(message)
        if len(self.messages) <= _LOGGED_PROBLEMS:
            log.warning("%s; skipped", message)
        elif len(self.messages) == _LOGGED_PROBLEMS + 1:
            log.warning("more lines are skipped; %s", self._all_in)

    def warn_once(self, what: str, where: str | Path) -> None:
        """Log a warning about input that is ambiguous but not skipped: each `what` once, and at most ten in all."""
        if what not in self._hints and len(self._hints) < _LOGGED_PROBLEMS:
            self._hints.add(what)
            log.warning("%s: %s", where, what)


class SilentProblems(Problems):
    """Collector that ignores problems, for input that is read a second time."""

    def add(self, what: str, where: str) -> None:
        """Ignore the problem."""

    def warn_once(self, what: str, where: str | Path) -> None:
        """Ignore the warning."""


class DeferredProblems(Problems):
    """Collector that does not log, for callers that report the problems later."""

    def note(self, message: str) -> None:
        """Record a message without logging it."""
        self.messages.append(message)
