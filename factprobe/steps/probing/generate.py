"""The step `generate`: questions from the triplets."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Container, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factprobe.config import path_of
from factprobe.errors import DataError, format_list
from factprobe.extractors.extracted import ExtractedEntities, ExtractedFacts
from factprobe.factories import build_generator
from factprobe.generators import Generator, Survey
from factprobe.generators.base import GenerationReport
from factprobe.generators.fact_generator import read_facts
from factprobe.metrics.heuristics import Rows
from factprobe.metrics.leaks import QUICK_SAMPLED_FACTS, Leaks
from factprobe.progress import progress
from factprobe.question_types import End
from factprobe.records import GraphSummary, Question, RelationSummary
from factprobe.steps import CALLS
from factprobe.steps.base import MAX_LISTED, Run, Step, StepResult, exclusive_lock
from factprobe.storage import read_summary
from factprobe.templating import read_templates
from factprobe.text import format_count
from factprobe.workers import map_names

if TYPE_CHECKING:
    from factprobe.steps.phrasing import Phrasing

log = logging.getLogger(__name__)

_FACTS_A_SECOND = 20_000
"""Number of facts from which one core makes questions in a second, measured on T-REx."""


def generate(run: Run) -> StepResult:
    """Make the questions of each relation."""
    generator = build_generator(run.config.generator, run.config.seed, run.config.limit)
    name = generator.settings.name
    summary_files: dict[Path, None] = {}
    _warn_of_triplets(run)
    relations = run.relations()
    leaks = Leaks(len(relations), QUICK_SAMPLED_FACTS)
    repeated = _RepeatedWordings()
    generator.watch = lambda questions, summary: repeated.watch(leaks.watch(questions, summary), summary)
    extracted = read_summary(run.layout.graph_summary, GraphSummary)
    if len(extracted.relations) > 1:  # otherwise the relation is the whole graph
        generator.graph = lambda: _read_summaries(run, extracted, summary_files)
    if generator.wants_survey:
        relation_facts = [(row.relation, row.type, read_facts(run.layout.triplets(row.relation))) for row in relations]
        entities = ExtractedEntities(run.layout, extracted)
        generator.survey(Survey(relation_facts, ExtractedFacts(run.layout, extracted), entities))
    files = {
        name: (run.need("extract", run.layout.triplets(name)), run.need("extract", run.layout.summary(name)))
        for name in (relation.relation for relation in relations)
    }
    phrasing = _make_phrasing(run, generator, files)
    if phrasing is not None:
        if run.config.dry_run:
            return StepResult(phrasing.calls_left(), [], None, is_dry=True)
        phrasing.ask()

    def work(relation: str) -> tuple[GenerationReport, Rows, list[Path], int]:
        report = generator.generate_questions(*files[relation], run.layout.questions(name, relation))
        return report, leaks.last(), [*summary_files], repeated.last()

    tally = _Counts()
    outputs = [run.layout.questions(name, relation) for relation in files]
    run.begin_replacement(outputs)
    workers = 1 if generator.model is not None and phrasing is None else run.workers  # calls are made by one process
    facts = {count.relation: min(count.num_facts, run.config.limit or count.num_facts) for count in relations}
    with map_names(work, {name: count / _FACTS_A_SECOND for name, count in facts.items()}, workers) as every:
        for report, guesses, paths, same in progress(every, "generate", "relation", len(relations)):
            leaks.add_rows(guesses)
            summary_files.update(dict.fromkeys(paths))
            tally.add(report, same)
    inputs = [*generator.files, *(path for sources in files.values() for path in sources)]
    _warn_of_questions(run, tally)
    if further := run.config.generator.get("templates_file"):
        _warn_of_templates(run, further)
        inputs.append(path_of(further))
    result = _make_result(run, generator, phrasing, tally, list(dict.fromkeys([*inputs, *summary_files])), outputs)
    negatives = getattr(generator.settings, "negatives", "")
    chosen = f" (generator.negatives={negatives})" if negatives else ""
    note = f"the answers can be guessed without the facts{chosen}: {guessed}" if (guessed := leaks.summary()) else ""
    return result._replace(notes=[note] if note else [])


class _Counts:
    """Counts of the questions of all relations."""

    def __init__(self) -> None:
        self.made: Counter[str] = Counter()
        self.not_made: Counter[str] = Counter()
        self.alike = 0
        self.ended = 0
        """Number of relations with facts that are no longer true, if questions are not about a certain day."""
        self.passages: Counter[str] = Counter()
        self._negatives: Counter[str] = Counter()
        self._refusals: list[str] = []

    def add(self, report: GenerationReport, alike: int) -> None:
        """Add the counts of one relation."""
        self.alike += alike
        self.ended += report.ended
        self.made.update(report.made)
        self._negatives.update(report.negatives)
        self.passages.update(report.passages)
        for reason, ids in report.refused.items():
            self.not_made[reason] += len(ids)
            self._refusals += [f"{question_id}: {reason}" for question_id in ids[: MAX_LISTED - len(self._refusals)]]

    def counts(self) -> dict[str, Any]:
        """Return the counts for the manifest."""
        counts = {"questions": dict(self.made), "not_made": dict(self.not_made), "not_made_named": self._refusals}
        more = {"alike": self.alike, "negatives": dict(self._negatives), "passages": dict(self.passages)}
        return {**counts, **{name: counted for name, counted in more.items() if counted}}


class _RepeatedWordings:
    """Counter of questions with the same wording as an earlier one about a namesake; prompts are kept as hashes."""

    def __init__(self) -> None:
        self._seen: dict[int, int] = {}
        self._count = 0

    def watch(self, questions: Iterable[Question], summary: RelationSummary) -> Iterable[Question]:
        """Return the questions; repeated wordings are counted, except of questions that hide their subject."""
        subjects, objects = _namesakes(summary, "subject"), _namesakes(summary, "object")
        return self._watch(questions, subjects, objects) if subjects or objects else questions

    def _watch(
        self, questions: Iterable[Question], subjects: Container[str], objects: Container[str]
    ) -> Iterator[Question]:
        for question in questions:
            if question.subject_uri in subjects or question.object_uri in objects:
                asks_object = question.sought == "object"
                uri = question.subject_uri if asks_object else question.object_uri
                if not question.given and uri in (subjects if asks_object else objects):
                    words = hash((question.prompts, question.cloze, question.choices))
                    about = hash((uri, question.shown))
                    self._count += self._seen.setdefault(words, about) != about
            yield question

    def last(self) -> int:
        """Return the count for the last relation, and reset it."""
        count = self._count
        self._seen, self._count = {}, 0
        return count


def _namesakes(summary: RelationSummary, end: End) -> set[str]:
    """Return the URIs of entities at one end of a relation that share their label with another; empty if none."""
    labels = Counter(entity.label for entity in summary.entities(end))
    if labels.total() == len(labels):
        return set()
    return {entity.uri for entity in summary.entities(end) if labels[entity.label] > 1}


def _make_result(
    run: Run, generator: Generator, phrasing: Phrasing | None, tally: _Counts, inputs: list[Path], outputs: list[Path]
) -> StepResult:
    counts = {**tally.counts(), **generator.manifest_entry()}
    parts, unanswered = [format_count(tally.made.total(), "question")], []
    if phrasing is not None:
        counts["phrases"] = phrasing.counts()
        parts.append(phrasing.summary())
        unanswered.append(phrasing.unanswered())
    if passages := tally.passages:
        parts.append(f"passages: {passages['evidence']:,} of the source, {passages['template']:,} of the template")
    folder = run.layout.questions(generator.settings.name, "").parent
    return StepResult(f"{'; '.join(parts)} → {folder}", inputs, counts, outputs, unanswered)


def _make_phrasing(run: Run, generator: Generator, relations: Iterable[str]) -> Phrasing | None:
    """Return the phrasing of facts by the model of the generator; None if the generator uses no model."""
    if generator.model is None:
        return None
    from factprobe.generators.llm import LlmGenerator  # loads slowly
    from factprobe.steps.phrasing import Phrasing

    return Phrasing(run, generator, generator.model, relations) if isinstance(generator, LlmGenerator) else None


def _warn_of_questions(run: Run, tally: _Counts) -> None:
    """Warn about questions that cannot be made, have the wording of another, or are about facts that have ended."""
    if tally.not_made:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in tally.not_made.items())
        log.warning("%d questions cannot be made: %s; the manifest names them", tally.not_made.total(), reasons)
    if tally.alike:
        what = "the very words of a question about a namesake, so that no answer tells them apart: %s; see step=inspect"
        log.warning(what, format_count(tally.alike, "question"))
    if tally.ended:
        what = "%s asked about as if facts that have an end still held; set generator.as_of to a day"
        log.warning(what, format_count(tally.ended, "relation is", "relations are"))
    if not tally.made.total() and (day := run.config.generator.get("as_of")):
        log.warning("no question was made: no fact of these relations holds on generator.as_of=%s", day)


def _warn_of_templates(run: Run, path: str) -> None:
    """Warn about templates in a file for relations that were not extracted, e.g. since they are misspelt."""
    relations = {relation.relation for relation in read_summary(run.layout.graph_summary, GraphSummary).relations}
    if unknown_names := [name for name in read_templates(path) if name not in relations]:
        log.warning("%s has templates of relations that are not extracted: %s", path, format_list(unknown_names))


def _read_summaries(run: Run, extracted: GraphSummary, summary_files: dict[Path, None]) -> Iterator[RelationSummary]:
    """Yield the summaries of all extracted relations, and add the paths of their files to `summary_files`."""
    for relation in extracted.relations:
        path = run.need("extract", run.layout.summary(relation.relation))
        summary_files[path] = None
        yield read_summary(path, RelationSummary)


def _warn_of_triplets(run: Run) -> None:
    """Warn if fewer triplets were extracted than `limit` allows, or if the source has changed since."""
    summary = run.layout.graph_summary
    if summary.exists():
        with suppress(DataError):  # a broken manifest is reported when the step adds its entry
            if changed_paths := run.manifest.changed_inputs("extract", summary):
                names = format_list([str(path) for path in changed_paths[:MAX_LISTED]])
                log.warning("%s: changed since the triplets were extracted; step=extract reads them again", names)
        extracted = read_summary(summary, GraphSummary).limit
        if extracted is not None and (run.config.limit is None or run.config.limit > extracted):
            log.warning("only %d triplets of each relation were extracted; step=extract takes the others in", extracted)


STEP = Step(
    run=generate,
    needs=("extract",),
    makes=(
        "questions/<generator>/<relation>.jsonl",
        "phrases/<generator>/<relation>.jsonl",
        "phrases/<generator>/questions/<round>/<relation>.jsonl",
        "phrases/<generator>/responses/<round>/<relation>.jsonl",
    ),
    settings=("kg", "relations", "compose", "limit", "generator", "seed", *CALLS),
    once=True,
    locks=exclusive_lock,
)
