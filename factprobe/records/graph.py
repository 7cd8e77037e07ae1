"""A graph's records: entities, relations, triplets and the answer sets of a relation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import UNSET, Struct, UnsetType

from factprobe.question_types import End

RelationType = Literal["1-1", "N-1", "1-N", "N-M"]
RELATION_TYPES: tuple[RelationType, ...] = ("1-1", "N-1", "1-N", "N-M")
SEVERAL: Mapping[End, tuple[RelationType, ...]] = {"object": ("1-N", "N-M"), "subject": ("N-1", "N-M")}
"""The types of relations that allow several entities at an end."""
SINGLE_SHARE = 0.95
"""The share of subjects with one object from which a relation counts as having one: a single error, or a former value,
among thousands makes no relation N-M, and where one subject in twenty has several, that is what the relation allows."""


def observed_type(one_object: float, one_subject: float, least: float = SINGLE_SHARE) -> RelationType:
    """Return the type that the facts of a relation show.

    Args:
        one_object: the share of subjects with one object, in [0, 1].
        one_subject: the share of objects with one subject, in [0, 1].
        least: the share from which that is the rule, see `KgConfig.single_share`.
    """
    if one_object >= least:
        return "1-1" if one_subject >= least else "N-1"
    return "1-N" if one_subject >= least else "N-M"


Popularity = Literal["head", "torso", "tail"]
POPULARITIES: tuple[Popularity, ...] = ("head", "torso", "tail")


class Named(Struct, frozen=True, gc=False):
    """What has names, by its identifier."""

    uri: str
    """Its identifier in the source: a Wikidata id, a UMLS CUI, any other string."""
    label: str
    """Its preferred name; empty where the source has none."""
    aliases: tuple[str, ...] = ()
    """Other names it is known by."""

    def names(self) -> tuple[str, ...]:
        """The label and the aliases, those that are not empty."""
        if not self.aliases:
            return (self.label,) if self.label.strip() else ()
        return tuple([name for name in (self.label, *self.aliases) if name.strip()])


class Entity(Named, frozen=True, gc=False):
    """A node of the graph."""

    types: tuple[str, ...] = ()
    """Its classes, as the source names them."""


class Hop(Struct, frozen=True, omit_defaults=True, gc=False):
    """One step of a question that goes through several facts, from an entity to those that it seeks."""

    relation: str
    sought: End = "object"
    """The end of the relation's facts that the step leads to."""


class Relation(Struct, frozen=True, gc=False):
    """A relation of the graph and how to put it in words."""

    relation: str
    """Its id, e.g. `P19`; it names the relation's files."""
    template: str
    """A sentence with one subject symbol and one object symbol: `[X] was born in [Y].`"""
    label: str = ""
    """Its name for people, e.g. `place of birth`."""
    description: str = ""
    """What it means, in a sentence."""
    type: RelationType | Literal[""] = ""
    """How many: `N-1` means that a subject has one object; empty until it is known."""
    subject_symbol: str = "[X]"
    """What stands for the subject in the template."""
    object_symbol: str = "[Y]"
    """What stands for the object in the template."""
    templates: tuple[str, ...] = ()
    """Every wording that the source has, `template` among them; empty where it has but one."""
    path: tuple[Hop, ...] | UnsetType = UNSET
    """The steps of a relation that others make; left out for one of the graph."""
    complete: bool | UnsetType = UNSET
    """True where the source has all objects of each subject that it has any of; left out where it does not say so.
    False where what it lacks may well be true, so that no answer is known to be wrong."""


class Evidence(Struct, frozen=True, omit_defaults=True, gc=False):
    """A piece of text that states a fact, with what the source says of it."""

    masked_sentence: str = ""
    """The sentence with the object replaced by `[MASK]`."""
    sentence: str = ""
    """The sentence as it was."""
    subject_surface: str = ""
    """The words that name the subject there."""
    object_surface: str = ""
    """The words that name the object there."""
    snippet: str = ""
    """A longer passage around it."""
    url: str = ""
    """Where the passage comes from."""
    judgments: tuple[str, ...] = ()
    """What human raters said of it, `yes` or `no`, one entry a rater."""


class Period(Struct, frozen=True, omit_defaults=True, gc=False):
    """When a fact held: ISO dates, months or years; empty where an end is open or not known."""

    start: str = ""
    end: str = ""


class Triplet(Struct, frozen=True, omit_defaults=True, gc=False):
    """One fact, flat as it is on disk; `subject` and `object` give its entities."""

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
    """Since when it has held, an ISO date, month or year; where it held several times, of the one that ends last."""
    end: str = ""
    """Until when."""

    @property
    def subject(self) -> Entity:
        """The subject entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def object(self) -> Entity:
        """The object entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)


class ObjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """An object of a relation with the subjects that have it."""

    object_label: str
    object_uri: str
    subjects: list[str]
    object_aliases: tuple[str, ...] = ()
    object_types: tuple[str, ...] = ()

    @property
    def entity(self) -> Entity:
        """The object as an entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)

    @property
    def partners(self) -> list[str]:
        """The URIs at the other end of its facts."""
        return self.subjects


class SubjectNode(Struct, frozen=True, omit_defaults=True, gc=False):
    """A subject of a relation with the objects that it has."""

    subject_label: str
    subject_uri: str
    objects: list[str]
    subject_aliases: tuple[str, ...] = ()
    subject_types: tuple[str, ...] = ()
    periods: dict[str, tuple[Period, ...]] = {}
    """When each object was one, by its URI; those that are not there always are."""

    @property
    def entity(self) -> Entity:
        """The subject as an entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def partners(self) -> list[str]:
        """The URIs at the other end of its facts."""
        return self.objects


class NodeSummary(Struct, frozen=True):
    """Both sides of a relation, by URI, in the order of the source."""

    objects: dict[str, ObjectNode]
    subjects: dict[str, SubjectNode]


def is_inverse(reversed_pairs: int, pairs: int) -> bool:
    """Whether a relation says the same as another the other way round, by how many of its pairs that one reverses:
    at least half of them, and no fewer than three."""
    return reversed_pairs >= 3 and 2 * reversed_pairs >= pairs


class RelationSummary(Struct, frozen=True):
    """The N-M answer sets of one relation: each subject's objects and each object's subjects.

    What a question needs of them is asked entity by entity.
    """

    relation_info: Relation
    node_summary: NodeSummary

    def entity(self, uri: str, end: End) -> Entity | None:
        """The subject or object of that URI, None where the relation has none."""
        node = self._nodes(end).get(uri)
        return None if node is None else node.entity

    def partners(self, uri: str, end: End) -> Sequence[str]:
        """The URIs of a subject's objects or an object's subjects, in the order of the source; empty for a stranger."""
        node = self._nodes(end).get(uri)
        return () if node is None else node.partners

    def periods(self, subject: str, object_: str) -> tuple[Period, ...]:
        """When a fact held; empty where that is not known."""
        node = self.node_summary.subjects.get(subject)
        return () if node is None else node.periods.get(object_, ())

    def entities(self, end: End) -> Iterator[Entity]:
        """Every subject or object, in the order of the source."""
        return (node.entity for node in self._nodes(end).values())

    def facts(self) -> Iterator[tuple[str, str]]:
        """Subject and object URI of every fact, subject by subject."""
        return ((uri, object_) for uri, node in self.node_summary.subjects.items() for object_ in node.objects)

    def is_symmetric(self) -> bool:
        """Whether so many of its pairs stand both ways round that it is its own inverse; looks at every fact."""
        nodes = self.node_summary
        if nodes.subjects.keys().isdisjoint(nodes.objects):
            return False
        pairs = [self._is_both_ways(*fact) for fact in self.facts() if fact[0] != fact[1]]
        return is_inverse(sum(pairs), len(pairs))

    def _is_both_ways(self, subject: str, object_: str) -> bool:
        forth, back = self.partners(object_, "subject"), self.partners(subject, "object")
        return subject in forth if len(forth) < len(back) else object_ in back

    def _nodes(self, end: End) -> Mapping[str, SubjectNode | ObjectNode]:
        return self.node_summary.subjects if end == "subject" else self.node_summary.objects


class RelationCount(Struct, frozen=True):
    """How much of one relation was extracted."""

    relation: str
    label: str
    type: RelationType | Literal[""]
    num_facts: int
    num_subjects: int
    num_objects: int
    path: tuple[Hop, ...] | UnsetType = UNSET
    """The steps of a relation that others make; left out for one of the graph."""


class GraphSummary(Struct, frozen=True):
    """What an extraction holds: the index that the later steps go by."""

    kg: str
    num_relations: int
    num_entities: int
    num_facts: int
    relations: tuple[RelationCount, ...]
    limit: int | None = None
    """How many triplets of each relation were taken at most; the relation summaries are whole all the same."""
