"""Comparison of factprobe's verdicts with the verdicts by other tools' rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from msgspec import Struct

from factprobe.records import Verdict


class CompatScore(Struct, frozen=True):
    """Accuracy of a model by the rules of factprobe and of another tool, over the questions that both graded."""

    kg: str
    generator: str
    model: str
    name: str
    """Name of the other tool's rules, e.g. `llm_facteval`."""
    questions: int
    accuracy: float
    """Accuracy by factprobe's rules, in [0, 1]."""
    accuracy_compat: float
    """Accuracy by the other tool's rules, in [0, 1]."""
    only: int
    """Number of questions that are correct only by factprobe's rules."""
    only_compat: int
    """Number of questions that are correct only by the other tool's rules."""


def compat_score(
    kg: str, generator: str, model: str, name: str, verdicts: Mapping[tuple[Verdict, Verdict], int]
) -> CompatScore | None:
    """Compute both accuracies from the number of questions with each pair of verdicts, factprobe's first.

    Failed questions are left out; the result is None if all failed.
    """
    table = Counter[tuple[bool, bool]]()
    for pair, count in verdicts.items():
        if "failed" not in pair:
            table[pair[0] == "correct", pair[1] == "correct"] += count
    both, only, only_compat = table[True, True], table[True, False], table[False, True]
    if not (total := table.total()):
        return None
    accuracies = ((both + only) / total, (both + only_compat) / total)
    return CompatScore(kg, generator, model, name, total, *accuracies, only, only_compat)
