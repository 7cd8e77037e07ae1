"""Broken records of the input."""

from __future__ import annotations

import logging
from pathlib import Path

from factprobe.errors import DataError

log = logging.getLogger(__name__)
_LOGGED_PROBLEMS = 10


class Problems:
    """Collector of broken records, which are skipped, counted and logged, or with `strict` end the run.

    Args:
        strict: raise at the first.
        hint: the hint of that error.
        all_in: where all of them are listed, since only the first are logged.
    """

    def __init__(
        self,
        strict: bool = False,
        hint: str = "mend it, or run without strict=true to skip it",
        all_in: str = "the manifest names them when the run is done",
    ) -> None:
        self.strict = strict
        self.hint = hint
        self._all_in = all_in
        self.messages: list[str] = []
        self.files = 0
        """Number of files that were not read, or not to their end."""
        self._hints: set[str] = set()

    def add(self, what: str, where: str) -> None:
        """Record a problem.

        Raises:
            DataError: with `strict`, at once.
        """
        if self.strict:
            raise DataError(what, where=where, hint=self.hint)
        self.note(f"{where}: {what}")

    def add_file(self, what: str, where: str) -> None:
        """Record a file that was not read, or not to its end; errors are those of `add`."""
        self.files += 1
        self.add(what, where)

    def note(self, message: str) -> None:
        """Record a message, and log the first ones."""
        self.messages.append(message)
        if len(self.messages) <= _LOGGED_PROBLEMS:
            log.warning("%s; skipped", message)
        elif len(self.messages) == _LOGGED_PROBLEMS + 1:
            log.warning("more lines are skipped; %s", self._all_in)

    def warn_once(self, what: str, where: str | Path) -> None:
        """Log a warning once about input that may be meant otherwise; nothing is skipped."""
        if what not in self._hints and len(self._hints) < _LOGGED_PROBLEMS:
            self._hints.add(what)
            log.warning("%s: %s", where, what)


class SilentProblems(Problems):
    """Collector for a repeated reading, whose problems were reported before."""

    def add(self, what: str, where: str) -> None:
        """Ignore the problem."""

    def warn_once(self, what: str, where: str | Path) -> None:
        """Ignore the hint."""


class DeferredProblems(Problems):
    """Collector without logging, for problems that the caller reports later."""

    def note(self, message: str) -> None:
        """Record a message without logging it."""
        self.messages.append(message)
