"""Loading of graphs, and relation summaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from factprobe.config import convert
from factprobe.errors import ConfigError, DataError, UnknownNameError, format_list
from factprobe.extractors.path_composition import compose_relations, parse_path
from factprobe.factories import build_kg
from factprobe.kgs import Graph, kgs
from factprobe.kgs.from_python import PythonGraph, facts_of_networkx, facts_of_records
from factprobe.kgs.rdf.predicate_graph import PredicateSettings
from factprobe.kgs.rdf.rdf_files import ENDINGS
from factprobe.kgs.rdf.rdf_graph import RdflibGraph
from factprobe.kgs.sources import plain_path
from factprobe.kgs.summaries import summary_and_facts
from factprobe.kgs.tables.column_names import ColumnNames
from factprobe.records import Relation, RelationSummary, Triplet
from factprobe.storage import Problems

if TYPE_CHECKING:
    import networkx
    import rdflib
    from pandas import DataFrame


def load_kg(
    graph: str | Path | networkx.Graph[Any] | rdflib.Graph | DataFrame | Iterable[Mapping[str, Any] | Sequence[str]],
    data_dir: str | Path | None = None,
    *,
    adapter: str | None = None,
    strict: bool = False,
    **settings: Any,
) -> Graph:
    """Load a graph by name, from files, or from objects in memory.

        factprobe.load_kg("trex")
        factprobe.load_kg("facts.csv", templates={"capital": "The capital of [X] is [Y]."})
        factprobe.load_kg([("France", "capital", "Paris")], name="capitals")

    Args:
        graph: The path of a table of facts or an RDF file; the name of a registered graph (without `data_dir`, the
            small one that comes with factprobe); any name for data in the layout of `adapter`; or an object: a graph of
            networkx or rdflib, a data frame of triples (pandas, Polars, Arrow), mappings or triples.
        data_dir: The folder of the data.
        adapter: The registered class that reads the data; by default the one with the graph's name.
        strict: Raise at a broken line instead of skipping it with a warning.
        settings: `name`, by which the graph goes; for a registered graph the settings `kg.*`, for a graph of rdflib
            those of `kg=rdf`, and for other graphs in memory `templates` and `columns`.

    Raises:
        UnknownNameError: Nothing is registered under the name.
        ConfigError: No data comes with factprobe for this graph, or a setting is wrong.
        DataError: There is no such folder, or no file at this path.
    """
    hint = "fix it, or load it without strict=True to skip it"
    problems = Problems(strict, hint, "see problems.messages of the graph")
    graph = str(graph) if isinstance(graph, Path) else graph
    if not isinstance(graph, str):
        return _graph_of_objects(graph, problems, settings)
    if adapter is None and graph not in kgs.names() and Path(graph).exists():
        adapter = "rdf" if plain_path(Path(graph)).suffix.lower() in ENDINGS else "csv"
        settings, graph = {"source": graph, **settings}, Path(graph).name.partition(".")[0]
    if adapter is None and graph not in kgs.names() and (Path(graph).suffix or Path(graph).name != graph):
        hint = f"check the path, or name a graph that comes with factprobe: {format_list(sorted(kgs.names()))}"
        raise DataError("there is no such file", where=graph, hint=hint)
    name = str(settings.pop("name", graph))
    chosen = {"name": graph, "adapter": adapter, "data_dir": None if data_dir is None else str(data_dir), **settings}
    config = convert(chosen, kgs.get(adapter or graph).settings_type, "kg")
    return build_kg(config, problems, name)


class _InMemorySettings(Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of a graph made from Python objects."""

    name: str = ""
    templates: dict[str, str] = {}
    columns: ColumnNames = ColumnNames()


def _graph_of_objects(graph: Any, problems: Problems, given: Mapping[str, Any]) -> Graph:
    """Make a graph from Python objects; raise a `ConfigError` if the object is not a graph."""
    if hasattr(graph, "subject_objects"):
        return RdflibGraph(graph, convert({"name": "graph", **given}, PredicateSettings, "load_kg"), problems)
    settings = convert(given, _InMemorySettings, "load_kg")
    if hasattr(graph, "is_multigraph"):
        name = settings.name or graph.name or "graph"
        return PythonGraph(partial(facts_of_networkx, graph, settings.columns), name, problems, settings.templates)
    if not (isinstance(graph, Iterable) or hasattr(graph, "columns")):
        hint = "give the name of one, a graph of networkx or rdflib, a data frame, mappings or triples"
        raise ConfigError(f"{type(graph).__name__} is no graph", where="load_kg", hint=hint)
    name = settings.name or "graph"
    return PythonGraph(partial(facts_of_records, graph, settings.columns, name), name, problems, settings.templates)


def require_graph(kg: Any) -> Graph:
    """Return an object if it is a graph; raise a `ConfigError` if it is none, such as the path of a file."""
    if not isinstance(kg, Graph):
        hint = f"load it first: kg=factprobe.load_kg({repr(kg) if isinstance(kg, str) else '...'})"
        raise ConfigError(f"{type(kg).__name__} is no graph", where="kg", hint=hint)
    return kg


def summarise(kg: Graph, relation: str | Relation) -> RelationSummary:
    """Return the relation summary: the objects of each subject and the subjects of each object.

    Args:
        kg: The graph.
        relation: A loaded relation, its name, or a path of two, e.g. `P19/P17`.

    Raises:
        UnknownNameError: The graph has no such relation.
    """
    return summary_with_facts(kg, relation)[0]


def summary_with_facts(kg: Graph, relation: str | Relation) -> tuple[RelationSummary, Iterator[Triplet]]:
    """Return the summary of a relation, or of a path of two such as `P19/P17`, and its facts for questions.

    Raises:
        UnknownNameError: The graph has no such relation.
    """
    if isinstance(relation, str):
        relations = require_graph(kg).by_name()
        if relation not in relations:
            hops = parse_path(relation, relations)
            if hops is None:
                raise UnknownNameError(f"relation of {kg.name}", relation, relations)
            composition = compose_relations(
                relation, hops, lambda name: summarise(kg, relations[name]), single_share=kg.settings.single_share
            )
            composed = composition.summary
            return composed, composition.triplets(composed.relation_info)
        relation = relations[relation]
    return summary_and_facts(kg, relation)
