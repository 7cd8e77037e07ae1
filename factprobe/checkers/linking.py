"""The terms of a graph that a triplet's names can mean."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from factprobe.claims.graph import ClaimReader
from factprobe.claims.stance import said
from factprobe.claims.tokens import tokens
from factprobe.claims.told import Told
from factprobe.question_types import End
from factprobe.reading.values import Value, value_of
from factprobe.records import Claim


class Reading(NamedTuple):
    """One way to take a claim in the terms of the graph."""

    subject: str
    relation: str
    object: str
    """Its URI; empty for a value that no fact has."""
    value: Value | None = None
    """The date or number that the object is, where the relation's are such."""


class Linker:
    """Finds what the names of a triplet can mean in a graph.

    A URI that a claim has counts where its entity, or its relation, bears the name.
    """

    def __init__(self, reader: ClaimReader) -> None:
        self.facts, self._wordings = reader.facts, reader.wordings

    def readings(self, claim: Claim) -> Iterator[tuple[list[Reading], str]]:
        """The ways to take a claim, those that are next best for the case that the graph has nothing of the others.

        With each comes what has no counterpart in the graph, where there is such.
        """
        head, relation, tail = claim.parts
        uris = claim.uris if len(claim.uris) == 3 else ("", "", "")
        ends = self._meant(head, uris[0]), self._meant(tail, uris[2])
        names = head, tail
        if not any(ends):
            yield [], f"neither {head!r} nor {tail!r} is in the graph"
            return
        for ways in self._relations(relation, uris[1], names, ends):
            yield self._of_ways(ways, names, ends)
        yield [], f"{relation!r} is no relation of the graph that these two could have"

    def _of_ways(
        self, ways: Sequence[tuple[str, bool]], names: tuple[str, str], ends: tuple[Sequence[str], Sequence[str]]
    ) -> tuple[list[Reading], str]:
        """Every way in which the names of a claim can be meant; or which has no counterpart in the graph."""
        readings: list[Reading] = []
        missing = ""
        for one, subject_first in ways:
            (subject, object_), (subjects, objects) = (names, ends) if subject_first else (names[::-1], ends[::-1])
            value = value_of(object_) if one in self.facts.value_relations else None
            if not (objects or value):
                held = chain.from_iterable(self.facts.partners(one, uri, "subject") for uri in subjects)
                objects = self.facts.near(object_, held)
            elif not subjects:
                held = chain.from_iterable(self.facts.partners(one, uri, "object") for uri in objects)
                subjects = self.facts.near(subject, held)
            missing = missing or f"{(object_ if subjects else subject)!r} is not in the graph"
            readings += [
                Reading(s, one, o, value)
                for s in self._fitting(subjects, one, "subject")
                for o in self._fitting(objects, one, "object") or ("",) * (value is not None)
            ]
        return readings, missing

    def _meant(self, name: str, uri: str) -> tuple[str, ...]:
        """The entities that a name can mean: the one that a claim says, where that bears the name."""
        if uri in self.facts.entities and (
            self.facts.bears(uri, name) or uri in (*self.facts.meant(name), *self.facts.near(name, (uri,)))
        ):
            return (uri,)
        is_name = self.facts.named(name) or said(name, frozenset()) == "holds"
        return self.facts.meant(name) if is_name else ()

    def _relations(
        self, text: str, uri: str, names: tuple[str, str], ends: tuple[Sequence[str], Sequence[str]]
    ) -> Iterator[list[tuple[str, bool]]]:
        """The relations that a text can mean, each with whether the head is its subject: those of which it is the name,
        and others for the case that the graph has nothing by them."""
        named = self._wordings.called(text)
        named = [uri] if uri in named else named
        if named:
            yield [(one, True) for one in named]
        if uri in named:
            return

        def fitting(told: Told) -> int:
            (_, object_), (subjects, objects) = (names, ends) if told.subject_first else (names[::-1], ends[::-1])
            is_value = told.relation in self.facts.value_relations and value_of(object_) is not None
            fits = any(self.facts.stands(uri, told.relation, "subject") for uri in subjects)
            return fits + (is_value or any(self.facts.stands(uri, told.relation, "object") for uri in objects))

        found = self._wordings.told(((), tokens(text), ()), fitting, need=1)
        others = [(told.relation, told.subject_first) for told in found if told.relation not in named]
        others = [other for other in others if other[0] == uri] or others
        if others:
            yield others

    def _fitting(self, uris: Sequence[str], relation: str, end: End) -> Sequence[str]:
        """Of the bearers of a name those that can stand there, if any can."""
        if len(uris) < 2:
            return uris
        return [uri for uri in uris if self.facts.stands(uri, relation, end)] or uris
