"""Grading of responses to the questions of one relation."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any

from msgspec.structs import replace

from factprobe.config import convert
from factprobe.evaluators.base import Evaluator, evaluators
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.evaluators.rules.shared import is_ranking
from factprobe.metrics.calibration import confidence
from factprobe.question_types import QuestionType, get_kind
from factprobe.reading.names.index import EntityIndex
from factprobe.records import Grade, Question, RelationSummary, Response


def grade(
    answered: Iterable[tuple[Question, Response | None]],
    summary: RelationSummary | None,
    names: Mapping[QuestionType, str] | None = None,
    settings: Mapping[str, Any] | None = None,
    faults: RuleErrors | None = None,
) -> Iterator[Grade]:
    """Yield the grade of each question that has a response, in the order of the questions.

    A reply on which an evaluator fails gets the verdict `unparsed` and the rule `rule_error`.

    Args:
        answered: Questions of one relation, each with its response, or with None if there is none.
        summary: Summary with the relation's answer sets and names.
        names: Evaluator of each question type; by default the one in the type's definition.
        settings: Settings of the evaluators; by default their defaults.
        faults: Counter of the replies on which an evaluator fails; by default, failures are logged at the end.
    """
    with RuleErrors() if faults is None else nullcontext(faults) as failed:
        grader = Grader(summary, names, settings, failed)
        for question, response in answered:
            if response is not None:
                yield grader.grade(question, response)


class Grader:
    """Grader of all question types of a relation; it builds each evaluator on first use.

    Args:
        summary: Summary with the relation's answer sets and names.
        names: Evaluator of each question type; by default the one in the type's definition.
        settings: Settings of the evaluators; by default their defaults.
        faults: Counter of the replies on which an evaluator fails.
    """

    def __init__(
        self,
        summary: RelationSummary | None,
        names: Mapping[QuestionType, str] | None,
        settings: Mapping[str, Any] | None,
        faults: RuleErrors,
    ) -> None:
        self._index = EntityIndex(summary)
        self._names, self._settings, self._faults = names or {}, settings or {}, faults
        self._built: dict[str, Evaluator] = {}

    def grade(self, question: Question, response: Response) -> Grade:
        """Return the grade of a response; one with scores for all options is graded as a ranking."""
        kind = question.question_type
        name = self._names.get(kind) or get_kind(kind).evaluator
        evaluator = self._named("ranked" if is_ranking(question, response) else name)
        grade = self._faults.graded(evaluator, question, response)
        sure = confidence(response)
        return grade if sure is None else replace(grade, confidence=sure)

    def _named(self, name: str) -> Evaluator:
        if name not in self._built:
            chosen = {} if name == "ranked" else self._settings
            self._built[name] = _build(name, self._index, chosen, {*self._names.values()})
        return self._built[name]


def _build(name: str, index: EntityIndex, settings: Mapping[str, Any], names: Collection[str]) -> Evaluator:
    """Build an evaluator; settings that only other evaluators have are left out, unknown ones raise an error."""
    cls = evaluators.get(name)
    if not settings:
        return cls(index)
    fields = cls.settings_type.__struct_fields__
    other_fields = {field for other in names for field in evaluators.get(other).settings_type.__struct_fields__}
    chosen = {key: value for key, value in settings.items() if key in fields or key not in other_fields}
    return cls(index, convert(chosen, cls.settings_type, "evaluator.settings"))
