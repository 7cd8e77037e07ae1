"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import tee
from pathlib import Path
from typing import Any

from factprobe.asking.log import ResponseLog
from factprobe.build import build_model
from factprobe.config import EvaluatorConfig, plain
from factprobe.evaluators import grade
from factprobe.progress import progress
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps.base import Done, Run, missing
from factprobe.steps.judging import Judge
from factprobe.storage import Lines, Problems, read_json, write_lines

log = logging.getLogger(__name__)


class Answered:
    """The responses of a model to the questions of one relation.

    Raises:
        MissingStepError: the questions were not made, or the model was not asked.
    """

    def __init__(self, this: Run, generator: str, model: str, relation: str) -> None:
        self.relation = relation
        self._questions = this.layout.questions(generator, relation)
        self._responses = ResponseLog(this.layout.responses(generator, model, relation))
        self._summary = this.layout.summary(relation)
        if not self._questions.exists():
            raise missing("generate", self._questions, this.config)
        if not self._responses.files():
            raise missing("answer", self._responses.path, this.config)
        self.files = [self._questions, *self._responses.files()]
        self.unanswered = 0
        """How many questions have no response, as far as they were read."""

    def grades(self, evaluator: EvaluatorConfig) -> Iterator[Grade]:
        """The grades by some evaluators, in the order of the questions."""
        return (found for _, _, found in self.graded(evaluator))

    def graded(self, evaluator: EvaluatorConfig) -> Iterator[tuple[Question, Response, Grade]]:
        """The same with what is graded."""
        summary = read_json(self._summary, RelationSummary)
        ours, theirs = tee(self._answers())
        grades = grade(theirs, summary, evaluator.by_type(), evaluator.settings)
        return ((*pair, found) for pair, found in zip(ours, grades, strict=True))

    def _answers(self) -> Iterator[tuple[Question, Response]]:
        self.unanswered = 0
        questions = Lines(self._questions, Question, Problems(True, "run step=generate again"))
        for question, response in self._responses.answers(questions):
            if response is None:
                self.unanswered += 1
            else:
                yield question, response


def evaluate(this: Run) -> Done:
    """Grades the model's responses: by the rules, what they leave open by the judge, and with `compat` by other rules.

    Raises:
        ModelError: no call to the judge succeeds.
        CostLimitError: the next call to the judge could pass `max_cost_usd`.
    """
    config, layout = this.config, this.layout
    generator, model = config.generator["name"], build_model(config.model).name
    folder = layout.grades(generator, model, "").parent
    _claim(this, folder, ("evaluator", "judge", "judge_samples", "judge_rules"))
    if config.compat is not None:
        _claim(this, layout.compat(generator, model, config.compat.name, "").parent, ("compat",))
    verdicts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    with this.using(folder):
        relations = [Answered(this, generator, model, found.relation) for found in this.relations()]
        judge = None if config.judge is None else Judge(this, generator, model)
        if judge is not None:
            for answered in progress(relations, "evaluate", "relation"):
                judge.prepare(answered.relation, answered.graded(config.evaluator))
            if config.dry_run:
                return Done(judge.calls_left(), [], None)
            judge.ask()
        for answered in progress(relations, "evaluate", "relation"):
            graded = answered.graded(config.evaluator)
            decided = (found for _, _, found in graded) if judge is None else judge.decide(answered.relation, graded)
            write_lines(layout.grades(generator, model, answered.relation), _counted(decided, verdicts))
            if config.compat is not None:
                path = layout.compat(generator, model, config.compat.name, answered.relation)
                write_lines(path, _counted(answered.grades(config.compat), others))
    unanswered = sum(answered.unanswered for answered in relations)
    if unanswered:
        log.warning("%d questions have no response of %s yet; step=answer goes on with them", unanswered, model)
    counts: dict[str, Any] = {"verdicts": dict(verdicts), "unanswered": unanswered}
    parts = [_listed(verdicts)]
    if judge is not None:
        counts["judge"] = judge.counts(verdicts.total())
        parts.append(judge.summary(verdicts.total()))
    if config.compat is not None:
        counts["compat"] = {"name": config.compat.name, "verdicts": dict(others)}
        parts.append(f"by {config.compat.name} {_listed(others)}")
    return Done(f"{'; '.join(parts)} → {folder}", [file for answered in relations for file in answered.files], counts)


def _claim(this: Run, folder: Path, names: Sequence[str]) -> None:
    """Sees to it that no two jobs of a sweep write the same grades by different rules."""
    settings = plain(this.config)
    this.manifest.claim(str(folder), "grades", {name: settings[name] for name in names})


def _counted(grades: Iterable[Grade], verdicts: Counter[str]) -> Iterator[Grade]:
    for found in grades:
        verdicts[found.verdict] += 1
        yield found


def _listed(verdicts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common()) or "nothing"
