"""Graphs that are read from one stream of all facts and kept in memory."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.errors import DataError
from factprobe.kgs.default_labels import MAX_NAME_LENGTH, label_from_id, local_name_words, relation_of, triplet_of
from factprobe.kgs.sources import TemplatedGraph
from factprobe.records import Entity, Period, Relation, Triplet
from factprobe.text import format_count, one_line, quote

log = logging.getLogger(__name__)

UNLABELLED_WARNING = (
    "%s: %d entities have no label; the words of their ids serve as names, and entities whose ids are codes are skipped"
)
_LISTS_WARNING = "%s: %s such as %s may be several; if so, give each fact a row of its own"
NO_LABELS_WARNING = "%s: %d entities have no label, and no fact has labels; ids serve as names"


class SourceFact(NamedTuple):
    """Fact as a source has it."""

    relation: str
    subject: Entity
    object: Entity
    period: Period
    relation_label: str = ""
    """Label of the relation in the source; empty if there is none."""


class _LoadedFacts(NamedTuple):
    """All facts of a graph, with what was derived from them."""

    by_relation: dict[str, list[SourceFact]]
    relation_labels: dict[str, str]
    """Label of each relation that has one."""
    labels_from_ids: dict[str, str]
    """Label by URI for entities that lack one in a fact."""
    unnamed: set[str]
    """URIs of entities that lack a label in all facts."""


class InMemoryGraph(TemplatedGraph):
    """Graph in memory, read from one stream of all facts; equal entities are stored once."""

    @abstractmethod
    def read(self) -> Iterator[SourceFact]:
        """Yield all facts in the order of the source, and report broken records to `problems`.

        Raises:
            DataError: The source cannot be read.
        """

    def relation_label(self, name: str) -> str:
        """Return the label of a relation from the first fact with one; empty if there is none."""
        return self._loaded.relation_labels.get(name, "")

    @cached_property
    def _loaded(self) -> _LoadedFacts:
        once: dict[Entity, Entity] = {}
        facts: dict[str, list[SourceFact]] = {}
        relation_labels: dict[str, str] = {}
        for name, subject, object_, period, label in self.read():
            if label:
                relation_labels.setdefault(name, label)
            fact = SourceFact(name, once.setdefault(subject, subject), once.setdefault(object_, object_), period)
            facts.setdefault(name, []).append(fact)
        if not facts:
            raise DataError("has no readable fact", where=self.place, hint="check that it is the right file")
        labels_from_ids, unnamed = _labels_from_ids(once)
        if unnamed:
            uris = {entity.uri for entity in once}
            warning = NO_LABELS_WARNING if len(unnamed) == len(uris) else UNLABELLED_WARNING
            log.warning(warning, self.place, len(unnamed))
        _warn_of_lists(once, self.place)
        return _LoadedFacts(facts, relation_labels, labels_from_ids, unnamed)

    def load_relations(self) -> Iterable[Relation]:
        """Yield the relations with facts, in the order of the source, then relations that have only a template."""
        for name in dict.fromkeys((*self._loaded.by_relation, *self.templates)):
            yield relation_of(name, self.relation_label(name), self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """Yield the facts of a relation; raise a `DataError` if the source has none."""
        if not self.has_facts(relation):
            raise self.no_facts_of(relation)
        for _, subject, object_, period, _ in self._loaded.by_relation[relation.relation]:
            yield triplet_of(relation, self._with_label(subject), self._with_label(object_), period)

    def _with_label(self, entity: Entity) -> Entity:
        """Return an entity with a label; if it has none, from another fact or made from its id."""
        if entity.label:
            return entity
        label = self._loaded.labels_from_ids.get(entity.uri, "")
        return replace(entity, label=label, aliases=tuple(name for name in entity.aliases if name != label))

    def has_facts(self, relation: Relation) -> bool:
        """Return whether the source has facts of the relation."""
        return relation.relation in self._loaded.by_relation

    def unlabelled(self, uris: Collection[str]) -> set[str]:
        """Return the given URIs whose entities have no name in the source."""
        return self._loaded.unnamed.intersection(uris)


def _warn_of_lists(entities: Collection[Entity], place: object) -> None:
    """Warn of labels that may be lists of names: with `|`, or with `;` between names of other entities."""
    found = sorted({entity.label for entity in entities if "|" in entity.label})
    if not found and (lists := {entity.label for entity in entities if ";" in entity.label}):
        labels = {entity.label for entity in entities}
        found = sorted(label for label in lists if labels.issuperset(map(str.strip, label.split(";"))))
    if found:
        log.warning(_LISTS_WARNING, place, format_count(len(found), "name"), quote(found[0]))


def _labels_from_ids(entities: Iterable[Entity]) -> tuple[dict[str, str], set[str]]:
    """Return labels by URI for entities that lack one in a fact, and the URIs of entities that lack one in all facts.

    A label is taken from another fact or made from the id; codes become labels only if no entity has a label.
    """
    all_entities = list(entities)
    named: dict[str, str] = {}
    for entity in all_entities:
        if entity.label:
            named.setdefault(entity.uri, entity.label)
    unnamed = dict.fromkeys(entity.uri for entity in all_entities if not entity.label)
    otherwise = label_from_id if named else local_name_words
    return {uri: named.get(uri) or otherwise(uri) for uri in unnamed}, unnamed.keys() - named.keys()


def entity_of(uri: str, label: str, aliases: Iterable[str] = (), types: Iterable[str] = ()) -> Entity:
    """Return an entity with its names in one line each, without duplicate, empty and too long aliases.

    Raises:
        ValueError: The id is empty, or the id or label is too long.
    """
    label = one_line(label)
    if not uri:
        raise ValueError("the subject or the object is empty")
    if max(len(uri), len(label)) > MAX_NAME_LENGTH:
        raise ValueError(f"a name has {max(len(uri), len(label)):,} characters, and the limit is {MAX_NAME_LENGTH}")
    every = dict.fromkeys(map(one_line, aliases))
    names = tuple(name for name in every if name and name != label and len(name) <= MAX_NAME_LENGTH)
    return Entity(uri, label, names, tuple(dict.fromkeys(filter(None, types))))
