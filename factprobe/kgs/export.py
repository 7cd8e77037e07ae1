"""A graph in formats that others read, and that factprobe reads again: GraphML, N-Triples, Parquet."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, TYPE_CHECKING, Any

from msgspec.structs import replace

from factprobe.errors import DataError
from factprobe.kgs.iris import to_iri
from factprobe.kgs.plain import in_words
from factprobe.records import Entity, Relation, Triplet

if TYPE_CHECKING:
    import networkx
    from pyoxigraph import Literal, NamedNode, Triple

log = logging.getLogger(__name__)

Taken = Iterable[tuple[Relation, Iterable[Triplet]]]
"""Relations with their distinct facts."""

SEPARATOR = "|"
"""What stands between several names in one attribute of GraphML, which has no lists."""
_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_TAGGED = f"{_RDF}langString"
_DATATYPES = ("http://www.w3.org/2001/XMLSchema#", *(f"{_RDF}{name}" for name in ("HTML", "XMLLiteral", "JSON")))
_ROWS = 1 << 16
"""Of a table that are held at once."""


def write_graphml(graph: networkx.MultiDiGraph[str], file: IO[bytes]) -> None:
    """Writes a graph as `to_networkx` gives it, whose edges get numbers for ids; characters that no XML holds become
    U+FFFD.

    GraphML (Brandes et al. 2002, GraphML Progress Report, GD) has no lists: several names stand between `|`.

    Raises:
        DataError: an id would become that of another entity so.
    """
    import networkx

    found: networkx.MultiDiGraph[str] = networkx.MultiDiGraph(name=_for_xml(graph.name))
    for uri, data in graph.nodes(data=True):
        if _for_xml(uri) in found:
            raise DataError("holds an id that XML cannot tell from another", where=repr(uri), hint="take format=nt")
        found.add_node(_for_xml(uri), **{name: _for_xml(value) for name, value in data.items()})
    for number, (subject, object_, data) in enumerate(graph.edges(data=True)):
        ends = _for_xml(subject), _for_xml(object_)
        found.add_edge(*ends, key=f"e{number}", **{name: _for_xml(value) for name, value in data.items()})
    networkx.write_graphml_xml(found, file)


def _for_xml(value: str | tuple[str, ...]) -> str:
    text = value if isinstance(value, str) else SEPARATOR.join(value)
    return _NOT_XML.sub("\N{REPLACEMENT CHARACTER}", text)


def write_nt(relations: Taken, file: IO[bytes], known: Iterable[Relation]) -> int:
    """Writes N-Triples, one relation after the other, with labels, aliases and types; returns how many facts.

    An id that is no IRI gets one that `kg=rdf` reads back, see `to_iri`. A relation whose label is but the words of its
    id gets none. One that names things in RDF, as `rdf:type`, is read back for names, unless settings say otherwise.

    Args:
        relations: with their facts.
        file: an open one.
        known: all relations that the file has, under the same ids.

    Raises:
        DataError: an entity and a relation with different names have one id.
    """
    from pyoxigraph import RdfFormat, serialize

    counted = _Counted({relation.relation: relation for relation in known})
    serialize((triple for found in relations for triple in _triples(*found, counted)), file, RdfFormat.N_TRIPLES)
    return counted.facts


class _Counted:
    def __init__(self, relations: Mapping[str, Relation]) -> None:
        self.facts = 0
        self._relations = relations

    def check(self, entity: Entity) -> None:
        """Fails where a relation would get the name of an entity, or the other way round."""
        relation = self._relations.get(entity.uri)
        if relation is None:
            return
        shared = {relation.label, ""} if relation.label == in_words(relation.relation) else {relation.label}
        if entity.label not in shared:
            what = (
                f"is an entity, {entity.label!r}, and a relation, {relation.label!r}, which N-Triples cannot tell apart"
            )
            raise DataError(what, where=entity.uri, hint="take format=parquet, or give one of them another id")


def _triples(relation: Relation, triplets: Iterable[Triplet], counted: _Counted) -> Iterator[Triple]:
    from pyoxigraph import Literal, Triple

    predicate, names = to_iri(relation.relation), _Predicates()
    if predicate in vars(names).values():
        log.warning("%s: kg=rdf reads it for names, not for facts, unless kg.predicates lists it", relation.relation)
    if relation.label != in_words(relation.relation):
        yield Triple(predicate, names.label, Literal(_whole(relation.label)))
    if relation.description:
        yield Triple(predicate, names.comment, Literal(_whole(relation.description)))
    named: dict[str, Entity] = {}
    for fact in triplets:
        ends = fact.subject, fact.object
        literal = _literal(fact.object)
        for entity in ends[:1] if literal else ends:
            before = named.setdefault(entity.uri, entity)
            if before is entity:
                counted.check(entity)
                yield from names.of(entity)
            elif before != entity:
                named[entity.uri], new = _told_more(before, entity)
                yield from names.of(new)
        yield Triple(to_iri(fact.subject_uri), predicate, literal or to_iri(fact.object_uri))
        counted.facts += 1


def _told_more(before: Entity, entity: Entity) -> tuple[Entity, Entity]:
    """An entity with what another fact says of it, and that alone, in which a second label is an alias."""
    names, types = (
        tuple(dict.fromkeys(one for one in found if one and one not in known))
        for found, known in ((entity.names(), before.names()), (entity.types, before.types))
    )
    whole = replace(before, aliases=(*before.aliases, *names), types=(*before.types, *types))
    return whole, replace(entity, label="", aliases=names, types=types)


def _literal(entity: Entity) -> Literal | None:
    """What a text, number or date was, whose data type is one of XML Schema or RDF; its language is not known."""
    from pyoxigraph import Literal, NamedNode

    datatype = entity.types[0] if len(entity.types) == 1 else ""
    if datatype == _TAGGED:
        return Literal(_whole(entity.uri))
    return Literal(_whole(entity.uri), datatype=NamedNode(datatype)) if datatype.startswith(_DATATYPES) else None


class _Predicates:
    """Those that name things."""

    def __init__(self) -> None:
        self.label, self.comment, self.alias, self.type = map(
            to_iri,
            (
                "http://www.w3.org/2000/01/rdf-schema#label",
                "http://www.w3.org/2000/01/rdf-schema#comment",
                "http://www.w3.org/2004/02/skos/core#altLabel",
                "http://www.w3.org/1999/02/22-rdf-syntax-ns#type",
            ),
        )

    def of(self, entity: Entity) -> Iterator[Triple]:
        """What names an entity."""
        from pyoxigraph import Literal, Triple

        node: NamedNode = to_iri(entity.uri)
        if entity.label:
            yield Triple(node, self.label, Literal(_whole(entity.label)))
        for alias in entity.aliases:
            yield Triple(node, self.alias, Literal(_whole(alias)))
        for kind in entity.types:
            yield Triple(node, self.type, to_iri(kind))


def write_parquet(relations: Taken, file: IO[bytes]) -> int:
    """Writes a table with columns that `kg=csv` knows, one relation after the other; returns how many facts."""
    import pyarrow
    from pyarrow.parquet import ParquetWriter

    text, texts = pyarrow.string(), pyarrow.list_(pyarrow.string())
    schema = pyarrow.schema([(name, texts if name.endswith(("aliases", "types")) else text) for name in _COLUMNS])
    count = 0
    with ParquetWriter(file, schema) as writer:
        for relation, triplets in relations:
            every = iter(triplets)
            while rows := [_row(relation, fact) for fact in islice(every, _ROWS)]:
                writer.write_table(pyarrow.table(dict(zip(_COLUMNS, zip(*rows, strict=True), strict=True)), schema))
                count += len(rows)
    return count


_COLUMNS = (
    "subject_id",
    "subject",
    "subject_aliases",
    "subject_types",
    "relation",
    "relation_label",
    "object_id",
    "object",
    "object_aliases",
    "object_types",
    "start",
    "end",
)


def _row(relation: Relation, fact: Triplet) -> tuple[Any, ...]:
    ends = [
        (_whole(one.uri), _whole(one.label), [*map(_whole, one.aliases)], [*map(_whole, one.types)])
        for one in (fact.subject, fact.object)
    ]
    return (*ends[0], _whole(relation.relation), _whole(relation.label), *ends[1], fact.start, fact.end)


def _whole(text: str) -> str:
    """The text with signs for halves of characters, of which no UTF-8 is made."""
    return text.encode(errors="replace").decode()
