"""The step `quality`: quality of generated questions, measured before a model is asked."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random

from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.quality import QualityAccumulator, QualityTable, reference
from factprobe.models.embedders import get_embedder
from factprobe.progress import progress, say
from factprobe.question_types import QuestionType, question_types
from factprobe.records import Question, RelationSummary
from factprobe.reports.table import plain_table
from factprobe.steps.base import STALE, Run, Step, StepResult
from factprobe.steps.calls import GENERATE_AGAIN
from factprobe.steps.origins import UNFINISHED
from factprobe.storage import Lines, Problems, is_unfinished, read_summary, write_json
from factprobe.templating import Template
from factprobe.text import format_count

log = logging.getLogger(__name__)


def quality(run: Run) -> StepResult:
    """Measure the quality of the questions of every generator, except stale ones.

    Raises:
        MissingStepError: Nothing has been extracted, or there are no current questions.
        UnknownNameError: A selected relation was not extracted.
    """
    compare = None if run.config.embedder == "none" else get_embedder(run.config.embedder).similarities
    gathered: dict[tuple[str, QuestionType], QualityAccumulator] = {}
    files: list[Path] = []
    stale: dict[Path, str] = {}
    for relation in progress(run.relations(), "quality", "relation"):
        if not (of_relation := _question_files(run, relation.relation, stale)):
            continue
        source = run.need("extract", run.layout.summary(relation.relation))
        summary = read_summary(source, RelationSummary)
        template = Template(summary.relation_info, str(source))
        files.append(source)
        for generator, path in of_relation.items():
            files.append(path)
            for question in Lines(path, Question, Problems(strict=True, hint=GENERATE_AGAIN)):
                key = generator, question.question_type
                if key not in gathered:
                    gathered[key] = QualityAccumulator(run.config.samples, Random(f"{run.config.seed}:{':'.join(key)}"))
                gathered[key].add(question, reference(question, template, summary))
    if not gathered:
        folder = run.layout.questions(run.config.generator["name"], "").parent
        raise run.missing("generate", *next(iter(stale.items()), (folder,)))
    for path, what in stale.items():
        log.warning("%s: %s, and is left out; run step=generate again", path, what)
    types = question_types()
    order = sorted(gathered, key=lambda key: (key[0], types.index(key[1]) if key[1] in types else len(types)))
    rows = [gathered[key].row(run.config.kg.name, *key, compare) for key in order]
    write_json(run.layout.quality, rows)
    say(plain_table(BreakdownTable("quality", QualityTable, tuple(rows))))
    count, target = sum(row.questions for row in rows), run.layout.quality
    return StepResult(f"{format_count(count, 'question')} → {target}", files, {"questions": count}, [target])


def _question_files(run: Run, relation: str, stale: dict[Path, str]) -> dict[str, Path]:
    """Return the file of questions about a relation for each generator; add stale ones and the reason to `stale`."""
    files = {}
    for generator in run.layout.generators():
        path = run.layout.questions(generator, relation)
        if is_unfinished(path):
            stale[path.parent] = UNFINISHED.format(step="generate")
        elif path.exists() and run.are_stale(path, relation):
            stale[path] = STALE
        elif path.exists():
            files[generator] = path
    return files


STEP = Step(
    run=quality,
    needs=("extract", "generate"),
    makes=("quality.json",),
    settings=("relations", "compose", "embedder", "samples", "seed"),
)
