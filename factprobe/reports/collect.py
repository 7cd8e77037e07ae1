"""Gathers what a report is about: every grade of a graph, and samples of the questions behind them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from msgspec import Struct
from msgspec.structs import asdict

from factprobe.metrics import Tallies
from factprobe.metrics.strata import degrees, popularity
from factprobe.models.log import ResponseLog
from factprobe.records import Grade, GraphSummary, Question, Relation, Response
from factprobe.reports.data import FactConsistency, Sample
from factprobe.storage import Layout, Lines, Problems, read_json

T = TypeVar("T")


class Graded(NamedTuple):
    """Every grade file of a graph, and what is counted of them in the order of the graph."""

    kg: str
    """What the graph is called in tables."""
    layout: Layout
    summary: GraphSummary
    relations: dict[str, Relation]
    files: list[Path]
    tallies: Tallies
    sources: list[tuple[str, str, Relation]]
    """Generator, model and relation of each file."""


def collect(kg: str, layout: Layout, summary: GraphSummary, picked: Collection[str]) -> Graded:
    """Reads the grades of the relations that are picked, whatever generator and model they are of."""
    relations = {
        found.relation: Relation(found.relation, "", found.label, type=found.type)
        for found in summary.relations
        if found.relation in picked
    }
    tallies = Tallies(popularity(degrees(_facts(layout, summary))))
    graded = Graded(kg, layout, summary, relations, [], tallies, [])
    for folder in sorted((layout.root / "grades").glob("*/*/")):
        generator, model = unquote(folder.parent.name), unquote(folder.name)
        for relation in relations.values():
            path = layout.grades(generator, model, relation.relation)
            if not path.exists():
                continue
            graded.files.append(path)
            graded.sources.append((generator, model, relation))
            questions = layout.questions(generator, relation.relation)
            asked = iter(_read(questions, Question) if questions.exists() else ())
            for grade, question in _paired(_read(path, Grade), asked):
                tallies.add(generator, model, relation.relation, grade, question)
    return graded


def consistencies(graded: Graded) -> list[FactConsistency]:
    """How each generator's and model's facts are known in all their forms."""
    return [
        FactConsistency(**asdict(found), kg=graded.kg, generator=generator, model=model)
        for generator, model, found in graded.tallies.consistencies()
    ]


class _Ends(Struct, frozen=True):
    objects: list[str]


class _Subjects(Struct, frozen=True):
    subjects: dict[str, _Ends]


class _Facts(Struct, frozen=True):
    """What the degrees need of a relation summary."""

    node_summary: _Subjects


def _facts(layout: Layout, summary: GraphSummary) -> Iterator[tuple[str, str]]:
    """Subject and object of every fact of the graph as it was extracted."""
    for relation in summary.relations:
        for subject, ends in read_json(layout.summary(relation.relation), _Facts).node_summary.subjects.items():
            yield from ((subject, uri) for uri in ends.objects)


def _paired(grades: Iterable[Grade], questions: Iterator[Question]) -> Iterator[tuple[Grade, Question | None]]:
    """Each grade with its question; they come in the same order, so that few questions are held."""
    passed: dict[str, Question] = {}
    for grade in grades:
        while grade.question_id not in passed and (question := next(questions, None)):
            passed[question.question_id] = question
        yield grade, passed.pop(grade.question_id, None)


def samples(graded: Graded, share: int, seed: int) -> Iterator[Sample]:
    """Up to `share` questions of each cell with their answers and verdicts, in the graph's order."""
    layout = graded.layout
    for generator, model, relation in graded.sources:
        picked: dict[str, Grade] = {}
        by_type: dict[str, list[Grade]] = {}
        for grade in _read(layout.grades(generator, model, relation.relation), Grade):
            by_type.setdefault(grade.question_type, []).append(grade)
        for question_type, grades in by_type.items():
            rng = Random(f"{seed}:{generator}:{model}:{relation.relation}:{question_type}")
            picked.update((grade.question_id, grade) for grade in rng.sample(grades, min(share, len(grades))))
        asked = _read(layout.questions(generator, relation.relation), Question)
        questions = (question for question in asked if question.question_id in picked)
        responses = ResponseLog(layout.responses(generator, model, relation.relation))
        for question, response in responses.answers(questions):
            if response is not None:
                grade = picked[question.question_id]
                yield _sample(graded.kg, question, response, grade, generator, model, relation)


def _sample(
    kg: str, question: Question, response: Response, grade: Grade, generator: str, model: str, relation: Relation
) -> Sample:
    answers = question.answers
    return Sample(
        question_id=question.question_id,
        kg=kg,
        generator=generator,
        model=model,
        relation=relation.relation,
        relation_label=relation.label,
        question_type=question.question_type,
        question=question.prompts[-1].content,
        expected=answers if isinstance(answers, str) else "\n".join(answer.label for answer in answers),
        reply=response.response if response.response is not None else f"(no reply: {response.error})",
        verdict=grade.verdict,
        rule=grade.rule,
    )


def _read(path: Path, record: type[T]) -> Iterable[T]:
    return Lines(path, record, Problems())
