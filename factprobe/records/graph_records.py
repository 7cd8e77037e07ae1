"""Records of a graph: entities, relations, triplets and the answer sets of a relation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from factprobe.question_types import End
from factprobe.text import one_line

RelationType = Literal["1-1", "N-1", "1-N", "N-M"]
RELATION_TYPES: tuple[RelationType, ...] = ("1-1", "N-1", "1-N", "N-M")
SEVERAL: Mapping[End, tuple[RelationType, ...]] = {"object": ("1-N", "N-M"), "subject": ("N-1", "N-M")}
"""Relation types that allow several entities at an end."""
_MASK = "[MASK]"
SINGLE_SHARE = 0.95
"""Least share of subjects with a single object for a relation to count as functional, likewise for objects. Single
errors and former values leave a relation functional; several objects of one subject in twenty do not."""


def observed_type(one_object: float, one_subject: float, least: float = SINGLE_SHARE) -> RelationType:
    """Return the relation type that follows from the facts.

    Args:
        one_object: the share of subjects with one object, in [0, 1].
        one_subject: the share of objects with one subject, in [0, 1].
        least: the threshold of both shares, see `KgConfig.single_share`.
    """
    if one_object >= least:
        return "1-1" if one_subject >= least else "N-1"
    return "1-N" if one_subject >= least else "N-M"


Popularity = Literal["head", "torso", "tail"]
POPULARITIES: tuple[Popularity, ...] = ("head", "torso", "tail")


class Named(Struct, frozen=True, gc=False):
    """Base class of records with an identifier and names."""

    uri: str
    """Identifier in the source: a Wikidata id, a UMLS CUI or any other string."""
    label: str
    """Preferred name; empty if the source has none."""
    aliases: tuple[str, ...] = ()
    """Other names."""

    def names(self) -> tuple[str, ...]:
        """Return the label and the aliases that are not empty."""
        if not self.aliases:
            return (self.label,) if self.label.strip() else ()
        return tuple([name for name in (self.label, *self.aliases) if name.strip()])


class Entity(Named, frozen=True, gc=False):
    """Node of the graph."""

    types: tuple[str, ...] = ()
    """Classes, as the source names them."""


class Hop(Struct, frozen=True, omit_defaults=True, gc=False):
    """Step of a question through several facts, from an entity to the entities sought."""

    relation: str
    sought: End = "object"
    """End of the relation's facts that the step leads to."""


class Relation(Struct, frozen=True, gc=False):
    """Relation of the graph, with its wording."""

    relation: str
    """Id, e.g. `P19`, which names the relation's files."""
    template: str
    """Sentence with one subject symbol and one object symbol: `[X] was born in [Y].`"""
    label: str = ""
    """Readable name, e.g. `place of birth`."""
    description: str = ""
    """Meaning, in a sentence."""
    type: RelationType | Literal[""] = ""
    """Cardinality: `N-1` means that a subject has one object; empty until it is known."""
    subject_symbol: str = "[X]"
    """Placeholder of the subject in the template."""
    object_symbol: str = "[Y]"
    """Placeholder of the object in the template."""
    templates: tuple[str, ...] = ()
    """All templates in the source, including `template`; empty if it has only one."""
    path: tuple[Hop, ...] | UnsetType = UNSET
    """Steps of a composed relation; unset for a relation of the graph."""
    complete: bool | UnsetType = UNSET
    """True if the source has all objects of each subject that has any; unset if the source does not say. False if
    missing facts may be true, so that no answer is known to be wrong."""


class Evidence(Struct, frozen=True, omit_defaults=True, gc=False):
    """Text that states a fact, with annotations of the source."""

    masked_sentence: str = ""
    """Sentence with the object replaced by `[MASK]`."""
    sentence: str = ""
    """Original sentence."""
    subject_surface: str = ""
    """Mention of the subject."""
    object_surface: str = ""
    """Mention of the object."""
    snippet: str = ""
    """Longer passage around the sentence."""
    url: str = ""
    """URL of the passage."""
    judgments: tuple[str, ...] = ()
    """Judgments of human raters, `yes` or `no`, one for each rater."""

    def is_doubted(self) -> bool:
        """Return whether the evidence has raters and at most half of them say that it states the fact."""
        return bool(self.judgments) and 2 * self.judgments.count("yes") <= len(self.judgments)

    def filled_sentence(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the sentence on one line with the object in place of each mask, and the spans of the replaced masks.

        The sentence is empty if the masks cannot be replaced.
        """
        masked, surface = one_line(self.masked_sentence), one_line(self.object_surface)
        if self.sentence or _MASK not in masked:
            return one_line(self.sentence) or masked, []
        if not surface or _MASK in self.subject_surface:  # the mask of the object is ambiguous
            return "", []
        text, *parts = masked.split(_MASK)
        spans = []
        for part in parts:
            spans.append((len(text), len(text) + len(surface)))
            text += surface + part
        return text, spans


class Period(Struct, frozen=True, omit_defaults=True, gc=False):
    """Period in which a fact held, in ISO dates, months or years; an open or unknown end is empty."""

    start: str = ""
    end: str = ""


class Triplet(Struct, frozen=True, omit_defaults=True, gc=False):
    """Fact, flat as on disk; `subject` and `object` give its entities."""

    subject_label: str
    object_label: str
    object_uri: str
    subject_uri: str
    relation_info: Relation
    subject_aliases: tuple[str, ...] = ()
    object_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()
    evidences: tuple[Evidence, ...] = ()
    start: str = ""
    """Start of the fact's period, as an ISO date, month or year; of several periods, the one that ends last."""
    end: str = ""
    """End of the same period."""

    @property
    def subject(self) -> Entity:
        """Subject entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def object(self) -> Entity:
        """Object entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)


class ObjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """Object of a relation, with its subjects."""

    object_label: str
    object_uri: str
    subjects: list[str]
    object_aliases: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()

    @property
    def entity(self) -> Entity:
        """Object as an entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)

    @property
    def partners(self) -> list[str]:
        """URIs at the other end of its facts."""
        return self.subjects


class SubjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """Subject of a relation, with its objects."""

    subject_label: str
    subject_uri: str
    objects: list[str]
    subject_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    periods: dict[str, tuple[Period, ...]] = {}
    """Periods of the fact with each object, by the object's URI; facts without an entry hold always."""

    @property
    def entity(self) -> Entity:
        """Subject as an entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def partners(self) -> list[str]:
        """URIs at the other end of its facts."""
        return self.objects


class NodeSummary(Struct, frozen=True):
    """Both sides of a relation, by URI, in the order of the source."""

    objects: dict[str, ObjectNode]
    subjects: dict[str, SubjectNode]


def is_inverse(reversed_pairs: int, pairs: int) -> bool:
    """Return whether one relation is the inverse of another: at least half of its pairs, and three, are reversed.

    Args:
        reversed_pairs: the number of pairs that the other relation has in reverse.
        pairs: the number of pairs of the relation.
    """
    return reversed_pairs >= 3 and 2 * reversed_pairs >= pairs


class RelationSummary(Struct, frozen=True, omit_defaults=True):
    """Answer sets of one relation: each subject's objects and each object's subjects.

    Its methods look up single entities.
    """

    relation_info: Relation
    node_summary: NodeSummary
    sentences: tuple[str, ...] = ()
    """Sentences of the source that state some of the facts; files do not contain them."""

    def entity(self, uri: str, end: End) -> Entity | None:
        """Return the subject or object with a URI; None if the relation lacks it."""
        node = self.nodes(end).get(uri)
        return None if node is None else node.entity

    def partners(self, uri: str, end: End) -> Sequence[str]:
        """Return the URIs of a subject's objects or an object's subjects, in source order; empty if unknown."""
        node = self.nodes(end).get(uri)
        return () if node is None else node.partners

    def periods(self, subject: str, object_: str) -> tuple[Period, ...]:
        """Return the periods of a fact; empty if they are not known."""
        node = self.node_summary.subjects.get(subject)
        return () if node is None else node.periods.get(object_, ())

    def has_periods(self) -> bool:
        """Return whether any fact has a period."""
        return any(node.periods for node in self.node_summary.subjects.values())

    def has_ended_facts(self) -> bool:
        """Return whether any fact has a period with an end."""
        nodes = self.node_summary.subjects.values()
        return any(period.end for node in nodes for periods in node.periods.values() for period in periods)

    def entities(self, end: End) -> Iterator[Entity]:
        """Yield every subject or object, in the order of the source."""
        return (node.entity for node in self.nodes(end).values())

    def facts(self) -> Iterator[tuple[str, str]]:
        """Yield the subject and object URI of every fact, subject by subject."""
        return ((uri, object_) for uri, node in self.node_summary.subjects.items() for object_ in node.objects)

    def is_symmetric(self) -> bool:
        """Return whether the relation is its own inverse according to its facts."""
        nodes = self.node_summary
        if nodes.subjects.keys().isdisjoint(nodes.objects):
            return False
        pairs = [self._is_both_ways(*fact) for fact in self.facts() if fact[0] != fact[1]]
        return is_inverse(sum(pairs), len(pairs))

    def _is_both_ways(self, subject: str, object_: str) -> bool:
        forth, back = self.partners(object_, "subject"), self.partners(subject, "object")
        return subject in forth if len(forth) < len(back) else object_ in back

    def nodes(self, end: End) -> Mapping[str, SubjectNode | ObjectNode]:
        """Return the subjects or objects by URI, in the order of the source."""
        return self.node_summary.subjects if end == "subject" else self.node_summary.objects


class RelationCount(Struct, frozen=True):
    """Size of one extracted relation."""

    relation: str
    label: str
    type: RelationType | Literal[""]
    num_facts: int
    num_subjects: int
    num_objects: int
    path: tuple[Hop, ...] | UnsetType = UNSET
    """Steps of a composed relation; unset for a relation of the graph."""


class GraphSummary(Struct, frozen=True):
    """Index of an extraction, used by later steps."""

    kg: str
    num_relations: int
    num_entities: int
    num_facts: int
    relations: tuple[RelationCount, ...]
    limit: int | None = None
    """Maximum number of triplets taken of each relation; the relation summaries are complete nevertheless."""
