"""Graphs that are handed over in Python: of networkx, data frames, records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, cast

from factprobe.errors import DataError
from factprobe.inputs import as_records
from factprobe.kgs.columns import FactColumns, assert_named, fact_columns
from factprobe.kgs.held import Fact, HeldGraph, entity_of
from factprobe.kgs.plain import is_iri
from factprobe.kgs.rows import Row, several
from factprobe.records import Entity, Period
from factprobe.storage import Problems

if TYPE_CHECKING:
    import networkx
    import rdflib

_LOOKED_AT = 100
_ALWAYS = Period()


class GivenGraph(HeldGraph):
    """A graph that is held already, and read when its facts are first asked for.

    Args:
        facts: gives its facts; what is broken goes to the problems.
        name: what it is called.
        problems: collects what is broken.
        templates: sentences with [X] and [Y] by relation; by default the label stands between both ends.
    """

    def __init__(
        self,
        facts: Callable[[Problems], Iterator[Fact]],
        name: str,
        problems: Problems | None = None,
        templates: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(None, name, problems)
        self._given = facts
        self._templates = dict(templates or {})

    @property
    def templates(self) -> dict[str, str]:
        """See the base class."""
        return self._templates

    def read(self) -> Iterator[Fact]:
        """See the base class."""
        return self._given(self.problems)


def facts_of_networkx(graph: networkx.Graph[Any], problems: Problems) -> Iterator[Fact]:
    """The edges of a graph, whose relation is their key, or their attribute `relation`.

    Nodes may have `label`, `aliases` and `types`.

    Raises:
        DataError: the graph is undirected, so that nothing tells the subject of an edge from its object.
    """
    if not graph.is_directed():
        mend = "give a networkx.DiGraph or MultiDiGraph"
        raise DataError("is undirected: nothing tells subjects from objects", where="the graph", mend=mend)
    has_keys = graph.is_multigraph()
    edges = cast("networkx.MultiGraph[Any]", graph).edges(keys=True, data=True) if has_keys else graph.edges(data=True)
    for subject, object_, *key, data in edges:
        where = f"the edge from {subject} to {object_}"
        relation = data.get("relation") or (key[0] if key and isinstance(key[0], str) else "")
        if not relation:
            problems.add("has neither a text for its key nor the attribute relation", where)
            continue
        try:
            ends = _node(subject, graph.nodes[subject]), _node(object_, graph.nodes[object_])
            yield Fact(str(relation), *ends, _ALWAYS)
        except ValueError as error:
            problems.add(f"broken fact: {error}", where)


def _node(node: Any, data: Mapping[str, Any]) -> Entity:
    uri = str(node)
    label = str(data.get("label") or ("" if is_iri(uri) else uri))
    return entity_of(uri, label, *(several(data.get(name), "|") for name in ("aliases", "types")))


def facts_of_rdflib(graph: rdflib.Graph, problems: Problems) -> Iterator[Fact]:
    """The triples of a graph that link IRIs, of all graphs of a dataset, with names in English or in no language."""
    from rdflib import RDF, RDFS, SKOS, Dataset, Graph, URIRef

    if isinstance(graph, Dataset):  # it gives quads, and looks up names in its default graph alone
        dataset, graph = graph, Graph()
        for start, link, end, _ in dataset:
            graph.add((start, link, end))

    naming = {RDFS.label, SKOS.prefLabel, SKOS.altLabel, RDF.type}
    once: dict[Any, Entity] = {}

    def entity(node: Any) -> Entity:
        if node not in once:
            labels, aliases = (
                sorted(str(name) for of in predicates for name in graph.objects(node, of) if _is_plain(name))
                for predicates in ((RDFS.label, SKOS.prefLabel), (SKOS.altLabel,))
            )
            names = [*labels, *aliases]
            types = sorted(str(found) for found in graph.objects(node, RDF.type))
            once[node] = entity_of(str(node), names[0] if names else "", names[1:], types)
        return once[node]

    for subject, predicate, object_ in sorted(graph, key=str):
        if predicate in naming or not (isinstance(subject, URIRef) and isinstance(object_, URIRef)):
            continue
        try:
            yield Fact(str(predicate), entity(subject), entity(object_), _ALWAYS)
        except ValueError as error:
            problems.add(f"broken fact: {error}", f"the triple of {subject} and {object_}")


def _is_plain(name: Any) -> bool:
    """Whether a name is in English, or in no language."""
    return (getattr(name, "language", None) or "en").partition("-")[0] == "en"


def facts_of_records(source: Any, columns: FactColumns, relation: str, problems: Problems) -> Iterator[Fact]:
    """The rows of a data frame (pandas, Polars, Arrow), of mappings, or triples.

    Args:
        source: the rows.
        columns: those that are named.
        relation: of all facts where there is no column for it.
        problems: collects what is broken.

    Raises:
        DataError: its columns cannot be told.
    """
    rows = source if hasattr(source, "columns") else (_as_mapping(row) for row in source)
    every = as_records(rows)
    first = list(islice(every, _LOOKED_AT))
    head = list(dict.fromkeys(str(key) for _, record in first for key in record))
    assert_named(columns, head, "the table")
    found = columns.or_else(fact_columns(head))
    if not found.are_whole:
        mend = 'name them: columns={"subject": NAME, "relation": NAME, "object": NAME}'
        raise DataError("no columns for subject and object are plain", where="the table", mend=mend)
    for where, record in chain(first, every):
        try:
            yield Row(record, found).fact(relation, {})
        except ValueError as error:
            problems.add(f"broken fact: {error}", where)


def _as_mapping(row: Any) -> Any:
    """A triple under the names of its parts; anything else as it is."""
    if isinstance(row, tuple | list) and len(row) == 3:
        return dict(zip(("subject", "relation", "object"), row, strict=True))
    return row
