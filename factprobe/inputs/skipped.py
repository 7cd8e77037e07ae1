"""Collector of skipped records, counted by reason."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field

from factprobe.storage import Problems
from factprobe.text import format_count

_MAX_REASONS = 100
"""Maximum number of distinct reasons to keep; each broken record could have another."""
_MAX_PLACES = 3
"""Maximum number of places to keep for a reason."""


class Reason(Struct):
    """Reason why records were skipped, with their number."""

    text: str
    """Reason in words; `other reasons` for all reasons beyond the maximum number."""
    count: int = 0
    places: list[str] = field(default_factory=list)
    """Places of the first records."""


class SkippedRecords(Problems):
    """Collector of broken records, counted by reason."""

    def __init__(self, strict: bool = False, **words: str) -> None:
        super().__init__(strict, **words)
        self._reasons: dict[str, Reason] = {}

    def add(self, what: str, where: str) -> None:
        """Report a skipped record, and count its reason."""
        super().add(what, where)
        what = what if what in self._reasons or len(self._reasons) < _MAX_REASONS else "other reasons"
        reason = self._reasons.setdefault(what, Reason(what))
        reason.count += 1
        if len(reason.places) < _MAX_PLACES:
            reason.places.append(where)

    def reasons(self) -> Sequence[Reason]:
        """Return the reasons in the order of their first occurrence."""
        return list(self._reasons.values())

    def summary(self) -> str:
        """Return the numbers of skipped records and of files not read in full, as text; empty if there are none."""
        records = len(self.messages) - self.files
        of_records = [f"{format_count(records, 'record')} skipped"] if records else []
        return ", ".join(of_records + [f"{format_count(self.files, 'file')} not read in full"] * bool(self.files))


class BrokenRecords(Problems):
    """Counter of the broken records of one file; it passes all reports on to `problems`."""

    def __init__(self, problems: Problems) -> None:
        super().__init__(problems.strict)
        self._problems = problems
        self._count = 0
        self.first_reason = ""
        """Reason for the first broken record; empty if there is none."""

    def add(self, what: str, where: str) -> None:
        """Count a broken record, and pass it on."""
        self._count += 1
        self.first_reason = self.first_reason or what
        self._problems.add(what, where)

    def warn_once(self, what: str, where: str | Path) -> None:
        """Log a warning once, by `problems`; it is not counted."""
        self._problems.warn_once(what, where)

    def count(self) -> int:
        """Return the number of broken records so far."""
        return self._count
