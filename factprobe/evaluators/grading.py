"""Grades for the responses to one relation's questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from factprobe.evaluators.base import evaluators
from factprobe.evaluators.mentions import EntityIndex
from factprobe.evaluators.ranking import by_rank
from factprobe.records import Grade, Question, QuestionType, RelationSummary, Response


def grade(
    answered: Iterable[tuple[Question, Response | None]],
    summary: RelationSummary | None,
    names: Mapping[QuestionType, str] | None = None,
) -> Iterator[Grade]:
    """Grades each question that has a response, in the order of the questions.

    Args:
        answered: the questions of one relation, each with its response or None where there is none.
        summary: the relation's answer sets and names.
        names: the evaluator for each question type; by default the one that is called as the type.
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
            built[kind] = evaluators.get((names or {}).get(kind, kind))(index)
        yield built[kind].grade(question, response)
