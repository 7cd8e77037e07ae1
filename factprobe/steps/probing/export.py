"""The step `export`: a graph as GraphML, N-Triples or Parquet; an exam, or results, for other tools."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import IO, get_args

from msgspec.structs import asdict, replace

from factprobe.collection.current import graded_responses
from factprobe.config import path_of
from factprobe.config.types import ExportFormat
from factprobe.errors import ConfigError, MissingStepError, require
from factprobe.exporting.every_eval_ever import write_results
from factprobe.exporting.exam import EXAM_WRITERS, exam_files, exam_rows
from factprobe.factories import build_kg
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import is_iri, local_name_words
from factprobe.kgs.graph_export import write_graphml, write_nt, write_parquet
from factprobe.kgs.summaries import summary_and_facts
from factprobe.metrics.score_table import read_scores
from factprobe.progress import progress
from factprobe.question_types import End
from factprobe.records import Question, Relation, RelationSummary, Triplet
from factprobe.relations import picked_relations
from factprobe.steps.base import Run, Step, StepResult, exclusive_lock
from factprobe.steps.origins import UNFINISHED
from factprobe.steps.outputs import check_not_read, check_replaceable
from factprobe.storage import GradedFolder, Lines, Problems, is_unfinished, safe_name, whole_file
from factprobe.text import format_count

_RESULTS = "every_eval_ever"
_HINT = "set another output=, or move it away"


def export(run: Run) -> StepResult:
    """Write the facts of a graph into one file, or an exam or results into a folder.

    N-Triples and Parquet are written relation by relation, GraphML as a whole. Passages are left out, and so are dates
    except in Parquet.
    """
    config = run.config
    format_, path = _format_and_path(run)
    if format_ in EXAM_WRITERS:
        return _export_exam(run, format_, path)
    if format_ == _RESULTS:
        return _export_results(run, path)
    kg = build_kg(config.kg, run.problems)
    by_name = kg.by_name()
    relations = kg.with_facts(by_name[name] for name in picked_relations(config, by_name))
    inputs = list(dict.fromkeys(file for relation in relations for file in kg.inputs(relation)))
    check_not_read(path, config, inputs)
    check_replaceable([path], run.manifest, "export", _HINT)
    with whole_file(path) as file:
        facts = _WRITERS[format_](kg, relations, file)
    counts = {"relations": len(relations), "facts": facts, "broken_lines": len(run.problems.messages)}
    message = f"{format_count(facts, 'fact')} of {format_count(len(relations), 'relation')} → {path}"
    return StepResult(message, inputs, counts, [path])


def _format_and_path(run: Run) -> tuple[ExportFormat, Path]:
    formats, output = get_args(ExportFormat), run.config.output
    ending = path_of(output).suffix.lstrip(".").lower() if output else ""
    format_ = run.config.format or next((one for one in formats if one == ending), None)
    if format_ is None or format_ == "github":
        what = "is not set" if format_ is None else "is that of step=compare"
        raise ConfigError(what, where="format", hint=f"set format= to one of {', '.join(formats)}")
    return format_, path_of(output) if output else run.layout.export(format_, is_graph=format_ in _WRITERS)


def _export_exam(run: Run, format_: str, folder: Path) -> StepResult:
    """Write the questions of the generator of the run in the format of another tool."""
    name = safe_name(run.config.kg.name)
    outputs = [folder / file for file in exam_files(format_, name)]
    if folder != run.layout.export(format_, is_graph=False):  # older versions did not record the files there
        check_replaceable(outputs, run.manifest, "export", _HINT)
    files = [run.questions(relation.relation) for relation in run.relations()]
    left_out: Counter[str] = Counter()
    paths = progress(files, "export", "relation")
    questions = (question for path in paths for question in Lines(path, Question, Problems(True)))
    count = EXAM_WRITERS[format_](folder, name, exam_rows(questions, left_out))
    reasons = "".join(f"; {number:,} left out, which {reason}" for reason, number in left_out.items())
    counts = {"questions": count, "left_out": dict(left_out)}
    return StepResult(f"{format_count(count, 'question')}{reasons} → {folder}", files, counts, outputs)


def _export_results(run: Run, folder: Path) -> StepResult:
    """Write the scores and the graded replies of every model."""
    layout = run.layout
    scores_file = run.need("report", layout.scores_json)
    scores, timestamp = read_scores(scores_file), int(scores_file.stat().st_mtime)
    folders: dict[str, list[GradedFolder]] = {}
    for found in layout.graded_folders():
        folders.setdefault(found.model, []).append(found)
    relations = [relation.relation for relation in run.relations()]
    total = 0
    for model, of_model in progress(folders.items(), "export", "model"):
        graded = [(folder, name) for folder in of_model for name in relations if folder.grades(name).exists()]
        for unfinished in (one.folder for one, name in graded if is_unfinished(one.grades(name))):
            hint = "run step=evaluate again with this model, and then step=report"
            raise MissingStepError(UNFINISHED.format(step="evaluate"), where=unfinished, hint=hint)
        replies = chain.from_iterable(graded_responses(*one) for one in graded)
        total += write_results(folder, run.config.kg.name, model, scores, replies, timestamp)
    message = f"{format_count(total, 'graded reply', 'graded replies')} of {format_count(len(folders), 'model')}"
    return StepResult(f"{message} → {folder}", [scores_file], {"models": len(folders), "replies": total})


def _export_graphml(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    graph = kg.to_networkx(progress(relations, "export", "relation"))
    for uri in _entities_without_label(kg, ((uri, data["label"]) for uri, data in graph.nodes(data=True))):
        del graph.nodes[uri]["label"]
    write_graphml(graph, file)
    return graph.number_of_edges()


def _export_nt(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    require("pyoxigraph", extra="rdf", where="format=nt")

    def with_iri(relation: Relation) -> Relation:
        return replace(relation, relation=kg.iri(relation))

    relation_facts = ((with_iri(summary.relation_info), facts) for summary, facts in _with_summaries(kg, relations))
    return write_nt(relation_facts, file, [*map(with_iri, relations)])


def _export_parquet(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    require("pyarrow", extra="frame", where="format=parquet")
    summaries = _with_summaries(kg, relations)
    return write_parquet(((summary.relation_info, _by_period(summary, facts)) for summary, facts in summaries), file)


def _by_period(summary: RelationSummary, triplets: Iterable[Triplet]) -> Iterator[Triplet]:
    """Yield each fact once for each period in which it was true, with the dates of this period."""
    for fact in triplets:
        periods = summary.periods(fact.subject_uri, fact.object_uri)
        yield from [replace(fact, **asdict(period)) for period in periods] or [fact]


def _with_summaries(kg: Graph, relations: list[Relation]) -> Iterator[tuple[RelationSummary, Iterator[Triplet]]]:
    for relation in progress(relations, "export", "relation"):
        summary, triplets = summary_and_facts(kg, relation)
        entities = (entity for end in get_args(End) for entity in summary.entities(end))
        made_up = _entities_without_label(kg, ((entity.uri, entity.label) for entity in entities))
        yield summary, _without_made_up_labels(triplets, made_up)


def _entities_without_label(kg: Graph, named: Iterable[tuple[str, str]]) -> set[str]:
    """Return the URIs of the entities that have no label in the source, but one made from their IRI."""
    return kg.unlabelled({uri for uri, label in named if is_iri(uri) and label == local_name_words(uri)})


def _without_made_up_labels(triplets: Iterable[Triplet], made_up: Container[str]) -> Iterator[Triplet]:
    """Yield the facts, with empty labels for the entities in `made_up`."""
    for fact in triplets:
        ends = {"subject_label": fact.subject_uri, "object_label": fact.object_uri}
        unnamed = {name: "" for name, uri in ends.items() if uri in made_up}
        yield replace(fact, **unnamed) if unnamed else fact


_WRITERS: dict[str, Callable[[Graph, list[Relation], IO[bytes]], int]] = {
    "graphml": _export_graphml,
    "nt": _export_nt,
    "parquet": _export_parquet,
}

STEP = Step(
    run=export,
    needs=("extract", "generate", "report"),
    makes=("graph.<format>", "export/<format>/<file>"),
    settings=("relations", "generator", "format", "output"),
    locks=exclusive_lock,
)
