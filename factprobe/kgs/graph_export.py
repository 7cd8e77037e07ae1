"""Export of a graph to GraphML, N-Triples and Parquet, which factprobe can read again."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from msgspec.structs import astuple, replace

from factprobe.errors import DataError
from factprobe.kgs.default_labels import words_of_id
from factprobe.kgs.iris import to_iri
from factprobe.kgs.on_disk.fact_columns import DATES, literal_label
from factprobe.records import Entity, Relation, Triplet

if TYPE_CHECKING:
    import networkx
    from pyoxigraph import Literal, NamedNode, Triple

log = logging.getLogger(__name__)

RelationFacts = Iterable[tuple[Relation, Iterable[Triplet]]]
"""Relations, each with its distinct facts."""

SEPARATOR = "|"
"""Separator of names in one attribute of GraphML, which has no lists."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_LANG_STRING = f"{_RDF}langString"
_NAME_PREDICATES = (
    "http://www.w3.org/2000/01/rdf-schema#label",
    "http://www.w3.org/2000/01/rdf-schema#comment",
    "http://www.w3.org/2004/02/skos/core#altLabel",
    f"{_RDF}type",
)
"""RDF predicates of labels, descriptions, aliases and types."""
_DATATYPES = ("http://www.w3.org/2001/XMLSchema#", *(f"{_RDF}{name}" for name in ("HTML", "XMLLiteral", "JSON")))
_YEAR_BC = re.compile(r"^-\d{4,}")
_BATCH_ROWS = 1 << 16
"""Number of rows of a table that are in memory at once."""


def write_graphml(graph: networkx.MultiDiGraph[str], file: IO[bytes]) -> None:
    """Write a graph from `to_networkx` as GraphML (Brandes et al. 2002, GraphML Progress Report, GD).

    Edges are numbered, several names are joined by `|`, and U+FFFD replaces characters that XML excludes.

    Raises:
        DataError: Two ids differ only in characters that XML excludes.
    """
    import networkx

    copy: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=_to_xml_text(graph.name))
    for uri, data in graph.nodes(data=True):
        if _to_xml_text(uri) in copy:
            what = "differs from another id only in characters that XML excludes"
            raise DataError(what, where=repr(uri), hint="set format=nt")
        copy.add_node(_to_xml_text(uri), **{name: _to_xml_text(value) for name, value in data.items()})
    for number, (subject, object_, data) in enumerate(graph.edges(data=True)):
        ends = _to_xml_text(subject), _to_xml_text(object_)
        copy.add_edge(*ends, key=f"e{number}", **{name: _to_xml_text(value) for name, value in data.items()})
    networkx.write_graphml_xml(copy, file)


def _to_xml_text(value: str | tuple[str, ...]) -> str:
    text = value if isinstance(value, str) else SEPARATOR.join(value)
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def write_nt(relations: RelationFacts, file: IO[bytes], known: Iterable[Relation]) -> int:
    """Write facts as N-Triples, relation by relation, with names and types; return the number of facts.

    An id that is no IRI gets one (see `to_iri`) that `kg=rdf` converts back. A relation has its description, and its
    label unless that consists of the words of the id. `kg=rdf` reads facts of relations such as `rdf:type` as names,
    unless `kg.predicates` lists the relation; a warning is logged.

    Raises:
        DataError: An entity has the same id as a relation in `known`, but another name.
    """
    from pyoxigraph import RdfFormat, serialize

    writer = _TripleWriter({relation.relation: relation for relation in known})
    serialize((triple for facts in relations for triple in writer.triples(*facts)), file, RdfFormat.N_TRIPLES)
    return writer.facts


class _TripleWriter:
    """Converter of facts and names to RDF triples; it counts facts and rejects ambiguous ids."""

    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self.facts = 0
        self._relations = relations
        self._labels: dict[str, str] = {}
        """First label of each entity; another label of a later relation is written as an alias."""
        self._label, self._comment, self._alias, self._type = map(to_iri, _NAME_PREDICATES)

    def triples(self, relation: Relation, facts: Iterable[Triplet]) -> Iterator[Triple]:
        from pyoxigraph import Triple

        predicate = to_iri(relation.relation)
        if predicate in (self._label, self._comment, self._alias, self._type):
            what = "%s: kg=rdf reads it as names and not as facts, unless kg.predicates lists it"
            log.warning(what, relation.relation)
        if relation.label != words_of_id(relation.relation):
            yield Triple(predicate, self._label, _text_literal(relation.label))
        if relation.description:
            yield Triple(predicate, self._comment, _text_literal(relation.description))
        named: dict[str, Entity] = {}
        for fact in facts:
            literal = _typed_literal(fact.object)
            for entity in (fact.subject,) if literal else (fact.subject, fact.object):
                before = named.setdefault(entity.uri, entity)
                if before is entity:
                    self._check_unambiguous(entity)
                    yield from self._name_triples(entity)
                elif before != entity:
                    named[entity.uri], new = _merge_entity(before, entity)
                    self._check_unambiguous(named[entity.uri])
                    yield from self._name_triples(new)
            yield Triple(to_iri(fact.subject_uri), predicate, literal or to_iri(fact.object_uri))
            self.facts += 1

    def _name_triples(self, entity: Entity) -> Iterator[Triple]:
        from pyoxigraph import Triple

        node: NamedNode = to_iri(entity.uri)
        label = entity.label and self._labels.setdefault(entity.uri, entity.label)
        if label:
            yield Triple(node, self._label, _text_literal(label))
        others = () if label == entity.label else (entity.label,)
        for alias in (*others, *(alias for alias in entity.aliases if alias != label)):
            yield Triple(node, self._alias, _text_literal(alias))
        for kind in entity.types:
            yield Triple(node, self._type, to_iri(kind))

    def _check_unambiguous(self, entity: Entity) -> None:
        """Raise a `DataError` if an entity and a relation with different names share an id."""
        relation = self._relations.get(entity.uri)
        if relation is None or entity.label == relation.label:
            return
        if entity.label or relation.label != words_of_id(relation.relation):
            names = f"is an entity, {entity.label!r}, and a relation, {relation.label!r}"
            hint = "set format=parquet, or give one of them another id"
            raise DataError(f"{names}, which N-Triples cannot tell apart", where=entity.uri, hint=hint)


def _merge_entity(before: Entity, entity: Entity) -> tuple[Entity, Entity]:
    """Return an entity with its names from two facts, and one with only the new names of the second fact.

    A second label becomes an alias.
    """
    label = "" if before.label else entity.label
    names, types = (
        tuple(dict.fromkeys(name for name in values if name and name not in earlier_names))
        for values, earlier_names in ((entity.names(), (*before.names(), label)), (entity.types, before.types))
    )
    aliases, all_types = (*before.aliases, *names), (*before.types, *types)
    whole = replace(before, label=before.label or label, aliases=aliases, types=all_types)
    return whole, replace(entity, label=label, aliases=names, types=types)


def _typed_literal(entity: Entity) -> Literal | None:
    """Return an entity as an RDF literal if its only type is a datatype of XML Schema or RDF, else None."""
    datatype = entity.types[0] if len(entity.types) == 1 else ""
    if datatype == _LANG_STRING:
        return _text_literal(entity.uri)
    if not datatype.startswith(_DATATYPES):
        return None
    is_source = datatype not in DATES or literal_label(entity.uri, datatype) == entity.label
    return _text_literal(entity.uri if is_source else _YEAR_BC.sub(_count_year_0, entity.uri), datatype)


def _count_year_0(match: re.Match[str]) -> str:
    """Return a year before Christ as XML Schema 1.1 counts years, with 1 BC as the year 0."""
    year = -int(match[0]) - 1
    return f"{'-' * (year > 0)}{year:04}"


def _text_literal(text: str, datatype: str | None = None) -> Literal:
    from pyoxigraph import Literal, NamedNode

    return Literal(_make_encodable(text), datatype=NamedNode(datatype) if datatype else None)


def write_parquet(relations: RelationFacts, file: IO[bytes]) -> int:
    """Write facts as a Parquet table that `kg=csv` reads, relation by relation; return the number of facts."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema([(name, texts if name.endswith(("aliases", "types")) else text) for name in _COLUMNS])
    count = 0
    with ParquetWriter(file, schema) as writer:
        for relation, triplets in relations:
            remaining = iter(triplets)
            while rows := [_fact_row(relation, fact) for fact in islice(remaining, _BATCH_ROWS)]:
                writer.write_table(pyarrow.table(dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)), schema))
                count += len(rows)
    return count


_ENTITY_COLUMNS = ("{}_id", "{}", "{}_aliases", "{}_types")
_COLUMNS = (
    *(name.format("subject") for name in _ENTITY_COLUMNS),
    *("relation", "relation_label"),
    *(name.format("object") for name in _ENTITY_COLUMNS),
    *("start", "end"),
)


def _fact_row(relation: Relation, fact: Triplet) -> Iterator[Any]:
    cells = *astuple(fact.subject), relation.relation, relation.label, *astuple(fact.object), fact.start, fact.end
    return ([*map(_make_encodable, cell)] if isinstance(cell, tuple) else _make_encodable(cell) for cell in cells)


def _make_encodable(text: str) -> str:
    """Return a text with `?` in place of lone surrogates, which UTF-8 cannot encode."""
    return text.encode(errors="replace").decode()
