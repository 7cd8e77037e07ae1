"""Claims checked against a graph: by the facts that it has, and by how many a relation allows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Literal, NamedTuple

from factprobe.checkers.base import Checker
from factprobe.claims.base import PartSettings
from factprobe.claims.facts import GraphFacts
from factprobe.claims.graph import ClaimReader, reader_of
from factprobe.claims.tokens import tokens
from factprobe.claims.wordings import Told
from factprobe.errors import UnknownNameError
from factprobe.question_types import End
from factprobe.reading.values import Value, value_of
from factprobe.records import Claim, Claimed, ClaimLabel, ClaimVerdict, GraphFact

_SHOWN = 5
"""Facts that a verdict is given, of an entity that has more of a relation."""
_KINDEST: tuple[ClaimLabel, ...] = ("Entailment", "Neutral")
"""What one of several readings makes of a claim, before the others."""
_ONE_OBJECT, _ONE_SUBJECT = ("1-1", "N-1"), ("1-1", "1-N")


class GraphCheckerSettings(PartSettings, frozen=True, kw_only=True):
    """The settings of the graph checker."""

    closed: tuple[str, ...] | Literal["all"] = ()
    """Relations of which the graph has every object of each subject that it has any of, by their ids; or `all`."""
    open: tuple[str, ...] = ()
    """Relations of which it may lack facts, though it says that a subject has but one object, or that it has all of
    them: what it has not may be right."""


class Reading(NamedTuple):
    """One way to take a claim in the terms of the graph."""

    subject: str
    relation: str
    object: str
    """Its URI; empty for a value that no fact has."""
    value: Value | None = None
    """The date or number that the object is, where the relation's are such."""


class GraphChecker(Checker):
    """Goes by the facts of the graph alone; no model is asked, and no reference is read.

    A fact of the graph entails the claim. It contradicts it where the graph has another one in its place: the relation
    allows but one, or the graph is said to have all, by its source (`complete`) or by the user (`closed`). Of an
    ambiguous name any entity may make the claim right, and all of whom the graph knows something have to make it wrong.
    A sentence is as wrong as one of its claims, and right when all that it claims of the graph's entities is.
    """

    settings_type = GraphCheckerSettings
    settings: GraphCheckerSettings
    wants_graph = True
    wants_references = False

    def check(self, texts: Sequence[Claimed]) -> Iterator[tuple[ClaimVerdict, ...]]:
        """See the base class.

        Raises:
            UnknownNameError: the settings name a relation that the graph has not.
        """
        assert self.graph is not None
        judge = _Judge(reader_of(self.graph), self.settings)
        return (tuple(map(judge.verdict, text.claims)) for text in texts)


class _Judge:
    def __init__(self, reader: ClaimReader, settings: GraphCheckerSettings) -> None:
        self.reader, self.facts = reader, reader.facts
        known = self.facts.relations
        closed = known if settings.closed == "all" else settings.closed
        for relation in (*closed, *settings.open):
            if relation not in known:
                raise UnknownNameError(f"relation of the graph for checker {settings.name}", relation, known)
        self._closed = frozenset(closed).difference(settings.open)
        self._open = frozenset(settings.open)

    def verdict(self, claim: Claim) -> ClaimVerdict:
        """What the graph says of a claim."""
        if len(claim.parts) == 3:
            return self._of_triplet(claim)
        found = [self._of_triplet(one) for one in self.reader.claims(claim.text)]
        if not found:
            return ClaimVerdict("Neutral", "no relation of the graph between two of its entities is told")
        order: tuple[ClaimLabel, ...] = ("Contradiction", "Neutral", "Entailment")
        label = next(label for label in order if any(one.label == label for one in found))
        deciding = [one for one in found if one.label == label]
        facts = dict.fromkeys(fact for one in deciding for fact in one.facts)
        return ClaimVerdict(label, deciding[0].why, facts=tuple(facts))

    def _of_triplet(self, claim: Claim) -> ClaimVerdict:
        head, relation, tail = claim.parts
        uris = claim.uris or ("", "", "")
        ends = self._meant(head, uris[0]), self._meant(tail, uris[2])
        names = head, tail
        if not any(ends):
            return ClaimVerdict("Neutral", f"neither {head!r} nor {tail!r} is in the graph")
        unknown = ClaimVerdict("Neutral", f"{relation!r} is no relation of the graph that these two could have")
        verdicts: list[ClaimVerdict] = []
        for ways in self._relations(relation, uris[1], names, ends):
            readings, missing = self._linked(ways, names, ends)
            found = [self._of_reading(reading) for reading in readings] or [ClaimVerdict("Neutral", missing)]
            if known := [verdict for verdict in found if verdict.facts]:
                return next((one for label in _KINDEST for one in known if one.label == label), known[0])
            verdicts += found
        return (verdicts or [unknown])[0]

    def _linked(
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
        return (uri,) if uri in self.facts.entities else self.facts.meant(name)

    def _relations(
        self, text: str, uri: str, names: tuple[str, str], ends: tuple[Sequence[str], Sequence[str]]
    ) -> Iterator[list[tuple[str, bool]]]:
        """The relations that a text can mean, each with whether the head is its subject: those of which it is the name,
        and others for the case that the graph has nothing by them."""
        named = [uri] if uri in self.facts.relations else self.reader.wordings.called(text)
        if named:
            yield [(one, True) for one in named]
        if uri in named:
            return

        def fitting(told: Told) -> int:
            (_, object_), (subjects, objects) = (names, ends) if told.subject_first else (names[::-1], ends[::-1])
            is_value = told.relation in self.facts.value_relations and value_of(object_) is not None
            fits = any(self.facts.stands(uri, told.relation, "subject") for uri in subjects)
            return fits + (is_value or any(self.facts.stands(uri, told.relation, "object") for uri in objects))

        found = self.reader.wordings.told(((), tokens(text), ()), fitting, need=1)
        others = [(told.relation, told.subject_first) for told in found if told.relation not in named]
        if others:
            yield others

    def _fitting(self, uris: Sequence[str], relation: str, end: End) -> Sequence[str]:
        """Of the bearers of a name those that can stand there, if any can."""
        if len(uris) < 2:
            return uris
        return [uri for uri in uris if self.facts.stands(uri, relation, end)] or uris

    def _of_reading(self, reading: Reading) -> ClaimVerdict:
        subject, relation, object_, value = reading
        if object_:
            if self.facts.holds(relation, subject, object_):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, object_),))
            for other in self.facts.inverses(relation):
                if self.facts.holds(other, object_, subject):
                    return ClaimVerdict("Entailment", facts=(self.facts.fact(object_, other, subject),))
        if value is not None:
            return self._of_value(subject, relation, value)
        found = ClaimVerdict("Neutral", "the graph has nothing of it")
        for one, uri, end in self._places(subject, relation, object_):
            others = self.facts.partners(one, uri, end)
            if not others:
                continue
            facts = self._facts(one, uri, end, others)
            if self._is_all(one, end, others):
                if len(others) == 1 and self._is_nested(object_ if uri == subject else subject, others[0]):
                    return ClaimVerdict("Neutral", "the graph has it more or less exact", facts=facts)
                return ClaimVerdict("Contradiction", _instead(self.facts, others), facts=facts)
            if uri == subject:
                found = ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)
        return found

    def _of_value(self, subject: str, relation: str, value: Value) -> ClaimVerdict:
        """What the graph says of a date or number; one that is less exact than the graph's is entailed."""
        held = self.facts.partners(relation, subject, "subject")
        less_exact = False
        for uri in held:
            known = value_of(self.facts.label(uri))
            if known is not None and known.answers(value):
                return ClaimVerdict("Entailment", facts=(self.facts.fact(subject, relation, uri),))
            less_exact = less_exact or (known is not None and value.answers(known))
        if not held:
            return ClaimVerdict("Neutral", "the graph has nothing of it")
        facts = self._facts(relation, subject, "subject", held)
        if less_exact:
            return ClaimVerdict("Neutral", "the graph has it more or less exact", facts=facts)
        if self._is_all(relation, "subject", held):
            return ClaimVerdict("Contradiction", _instead(self.facts, held), facts=facts)
        return ClaimVerdict("Neutral", "the graph has others, and there may be more", facts=facts)

    def _places(self, subject: str, relation: str, object_: str) -> Iterator[tuple[str, str, End]]:
        """Where others may stand in the place of one of two entities: the relation, the other entity and its end."""
        yield relation, subject, "subject"
        inverses = self.facts.inverses(relation)
        yield from ((other, subject, "object") for other in inverses)
        if object_:
            yield relation, object_, "object"
            yield from ((other, object_, "subject") for other in inverses)

    def _facts(self, relation: str, uri: str, end: End, others: Sequence[str]) -> tuple[GraphFact, ...]:
        pairs = ((uri, other) if end == "subject" else (other, uri) for other in others[:_SHOWN])
        return tuple(self.facts.fact(subject, relation, object_) for subject, object_ in pairs)

    def _is_all(self, relation: str, end: End, others: Sequence[str]) -> bool:
        """Whether there are no more partners of an entity than the graph has."""
        if relation in self._closed:
            return True
        if relation in self._open:
            return False
        info = self.facts.relations[relation]
        if end == "subject" and info.complete is True:
            return True
        return len(others) == 1 and info.type in (_ONE_OBJECT if end == "subject" else _ONE_SUBJECT)

    def _is_nested(self, one: str, other: str) -> bool:
        """Whether one of two things is within the other, as a fact of many in one tells: a city, its country."""
        found = chain(self.facts.between(one, other), self.facts.between(other, one))
        return any(self.facts.relations[relation].type == "N-1" for relation in found)


def _instead(facts: GraphFacts, others: Sequence[str]) -> str:
    names = ", ".join(facts.label(uri) for uri in others[:_SHOWN])
    return f"the graph has {names}{', …' * (len(others) > _SHOWN)}"
