"""The broken places of the input, and what becomes of them."""

from __future__ import annotations

import logging
from pathlib import Path

from factprobe.errors import DataError

log = logging.getLogger(__name__)
_LOGGED_PROBLEMS = 10


class Problems:
    """The broken places of the input: skipped, counted and named, or with `strict` the end of the run.

    Args:
        strict: raise at the first.
        hint: what to do about it then.
        all_in: where all of them are named, of which the first are said.
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
        """How many of them are files that are not read, or not to their end."""
        self._hints: set[str] = set()

    def add(self, what: str, where: str) -> None:
        """Notes one broken place.

        Raises:
            DataError: with `strict`, at once.
        """
        if self.strict:
            raise DataError(what, where=where, hint=self.hint)
        self.note(f"{where}: {what}")

    def add_file(self, what: str, where: str) -> None:
        """Notes a file that is not read, or not to its end, as `add` does."""
        self.files += 1
        self.add(what, where)

    def note(self, message: str) -> None:
        """Notes one that is put in words, and says the first ones."""
        self.messages.append(message)
        if len(self.messages) <= _LOGGED_PROBLEMS:
            log.warning("%s; skipped", message)
        elif len(self.messages) == _LOGGED_PROBLEMS + 1:
            log.warning("more lines are skipped; %s", self._all_in)

    def warn_once(self, what: str, where: str | Path) -> None:
        """Says once what is read otherwise than it may be meant; nothing is skipped for it."""
        if what not in self._hints and len(self._hints) < _LOGGED_PROBLEMS:
            self._hints.add(what)
            log.warning("%s: %s", where, what)


class AlreadyNamed(Problems):
    """Broken places that were named when the input was read before."""

    def add(self, what: str, where: str) -> None:
        """Says nothing again."""

    def warn_once(self, what: str, where: str | Path) -> None:
        """Says nothing again."""


class Untold(Problems):
    """Broken places that somebody else is to note."""

    def note(self, message: str) -> None:
        """Says nothing yet."""
        self.messages.append(message)
