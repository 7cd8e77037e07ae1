"""What of the input is skipped, and why."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct, field

from factprobe.storage import Problems
from factprobe.text import counted

_REASONS = 100
"""Those that are told apart: each broken record may have one of its own."""
_PLACES = 3
"""Places of one reason that are named."""


class Reason(Struct):
    """Why something was skipped, and how often."""

    what: str
    """Of many reasons the last: all others."""
    count: int = 0
    places: list[str] = field(default_factory=list)
    """The first of them."""


class Skipped(Problems):
    """The broken places of the input, counted by what is wrong with them; see `Problems`."""

    def __init__(self, strict: bool = False, **words: str) -> None:
        super().__init__(strict, **words)
        self._reasons: dict[str, Reason] = {}

    def add(self, what: str, where: str) -> None:
        """See the base class."""
        super().add(what, where)
        what = what if what in self._reasons or len(self._reasons) < _REASONS else "other reasons"
        found = self._reasons.setdefault(what, Reason(what))
        found.count += 1
        if len(found.places) < _PLACES:
            found.places.append(where)

    def reasons(self) -> Sequence[Reason]:
        """Why things were skipped, what came up first at the front."""
        return list(self._reasons.values())

    def told(self) -> str:
        """How many records and files were skipped; empty where none was."""
        records = len(self.messages) - self.files
        of_records = [f"{counted(records, 'record')} skipped"] if records else []
        return ", ".join(of_records + [f"{counted(self.files, 'file')} not read in full"] * bool(self.files))
