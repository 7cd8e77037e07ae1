"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

import logging
from collections import Counter
from pathlib import Path

from factprobe.build import build_model
from factprobe.evaluators import grade
from factprobe.models.log import ResponseLog
from factprobe.progress import progress
from factprobe.records import Question, RelationSummary
from factprobe.steps.base import Done, Run, missing
from factprobe.storage import Lines, Problems, read_json, write_lines

log = logging.getLogger(__name__)


def evaluate(this: Run) -> Done:
    """Grades the model's responses."""
    names = this.config.evaluator.by_type()
    generator, model = this.config.generator["name"], build_model(this.config.model).name
    verdicts: Counter[str] = Counter()
    inputs: list[Path] = []
    unanswered = 0
    for relation in progress(this.relations(), "evaluate", "relation"):
        questions_file = this.layout.questions(generator, relation.relation)
        responses_file = this.layout.responses(generator, model, relation.relation)
        for step, file in (("generate", questions_file), ("answer", responses_file)):
            if not file.exists():
                raise missing(step, file, this.config)
        summary = read_json(this.layout.summary(relation.relation), RelationSummary)
        questions = list(Lines(questions_file, Question, Problems(True, "run step=generate again")))
        responses = ResponseLog(responses_file).matching(questions)
        grades = list(grade(questions, responses, summary, names))
        write_lines(this.layout.grades(generator, model, relation.relation), grades)
        verdicts.update(found.verdict for found in grades)
        unanswered += len(questions) - len(grades)
        inputs += [questions_file, responses_file]
    if unanswered:
        log.warning("%d questions have no response of %s yet; step=answer goes on with them", unanswered, model)
    shares = ", ".join(f"{count:,} {verdict}" for verdict, count in verdicts.most_common())
    folder = this.layout.grades(generator, model, "").parent
    return Done(f"{shares or 'nothing'} → {folder}", inputs, {"verdicts": dict(verdicts), "unanswered": unanswered})
