"""Base class and registry of strategies for wrong answers, and what they know of the whole graph."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import cached_property
from random import Random
from typing import ClassVar, NamedTuple

from msgspec import Struct

from factprobe.generators.sampling.distractors import Candidate, CandidateNames, Pool, shuffled
from factprobe.question_types import ENDS, End
from factprobe.records import Entity, RelationSummary
from factprobe.registry import Registry

_NONE: frozenset[str] = frozenset()


class WholeGraph:
    """Roles and neighbours of the entities of a graph, each computed on first use from all relation summaries."""

    def __init__(self, summaries: Callable[[], Iterable[RelationSummary]]) -> None:
        self._summaries = summaries

    @cached_property
    def roles(self) -> dict[str, frozenset[str]]:
        """Roles of each entity, by URI: the relation ends at which it occurs, such as `P36:object`."""
        roles: dict[str, frozenset[str]] = {}
        unions: dict[tuple[frozenset[str], str], frozenset[str]] = {}  # equal sets share one object
        for summary in self._summaries():
            for end in ENDS:
                role = role_of(summary, end)
                for entity in summary.entities(end):
                    before = roles.get(entity.uri, _NONE)
                    roles[entity.uri] = unions.get((before, role)) or unions.setdefault((before, role), before | {role})
        return roles

    @cached_property
    def neighbours(self) -> dict[str, list[str]]:
        """URIs of the entities that share a fact with an entity, by its URI; they may be repeated."""
        by_uri: dict[str, list[str]] = {}
        for summary in self._summaries():
            for end in ENDS:
                for entity in summary.entities(end):
                    by_uri.setdefault(entity.uri, []).extend(summary.partners(entity.uri, end))
        return by_uri


def role_of(summary: RelationSummary, end: End) -> str:
    """Return the name of the role that entities have at one end of a relation: `P36:object`."""
    return f"{summary.relation_info.relation}:{end}"


class CandidateEnd(NamedTuple):
    """End of a relation from whose entities wrong answers are drawn."""

    pool: Pool
    """Entities at this end, as candidates."""
    summary: RelationSummary
    end: End
    graph: WholeGraph
    """Graph that contains the relation."""

    def popularity(self, entity: Entity) -> int:
        """Return the popularity of an entity: its number of facts at this end of the relation."""
        return len(self.summary.partners(entity.uri, self.end))


class DistractorRequest(Struct, frozen=True):
    """Request for wrong answers to one question: the right answer, and the names to avoid."""

    right: Entity
    """Right answer, which wrong answers should resemble."""
    key: str
    """Normalised label of the entity in the question, on which `true` depends; used as a cache key."""
    true: CandidateNames
    """Names that no wrong answer may have."""


class Negatives(ABC):
    """Base class of strategies, which order the entities at one end of a relation as candidates for wrong answers.

    A strategy may yield right answers, duplicates and too few candidates: `DistractorSampler.draw` skips right answers
    and duplicates, and takes what is missing from the next wider strategy.
    """

    wider: ClassVar[str | None] = "random"
    """Name of the strategy that supplies missing wrong answers; None for the widest strategy."""
    avoids_linked: ClassVar[bool] = False
    """True to leave out entities that any relation links to the entity in the question, since they may be right."""
    avoids_likely: ClassVar[bool] = True
    """True to draw last the entities that may be right too: with a nested name, with the right answer among the answers
    of another entity, or a country in place of a city."""

    def __init__(self, side: CandidateEnd) -> None:
        self.side = side

    @abstractmethod
    def candidates(self, wanted: DistractorRequest, rng: Random) -> Iterable[Candidate]:
        """Yield the candidates for a question, best first; an entity may come several times.

        How many numbers are drawn from `rng` may depend only on how many candidates are read.
        """


class Range(Negatives):
    """Strategy that draws any entity at the same end of the relation, with equal probability."""

    wider: ClassVar[str | None] = None
    avoids_likely: ClassVar[bool] = False

    def candidates(self, wanted: DistractorRequest, rng: Random) -> Iterable[Candidate]:
        """Return the entities at this end of the relation, in random order."""
        pool = self.side.pool
        return shuffled(pool.candidates_for(pool.all, "", wanted.key, wanted.true), rng)


negatives: Registry[Negatives] = Registry("negatives", "generator.negatives")


def with_wider(name: str, side: CandidateEnd) -> list[tuple[str, Negatives]]:
    """Return a strategy and the wider ones that supply missing answers, each with its name, the narrowest first."""
    strategies: list[tuple[str, Negatives]] = []
    wider: str | None = name
    while wider is not None:
        cls = negatives.get(wider)
        strategies.append((wider, cls(side)))
        wider = cls.wider
    return strategies
