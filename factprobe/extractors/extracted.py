"""Iteration over the files of an extraction, with at most one relation in memory."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from factprobe.records import Entity, GraphSummary, RelationSummary
from factprobe.storage import Layout, read_summary


class _Objects(Struct, frozen=True):
    objects: list[str]


class _SubjectObjects(Struct, frozen=True):
    subjects: dict[str, _Objects]


class _Nodes(Struct, frozen=True):
    """Part of a relation summary from which facts are read."""

    node_summary: _SubjectObjects


class ExtractedFacts(Struct, frozen=True):
    """Iterable of the subject and object URI of every fact, without relations composed of several."""

    layout: Layout
    summary: GraphSummary

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for relation in (relation for relation in self.summary.relations if not relation.path):
            nodes = read_summary(self.layout.summary(relation.relation), _Nodes).node_summary
            yield from ((subject, uri) for subject, ends in nodes.subjects.items() for uri in ends.objects)


class ExtractedEntities(Struct, frozen=True):
    """Iterable of the entities of each relation of the graph, relation by relation."""

    layout: Layout
    summary: GraphSummary

    def __iter__(self) -> Iterator[Entity]:
        for relation in self.summary.relations:
            nodes = read_summary(self.layout.summary(relation.relation), RelationSummary)
            yield from nodes.entities("subject")
            yield from nodes.entities("object")
