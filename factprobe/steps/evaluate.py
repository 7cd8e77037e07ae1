"""The step `evaluate`: grades of the responses."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

from factprobe.build import build_model
from factprobe.config import EvaluatorConfig, plain
from factprobe.evaluators import grade
from factprobe.models.log import ResponseLog
from factprobe.progress import progress
from factprobe.records import Grade, Question, RelationSummary, Response
from factprobe.steps.base import Done, Run, missing
from factprobe.storage import Lines, Problems, read_json, write_lines

log = logging.getLogger(__name__)

_UNANSWERED = "unanswered"


def evaluate(this: Run) -> Done:
    """Grades the model's responses."""
    config = this.config
    generator, model = config.generator["name"], build_model(config.model).name
    counts: Counter[str] = Counter()
    inputs: list[Path] = []
    folder = this.layout.grades(generator, model, "").parent
    this.manifest.claim(str(folder), "grades", {"evaluator": plain(config)["evaluator"]})
    with this.using(folder):
        for relation in progress(this.relations(), "evaluate", "relation"):
            file = this.layout.questions(generator, relation.relation)
            responses = ResponseLog(this.layout.responses(generator, model, relation.relation))
            if not file.exists():
                raise missing("generate", file, config)
            if not responses.files():
                raise missing("answer", responses.path, config)
            summary = read_json(this.layout.summary(relation.relation), RelationSummary)
            questions = Lines(file, Question, Problems(True, "run step=generate again"))
            grades = _grades(responses.answers(questions), summary, config.evaluator, counts)
            write_lines(this.layout.grades(generator, model, relation.relation), grades)
            inputs += [file, *responses.files()]
    unanswered = counts.pop(_UNANSWERED, 0)
    if unanswered:
        log.warning("%d questions have no response of %s yet; step=answer goes on with them", unanswered, model)
    shares = ", ".join(f"{count:,} {verdict}" for verdict, count in counts.most_common())
    return Done(f"{shares or 'nothing'} → {folder}", inputs, {"verdicts": dict(counts), _UNANSWERED: unanswered})


def _grades(
    answered: Iterable[tuple[Question, Response | None]],
    summary: RelationSummary,
    evaluator: EvaluatorConfig,
    counts: Counter[str],
) -> Iterator[Grade]:
    """The grades of one relation, counted as they pass by."""

    def there() -> Iterator[tuple[Question, Response | None]]:
        for question, response in answered:
            counts[_UNANSWERED] += response is None
            yield question, response

    for found in grade(there(), summary, evaluator.by_type(), evaluator.settings):
        counts[found.verdict] += 1
        yield found
