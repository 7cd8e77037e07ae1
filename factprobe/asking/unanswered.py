"""How many of the questions to a model have no answer, and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

_REASONS = 100
"""Those that are told apart: an endpoint may give each failure a number of its own."""


class Unanswered:
    """The questions without an answer, as they are counted.

    Args:
        whom: who was asked.
        of: how many questions there are with them, as far as is known.
        again: how to ask them again.
    """

    def __init__(self, whom: str, of: int = 0, again: str = "the same command asks them again") -> None:
        self.whom, self.of, self._again = whom, of, again
        self.count = 0
        self._hint: str | None = None
        self._reasons: Counter[str] = Counter()

    def add(self, reason: str, count: int = 1, hint: str | None = None) -> None:
        """Counts so many more, and what to do about them where that is known."""
        self.count += count
        self._hint = hint or self._hint
        if reason in self._reasons or len(self._reasons) < _REASONS:
            self._reasons[reason] += count

    def join(self, others: Unanswered) -> None:
        """Counts those of another part of the questions too."""
        self.of += others.of
        for reason, count in others._reasons.items():
            self.add(reason, count)
        self.count += others.count - others._reasons.total()
        self._hint = others._hint or self._hint

    def reword(self, reword: Callable[[str], str]) -> None:
        """Changes the words of the reasons, and of what to do."""
        self._hint = self._hint and reword(self._hint)
        self._reasons = Counter({reword(reason): count for reason, count in self._reasons.items()})

    def are_all(self) -> bool:
        """Whether there are questions and none of them has an answer."""
        return 0 < self.of == self.count

    @property
    def hint(self) -> str:
        """What to do about them."""
        return f"{self._hint}; {self._again}" if self._hint else self._again

    def why(self) -> str:
        """The most frequent reason; empty where none is known."""
        reason, count = max(self._reasons.items(), key=lambda item: item[1], default=("", 0))
        return f", most often: {reason}" + (f" ({count:,} times)" if 1 < count < self.count else "") if reason else ""

    def __str__(self) -> str:
        """How many of how many, and which reason is the most frequent."""
        if self.are_all():
            return f"none of the {self.of:,} questions has an answer of {self.whom}{self.why()}"
        have = "has" if self.count == 1 else "have"
        return f"{self.count:,} of {self.of:,} questions {have} no answer of {self.whom}{self.why()}"
