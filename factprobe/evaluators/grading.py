"""Grades for the responses to one relation's questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from factprobe.config import convert
from factprobe.evaluators.base import Evaluator, evaluators
from factprobe.evaluators.ranking import by_rank
from factprobe.question_types import QuestionType
from factprobe.reading.names.index import EntityIndex
from factprobe.records import Grade, Question, RelationSummary, Response


def grade(
    answered: Iterable[tuple[Question, Response | None]],
    summary: RelationSummary | None,
    names: Mapping[QuestionType, str] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> Iterator[Grade]:
    """Grades each question that has a response, in the order of the questions.

    Args:
        answered: the questions of one relation, each with its response or None where there is none.
        summary: the relation's answer sets and names.
        names: the evaluator for each question type; by default the one that is called as the type.
        settings: those of the evaluators; by default their defaults.
    """
    index = EntityIndex(summary)
    built = {}
    for question, response in answered:
        if response is None:
            continue
        ranked = by_rank(question, response)
        if ranked is not None:
            yield ranked
            continue
        kind = question.question_type
        if kind not in built:
            built[kind] = _build((names or {}).get(kind, kind), index, settings)
        yield built[kind].grade(question, response)


def _build(name: str, index: EntityIndex, settings: Mapping[str, Any] | None) -> Evaluator:
    cls = evaluators.get(name)
    return (
        cls(index, convert(settings, cls.settings_type, f"settings of the evaluator {name}"))
        if settings
        else cls(index)
    )
