"""Collection of leaks: how well the questions in a report can be guessed from their wording."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from factprobe.collection.current import GradedQuestion
from factprobe.metrics.base import group_rows
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.heuristics import RelationGuesses
from factprobe.metrics.leaks import Leak, Leaks, leak_summary
from factprobe.records import RelationSummary
from factprobe.storage import Layout, read_summary


class LeakCollector:
    """Collector that guesses the answers to a graph's questions, each question once for all models."""

    def __init__(self, layout: Layout, relations: int) -> None:
        self._layout = layout
        self._relations = relations
        self._leaks: dict[str, Leaks] = {}
        self._guessed: dict[tuple[str, str], set[int]] = defaultdict(set)
        """Hashes of the ids of questions that were guessed, by generator and relation."""

    def at(
        self, generator: str, relation: str, graded: Iterable[GradedQuestion], *, is_last: bool
    ) -> Iterator[GradedQuestion]:
        """Yield the grades of a relation unchanged, and guess the answers to their questions on the way.

        With `is_last`, the generator has no other model, so that the questions need not be remembered.
        """
        guessed, guesses = self._guessed[generator, relation], None
        for grade, question in graded:
            if question is not None and (key := hash(question.question_id)) not in guessed:
                if not is_last:
                    guessed.add(key)
                guesses = guesses or self._begin(generator, relation)
                guesses.add(question)
            yield grade, question

    def _begin(self, generator: str, relation: str) -> RelationGuesses:
        leaks = self._leaks.setdefault(generator, Leaks(self._relations))
        return leaks.begin(read_summary(self._layout.summary(relation), RelationSummary))

    def rows(self, kg: str) -> list[Leak]:
        """Return the rows of the table of leaks, for each generator."""
        return [replace(row, kg=kg, generator=name) for name, leaks in self._leaks.items() for row in leaks.rows()]


def leak_lines(tables: Iterable[BreakdownTable]) -> Iterator[str]:
    """Yield a line for each graph with questions that can be guessed far better than by chance.

    Generators with equal results share a line.
    """
    leaks = (row for table in tables for row in table.rows if isinstance(row, Leak))
    generators_by_summary: dict[tuple[str, str], list[str]] = {}
    for (kg, generator), members in group_rows(leaks, lambda leak: (leak.kg, leak.generator)).items():
        if guessed := leak_summary(members):
            generators_by_summary.setdefault((kg, guessed), []).append(generator)
    for (kg, guessed), generators in generators_by_summary.items():
        yield f"{', '.join(generators)} questions on {kg} can be guessed without the facts: {guessed}"
