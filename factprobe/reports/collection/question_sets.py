"""Sets of questions that models answered, which a ranking of their accuracies needs to be equal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from factprobe.reports.vocabulary import ReportVocabulary

Owner = tuple[str, str]
"""Generator and model."""

_MOST_NAMED = 4
"""Models whose numbers of questions are named."""


class QuestionSets:
    """Number and checksum of the questions that each generator's model answered."""

    def __init__(self) -> None:
        self.counts: Counter[Owner] = Counter()
        self._checksums: Counter[Owner] = Counter()

    def add(self, owner: Owner, question: str) -> None:
        """Add a question by its identity; each only once for an owner."""
        self.counts[owner] += 1
        self._checksums[owner] += hash(question)

    @classmethod
    def joined(cls, sets: Iterable[QuestionSets]) -> QuestionSets:
        """Join the sets of several graphs."""
        whole = cls()
        for one in sets:
            whole.counts.update(one.counts)
            whole._checksums.update(one._checksums)
        return whole

    def differ(self) -> bool:
        """Return whether two models answered different questions."""
        return len({(count, self._checksums[owner]) for owner, count in self.counts.items()}) > 1


def unequal_questions(sets: QuestionSets, names: Mapping[Owner, str], words: ReportVocabulary) -> str:
    """Return the sentence that accuracies are of different questions; empty if all models answered the same."""
    if not sets.differ():
        return ""
    counts = [f"{names[owner]} {count:,}" for owner, count in sets.counts.items()]
    of = f" ({', '.join(counts)})" if len(counts) <= _MOST_NAMED else ""
    hint = "step=compare compares two at a time, on the questions that both answered"
    return words.put(f"The models answered different questions{of}, so their accuracies cannot be ranked; {hint}.")
