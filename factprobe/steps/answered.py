"""Responses of a model to the questions of a relation, for the steps that grade."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import tee

from factprobe.asking.log import ResponseLog
from factprobe.asking.unanswered import UnansweredQuestions
from factprobe.config import EvaluatorConfig
from factprobe.errors import DataError
from factprobe.evaluators import grade
from factprobe.evaluators.rule_errors import RuleErrors
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps.base import ASK_AGAIN, Run
from factprobe.storage import Lines, Problems, Spool, read_json

_BYTES_A_SECOND = 4e6
"""Bytes of questions, responses and summaries graded in a second on one core."""


class RelationAnswers:
    """Responses of a model to the questions of one relation.

    `settings` has a file with answers under each settings of the model, of the relations before too.

    Raises:
        MissingStepError: the questions were not made, or of other facts, or the model was not asked.
    """

    def __init__(self, run: Run, relation: str, settings: dict[str, str]) -> None:
        generator, model = run.names
        self.relation = relation
        self._questions = run.questions(relation)
        self._responses = ResponseLog(run.layout.responses(generator, model, relation))
        self.settings = settings
        self._summary = run.layout.summary(relation)
        if not self._responses.files():
            raise run.missing("answer", self._responses.path)
        self.files = [self._questions, *self._responses.files(), self._summary]
        self.grades_file = run.layout.grades(generator, model, relation)
        self.unanswered = UnansweredQuestions(model, again=ASK_AGAIN)
        """Questions without a response among those read so far."""

    def grades(self, evaluator: EvaluatorConfig, faults: RuleErrors) -> Iterator[Grade]:
        """Grade with several evaluators, in the order of the questions."""
        return self._grades(self._answers(), evaluator, faults)

    def graded(
        self, evaluator: EvaluatorConfig, faults: RuleErrors, kept: Spool[Grade]
    ) -> Iterator[tuple[Question, Response, Grade]]:
        """Grade as `grades` does and yield each graded response; the grades are kept for a second pass."""
        ours, theirs = tee(self._answers())
        for (question, response), found in zip(ours, self._grades(theirs, evaluator, faults), strict=True):
            kept.add(self.relation, found)
            yield question, response, found

    def kept(self, kept: Spool[Grade]) -> Iterator[tuple[Question, Response, Grade]]:
        """Yield the graded responses again, with the grades that were kept."""
        pairs = zip(self._answers(), kept.read(self.relation), strict=True)
        return ((*pair, found) for pair, found in pairs)

    def _grades(
        self, answers: Iterable[tuple[Question, Response]], evaluator: EvaluatorConfig, faults: RuleErrors
    ) -> Iterator[Grade]:
        summary = read_json(self._summary, RelationSummary)
        return grade(answers, summary, evaluator.by_type(), evaluator.settings, faults)

    def _answers(self) -> Iterator[tuple[Question, Response]]:
        self.unanswered = UnansweredQuestions(self.unanswered.respondent, again=ASK_AGAIN)
        questions = Lines(self._questions, Question, Problems(True, "run step=generate again"))
        for question, response in self._responses.answers(questions):
            self.unanswered.total += 1
            if response is None:
                self.unanswered.add("not asked yet")
                continue
            if response.failed:
                self.unanswered.add(response.fault)
            digest = response.settings_hash  # responses from elsewhere have none
            if not response.failed and digest and digest not in self.settings:
                self.assert_same({digest: self._responses.path.name})
            yield question, response

    def assert_same(self, found: Mapping[str, str]) -> None:
        """Raise a `DataError` if responses have other settings than the first."""
        for digest, file in found.items():
            self.settings.setdefault(digest, file)
        if len(self.settings) > 1:
            files = " and ".join(dict.fromkeys(self.settings.values()))
            hint = "run step=answer for all relations with one of them, or name them apart with model.name="
            what = f"holds answers under several settings of the model, in {files}"
            raise DataError(what, where=self._responses.path.parent, hint=hint)

    def seconds(self) -> float:
        """Estimate the seconds that grading takes."""
        return sum(path.stat().st_size for path in self.files) / _BYTES_A_SECOND
