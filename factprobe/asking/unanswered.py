"""Counter of unanswered questions, with the reasons of the failures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

_MAX_REASONS = 100
"""Maximum number of distinct reasons to count, since an endpoint may add a different number to each error."""


class UnansweredQuestions:
    """Counter of a model's unanswered questions.

    `respondent` is the name of the model, `total` the number of all questions so far, and `again` a hint on how to ask
    the unanswered ones again.
    """

    def __init__(self, respondent: str, total: int = 0, again: str = "the same command asks them again") -> None:
        self.respondent, self.total, self._again = respondent, total, again
        self.count = 0
        self._hint: str | None = None
        self._reasons: Counter[str] = Counter()

    def add(self, reason: str, count: int = 1, hint: str | None = None) -> None:
        """Count unanswered questions, with their reason and the hint of the error."""
        self.count += count
        self._hint = hint or self._hint
        if reason in self._reasons or len(self._reasons) < _MAX_REASONS:
            self._reasons[reason] += count

    def join(self, other: UnansweredQuestions) -> None:
        """Add the counts of another counter."""
        self.total += other.total
        for reason, count in other._reasons.items():
            self.add(reason, count)
        self.count += other.count - other._reasons.total()
        self._hint = other._hint or self._hint

    def reword(self, reword: Callable[[str], str]) -> None:
        """Apply a function to each reason and to the hint."""
        self._hint = self._hint and reword(self._hint)
        reasons, self._reasons = self._reasons, Counter()
        for reason, count in reasons.items():
            self._reasons[reword(reason)] += count

    def has_no_answers(self) -> bool:
        """Return whether no question has an answer; False without questions."""
        return 0 < self.total == self.count

    def is_mostly_unanswered(self) -> bool:
        """Return whether more than half of the questions have no answer."""
        return 2 * self.count > self.total

    @property
    def hint(self) -> str:
        """Hint of the last error that has one, and how to ask the questions again."""
        return f"{self._hint}; {self._again}" if self._hint else self._again

    def why(self) -> str:
        """Return a clause with the most frequent reason, or an empty text if no reason is known."""
        reason, count = max(self._reasons.items(), key=lambda item: item[1], default=("", 0))
        return f", most often: {reason}" + (f" ({count:,} times)" if 1 < count < self.count else "") if reason else ""

    def __str__(self) -> str:
        """Return a sentence with the counts and the most frequent reason."""
        if self.has_no_answers():
            return f"none of the {self.total:,} questions has an answer of {self.respondent}{self.why()}"
        have = "has" if self.count == 1 else "have"
        return f"{self.count:,} of {self.total:,} questions {have} no answer of {self.respondent}{self.why()}"
