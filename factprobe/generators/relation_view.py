"""Relation seen in one direction: from the entities that questions give to the entities that they ask for."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from factprobe.generators.sampling.distractors import Candidate, Pool, candidates_of
from factprobe.generators.wording.same_values import SameValues
from factprobe.generators.wording.written_values import are_quantities, as_written
from factprobe.periods import Day, holds
from factprobe.question_types import End, other_end
from factprobe.records import Entity, RelationSummary

MAX_LINEAR_SEARCH = 8
"""Maximum size of a collection that is searched without an index."""


class RelationView:
    """Relation from the entities that questions give (`known`) to their answers (`sought`), on a day or at any time."""

    def __init__(self, summary: RelationSummary, sought: End, day: Day | None = None) -> None:
        self._summary = summary
        self._day = day
        self._sought = sought
        self._given = other_end(sought)
        info = summary.relation_info
        self._quantities = {end: are_quantities(info, summary.entities(end)) for end in (sought, self._given)}
        self._is_symmetric = summary.is_symmetric()
        self._has_chain = summary.chain is not None
        labelled = {
            end: {entity.uri: self._with_label(entity, sought) for entity in summary.entities(end)}
            for end in (sought, self._given)
            if end == sought or self._is_symmetric
        }
        further = {entity.uri: self._with_label(entity, sought) for entity in summary.further_entities(sought)}
        self._pool = Pool(labelled[sought], {**further, **labelled.get(self._given, {})})
        self._right: dict[str, Sequence[str]] = {uri: node.partners for uri, node in summary.nodes(self._given).items()}
        """URIs of the right answers for each entity, at any time; in both directions of a symmetric relation."""
        if self._is_symmetric:
            for uri, node in summary.nodes(sought).items():
                self._right[uri] = list(dict.fromkeys((*self._right.get(uri, ()), *node.partners)))
        known = {entity.uri: self._with_label(entity, self._given) for entity in summary.entities(self._given)}
        self._known = candidates_of(known)
        self._namesakes: dict[str, list[str]] = {}
        """Entities with the same name, by normalised name."""
        self._values: SameValues | None = None
        """Index of the entities whose labels are numbers or dates; None if there are none."""
        self._read_names()
        self._unions: dict[str, Sequence[str]] = {}
        """Cache of `answers` for numbers and dates, by URI."""
        self._answer_sets: dict[str, frozenset[str]] = {}

    def _read_names(self) -> None:
        first: dict[str, str] = {}
        values = SameValues()
        for uri, candidate in self._known.items():
            values.add(uri, candidate.values)
            for name in candidate.names():
                bearer = first.setdefault(name, uri)
                if bearer != uri:
                    self._namesakes.setdefault(name, [bearer]).append(uri)
        self._values = values if values.has_values else None

    def _with_label(self, entity: Entity, end: End) -> Entity:
        """Return an entity with its label, or else its first alias, as people write it."""
        names = () if entity.label.strip() else entity.names()
        named = Entity(entity.uri, names[0], names[1:], entity.types) if names else entity
        return as_written(named, is_quantity=self._quantities[end])

    def given_entity(self, uri: str) -> Entity:
        """Return an entity of the end that questions give; raise a `KeyError` if the URI is unknown there."""
        return self._known[uri].entity

    def sought_entity(self, uri: str) -> Entity:
        """Return an entity of the end that questions ask for; raise a `KeyError` if the URI is unknown there."""
        return self._pool.entity(uri)

    def answers(self, known: str) -> Sequence[str]:
        """Return the URIs of the right answers for an entity.

        They include the answers for the same number or date in another notation, and the subjects of more precise
        dates: a person born in March 1990 was born in 1990.
        """
        if self._values is None:
            return self._answers_on_day(known)
        union = self._unions.get(known)
        if union is None:
            bearers = self._with_shared_answers(known)
            if len(bearers) == 1:
                return self._answers_on_day(known)
            union = list(dict.fromkeys(answer for uri in bearers for answer in self._answers_on_day(uri)))
            self._unions[known] = union
        return union

    def _with_shared_answers(self, known: str) -> Collection[str]:
        """Return the URIs of an entity and of equal or more precise values, whose answers are right for it too."""
        if self._values is None:
            return (known,)
        finer = self._values.finer(known) if self._given == "object" else ()
        return dict.fromkeys((known, *self._values.same(known), *finer))

    def _answers_on_day(self, known: str) -> Sequence[str]:
        partners = self._partners(known)
        return partners if self._day is None else [uri for uri in partners if self.is_valid_on_day(known, uri)]

    def _partners(self, known: str) -> Sequence[str]:
        """Return the URIs of the right answers at any time; in both directions of a symmetric relation."""
        return self._right.get(known, ())

    def answers_of_namesakes(self, known: Entity) -> list[str]:
        """Return the URIs of right answers besides the entity's own.

        These are the answers of entities with the same label, unless there are very many, since a question cannot tell
        them apart, and, in questions without a day, answers that further facts entail.
        """
        key = self._known[known.uri].key
        bearers = self._namesakes.get(key, ())
        others = bearers if 1 < len(bearers) <= MAX_LINEAR_SEARCH else ()
        uris = [known.uri, *(uri for uri in others if uri != known.uri and self._known[uri].key == key)]
        if len(uris) == 1 and not self._has_chain:
            return []
        answers = (answer for uri in uris for answer in (*self.answers(uri), *self._further_answers(uri)))
        own = {known.uri, *self.answers(known.uri)}
        return [answer for answer in dict.fromkeys(answers) if answer not in own]

    def _further_answers(self, uri: str) -> Sequence[str]:
        return self._summary.entailed(uri, self._given) if self._day is None else ()

    def outdated_answers(self, known: str) -> Sequence[str]:
        """Return the URIs of answers that are right only on other days than the day of the questions."""
        if self._day is None:
            return ()
        answers = (answer for uri in self._with_shared_answers(known) for answer in self._partners(uri))
        right = frozenset(self.answers(known))
        return [uri for uri in dict.fromkeys(answers) if uri not in right]

    def is_valid_on_day(self, known: str, sought: str) -> bool:
        """Return whether a fact is valid on the day of the questions; True without a day."""
        if self._day is None:
            return True
        is_stored = not self._is_symmetric or sought in self._summary.partners(known, self._given)
        ends = (known, sought) if (self._given == "subject") == is_stored else (sought, known)
        return holds(self._summary.periods(*ends), self._day)

    def entities_with_answer(self, sought: str) -> Sequence[str]:
        """Return the URIs of the entities for which an entity is a right answer."""
        return self._summary.partners(sought, self._sought)

    def find_by_label(self, label: str) -> Entity | None:
        """Return the possible answer with a label; None if there is none."""
        return self._pool.find_by_label(label)

    def has_fact(self, known: str, sought: str) -> bool:
        """Return whether the relation has a fact of two entities, valid at any time."""
        answers = self._partners(known)
        if len(answers) <= MAX_LINEAR_SEARCH:
            return sought in answers
        if known not in self._answer_sets:
            self._answer_sets[known] = frozenset(answers)
        return sought in self._answer_sets[known]

    def _namesakes_and_answers(self, known: Candidate) -> tuple[Sequence[str], Sequence[str]]:
        """Return the URIs of an entity and its namesakes, and all their answers at any time, also by equal values."""
        uri, values = known.entity.uri, self._values
        namesakes = self._namesakes.get(known.key, (uri,))
        equal = [other for node in namesakes for other in (*values.same(node), *values.finer(node))] if values else []
        if len(namesakes) == 1 and not equal:
            return namesakes, self._entailed(uri)
        bearers = dict.fromkeys((*namesakes, *equal))
        return namesakes, [answer for bearer in bearers for answer in self._entailed(bearer)]

    def _entailed(self, uri: str) -> Sequence[str]:
        """Return the right answers at any time, also answers that further facts entail."""
        partners = self._partners(uri)
        if not self._has_chain:
            return partners
        return [*dict.fromkeys((*partners, *self._summary.entailed(uri, self._given)))]
