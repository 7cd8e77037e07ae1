"""A relation seen from one end: known entities, right answers and wrong answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from factprobe.generators.negatives import CandidateEnd, Wanted, WholeGraph, chain
from factprobe.generators.relation_view import FEW, RelationView
from factprobe.generators.sampling.distractors import Candidate, Names, NestedNames, some_of
from factprobe.periods import Day
from factprobe.question_types import End
from factprobe.records import SEVERAL, Entity, RelationSummary

if TYPE_CHECKING:
    from random import Random


_POSTPONED = 64
"""Candidates at most that are drawn last, so that a question takes no longer where they are many."""
_LOOKED_AT = 16
"""Entities that an answer is right for, and answers of each, that tell what goes together with it."""
_KEPT = 1024
"""Answers of which that is remembered."""


class Direction(RelationView):
    """A relation from its subjects to its objects, or the reverse.

    Args:
        summary: the relation's answer sets.
        sought: the end that is asked for.
        negatives: the strategy that wrong answers are drawn by.
        graph: the one that the relation is part of; by default it is all there is.
        day: on which the answers are right; None for at any time.
    """

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
        self._chain = chain(negatives, CandidateEnd(self._pool, summary, sought, self._graph))
        info = summary.relation_info
        allows_several = info.type in SEVERAL[sought] and info.complete is not True
        self._avoids_linked = allows_several and any(strategy.avoids_linked for _, strategy in self._chain)
        self._neighbours: dict[str, frozenset[str]] = {}
        self.drawn: Counter[str] = Counter()
        """Number of wrong answers by strategy, where several were tried."""
        self._shared: dict[str, Names] = {}
        """Right answers for a date that covers others."""
        self._true_names: dict[str, Names] = {}
        self._last: tuple[str, Names] | None = None
        self._last_nested: tuple[str, NestedNames] | None = None
        self._together = lru_cache(maxsize=_KEPT)(self._going_together)

    def draw(self, count: int, known: Entity, rng: Random, right: Entity | None = None) -> list[Entity]:
        """Draw up to `count` entities that are wrong for the known entity and for others of its name.

        They are distinct in label; fewer where there are no more.

        Args:
            count: how many.
            known: what the question is about.
            rng: the only source of chance.
            right: the right answer that they are to be like, as the strategy has it; without one any will do.
        """
        if self._summary.relation_info.complete is False:
            return []
        asked = self._known(known.uri)
        true = self._right_names(asked)
        wanted = Wanted(right or known, asked.key, true)
        linked = self._linked(known.uri) if right else ()
        together = self._together(right.uri) if right else ()
        nested = self._nested(asked, right) if right else None
        drawn = _Drawn(count, true)
        postponed: list[Candidate] = []
        for strategy, negatives in self._chain if right else self._chain[-1:]:  # the widest looks at no right answer
            before = len(drawn.every)
            for candidate in negatives.candidates(wanted, rng):
                if drawn.is_full:
                    break
                if candidate.entity.uri in linked:
                    continue
                if len(postponed) < _POSTPONED and (
                    candidate.entity.uri in together or (nested and nested.clash(candidate))
                ):
                    postponed.append(candidate)
                else:
                    drawn.offer(candidate)
            if len(self._chain) > 1:
                self.drawn[strategy] += len(drawn.every) - before
            if drawn.is_full:
                break
        for candidate in postponed:
            drawn.offer(candidate)
        return [candidate.entity for candidate in drawn.every]

    def _going_together(self, right: str) -> Collection[str]:
        """Return other answers of those that a right answer is right for too, which are drawn last.

        Who is a mathematician may be a physicist, if others in the graph are both; and a Catholic is a Christian.
        Nothing where the source has all answers, or the strategy draws any or seeks just those.
        """
        if self._summary.relation_info.complete is True or not self._chain[0][1].avoids_together:
            return ()
        holders = some_of(self.holders(right), _LOOKED_AT)
        answers = (some_of(self._summary.partners(holder, self._given), _LOOKED_AT) for holder in holders)
        return frozenset(uri for found in answers for uri in found if uri != right)

    def _nested(self, known: Candidate, right: Entity) -> NestedNames | None:
        """Return what tells names that are broader or narrower than a right one, which are drawn last.

        None where the source has all answers or the strategy draws any; where they are many, of the one that is asked
        for alone.
        """
        if self._summary.relation_info.complete is True or not self._chain[0][1].avoids_nested:
            return None
        if known.key in self._true_names:  # many right answers
            return NestedNames([self._pool.key(right.uri)])
        uri = known.entity.uri
        if self._last_nested is None or self._last_nested[0] != uri:
            self._last_nested = uri, NestedNames(list(map(self._pool.key, self._true(known)[1])))
        return self._last_nested[1]

    def _linked(self, known: str) -> Collection[str]:
        """Return what is linked to an entity by any relation and may therefore be right for it too.

        Nothing where the strategy does not look at neighbours, or where the relation allows but one answer or its
        source has all.
        """
        if not self._avoids_linked:
            return ()
        neighbours = self._graph.neighbours.get(known, ())
        if len(neighbours) <= FEW:
            return neighbours
        if known not in self._neighbours:
            self._neighbours[known] = frozenset(neighbours)
        return self._neighbours[known]

    def _right_names(self, known: Candidate) -> Names:
        """Return the names of the known entities of one name and of their right answers.

        One fact asks for them several times; large sets are cached for other facts.
        """
        key = known.key
        if self._last is not None and self._last[0] == key:
            return self._last[1]
        true = self._true_names.get(key)
        if true is None:
            namesakes, answers = self._true(known)
            asked = [known] if len(namesakes) == 1 else map(self._known, namesakes)
            true = self._pool.names(asked, answers, self._of_coarser(namesakes))
            if len(answers) > FEW:
                self._true_names[key] = true
        self._last = key, true
        return true

    def answer_space(self, known: Entity, right: Entity) -> list[Entity]:
        """Return the right answer among all entities of the side that are wrong, distinct by label.

        The other right answers, those of namesakes, and entities that share a name with one are left out. The order is
        that of the source.
        """
        if self._summary.relation_info.complete is False:
            return [right]
        namesakes, answers = self._true(self._known(known.uri))
        return self._pool.all_but(self._pool.names((), answers, self._of_coarser(namesakes)), right)

    def _of_coarser(self, namesakes: Sequence[str]) -> Sequence[Names]:
        """Return answers of facts with a coarser date that covers this one, since they may be right as well."""
        values = self._values
        if values is None:
            return ()
        coarser = dict.fromkeys(other for one in namesakes for other in values.coarser(one))
        for uri in coarser:
            if uri not in self._shared:
                self._shared[uri] = self._pool.names((), self._right(uri))
        return [self._shared[uri] for uri in coarser]


class _Drawn:
    """Wrong answers that go together: none is right, and no two have the same name.

    Args:
        count: how many are wanted.
        true: the names that none of them bears.
    """

    def __init__(self, count: int, true: Names) -> None:
        self.every: list[Candidate] = []
        self._count, self._true = count, true
        self._names = Names() if count > 1 else None

    @property
    def is_full(self) -> bool:
        """Return whether enough are drawn."""
        return len(self.every) == self._count

    def offer(self, candidate: Candidate) -> None:
        """Take a candidate, unless there are enough or it has the name of a right answer or of another one."""
        if self.is_full or self._true.clash(candidate) or (self._names and self._names.clash(candidate)):
            return
        if self._names:
            self._names.add(candidate)
        self.every.append(candidate)
