"""Gathers what a report is about: every grade of a graph."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from factprobe.endings import notes
from factprobe.evaluators.rules.former_ids import count_grades
from factprobe.evaluators.rules.shared import CUT_OFF, EMPTY, OUTDATED
from factprobe.extractors.extracted import ExtractedFacts
from factprobe.metrics import Tallies
from factprobe.metrics.breakdowns import Breakdowns, Table
from factprobe.metrics.leaks import LeakTable
from factprobe.records import Grade, GraphSummary, Question, Relation
from factprobe.reports.current import current, warn_of
from factprobe.reports.data import Note, RuleShare
from factprobe.reports.leaks import Looks
from factprobe.storage import GradedFolder, Layout, made


class Graded(NamedTuple):
    """Every grade file of a graph, and what is counted of them in the order of the graph."""

    kg: str
    """What the graph is called in tables."""
    layout: Layout
    summary: GraphSummary
    relations: dict[str, Relation]
    files: list[Path]
    tallies: Tallies
    breakdowns: Breakdowns
    sources: list[tuple[GradedFolder, Relation]]
    """Folder and relation of each file."""
    compats: dict[Path, dict[str, Path]]
    """Of a file the grades by other rules, by their name."""
    ungraded: Counter[str]
    """Of each model how many of the questions of these files have no grade, or none as they are asked now."""
    comparison: Path | None = None
    """That of its models, where there is one that still holds."""
    quality: Path | None = None
    """That of its questions, likewise."""
    inspection: Path | None = None
    """That of its relations, likewise."""
    looks: Looks | None = None
    """What the questions give away; None where they are of no graph."""


def collect(
    kg: str,
    layout: Layout,
    summary: GraphSummary,
    picked: Collection[str],
    is_stale: Callable[[GradedFolder, str, Path], bool],
) -> Graded:
    """Reads the grades of the relations that are picked, whatever generator and model they are of.

    Args:
        kg: what the graph is called in tables.
        layout: where its files lie.
        summary: its relations.
        picked: those to report.
        is_stale: whether grades of a relation, which are then left out, go by something else than is there.
    """
    relations = {
        found.relation: Relation(found.relation, "", found.label, type=found.type)
        for found in summary.relations
        if found.relation in picked
    }
    tallies = Tallies.of(ExtractedFacts(layout, summary))
    breakdowns, looks = Breakdowns(kg, summary.relations), Looks(layout, len(relations))
    graded = Graded(kg, layout, summary, relations, [], tallies, breakdowns, [], {}, Counter(), looks=looks)
    outdated: Counter[Path] = Counter()
    for folder in layout.graded():
        for relation in relations.values():
            path = folder.grades(relation.relation)
            if not made(path) or is_stale(folder, relation.relation, path):
                continue
            before = outdated.total()
            asked = current(folder, relation.relation, outdated, graded.ungraded)
            looked_at = looks.at(folder.generator, relation.relation, asked)
            if _count(graded, folder, relation.relation, looked_at) or outdated.total() == before:
                others = folder.compats(relation.relation)
                graded.compats[path] = {
                    name: file for name, file in others.items() if not is_stale(folder, relation.relation, file)
                }
                graded.files.append(path)
                graded.sources.append((folder, relation))
    warn_of(outdated)
    return graded


def _count(graded: Graded, folder: GradedFolder, relation: str, asked: Iterable[tuple[Grade, Question | None]]) -> int:
    """Enters the grades of a relation into the tables; returns how many."""
    kept = 0
    for grade, question in asked:
        graded.tallies.add(folder.generator, folder.model, relation, grade, question)
        if question is not None:
            graded.breakdowns.add(folder.generator, folder.model, grade, question)
        kept += 1
    return kept


def tables(graded: Graded) -> list[Table]:
    """The tables beside the scores, those without rows among them."""
    leaks = graded.looks.rows(graded.kg) if graded.looks else ()
    return [*graded.breakdowns.tables(), Table("leaks", LeakTable, tuple(leaks))]


def rule_shares(graded: Graded) -> list[RuleShare]:
    """What decided each generator's and model's grades, the most frequent rule first."""
    return [
        RuleShare(graded.kg, generator, model, rule, count, count / counts.total())
        for (generator, model), counts in graded.tallies.rules.items()
        for rule, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]


def ending_notes(graded: Graded) -> list[Note]:
    """What is to be told of each generator's and model's replies that did not end by themselves."""
    tallies = graded.tallies
    return [
        Note(graded.kg, generator, model, text)
        for (generator, model), endings in tallies.endings.items()
        for rules in (tallies.rules[generator, model],)
        for text in (
            *notes(endings, count_grades(rules, [CUT_OFF]), endings.total(), count_grades(rules, [EMPTY])),
            *_outdated(rules),
        )
    ]


def _outdated(rules: Counter[str]) -> Iterator[str]:
    """What is told of the answers that are right at another time."""
    if count := count_grades(rules, OUTDATED):
        share = f"{100 * count / rules.total():.1f} %"
        yield f"of {rules.total():,} answers {count:,} ({share}) are right at another time than the one asked about"
