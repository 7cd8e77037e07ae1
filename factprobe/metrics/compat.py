"""Comparison of factprobe's verdicts with those by the rules of other tools."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from factprobe.records import Verdict


class CompatScore(Struct, frozen=True):
    """Accuracy of a model by factprobe's rules and by another tool's, over the questions that both graded."""

    kg: str
    generator: str
    model: str
    name: str
    """Name of the other tool's rules, e.g. `llm_facteval`."""
    questions: int
    accuracy: float
    accuracy_compat: float
    only: int
    """Questions that are correct by factprobe's rules only."""
    only_compat: int
    """Questions that are correct by the other rules only."""


def compat_score(
    kg: str, generator: str, model: str, name: str, verdicts: Mapping[tuple[Verdict, Verdict], int]
) -> CompatScore | None:
    """Compute both accuracies; failed questions are left out.

    Args:
        kg: the graph.
        generator: what made the questions.
        model: whose replies were graded twice.
        name: the other tool's rules.
        verdicts: how many questions have each pair of factprobe's verdict and the other tool's.

    Returns:
        None where no question is left.
    """
    table = [0, 0, 0, 0]  # correct by both, by the first alone, by the second alone, by neither
    for pair, count in verdicts.items():
        if "failed" not in pair:
            table[2 * (pair[0] != "correct") + (pair[1] != "correct")] += count
    both, only, only_compat, _ = table
    total = sum(table)
    if not total:
        return None
    accuracies = ((both + only) / total, (both + only_compat) / total)
    return CompatScore(kg, generator, model, name, total, *accuracies, only, only_compat)
