"""What a strategy for wrong answers is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec import Struct

from factprobe.registry import Registry

if TYPE_CHECKING:
    from random import Random

    from factprobe.generators.negatives.graph import WholeGraph
    from factprobe.generators.sampling import Candidate, Names, Pool
    from factprobe.question_types import End
    from factprobe.records import Entity, RelationSummary


class CandidateEnd(NamedTuple):
    """The end of a relation that wrong answers come from."""

    pool: Pool
    """Its entities."""
    summary: RelationSummary
    end: End
    graph: WholeGraph
    """The one that the relation is part of."""

    def popularity(self, entity: Entity) -> int:
        """How popular an entity is: in how many facts of the relation it stands at this end."""
        return len(self.summary.partners(entity.uri, self.end))


class Wanted(Struct, frozen=True):
    """The question that wrong answers are wanted for."""

    right: Entity
    """The right answer, which they are to be like."""
    key: str
    """The normalised name of what the question is about; `true` belongs to it."""
    true: Names
    """The names that no wrong answer bears."""


class Negatives(ABC):
    """The order in which a side's entities are tried as wrong answers.

    It need not see to it that they are wrong or differ, nor that there are enough: whoever draws passes over what is
    right, and fills up from the next wider strategy.

    Args:
        side: where they come from.
    """

    wider: ClassVar[str | None] = "random"
    """The strategy that fills up what this one leaves; None for the widest."""
    avoids_linked: ClassVar[bool] = False
    """Whether what another relation links to the entity that is asked about is likely right, and so no wrong answer."""
    avoids_together: ClassVar[bool] = True
    """Whether what others have together with the right answer is drawn last, since both may be right."""
    avoids_nested: ClassVar[bool] = True
    """Whether what holds the right answer's name or is held by it is drawn last, for the same reason."""

    def __init__(self, side: CandidateEnd) -> None:
        self.side = side

    @abstractmethod
    def candidates(self, wanted: Wanted, rng: Random) -> Iterable[Candidate]:
        """Those to try for a question, the first ones first; an entity may come again.

        Args:
            wanted: the question.
            rng: the only source of chance; how much is taken from it must follow from what is read alone.
        """


negatives: Registry[Negatives] = Registry(
    "negatives",
    "generator.negatives",
    {
        "random": "factprobe.generators.negatives.range:Range",
        "typed": "factprobe.generators.negatives.typed:Typed",
        "near": "factprobe.generators.negatives.near:Near",
        "popular": "factprobe.generators.negatives.popular:Popular",
    },
)


def chain(name: str, side: CandidateEnd) -> list[tuple[str, Negatives]]:
    """A strategy and those that fill up what it leaves, by name, from the narrowest to the widest.

    Raises:
        UnknownNameError: nothing is registered under the name.
    """
    found: list[tuple[str, Negatives]] = []
    wider: str | None = name
    while wider is not None:
        cls = negatives.get(wider)
        found.append((wider, cls(side)))
        wider = cls.wider
    return found
