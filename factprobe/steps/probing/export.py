"""The step `export`: a graph as GraphML, N-Triples or Parquet."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from pathlib import Path
from typing import IO, get_args

from msgspec.structs import asdict, replace

from factprobe.config import path_of
from factprobe.config.types import ExportFormat
from factprobe.errors import ConfigError, require
from factprobe.extractors.triplets import summary_and_facts
from factprobe.factories import build_kg
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import is_iri, last_part
from factprobe.kgs.graph_export import RelationFacts, write_graphml, write_nt, write_parquet
from factprobe.progress import progress
from factprobe.question_types import End
from factprobe.records import Relation, RelationSummary, Triplet
from factprobe.relations import picked_relations
from factprobe.steps.base import Run, Step, StepResult, making
from factprobe.storage import whole_file
from factprobe.text import format_count


def export(run: Run) -> StepResult:
    """Write the facts of a graph, or of the named relations, into one file.

    N-Triples and Parquet are written one relation after the other, GraphML as a whole. Passages are left out, and dates
    but of Parquet.

    Raises:
        ConfigError: no format is named.
        DataError: no relation has data, or it cannot be read.
        UnknownNameError: a relation is picked that the graph does not have.
        MissingExtraError: what writes the format is not installed.
    """
    config = run.config
    format_, path = _format(run)
    kg = build_kg(config.kg, run.problems)
    by_name = kg.by_name()
    relations = kg.with_facts(by_name[name] for name in picked_relations(config, by_name))
    with whole_file(path) as file:
        facts = _WRITERS[format_](kg, relations, file)
    inputs = list(dict.fromkeys(file for relation in relations for file in kg.inputs(relation)))
    counts = {"relations": len(relations), "facts": facts, "broken_lines": len(run.problems.messages)}
    return StepResult(
        f"{format_count(facts, 'fact')} of {format_count(len(relations), 'relation')} → {path}", inputs, counts, [path]
    )


def _format(run: Run) -> tuple[ExportFormat, Path]:
    """Return the format and the path of the export."""
    known, output = get_args(ExportFormat), run.config.output
    ending = path_of(output).suffix.lstrip(".").lower() if output else ""
    format_ = run.config.format or next((one for one in known if one == ending), None)
    if format_ is None or format_ == "github":
        raise ConfigError(
            "is not set" if format_ is None else "is that of step=compare",
            where="format",
            hint=f"set format= to one of {', '.join(known)}",
        )
    return format_, path_of(output) if output else run.layout.export(format_)


def _graphml(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    graph = kg.to_networkx(progress(relations, "export", "relation"))
    for uri in _made_up(kg, ((uri, data["label"]) for uri, data in graph.nodes(data=True))):
        del graph.nodes[uri]["label"]
    write_graphml(graph, file)
    return graph.number_of_edges()


def _nt(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    require("pyoxigraph", extra="rdf", where="format=nt")
    taken = ((replace(info, relation=kg.iri(info)), facts) for info, facts in _read_facts(kg, relations))
    return write_nt(taken, file, [replace(relation, relation=kg.iri(relation)) for relation in relations])


def _parquet(kg: Graph, relations: list[Relation], file: IO[bytes]) -> int:
    require("pyarrow", extra="frame", where="format=parquet")
    return write_parquet(_facts_by_period(kg, relations), file)


def _read_facts(kg: Graph, relations: list[Relation]) -> RelationFacts:
    return ((summary.relation_info, triplets) for summary, triplets in _summed_up(kg, relations))


def _facts_by_period(kg: Graph, relations: list[Relation]) -> RelationFacts:
    """Repeat a fact for each period in which it held."""
    return ((summary.relation_info, _each_time(summary, triplets)) for summary, triplets in _summed_up(kg, relations))


def _each_time(summary: RelationSummary, triplets: Iterable[Triplet]) -> Iterator[Triplet]:
    for fact in triplets:
        periods = summary.periods(fact.subject_uri, fact.object_uri)
        yield from [replace(fact, **asdict(period)) for period in periods] or [fact]


def _summed_up(kg: Graph, relations: list[Relation]) -> Iterator[tuple[RelationSummary, Iterator[Triplet]]]:
    for relation in progress(relations, "export", "relation"):
        summary, triplets = summary_and_facts(kg, relation)
        every = (entity for end in get_args(End) for entity in summary.entities(end))
        made_up = _made_up(kg, ((entity.uri, entity.label) for entity in every))
        yield summary, _as_named(triplets, made_up)


def _made_up(kg: Graph, named: Iterable[tuple[str, str]]) -> set[str]:
    """Return the URIs of entities that have no label in the source and are named after their IRI."""
    return kg.unlabelled({uri for uri, label in named if is_iri(uri) and label == last_part(uri)})


def _as_named(triplets: Iterable[Triplet], made_up: Container[str]) -> Iterator[Triplet]:
    """Yield facts without the labels that come from IRIs."""
    for fact in triplets:
        ends = {"subject_label": fact.subject_uri, "object_label": fact.object_uri}
        unnamed = {name: "" for name, uri in ends.items() if uri in made_up}
        yield replace(fact, **unnamed) if unnamed else fact


_WRITERS: dict[str, Callable[[Graph, list[Relation], IO[bytes]], int]] = {
    "graphml": _graphml,
    "nt": _nt,
    "parquet": _parquet,
}

STEP = Step(
    run=export,
    makes=("graph.<format>",),
    settings=("relations", "format", "output"),
    locks=making,
)
