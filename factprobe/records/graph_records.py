"""Records of a graph: entities, relations and triplets."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, get_args

from msgspec import UNSET, Struct, UnsetType

from factprobe.question_types import End
from factprobe.text import one_line

RelationType = Literal["1-1", "N-1", "1-N", "N-M"]
RELATION_TYPES: tuple[RelationType, ...] = get_args(RelationType)
SEVERAL: Mapping[End, tuple[RelationType, ...]] = {"object": ("1-N", "N-M"), "subject": ("N-1", "N-M")}
"""Relation types that allow several entities at an end, by end."""
_MASK = "[MASK]"
SINGLE_SHARE = 0.95
"""Minimum share of subjects with a single object in a functional relation, likewise for objects.

A relation stays functional if some subjects have several objects by error or over time, but not if one in twenty has.
"""


def observed_type(one_object: float, one_subject: float, least: float = SINGLE_SHARE) -> RelationType:
    """Return the relation type that follows from the facts.

    Args:
        one_object: The share of subjects with one object, in [0, 1].
        one_subject: The share of objects with one subject, in [0, 1].
        least: The threshold of both shares, see `KgConfig.single_share`.
    """
    if one_object >= least:
        return "1-1" if one_subject >= least else "N-1"
    return "1-N" if one_subject >= least else "N-M"


Popularity = Literal["head", "torso", "tail"]
POPULARITIES: tuple[Popularity, ...] = get_args(Popularity)


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
    """One step of a question through several facts, from an entity to the entities sought."""

    relation: str
    sought: End = "object"
    """End of the relation's facts at which the sought entities are."""


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
    """Cardinality, e.g. `N-1` if a subject has one object; empty until it is known."""
    subject_symbol: str = "[X]"
    """Placeholder of the subject in the template."""
    object_symbol: str = "[Y]"
    """Placeholder of the object in the template."""
    templates: tuple[str, ...] = ()
    """All templates in the source, `template` among them; empty if there is only one."""
    path: tuple[Hop, ...] | UnsetType = UNSET
    """Steps of a composed relation; unset for a relation that is in the graph."""
    complete: bool | UnsetType = UNSET
    """True if the source has all objects of each subject that it has any of; unset if the source does not say.

    If it is false, missing facts may be true, so that no answer is known to be wrong.
    """
    transitive: bool | UnsetType = UNSET
    """True if the source declares the relation transitive: an object reached through several facts is right too."""


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
        """Return whether raters judged the evidence and at most half of them say that it states the fact."""
        return bool(self.judgments) and 2 * self.judgments.count("yes") <= len(self.judgments)

    def filled_sentence(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the sentence on one line with the object in place of each mask, and the spans where the masks were.

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
    """Start of the fact's period, as an ISO date, month or year; if there are several, of the period that ends last."""
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
