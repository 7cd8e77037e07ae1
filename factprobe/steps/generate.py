"""The step `generate`: questions from the triplets."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from factprobe.build import build_generator
from factprobe.extractors.extracted import ExtractedEntities, ExtractedFacts
from factprobe.generators import Survey
from factprobe.generators.facts import facts_in
from factprobe.metrics.leaks import Leaks, in_words
from factprobe.progress import progress
from factprobe.records import GraphSummary, RelationCount, RelationSummary
from factprobe.steps.base import NAMED, Done, Run, Step, making
from factprobe.storage import made, read_json

log = logging.getLogger(__name__)


def generate(this: Run) -> Done:
    """Makes the questions of each relation.

    Raises:
        MissingStepError: nothing was extracted yet.
        UnknownNameError: a relation is picked that was not extracted.
    """
    generator = build_generator(this.config.generator, this.config.seed, this.config.limit)
    name = generator.settings.name
    around: dict[Path, None] = {}
    relations = this.relations()
    leaks = Leaks(len(relations))
    generator.watch = leaks.watch
    generator.graph = lambda: _summaries(this, around)
    _warn_of_limit(this)
    relations = this.relations()
    if generator.wants_survey:
        generator.survey(_survey(this, relations))
    made: Counter[str] = Counter()
    not_made: Counter[str] = Counter()
    drawn: Counter[str] = Counter()
    named: list[str] = []
    inputs: list[Path] = list(generator.files)
    outputs: list[Path] = []
    for relation in progress(relations, "generate", "relation"):
        triplets, summary = this.layout.triplets(relation.relation), this.layout.summary(relation.relation)
        files = this.need("extract", triplets), this.need("extract", summary)
        outputs.append(this.layout.questions(name, relation.relation))
        report = generator.generate_questions(*files, outputs[-1])
        inputs += files
        made.update(report.made)
        drawn.update(report.drawn)
        for reason, ids in report.not_made.items():
            not_made[reason] += len(ids)
            named += [f"{question_id}: {reason}" for question_id in ids[: NAMED - len(named)]]
    _warn_of_questions(not_made, leaks)
    counts = {"questions": dict(made), "not_made": dict(not_made), "not_made_named": named}
    return Done(
        f"{made.total():,} questions → {this.layout.questions(name, '').parent}",
        list(dict.fromkeys([*inputs, *around])),
        {**counts, **({"negatives": dict(drawn)} if drawn else {}), **generator.told()},
        outputs,
    )


def _warn_of_questions(not_made: Counter[str], leaks: Leaks) -> None:
    """Says which questions are missing, and whether those there are give their answers away."""
    if not_made:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in not_made.items())
        log.warning("%d questions cannot be made: %s; the manifest names them", not_made.total(), reasons)
    if guessed := in_words(leaks.rows()):
        log.warning("the answers can be guessed without the facts: %s; see generator.negatives", guessed)


def _summaries(this: Run, read: dict[Path, None]) -> Iterator[RelationSummary]:
    """All relations that were extracted, picked or not; enters the files into `read`."""
    for relation in read_json(this.layout.graph_summary, GraphSummary).relations:
        path = this.need("extract", this.layout.summary(relation.relation))
        read[path] = None
        yield read_json(path, RelationSummary)


def _survey(this: Run, relations: list[RelationCount]) -> Survey:
    """All that was extracted, and of it what is asked about."""
    extracted = read_json(this.layout.graph_summary, GraphSummary)
    asked = [(found.relation, found.type, facts_in(this.layout.triplets(found.relation))) for found in relations]
    return Survey(asked, ExtractedFacts(this.layout, extracted), ExtractedEntities(this.layout, extracted))


def _warn_of_limit(this: Run) -> None:
    """Says so when fewer triplets were extracted than are asked for."""
    if made(this.layout.graph_summary):
        extracted = read_json(this.layout.graph_summary, GraphSummary).limit
        if extracted is not None and (this.config.limit is None or this.config.limit > extracted):
            log.warning("only %d triplets of each relation were extracted; step=extract takes the others in", extracted)


STEP = Step(
    run=generate,
    needs=("extract",),
    makes=("questions/<generator>/<relation>.jsonl",),
    settings=("kg", "relations", "compose", "limit", "generator", "seed"),
    once=True,
    locks=making,
)
