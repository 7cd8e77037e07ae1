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
"""By end: the relation types in which an entity may have several partners at this end."""
_MASK = "[MASK]"
SINGLE_SHARE = 0.95
"""Minimum share of subjects with a single object at which a relation counts as `N-1` or `1-1`; likewise for objects.

The others may have several objects by error or over time.
"""


def observed_type(one_object: float, one_subject: float, min_share: float = SINGLE_SHARE) -> RelationType:
    """Return the relation type by the shares of subjects and objects with one partner, the rule from `min_share` on."""
    if one_object >= min_share:
        return "1-1" if one_subject >= min_share else "N-1"
    return "1-N" if one_subject >= min_share else "N-M"


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
    """Classes of the entity, as the source names them."""


class Hop(Struct, frozen=True, omit_defaults=True, gc=False):
    """One step of a question through several facts: from an entity along one relation to others."""

    relation: str
    sought: End = "object"
    """End of the relation to which the step leads."""


class Relation(Struct, frozen=True, gc=False):
    """Relation of the graph, with the sentences that express it."""

    relation: str
    """Id, e.g. `P19`; the files of the relation are named after it."""
    template: str
    """Sentence with a placeholder for each end, e.g. `[X] was born in [Y].`"""
    label: str = ""
    """Readable name, e.g. `place of birth`."""
    description: str = ""
    """Meaning of the relation, in a sentence."""
    type: RelationType | Literal[""] = ""
    """Cardinality, e.g. `N-1` if a subject has one object; empty until it is known."""
    subject_symbol: str = "[X]"
    """Placeholder of the subject in the template."""
    object_symbol: str = "[Y]"
    """Placeholder of the object in the template."""
    templates: tuple[str, ...] = ()
    """All templates in the source, including `template`; empty if there is only one."""
    path: tuple[Hop, ...] | UnsetType = UNSET
    """Steps of a composition; unset for a relation of the graph itself."""
    complete: bool | UnsetType = UNSET
    """True if every subject in the source has all its objects; unset if the source does not say.

    If it is false, a missing fact may be true, so that no answer can be graded as wrong.
    """
    transitive: bool | UnsetType = UNSET
    """True if the source declares the relation transitive; then an object reached through several facts is right."""


class Evidence(Struct, frozen=True, omit_defaults=True, gc=False):
    """Text in which the source of a graph states a fact, with annotations."""

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
        """Return whether at most half of the raters say that the evidence states the fact; False without raters."""
        return bool(self.judgments) and 2 * self.judgments.count("yes") <= len(self.judgments)

    def filled_sentence(self) -> tuple[str, list[tuple[int, int]]]:
        """Return the sentence on one line, and the spans of the object where it replaces a mask.

        The original sentence, if known, has no spans. The sentence is empty if the masks cannot be filled.
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
    """Period in which a fact was true; each end is an ISO date, month or year, or empty if open or unknown."""

    start: str = ""
    end: str = ""


class Triplet(Struct, frozen=True, omit_defaults=True, gc=False):
    """Fact with its evidence, flat as in files; `subject` and `object` return its entities."""

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
    """Start of the period in which the fact was true, as an ISO date, month or year.

    Of several periods, the one that ends last is given.
    """
    end: str = ""
    """End of this period."""

    @property
    def subject(self) -> Entity:
        """Subject entity."""
        return Entity(self.subject_uri, self.subject_label, self.subject_aliases, self.subject_types)

    @property
    def object(self) -> Entity:
        """Object entity."""
        return Entity(self.object_uri, self.object_label, self.object_aliases, self.object_types)
