"""Summaries of relations in memory, made from the facts of a graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from msgspec.structs import asdict, replace

from factprobe.kgs.base import Graph
from factprobe.periods import latest_period
from factprobe.records import (
    SINGLE_SHARE,
    Entity,
    NodeSummary,
    ObjectNode,
    Period,
    Relation,
    RelationSummary,
    SubjectNode,
    Triplet,
    observed_type,
)

MAX_SENTENCES = 300
"""Maximum number of sentences in a summary, one for each fact."""


def describe(kg: Graph, relation: Relation) -> Relation:
    """Return a relation with its name and type in the graph; the type is empty if the graph declares none."""
    name, type_ = kg.get_relation_name(relation), kg.get_relation_type(relation) or ""
    if (name, type_) == (relation.relation, relation.type):
        return relation  # facts refer to this object, so that no copies are needed
    return replace(relation, relation=name, type=type_)


def summarise_relation(kg: Graph, relation: Relation) -> RelationSummary:
    """Return a relation's summary with the source's sentences for its facts; unreadable facts raise a `DataError`."""
    summary, facts = summary_and_facts(kg, relation)
    return replace(summary, sentences=tuple(islice(_find_sentences(facts), MAX_SENTENCES)))


def summary_and_facts(kg: Graph, relation: Relation) -> tuple[RelationSummary, Iterator[Triplet]]:
    """Return the summary of a relation and its distinct facts."""
    facts = Facts(kg.facts(relation))
    summary = facts.summary(describe(kg, relation), kg.settings.single_share)
    summary = replace(summary, further=further_nodes(kg, relation))
    return summary, facts.triplets(summary.relation_info)


def further_nodes(kg: Graph, relation: Relation) -> NodeSummary | None:
    """Return the entities of the facts that lead to further objects; None without such facts."""
    facts = Facts(kg.further_facts(relation))
    return facts.summary(relation).node_summary if facts.facts_read else None


def summaries(kg: Graph) -> Iterator[RelationSummary]:
    """Yield the summary of each relation with facts; raise a `DataError` if none has any, or facts cannot be read."""
    return (summarise_relation(kg, relation) for relation in kg.with_facts())


def _find_sentences(facts: Iterable[Triplet]) -> Iterator[str]:
    """Yield for each fact the first sentence of its evidence that raters do not doubt; nothing if there is none."""
    for fact in facts:
        texts = (evidence.filled_sentence()[0] for evidence in fact.evidences if not evidence.is_doubted())
        yield from islice(filter(None, texts), 1)


class Facts:
    """Distinct facts of one relation in the order of the source; duplicates are merged."""

    def __init__(self, source: Iterable[Triplet]) -> None:
        self.facts_read = 0
        """Number of facts in the source, with duplicates."""
        self._by_pair: dict[tuple[str, str], Triplet] = {}
        self._periods: dict[tuple[str, str], dict[Period, None]] = {}
        for fact in source:
            self.facts_read += 1
            pair = fact.subject_uri, fact.object_uri
            if fact.start or fact.end:
                self._periods.setdefault(pair, {})[Period(fact.start, fact.end)] = None
            first = self._by_pair.setdefault(pair, fact)
            if first is not fact:
                self._by_pair[pair] = _merge_facts(first, fact)

    def pairs(self, limit: int | None = None) -> list[tuple[str, str]]:
        """Return the subject and object URI of the first `limit` facts, or of all if it is None."""
        return list(islice(self._by_pair, limit))

    def triplets(self, info: Relation) -> Iterator[Triplet]:
        """Yield the facts as triplets of the relation `info`."""
        for fact in self._by_pair.values():
            yield fact if fact.relation_info is info else replace(fact, relation_info=info)

    def summary(self, info: Relation, single_share: float = SINGLE_SHARE) -> RelationSummary:
        """Return the summary of the relation; a type that is not declared is taken from the facts (`single_share`)."""
        subjects, objects = _Entities(), _Entities()
        periods: dict[str, dict[str, tuple[Period, ...]]] = {}
        for (subject, object_), fact_periods in self._periods.items():
            periods.setdefault(subject, {})[object_] = tuple(fact_periods)
        for fact in self._by_pair.values():
            subjects.add(fact.subject, fact.object_uri)
            objects.add(fact.object, fact.subject_uri)
        nodes = NodeSummary(
            {uri: ObjectNode(*objects.fields(uri)) for uri in objects.labels},
            {uri: SubjectNode(*subjects.fields(uri), periods.get(uri, {})) for uri in subjects.labels},
        )
        if not info.type:
            shares = _share_of_single(subjects), _share_of_single(objects)
            info = replace(info, type=observed_type(*shares, single_share))
        return RelationSummary(info, nodes)


class _Entities:
    """Entities at one end of a relation, with names, types, and partners at the other end.

    The label of an entity is its first name that is not empty; its other names are aliases.
    """

    def __init__(self) -> None:
        self.labels: dict[str, str] = {}
        self.partners: dict[str, list[str]] = {}
        self._others: dict[str, dict[str, None]] = {}
        self._types: dict[str, dict[str, None]] = {}

    def add(self, entity: Entity, partner: str) -> None:
        uri, label, aliases = entity.uri, entity.label, entity.aliases
        first_label = self.labels.setdefault(uri, label)
        if not first_label:
            first_label = self.labels[uri] = label
        self.partners.setdefault(uri, []).append(partner)
        if aliases or first_label != label:
            self._others.setdefault(uri, {}).update(dict.fromkeys((label, *aliases)))
        if entity.types:
            self._types.setdefault(uri, {}).update(dict.fromkeys(entity.types))

    def fields(self, uri: str) -> tuple[str, str, list[str], tuple[str, ...], tuple[str, ...]]:
        """Return label, URI, partners, aliases and types of an entity, in the order of a node's fields."""
        label = self.labels[uri]
        aliases = tuple(name for name in self._others.get(uri, ()) if name and name != label)
        return label, uri, self.partners[uri], aliases, tuple(self._types.get(uri, ()))


def _share_of_single(entities: _Entities) -> float:
    """Return the share of entities that have a single partner."""
    single = sum(len(partners) == 1 for partners in entities.partners.values())
    return single / len(entities.partners) if entities.partners else 0.0


def _merge_facts(first: Triplet, second: Triplet) -> Triplet:
    subject_label, subject_aliases = _merge_names(first.subject.names(), second.subject.names())
    object_label, object_aliases = _merge_names(first.object.names(), second.object.names())
    return replace(
        first,
        subject_label=subject_label,
        object_label=object_label,
        subject_aliases=subject_aliases,
        object_aliases=object_aliases,
        subject_types=tuple(dict.fromkeys((*first.subject_types, *second.subject_types))),
        object_types=tuple(dict.fromkeys((*first.object_types, *second.object_types))),
        evidences=tuple(dict.fromkeys((*first.evidences, *second.evidences))),
        **asdict(latest_period(Period(fact.start, fact.end) for fact in (first, second) if fact.start or fact.end)),
    )


def _merge_names(*groups: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """Merge lists of names of one entity, and return the first name as label and the others as aliases."""
    label, *aliases = dict.fromkeys(name for group in groups for name in group) or ("",)
    return label, tuple(aliases)
