"""Collection of leaks: how well the questions in a report can be guessed from their wording."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from factprobe.collection.current import GradedQuestion
from factprobe.metrics.base import group_rows
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.leaks import Leak, Leaks, leak_summary
from factprobe.records import RelationSummary
from factprobe.storage import Layout, read_json


class LeakCollector:
    """Collector that guesses the answers to a graph's questions, once for each generator and relation."""

    def __init__(self, layout: Layout, relations: int) -> None:
        self._layout = layout
        self._relations = relations
        self._leaks: dict[str, Leaks] = {}
        self._done: set[tuple[str, str]] = set()

    def at(self, generator: str, relation: str, graded: Iterable[GradedQuestion]) -> Iterator[GradedQuestion]:
        """Yield the grades of a relation unchanged, and guess the answers to their questions on the way."""
        if (generator, relation) in self._done:
            yield from graded
            return
        leaks = self._leaks.setdefault(generator, Leaks(self._relations))
        guesses = leaks.begin(read_json(self._layout.summary(relation), RelationSummary))
        for grade, question in graded:
            if question is not None:
                guesses.add(question)
                self._done.add((generator, relation))
            yield grade, question

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
