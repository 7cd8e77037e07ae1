"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator

from factprobe.build import build_model
from factprobe.config import EvaluatorConfig, plain
from factprobe.evaluators import grade
from factprobe.models.log import ResponseLog
from factprobe.progress import progress
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps.base import Done, Run, missing
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

    def grades(self, evaluator: EvaluatorConfig) -> Iterator[Grade]:
        """The grades by some evaluators, in the order of the questions."""
        self.unanswered = 0
        summary = read_json(self._summary, RelationSummary)
        return grade(self._answers(), summary, evaluator.by_type(), evaluator.settings)

    def _answers(self) -> Iterator[tuple[Question, Response | None]]:
        questions = Lines(self._questions, Question, Problems(True, "run step=generate again"))
        for question, response in self._responses.answers(questions):
            self.unanswered += response is None
            yield question, response


def evaluate(this: Run) -> Done:
    """Grades the model's responses, with `compat` a second time by the rules that it names."""
    config, layout = this.config, this.layout
    generator, model = config.generator["name"], build_model(config.model).name
    folder = layout.grades(generator, model, "").parent
    settings = plain(config)
    this.manifest.claim(str(folder), "grades", {"evaluator": settings["evaluator"]})
    if config.compat is not None:
        beside = layout.compat(generator, model, config.compat.name, "").parent
        this.manifest.claim(str(beside), "grades", {"compat": settings["compat"]})
    verdicts: Counter[str] = Counter()
    others: Counter[str] = Counter()
    with this.using(folder):
        relations = [Answered(this, generator, model, found.relation) for found in this.relations()]
        for answered in progress(relations, "evaluate", "relation"):
            path = layout.grades(generator, model, answered.relation)
            write_lines(path, _counted(answered.grades(config.evaluator), verdicts))
            if config.compat is not None:
                path = layout.compat(generator, model, config.compat.name, answered.relation)
                write_lines(path, _counted(answered.grades(config.compat), others))
    unanswered = sum(answered.unanswered for answered in relations)
    if unanswered:
        log.warning("%d questions have no response of %s yet; step=answer goes on with them", unanswered, model)
    counts = {"verdicts": dict(verdicts), "unanswered": unanswered}
    message = f"{_listed(verdicts)} → {folder}"
    if config.compat is not None:
        counts["compat"] = {"name": config.compat.name, "verdicts": dict(others)}
        message += f"; by {config.compat.name} {_listed(others)}"
    return Done(message, [file for answered in relations for file in answered.files], counts)


def _counted(grades: Iterable[Grade], verdicts: Counter[str]) -> Iterator[Grade]:
    for found in grades:
        verdicts[found.verdict] += 1
        yield found


def _listed(verdicts: Counter[str]) -> str:
    return ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common()) or "nothing"
