"""The steps of a run, in order.

    extract   kg's files          → triplets/<relation>.jsonl, <relation>.summary.json, summary.json
    generate  triplets, summaries → questions/<generator>/<relation>.jsonl
    answer    questions           → responses/<generator>/<model>/<relation>.jsonl
    evaluate  responses           → grades/<generator>/<model>/<relation>.jsonl
    report    grades              → scores.csv, scores.json, report.html

Each step finds the files of those before it under `output_dir`, goes by the relations of `triplets/summary.json`, and
enters what it did into `manifest.json`.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import aclosing
from pathlib import Path
from typing import Any, NamedTuple

from factprobe.build import build_generator, build_kg, build_model
from factprobe.config import RunConfig, load_plugins, plain
from factprobe.errors import DataError, MissingStepError, UnknownNameError
from factprobe.evaluators import grade
from factprobe.extractors import Extracted, extractors
from factprobe.generators.prompts import Template
from factprobe.kgs import KnowledgeGraph
from factprobe.manifest import Manifest
from factprobe.metrics import scores
from factprobe.models import Model, ask
from factprobe.models.log import ResponseLog
from factprobe.progress import progress, progress_bar
from factprobe.records import GraphSummary, Question, Relation, RelationCount, RelationSummary
from factprobe.reports import collect, score_table, write_report, write_scores
from factprobe.storage import Layout, Lines, Problems, read_json, write_json, write_lines

log = logging.getLogger(__name__)

ALIASES = {"question_generate": "generate", "answer_sampling": "answer"}
"""LLM-facteval's names of the steps."""

_NAMED = 100


class Done(NamedTuple):
    """What a step did."""

    message: str
    inputs: list[Path]
    counts: dict[str, Any]


class Run:
    """What the steps of one run share."""

    def __init__(self, config: RunConfig) -> None:
        self.config = config
        self.layout = Layout(Path(config.output_dir).expanduser())
        self.problems = Problems(config.strict)

    def relations(self) -> list[RelationCount]:
        """The extracted relations that the run is about.

        Raises:
            MissingStepError: nothing was extracted yet.
            UnknownNameError: a relation is picked that was not extracted.
        """
        if not self.layout.graph_summary.exists():
            raise _missing("extract", self.layout.graph_summary, self.config)
        known = {found.relation: found for found in read_json(self.layout.graph_summary, GraphSummary).relations}
        return [known[name] for name in _picked(self.config, known)]


def run(config: RunConfig) -> None:
    """Runs the step that the settings name, or all of them.

    Raises:
        FactprobeError: what the user can mend, in one line.
    """
    load_plugins(config.plugins)
    step = ALIASES.get(config.step, config.step)
    if step not in STEPS and step != "all":
        raise UnknownNameError("step", config.step, [*STEPS, "all", *ALIASES])
    this = Run(config)
    if step == "all":
        build_model(config.model)  # so that a wrong setting is known before the first step
    manifest = Manifest(this.layout.manifest)
    for name in STEPS if step == "all" else (step,):
        manifest.start()
        done = STEPS[name](this)
        manifest.add(name, plain(config), done.inputs, done.counts)
        print(f"{name}: {done.message}", flush=True)


def extract(this: Run) -> Done:
    """Extracts the triplets and the summary of each relation."""
    config = this.config
    kg = build_kg(config.kg, this.problems)
    extractor = extractors.get(config.kg.extractor)(kg, config.limit)
    by_name = _described(kg)
    counts: list[RelationCount] = []
    entities: set[str] = set()
    inputs: list[Path] = []
    skipped: list[str] = []
    read = 0
    for name in progress(_picked(config, by_name), "extract", "relation"):
        source = kg.get_input_relation_file(by_name[name])
        if not source.exists():
            skipped.append(name)
            continue
        Template(by_name[name], kg.sources.get(by_name[name].relation, str(kg.data_dir)))
        extracted = extractor.extract_relation(by_name[name], source, this.layout)
        inputs += sorted(source.glob("*.jsonl")) if source.is_dir() else [source]
        read += extracted.facts_read
        counts.append(_count(extracted))
        entities.update(extracted.subjects, extracted.objects)
    if skipped:
        log.warning("%s: no data for %d of the relations described: %s", kg.data_dir, len(skipped), ", ".join(skipped))
    if not counts:
        raise DataError("no relation has data", where=kg.data_dir, mend="name the folder with kg.data_dir=")
    facts = sum(count.num_facts for count in counts)
    write_json(
        this.layout.graph_summary,
        GraphSummary(kg.name, len(counts), len(entities), facts, tuple(counts), config.limit),
    )
    broken = len(this.problems.messages)
    message = f"{len(counts)} relations, {facts:,} triplets" + (f", {broken:,} broken lines skipped" if broken else "")
    return Done(
        f"{message} → {this.layout.graph_summary.parent}",
        inputs,
        {
            "relations": len(counts),
            "relations_without_data": skipped,
            "facts_read": read,
            "triplets": facts,
            "entities": len(entities),
            "broken_lines": broken,
            "broken_lines_named": this.problems.messages[:_NAMED],
        },
    )


def generate(this: Run) -> Done:
    """Makes the questions of each relation."""
    generator = build_generator(this.config.generator, this.config.seed, this.config.limit)
    name = generator.settings.name
    _warn_of_limit(this)
    made: Counter[str] = Counter()
    not_made: Counter[str] = Counter()
    named: list[str] = []
    inputs: list[Path] = []
    for relation in progress(this.relations(), "generate", "relation"):
        files = this.layout.triplets(relation.relation), this.layout.summary(relation.relation)
        if not all(file.exists() for file in files):
            raise _missing("extract", files[0], this.config)
        report = generator.generate_questions(*files, this.layout.questions(name, relation.relation))
        inputs += files
        made.update(report.made)
        for reason, ids in report.not_made.items():
            not_made[reason] += len(ids)
            named += [f"{question_id}: {reason}" for question_id in ids[: _NAMED - len(named)]]
    if not_made:
        reasons = ", ".join(f"{reason} ({count:,})" for reason, count in not_made.items())
        log.warning("%d questions cannot be made: %s; the manifest names them", not_made.total(), reasons)
    return Done(
        f"{made.total():,} questions → {this.layout.questions(name, '').parent}",
        inputs,
        {"questions": dict(made), "not_made": dict(not_made), "not_made_named": named},
    )


def answer(this: Run) -> Done:
    """Asks the model every question that it has not answered yet."""
    model = build_model(this.config.model)
    generator = this.config.generator["name"]
    todo: list[tuple[ResponseLog, list[Question]]] = []
    inputs: list[Path] = []
    kept = 0
    for relation in this.relations():
        path = this.layout.questions(generator, relation.relation)
        if not path.exists():
            raise _missing("generate", path, this.config)
        questions = list(Lines(path, Question, Problems(True, "run step=generate again")))
        responses = ResponseLog(this.layout.responses(generator, model.name, relation.relation))
        answered = responses.resume(questions, model.settings_hash)
        inputs.append(path)
        kept += len(answered)
        left = [question for question in questions if question.question_id not in answered]
        if left or not responses.path.exists():
            todo.append((responses, left))
    asked, failed, reason = asyncio.run(_answer(model, todo)) if todo else (0, 0, None)
    counts = {"responses": kept + asked - failed, "kept": kept, "asked": asked, "failed": failed}
    if failed:
        log.warning("%d calls failed, the last one: %s; run the step again to try them again", failed, reason)
    folder = this.layout.responses(generator, model.name, "").parent
    message = f"{asked - failed:,} responses" + (f", {kept:,} kept from before" if kept else "")
    return Done(f"{message}{f', {failed:,} failed' if failed else ''} → {folder}", inputs, counts)


async def _answer(model: Model, todo: list[tuple[ResponseLog, list[Question]]]) -> tuple[int, int, str | None]:
    asked = failed = 0
    reason = None
    with progress_bar(sum(len(questions) for _, questions in todo), "answer", "question") as bar:
        async with model:
            for responses, questions in todo:
                with responses.open() as file, responses.writer(file) as writer:
                    async with aclosing(ask(model, questions)) as stream:
                        async for response in stream:
                            writer.write(response)
                            asked += 1
                            failed += response.error is not None
                            reason = response.error or reason
                            bar.update()
    return asked, failed, reason


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
                raise _missing(step, file, this.config)
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


def report(this: Run) -> Done:
    """Sums up the grades of every generator and model that there are."""
    relations = [Relation(found.relation, "", found.label, type=found.type) for found in this.relations()]
    graded = collect(this.layout, relations)
    if not graded.files:
        raise _missing("evaluate", this.layout.root / "grades", this.config)
    rows = scores(graded.tallies, {relation.relation: relation for relation in relations})
    write_scores(this.layout, rows)
    write_report(this.layout, rows, graded, this.config.samples, this.config.seed, _shown(this.config))
    print(score_table(rows))
    count = sum(tally.verdicts.total() for tally in graded.tallies.values())
    return Done(f"{count:,} grades → {this.layout.report}", graded.files, {"grades": count})


STEPS: dict[str, Callable[[Run], Done]] = {
    "extract": extract,
    "generate": generate,
    "answer": answer,
    "evaluate": evaluate,
    "report": report,
}


def _described(kg: KnowledgeGraph) -> dict[str, Relation]:
    """The relations of a graph by name; a second description of one is a problem, and the first one stands."""
    by_name: dict[str, Relation] = {}
    for relation in kg.load_relations():
        name = kg.get_relation_name(relation)
        if by_name.setdefault(name, relation) is not relation:
            where = kg.sources.get(relation.relation, str(kg.data_dir))
            kg.problems.add(f"relation {name!r} is described a second time", where)
    return by_name


def _picked(config: RunConfig, known: Iterable[str]) -> list[str]:
    names = list(known)
    for name in config.picked or ():
        if name not in names:
            raise UnknownNameError(f"relation of {config.kg.name}", name, names)
    return names if config.picked is None else [name for name in names if name in config.picked]


def _warn_of_limit(this: Run) -> None:
    """Says so when fewer triplets were extracted than are asked for."""
    if this.layout.graph_summary.exists():
        extracted = read_json(this.layout.graph_summary, GraphSummary).limit
        if extracted is not None and (this.config.limit is None or this.config.limit > extracted):
            log.warning("only %d triplets of each relation were extracted; step=extract takes the others in", extracted)


def _missing(step: str, path: Path, config: RunConfig) -> MissingStepError:
    model = f" model={config.model.get('name') or config.model['backend']}" if step in ("answer", "evaluate") else ""
    return MissingStepError("is not there", where=path, mend=f"run step={step} kg={config.kg.name}{model} first")


def _count(extracted: Extracted) -> RelationCount:
    relation, sides = extracted.relation, (len(extracted.subjects), len(extracted.objects))
    return RelationCount(relation.relation, relation.label, relation.type, extracted.triplets, *sides)


def _shown(config: RunConfig) -> tuple[tuple[str, str], ...]:
    shown = {"kg": config.kg.name, "data_dir": config.kg.data_dir or "bundled", "seed": config.seed}
    return tuple((name, str(value)) for name, value in shown.items())
