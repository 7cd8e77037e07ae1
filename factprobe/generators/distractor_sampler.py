"""Sampler of wrong answers (distractors) to questions about one end of a relation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from random import Random
from typing import NamedTuple

from factprobe.generators.negatives import CandidateEnd, DistractorRequest, WholeGraph, with_wider
from factprobe.generators.relation_view import MAX_LINEAR_SEARCH, RelationView
from factprobe.generators.sampling.distractors import Candidate, CandidateNames, NestedNames, spread_sample
from factprobe.periods import Day
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.records import SEVERAL, Entity, RelationSummary

_MAX_POSTPONED = 64
"""Maximum number of candidates for a question that are kept for the end since they may be right, or as last choices."""
_MAX_SEARCHED = 16
"""Maximum number of entities with an answer, and of answers of each, in which co-occurring answers are searched."""
_MAX_CHAIN = 64
"""Number of entities after which chains of facts are not followed further."""
_MAX_CACHED = 1 << 20
"""Maximum number of co-occurring answers that are cached, over all right answers."""


class _ToAvoid(NamedTuple):
    """Names and entities that wrong answers must not be, for one entity that questions give."""

    key: str
    """Normalised label."""
    true: CandidateNames
    """Names of the entity and its namesakes, and of their right answers."""
    linked: Collection[str]
    """URIs of the entity's neighbours in the graph, which may be right although the relation has no such fact."""
    nested: NestedNames | None
    """Names of the right answers, to avoid names nested with them; None if there are many or it is not needed."""


class DistractorSampler(RelationView):
    """Sampler of wrong answers, by the strategy `negatives`, to questions that ask for one end of a relation."""

    def __init__(
        self,
        summary: RelationSummary,
        sought: End,
        negatives: str = "random",
        graph: WholeGraph | None = None,
        day: Day | None = None,
    ) -> None:
        super().__init__(summary, sought, day)
        self._graph = graph or WholeGraph(lambda: [summary])
        self._chain = with_wider(negatives, CandidateEnd(self._pool, summary, sought, self._graph))
        info = summary.relation_info
        allows_several = info.type in SEVERAL[sought] and info.complete is not True
        strategy, is_open = self._chain[0][1], info.complete is not True
        self._avoids_likely = is_open and strategy.avoids_likely
        self._chains = is_open and not self._is_symmetric and summary.is_chained()
        self._avoids_linked = allows_several and any(strategy.avoids_linked for _, strategy in self._chain)
        self._neighbours: dict[str, frozenset[str]] = {}
        self.draw_counts: Counter[str] = Counter()
        """Number of wrong answers drawn by each strategy; empty if there is only one strategy."""
        self._names_by_date: dict[str, CandidateNames] = {}
        """Names of the right answers for a date that may include more precise dates (1990), by its URI."""
        self._true_names: dict[str, CandidateNames] = {}
        self._cached_to_avoid = lru_cache(maxsize=1)(self._find_to_avoid)  # a fact needs it several times
        self._led_to = lru_cache(maxsize=4096)(self._find_led_to)
        self._cooccurring: dict[str, Collection[str]] = {}
        self._cached_cooccurring = 0

    def draw(
        self, count: int, known: Entity, rng: Random, right: Entity | None = None, last_choices: Collection[str] = ()
    ) -> list[Entity]:
        """Return up to `count` wrong answers, with distinct labels, to a question about an entity or its namesakes.

        The strategy adapts to the answer `right`; without it, all entities of the end are equally likely. Entities in
        `last_choices` come last, and so do countries and states if `right` is none, and all else if it is one, since
        both Tehran and Iran may be right.
        """
        if self._summary.relation_info.complete is False:
            return []
        to_avoid = self._cached_to_avoid(known.uri)
        true, request = to_avoid.true, DistractorRequest(right or known, to_avoid.key, to_avoid.true)
        linked = to_avoid.linked if right else ()
        cooccurring = self._cooccurring_answers(right.uri) if right else ()
        nested = (to_avoid.nested or self._nested_names([right.uri])) if right else None
        regions = vocabulary("region") if right and self._avoids_likely else ()
        is_region = right is not None and self._pool.key(right.uri) in regions
        entities: list[Entity] = []
        chosen_names = CandidateNames()
        postponed: list[Candidate] = []
        last: list[Candidate] = []
        for strategy, negatives in self._chain if right else self._chain[-1:]:  # the last one ignores the right answer
            before = len(entities)
            for candidate in negatives.candidates(request, rng):
                if len(entities) == count:
                    break
                uri = candidate.entity.uri
                if uri in linked:
                    continue
                if len(postponed) < _MAX_POSTPONED and (
                    uri in cooccurring
                    or (nested is not None and nested.clash(candidate))
                    or (self._chains and self._are_chained(known.uri, uri))
                ):
                    postponed.append(candidate)
                elif (uri in last_choices or (candidate.key in regions) != is_region) and len(last) < _MAX_POSTPONED:
                    last.append(candidate)
                elif not (true.clash(candidate) or (entities and chosen_names.clash(candidate))):
                    entities.append(candidate.entity)
                    if len(entities) < count:
                        chosen_names.add(candidate)
            if len(self._chain) > 1:
                self.draw_counts[strategy] += len(entities) - before
            if len(entities) == count:
                return entities
        return entities + _take_distinct(count - len(entities), (*last, *postponed), [true, chosen_names])

    def _are_chained(self, one: str, other: str) -> bool:
        """Return whether a chain of facts links two entities, so that one is right if the relation is transitive."""
        return other in self._led_to(one) or one in self._led_to(other)

    def _cooccurring_answers(self, right: str) -> Collection[str]:
        """Return answers that some entity has together with a right answer, if the strategy draws these last.

        If some mathematicians in the graph are physicists too, "physicist" may be right for any mathematician.
        """
        answers = self._cooccurring.get(right)
        if answers is None:
            answers = self._find_cooccurring(right) if self._avoids_likely else ()
            self._cached_cooccurring += 1 + len(answers)
            if self._cached_cooccurring > _MAX_CACHED:
                self._cooccurring.clear()
                self._cached_cooccurring = 1 + len(answers)
            self._cooccurring[right] = answers
        return answers

    def _find_cooccurring(self, right: str) -> Collection[str]:
        cooccurring: set[str] = set()
        for holder in spread_sample(self.entities_with_answer(right), _MAX_SEARCHED):
            if len(answers := self._partners(holder)) > 1:
                cooccurring.update(spread_sample(answers, _MAX_SEARCHED))
        cooccurring.discard(right)
        return tuple(cooccurring) if len(cooccurring) <= MAX_LINEAR_SEARCH else cooccurring

    def _find_led_to(self, uri: str) -> Collection[str]:
        objects = dict.fromkeys(self._summary.partners(uri, "subject"))
        queue = list(objects)
        for further in queue:
            if len(objects) > _MAX_CHAIN:
                break
            new = [object_ for object_ in self._summary.partners(further, "subject") if object_ not in objects]
            objects.update(dict.fromkeys(new))
            queue += new
        return objects

    def _linked(self, known: str) -> Collection[str]:
        """Return the neighbours of an entity, which may be right too; empty unless the strategy draws neighbours."""
        if not self._avoids_linked:
            return ()
        neighbours = self._graph.neighbours.get(known, ())
        if len(neighbours) <= MAX_LINEAR_SEARCH:
            return neighbours
        if known not in self._neighbours:
            self._neighbours[known] = frozenset(neighbours)
        return self._neighbours[known]

    def _find_to_avoid(self, uri: str) -> _ToAvoid:
        """Return the names and entities to avoid for a given entity; large sets of names are cached."""
        known = self._known[uri]
        true, nested = self._true_names.get(known.key), None
        if true is None:
            namesakes, answers = self._namesakes_and_answers(known)
            named = [*map(self._known.__getitem__, namesakes), *self._pool.candidates(answers)]
            true = CandidateNames(named, self._answers_of_coarser_dates(namesakes))
            if len(answers) > MAX_LINEAR_SEARCH:
                self._true_names[known.key] = true
            else:
                nested = self._nested_names(answers)
        return _ToAvoid(known.key, true, self._linked(uri), nested)

    def _nested_names(self, answers: Iterable[str]) -> NestedNames | None:
        """Return the names of right answers, to draw nested ones last; None if the strategy does not avoid these."""
        return NestedNames(map(self._pool.key, answers)) if self._avoids_likely else None

    def shuffle(self, rng: Random) -> None:
        """Put the answers that `answer_space` returns in random order, the same for all questions."""
        rng.shuffle(self._pool.all)

    def answer_space(self, known: Entity, right: Entity) -> list[Entity]:
        """Return the right answer and all entities without a right name, distinct by label, in the source's order."""
        if self._summary.relation_info.complete is False:
            return [right]
        namesakes, answers = self._namesakes_and_answers(self._known[known.uri])
        true = CandidateNames(self._pool.candidates(answers), self._answers_of_coarser_dates(namesakes))
        return self._pool.wrong_answers(true, right)

    def _answers_of_coarser_dates(self, namesakes: Sequence[str]) -> Sequence[CandidateNames]:
        """Return answers of facts with a coarser date that covers this one, since they may be right as well."""
        values = self._values
        if values is None:
            return ()
        coarser = dict.fromkeys(other for uri in namesakes for other in values.coarser(uri))
        for uri in coarser:
            if uri not in self._names_by_date:
                self._names_by_date[uri] = CandidateNames(self._pool.candidates(self._partners(uri)))
        return [self._names_by_date[uri] for uri in coarser]


def _take_distinct(
    count: int, candidates: Iterable[Candidate], excluded_names: Sequence[CandidateNames]
) -> list[Entity]:
    """Return the first candidates whose names clash neither with each other nor with `excluded_names`."""
    entities: list[Entity] = []
    names = CandidateNames(shared=excluded_names)
    for candidate in candidates:
        if len(entities) < count and not names.clash(candidate):
            entities.append(candidate.entity)
            names.add(candidate)
    return entities
