"""Gathers what a report is about: every grade under an output folder, and samples of the questions behind them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple, TypeVar
from urllib.parse import unquote

from factprobe.metrics import Tally
from factprobe.metrics.scores import Cell
from factprobe.records import Grade, Question, Relation, Response
from factprobe.reports.data import Sample
from factprobe.storage import Layout, Lines, Problems

T = TypeVar("T")


class Graded(NamedTuple):
    """Every grade file of a run, and the counts of their cells in the order of the graph."""

    files: list[Path]
    tallies: dict[Cell, Tally]
    sources: list[tuple[str, str, Relation]]
    """Generator, model and relation of each file."""


def collect(layout: Layout, relations: Sequence[Relation]) -> Graded:
    """Reads the grades of these relations, whatever generator and model they are of."""
    graded = Graded([], {}, [])
    for folder in sorted((layout.root / "grades").glob("*/*/")):
        generator, model = unquote(folder.parent.name), unquote(folder.name)
        for relation in relations:
            path = layout.grades(generator, model, relation.relation)
            if not path.exists():
                continue
            graded.files.append(path)
            graded.sources.append((generator, model, relation))
            for grade in _read(path, Grade):
                cell = Cell(generator, model, relation.relation, grade.question_type)
                graded.tallies.setdefault(cell, Tally()).add(grade)
    return graded


def samples(layout: Layout, graded: Graded, count: int, seed: int) -> Iterator[Sample]:
    """About `count` questions with their answers and verdicts, the same number of each cell, in the graph's order."""
    share = -(-count // max(len(graded.tallies), 1))
    for generator, model, relation in graded.sources:
        picked: dict[str, Grade] = {}
        by_type: dict[str, list[Grade]] = {}
        for grade in _read(layout.grades(generator, model, relation.relation), Grade):
            by_type.setdefault(grade.question_type, []).append(grade)
        for question_type, grades in by_type.items():
            rng = Random(f"{seed}:{generator}:{model}:{relation.relation}:{question_type}")
            picked.update((grade.question_id, grade) for grade in rng.sample(grades, min(share, len(grades))))
        responses = {
            response.question_id: response
            for response in _read(layout.responses(generator, model, relation.relation), Response)
            if response.question_id in picked
        }
        for question in _read(layout.questions(generator, relation.relation), Question):
            if question.question_id in picked and question.question_id in responses:
                grade, response = picked[question.question_id], responses[question.question_id]
                yield _sample(question, response, grade, generator, model, relation)


def _sample(
    question: Question, response: Response, grade: Grade, generator: str, model: str, relation: Relation
) -> Sample:
    answers = question.answers
    return Sample(
        question_id=question.question_id,
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
