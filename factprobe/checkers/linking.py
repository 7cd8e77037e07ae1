"""The terms of a graph that a triplet's names can mean."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from factprobe.checkers.names import Names
from factprobe.checkers.nearest import CloseRelation, Nearest
from factprobe.claims.graph import ClaimReader
from factprobe.claims.wordings import AND, tokens
from factprobe.question_types import End
from factprobe.reading.assertion import RelationStatus, relation_status
from factprobe.reading.language import vocabulary
from factprobe.reading.values import Value, value_of
from factprobe.records import Claim
from factprobe.text import quote


class LinkedClaim(NamedTuple):
    """One way to take a claim in the terms of the graph."""

    subject: str
    relation: str
    object: str
    """Its URI; empty for a value that no fact has."""
    value: Value | None = None
    """The date or number that the object is, where the relation's are such."""
    near: CloseRelation | None = None
    """The relation by the likeness of the claim's words, where nothing else tells that they mean it."""


class _Ends(NamedTuple):
    """What a claim is about."""

    names: tuple[str, str]
    """Its head and tail."""
    meant: tuple[tuple[str, ...], tuple[str, ...]]
    """The entities that each can mean."""


class _Way(NamedTuple):
    """A relation that a claim can mean."""

    relation: str
    subject_first: bool
    """Whether the head is its subject."""
    is_sure: bool = False
    """Whether the words are its name or wording, or both names could stand at its ends."""


_BOTH = 2
_STANDS, _TIE = 0.5, 0.15
"""What an end that could stand there adds to the score of a relation; scores no nearer than this tell two apart."""
_NOBODY = _Ends(("", ""), ((), ()))


class Linker:
    """Finds what the names of a triplet can mean in a graph.

    A URI that a claim has counts where its entity, or its relation, bears the name.

    Args:
        reader: of the graph.
        nearest: what tells which relation is meant by words that no wording of the graph fits; by default nothing does.
    """

    def __init__(self, reader: ClaimReader, nearest: Nearest | None = None) -> None:
        self._reader, self._nearest = reader, nearest
        self.facts, self._wordings = reader.facts, reader.wordings
        self.names = Names(reader.facts)

    def readings(self, claim: Claim) -> Iterator[tuple[list[LinkedClaim], str]]:
        """The ways to take a claim, those that are next best for the case that the graph has nothing of the others.

        With each comes what has no counterpart in the graph, where there is such.
        """
        relation, ends = claim.parts[1], self._ends(claim)
        if not any(ends.meant):
            yield [], f"neither {quote(ends.names[0])} nor {quote(ends.names[1])} is in the graph"
            return
        is_sure = False
        for ways in self._relations(claim, ends):
            is_sure = is_sure or any(way.is_sure for way in ways)
            yield self._of_ways(ways, ends)
        nothing = f"{quote(relation)} is no relation of the graph that these two could have"
        among = {} if self._nearest is None or is_sure else self._could_be(ends)
        if self._nearest is not None and (near := self._nearest.of(relation, [*among])):
            if near.is_near:
                readings, missing = self._of_ways([among[near.relation]], ends)
                yield [reading._replace(near=near) for reading in readings], missing
            nothing = f"{nothing}; the nearest is {near}"
        yield [], nothing

    def unworded(self, claims: Iterable[Claim]) -> Iterator[tuple[str, Sequence[str]]]:
        """The words of triplets for a relation that no wording of the graph fits, each with those that it could be."""
        for claim in claims:
            ends = self._ends(claim) if len(claim.parts) == 3 else _NOBODY
            if any(ends.meant) and not any(way.is_sure for way in chain.from_iterable(self._relations(claim, ends))):
                yield claim.parts[1], [*self._could_be(ends)]

    def _could_be(self, ends: _Ends) -> dict[str, _Way]:
        """The relations at whose ends both names could stand; without those that could be either way round and mean
        something else then."""
        found = {}
        for relation in self.facts.relations:
            firsts = [first for first in (True, False) if self._standing(relation, ends, subject_first=first) == 2]
            if len(firsts) == 1 or (firsts and relation in self.facts.inverses(relation)):
                found[relation] = _Way(relation, firsts[0])
        return found

    def _of_ways(self, ways: Sequence[_Way], ends: _Ends) -> tuple[list[LinkedClaim], str]:
        """Every way in which the names of a claim can be meant; or which has no counterpart in the graph."""
        readings: list[LinkedClaim] = []
        missing = ""
        for one, subject_first, _ in ways:
            (subject, object_), (subjects, objects) = _turned(ends, subject_first=subject_first)
            value = value_of(object_) if one in self.facts.value_relations else None
            if not (objects or value):
                held = chain.from_iterable(self.facts.partners(one, uri, "subject") for uri in subjects)
                objects = self.names.near(object_, held)
            elif not subjects:
                held = chain.from_iterable(self.facts.partners(one, uri, "object") for uri in objects)
                subjects = self.names.near(subject, held)
            missing = missing or f"{quote(object_ if subjects else subject)} is not in the graph"
            readings += [
                LinkedClaim(s, one, o, value)
                for s in self._fitting(subjects, one, "subject")
                for o in self._fitting(objects, one, "object") or ("",) * (value is not None)
            ]
        return readings, missing

    def _ends(self, claim: Claim) -> _Ends:
        head, _, tail = claim.parts
        uris = claim.uris if len(claim.uris) == 3 else ("", "", "")
        return _Ends((head, tail), (self._meant(head, uris[0]), self._meant(tail, uris[2])))

    def _meant(self, name: str, uri: str) -> tuple[str, ...]:
        """The entities that a name can mean: the one that a claim says, where that bears the name."""
        if uri in self.facts.entities and (
            self.facts.bears(uri, name) or uri in (*self.names.resolve(name), *self.names.near(name, (uri,)))
        ):
            return (uri,)
        is_name = self.facts.named(name) or relation_status(name, [(len(name), len(name))]) == "affirmed"
        return self.names.resolve(name) if is_name else ()

    def _relations(self, claim: Claim, ends: _Ends) -> Iterator[list[_Way]]:
        """The relations that a claim can mean: those of which its words are the name, and others for the case that the
        graph has nothing by them."""
        text = claim.parts[1]
        uri = claim.uris[1] if len(claim.uris) == 3 else ""
        named = self._wordings.called(text)
        named = [uri] if uri in named else named
        if named:
            yield [_Way(one, True, True) for one in named]
        if uri in named:
            return

        found = []
        for score, pair, _ in self._reader.link(claim.parts[0], text, claim.parts[2]):
            relation, is_first = pair.cue.relation, pair.subject == 0
            standing = self._standing(relation, ends, subject_first=is_first)
            if relation not in named and (standing == _BOTH or pair.cue.source != "learned"):
                is_worded = pair.is_exact or (
                    pair.link == "same" and not says_more(text, self._wordings.words[relation])
                )
                if named and not is_worded:
                    continue
                if pair.link == "" and not pair.is_exact:  # Ada Lovelace, birthplace, London
                    turned = self._standing(relation, ends, subject_first=not is_first)
                    is_first, standing = (not is_first, turned) if turned > standing else (is_first, standing)
                way = _Way(relation, is_first, is_worded or standing == _BOTH)
                found.append((pair.link != "other", score + standing * _STANDS, way))
        best = max(found, key=lambda one: one[:2])[:2] if found else (False, 0.0)
        near = [way for is_linked, score, way in found if is_linked == best[0] and score >= best[1] - _TIE]
        others = list(dict.fromkeys(near))
        others = [other for other in others if other.relation == uri] or others
        if others:
            yield others

    def _standing(self, relation: str, ends: _Ends, *, subject_first: bool) -> int:
        """How many of two names could stand at the ends of a relation, that way round."""
        (_, object_), (subjects, objects) = _turned(ends, subject_first=subject_first)
        is_value = relation in self.facts.value_relations and value_of(object_) is not None
        fits = any(self.facts.stands(uri, relation, "subject") for uri in subjects)
        return fits + (is_value or any(self.facts.stands(uri, relation, "object") for uri in objects))

    def _fitting(self, uris: Sequence[str], relation: str, end: End) -> Sequence[str]:
        """Of the bearers of a name those that can stand there, if any can."""
        if len(uris) < 2:
            return uris
        return [uri for uri in uris if self.facts.stands(uri, relation, end)] or uris


def _turned(ends: _Ends, *, subject_first: bool) -> _Ends:
    """Those of the subject and the object, where the head or the tail is the subject."""
    return ends if subject_first else _Ends(ends.names[::-1], ends.meant[::-1])


def status_of(reader: ClaimReader, claim: Claim, relation: str) -> RelationStatus:
    """Return whether the words of a triplet assert a relation."""
    head, words, tail = claim.parts
    text = f"{head} {words} {tail}"
    begin, end = len(head) + 1, len(text) - len(tail)
    return reader.status_of(text, [(0, len(head)), (begin, end - 1), (end, len(text))], relation)


def says_more(text: str, own: frozenset[str]) -> bool:
    """Return whether the words of a relation have a content word that none of its wordings has: wife died in."""
    return bool(_more(text, own))


def is_joined(text: str, own: frozenset[str]) -> bool:
    """Return whether the one word more is joined to the relation, so that both have to hold: was born and raised in."""
    more = _more(text, own)
    if len(more) != 1:
        return False
    parts: list[list[str]] = [[]]
    for key, kind, _ in tokens(text):
        parts.append([]) if kind == AND else parts[-1].append(key)
    strange = next(part for part in parts if more[0] in part)
    has_link = any(key not in own and key in vocabulary("preposition") for key in strange)
    return len(parts) > 1 and not has_link and any(not own.isdisjoint(part) for part in parts if part is not strange)


def _more(text: str, own: frozenset[str]) -> list[str]:
    harmless = vocabulary("harmless", "light_verb", "part_of", "kind")
    return [
        key
        for key, kind, (start, end) in tokens(text)
        if kind == 0 and key not in own and text[start:end].lower() not in harmless
    ]
