"""A relation read from one end to the other: what is asked about and what is right."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import cached_property, lru_cache

from factprobe.generators.sampling.distractors import Candidate, Pool
from factprobe.generators.wording.same_values import SameValues
from factprobe.generators.wording.written_values import are_quantities, as_written
from factprobe.periods import Day, holds
from factprobe.question_types import End
from factprobe.records import Entity, RelationSummary
from factprobe.text import normalise

FEW = 8
"""Answer sets up to this size are searched as they are."""


class RelationView:
    """From the subjects of a relation to their objects, or the reverse.

    Args:
        summary: the relation's answer sets.
        sought: the end that is asked for.
        day: on which the answers are right; None for at any time.
    """

    def __init__(self, summary: RelationSummary, sought: End, day: Day | None = None) -> None:
        self._summary = summary
        self._day = day
        self._sought = sought
        self._given: End = "subject" if sought == "object" else "object"
        info = summary.relation_info
        self._quantities = {end: are_quantities(info, summary.entities(end)) for end in (sought, self._given)}
        self._pool = Pool({entity.uri: self._named(entity, sought) for entity in summary.entities(sought)})
        self._keys: dict[str, str] = {}
        """Normalised label of each known entity."""
        self._namesakes: dict[str, list[str]] = {}
        """Known entities that share a name."""
        self._values: SameValues | None = None
        """Known entities that are numbers or dates; None if there are none, as in most relations."""
        self._read_names()
        self._unions: dict[str, Sequence[str]] = {}
        """Answers of entities that share them with others."""
        self._known = lru_cache(maxsize=2)(self._candidate)  # it is asked for several times in a row
        self._sets: dict[str, frozenset[str]] = {}

    def _read_names(self) -> None:
        first: dict[str, str] = {}
        values = SameValues()
        for found in self._summary.entities(self._given):
            entity = self._named(found, self._given)
            uri = entity.uri
            borne = entity.names() or (entity.label,)
            values.add(uri, borne[0])
            names = list(dict.fromkeys(map(normalise, borne)))
            self._keys[uri] = names[0]
            for name in names:
                bearer = first.setdefault(name, uri)
                if bearer != uri:
                    self._namesakes.setdefault(name, [bearer]).append(uri)
        self._values = values if values.are_any else None

    def _named(self, entity: Entity, end: End) -> Entity:
        """Return the entity with a label as people write it: where the source has none, its first alias."""
        names = () if entity.label.strip() else entity.names()
        named = Entity(entity.uri, names[0], names[1:], entity.types) if names else entity
        return as_written(named, is_quantity=self._quantities[end])

    def known(self, uri: str) -> Entity:
        """Return a known entity.

        Raises:
            KeyError: the relation has none of that URI.
        """
        return self._known(uri).entity

    def _candidate(self, uri: str) -> Candidate:
        entity = self._summary.entity(uri, self._given)
        if entity is None:
            raise KeyError(uri)
        return Candidate(self._named(entity, self._given), self._keys[uri])

    def sought(self, uri: str) -> Entity:
        """Return an entity that is asked for.

        Raises:
            KeyError: the relation has none of that URI.
        """
        return self._pool.entity(uri)

    def keys(self, known: str, sought: str) -> dict[str, str]:
        """Return the labels of a known and a sought entity, with their normalised forms."""
        one = self._known(known)
        return {one.entity.label: one.key, self._pool.entity(sought).label: self._pool.key(sought)}

    def answers(self, known: str) -> Sequence[str]:
        """Return the right answers for a known entity.

        What is right for the same number or date in another writing is right for it too, and so is what an object that
        says more of its day is right for: who was born in March 1990 was born in 1990.
        """
        if self._values is None:
            return self._then(known)
        found = self._unions.get(known)
        if found is None:
            bearers = self._bearers(known)
            if len(bearers) == 1:
                return self._then(known)
            found = list(dict.fromkeys(answer for uri in bearers for answer in self._then(uri)))
            self._unions[known] = found
        return found

    def _bearers(self, known: str) -> Collection[str]:
        """Return an entity and those whose answers it shares."""
        if self._values is None:
            return (known,)
        finer = self._values.finer(known) if self._given == "object" else ()
        return dict.fromkeys((known, *self._values.same(known), *finer))

    def _then(self, known: str) -> Sequence[str]:
        partners = self._summary.partners(known, self._given)
        return partners if self._day is None else [uri for uri in partners if self.is_then(known, uri)]

    def also_right(self, known: Entity) -> list[str]:
        """Return right answers of other entities with the same label, which a question in words cannot distinguish.

        Nothing where so many bear it that the question asks for nobody.
        """
        key = self._keys[known.uri]
        bearers = self._namesakes.get(key, ())
        if not 1 < len(bearers) <= FEW:
            return []
        others = (uri for uri in bearers if uri != known.uri and self._keys[uri] == key)
        return [answer for uri in others for answer in self.answers(uri)]

    def outdated(self, known: str) -> Sequence[str]:
        """Return answers that are right at another time only."""
        if self._day is None:
            return ()
        every = (answer for uri in self._bearers(known) for answer in self._summary.partners(uri, self._given))
        right = frozenset(self.answers(known))
        return [uri for uri in dict.fromkeys(every) if uri not in right]

    def is_then(self, known: str, sought: str) -> bool:
        """Return whether a fact holds on the day in question."""
        if self._day is None:
            return True
        ends = (known, sought) if self._given == "subject" else (sought, known)
        return holds(self._summary.periods(*ends), self._day)

    def holders(self, sought: str) -> Sequence[str]:
        """Return the entities that an answer is right for."""
        return self._summary.partners(sought, self._sought)

    def labelled(self, label: str) -> Entity | None:
        """Return the entity with a drawn candidate's label; None if it is no candidate's."""
        return self._pool.labelled(label)

    def holds(self, known: str, sought: str) -> bool:
        """Return whether the relation holds between two entities, at any time."""
        answers = self._summary.partners(known, self._given)
        if len(answers) <= FEW:
            return sought in answers
        if known not in self._sets:
            self._sets[known] = frozenset(answers)
        return sought in self._sets[known]

    def _true(self, known: Candidate) -> tuple[Sequence[str], Sequence[str]]:
        """Return the known entities of one name, and everything that is right for any of them at any time.

        Equal values and dates that cover each other count as right too.
        """
        uri, values = known.entity.uri, self._values
        namesakes = self._namesakes.get(known.key, (uri,))
        alike = [other for one in namesakes for other in (*values.same(one), *values.finer(one))] if values else []
        if len(namesakes) == 1 and not alike:
            return namesakes, self._right(uri)
        bearers = dict.fromkeys((*namesakes, *alike))
        return namesakes, [answer for one in bearers for answer in self._right(one)]

    def _right(self, known: str) -> Sequence[str]:
        """Return the right answers for an entity, including the reverse ones of a symmetric relation."""
        answers = self._summary.partners(known, self._given)
        if not self._is_symmetric:
            return answers
        reverse = (uri for uri in self._summary.partners(known, self._sought) if uri in self._pool)
        return list(dict.fromkeys([*answers, *reverse]))

    @cached_property
    def _is_symmetric(self) -> bool:
        return self._summary.is_symmetric()
