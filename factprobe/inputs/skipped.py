"""Collector of skipped records, counted by reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from factprobe.storage import Problems
from factprobe.text import format_count

_REASONS = 100
"""Maximum number of distinct reasons to keep, since each broken record may have its own."""
_PLACES = 3
"""Number of places listed for a reason."""


class Reason(Struct):
    """Reason for skipping records, with counts."""

    what: str
    """Reason; `other reasons` for all reasons beyond the maximum number."""
    count: int = 0
    places: list[str] = field(default_factory=list)
    """Places of the first records."""


class Skipped(Problems):
    """Collector of broken records, counted by reason."""

    def __init__(self, strict: bool = False, **words: str) -> None:
        super().__init__(strict, **words)
        self._reasons: dict[str, Reason] = {}

    def add(self, what: str, where: str) -> None:
        """Record a problem, and count its reason."""
        super().add(what, where)
        what = what if what in self._reasons or len(self._reasons) < _REASONS else "other reasons"
        found = self._reasons.setdefault(what, Reason(what))
        found.count += 1
        if len(found.places) < _PLACES:
            found.places.append(where)

    def reasons(self) -> Sequence[Reason]:
        """Return the reasons in the order of their first occurrence."""
        return list(self._reasons.values())

    def summary(self) -> str:
        """Return the numbers of skipped records and files in words; empty if none was skipped."""
        records = len(self.messages) - self.files
        of_records = [f"{format_count(records, 'record')} skipped"] if records else []
        return ", ".join(of_records + [f"{format_count(self.files, 'file')} not read in full"] * bool(self.files))


class BrokenRecords(Problems):
    """Collector of the broken records of one file, which counts them and passes them on."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems.strict)
        self._problems = problems
        self._count = 0

    def add(self, what: str, where: str) -> None:
        """Count a broken record, and pass it on."""
        self._count += 1
        self._problems.add(what, where)

    def warn_once(self, what: str, where: str | Path) -> None:
        """Pass a warning on."""
        self._problems.warn_once(what, where)

    def number(self) -> int:
        """Return the number of broken records so far."""
        return self._count
