"""The step `inspect`: statistics of the relations of a graph, and some questions, before a model is asked."""

from __future__ import annotations

import logging
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from random import Random
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.factories import build_generator, build_kg
from factprobe.generators import Generator, Survey
from factprobe.generators.phrasing.proposals import Proposals
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import is_worded, plain_template
from factprobe.kgs.summaries import summarise_relation, summary_and_facts
from factprobe.metrics.graphs.inspection import InspectedRelation, inspect_relation, with_inverses
from factprobe.metrics.graphs.inverses import sketch
from factprobe.progress import say
from factprobe.records import PlainRequest, Question, Relation
from factprobe.relations import picked_relations
from factprobe.reports.inspection import inspection_text, write_inspection
from factprobe.steps import CALLS
from factprobe.steps.base import Run, Step, StepResult, exclusive_lock
from factprobe.steps.parallel_relations import map_relations
from factprobe.steps.proposing import add_templates, ask_for_templates
from factprobe.storage import write_json
from factprobe.templating import read_templates, templates_of
from factprobe.text import format_count

log = logging.getLogger(__name__)

QUESTION_COUNT = 10
"""Maximum number of questions that are shown."""
_MAX_POOL_SIZE = 2000
"""Number of questions of a relation to draw from, the first ones; making all of a large relation would take minutes."""


def inspect(run: Run) -> StepResult:
    """Print statistics of each relation, and at most `QUESTION_COUNT` questions as `step=generate` makes them.

    Nothing needs to be extracted before, and a model is asked only for templates with `inspect.templates=model`.
    """
    config, layout = run.config, run.layout
    with _collect_warnings() as messages:
        kg = build_kg(config.kg, run.problems)
        by_name = kg.by_name()
        selection = kg.with_facts(by_name[name] for name in picked_relations(config, by_name))
        having = {kg.get_relation_name(relation): relation for relation in selection}
        generator, proposals = _make_generator(run, kg, having), _make_proposals(run)
        stride = max(1, len(having) / QUESTION_COUNT)
        asked = {[*having][int(at * stride)] for at in range(min(QUESTION_COUNT, len(having)))}

        def work(relation: Relation) -> _RelationStatistics:
            is_asked = kg.get_relation_name(relation) in asked
            return _inspect_relation(kg, relation, generator if is_asked else None, proposals, config.seed)

        inspected = list(map_relations(run, kg, having, work, "inspect"))
        sketches = {relation.row.relation: relation.pairs for relation in inspected}
        rows = with_inverses((found.row for found in inspected), sketches)
        questions = _choose_evenly([found.questions for found in inspected if found.questions])
    counts = {"relations": len(rows), "facts": sum(row.facts for row in rows), "questions": len(questions)}
    counts["broken_lines"] = len(run.problems.messages)
    write_json(layout.inspection, rows)
    write_inspection(layout.inspection_page, kg.name, rows, questions, [*messages])
    say(inspection_text(kg.name, rows, questions))
    inputs = list(dict.fromkeys(path for relation in having.values() for path in kg.inputs(relation)))
    message = f"{format_count(len(rows), 'relation')}{run.broken_lines()} → {layout.inspection_page}"
    result = StepResult(message, inputs, counts, [layout.inspection])
    if config.inspect.templates == "plain":
        return result
    plain = {statistics.info.relation: statistics for statistics in inspected if not statistics.row.worded}
    return _propose_templates(run, result, {found.info: found.request for found in plain.values() if found.request})


@contextmanager
def _collect_warnings() -> Iterator[dict[str, None]]:
    """Yield a dictionary to which the block's warnings are added as keys."""
    messages: dict[str, None] = {}

    class Listener(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            messages[record.getMessage()] = None

    listener, logger = Listener(logging.WARNING), logging.getLogger("factprobe")
    logger.addHandler(listener)
    try:
        yield messages
    finally:
        logger.removeHandler(listener)


class _RelationStatistics(NamedTuple):
    """Statistics and sample questions of one relation."""

    row: InspectedRelation
    info: Relation
    pairs: array[int]
    questions: list[Question]
    """Questions about the relation from which those to show are chosen; may be empty."""
    request: PlainRequest | None
    """Request for a template; None if the relation has one, or no model is asked for it."""


def _inspect_relation(
    kg: Graph, relation: Relation, generator: Generator | None, proposals: Proposals | None, seed: int
) -> _RelationStatistics:
    summary, triplets = summary_and_facts(kg, relation)
    info = summary.relation_info
    can_be_asked = any(templates_of(info))
    worded = can_be_asked and is_worded(info)
    declared = kg.get_relation_type(relation) or ""
    row = inspect_relation(kg.name, summary, declared, worded=worded, single_share=kg.settings.single_share)
    questions, request = list[Question](), None
    if can_be_asked and generator is not None:
        questions += _draw_questions(islice(generator.questions(summary, triplets), _MAX_POOL_SIZE), seed)
    if proposals is not None and not row.worded:
        info = replace(info, template=plain_template(info.label or info.relation))
        request = proposals.request(replace(summary, relation_info=info))
    return _RelationStatistics(row, info, sketch(summary.facts()), questions, request)


def _make_generator(run: Run, kg: Graph, relations: Mapping[str, Relation]) -> Generator | None:
    """Return the generator of the questions; None if it needs a model to phrase them."""
    config, settings = run.config, {**run.config.generator}
    if settings.get("model") is not None:
        log.warning("generator=%s has a model word the questions, and none are shown", settings["name"])
        return None
    if settings.get("template") == "all":
        settings["template"] = 0  # the first template
    generator = build_generator(settings, config.seed, config.limit)
    generator.graph = lambda: (summarise_relation(kg, relation) for relation in relations.values())
    if generator.wants_survey:
        generator.survey(Survey.of(summary_and_facts(kg, relation) for relation in relations.values()))
    return generator


def _draw_questions(questions: Iterable[Question], seed: int) -> list[Question]:
    """Draw at most `QUESTION_COUNT` subjects of a relation, and return one question of each type about each."""
    rng = Random(seed)
    shuffled = list(questions)
    rng.shuffle(shuffled)
    subjects: dict[str, dict[str, Question]] = {}
    for question in shuffled:
        subjects.setdefault(question.subject_uri, {}).setdefault(question.question_type, question)
    chosen = rng.sample([*subjects.values()], min(QUESTION_COUNT, len(subjects)))
    return [question for of_one in chosen for question in of_one.values()]


def _choose_evenly(by_relation: Sequence[Sequence[Question]]) -> list[Question]:
    """Choose at most `QUESTION_COUNT` questions, spread evenly over relations, question types and subjects."""
    subjects: Counter[str] = Counter()
    types: Counter[str] = Counter()
    remaining = [list(questions) for questions in by_relation]
    sample: list[Question] = []
    while any(remaining) and len(sample) < QUESTION_COUNT:
        for questions in filter(None, remaining):
            best = min(questions, key=lambda item: (subjects[item.subject_uri], types[item.question_type]))
            questions.remove(best)
            sample.append(best)
            subjects[best.subject_uri] += 1
            types[best.question_type] += 1
    return sample[:QUESTION_COUNT]


def _make_proposals(run: Run) -> Proposals | None:
    config = run.config.inspect
    return Proposals(config.messages, 1, "relation", "inspect") if config.templates == "model" else None


def _propose_templates(run: Run, result: StepResult, requests: Mapping[Relation, PlainRequest]) -> StepResult:
    """Let the model write templates for relations that have only a label, unless the file of templates has one."""
    path, model, proposals = run.layout.worded, run.model, _make_proposals(run)
    existing = read_templates(str(path)) if path.exists() else {}
    requests_left = {relation: request for relation, request in requests.items() if relation.relation not in existing}
    if not requests_left or proposals is None:
        return result._replace(message=f"{result.message}; no relation is left without a template")
    files = run.layout.template_requests(model.name, "worded")
    templates, counts = ask_for_templates(run, "inspect", files, requests_left.values(), proposals, requests_left)
    note = f"Templates that {model.name} proposes. Mend those that do not say what the facts say, then:"
    add_templates(path, [note, f"  kg.templates={path}"], templates)
    proposed = {"templates": len(templates), "rejected": {**proposals.rejected}}
    return result._replace(
        message=f"{result.message}; {len(templates):,} of {len(requests_left):,} relations worded, to review → {path}",
        counts={**(result.counts or {}), **counts.as_dict(), **proposed},
        outputs=[*result.outputs, *([path] if templates else [])],
        unanswered=[counts.unanswered],
    )


STEP = Step(
    run=inspect,
    makes=(
        "inspect.json",
        "inspect.html",
        "worded.yaml",
        "worded/<model>/questions.jsonl",
        "worded/<model>/responses.jsonl",
    ),
    settings=("relations", "limit", "generator", "model", "inspect", "seed", *CALLS),
    locks=exclusive_lock,
)
