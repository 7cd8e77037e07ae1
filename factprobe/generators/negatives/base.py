"""Base class and registry of strategies for wrong answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from msgspec import Struct

from factprobe.registry import Registry

if TYPE_CHECKING:
    from random import Random

    from factprobe.generators.negatives.graph import WholeGraph
    from factprobe.generators.sampling.distractors import Candidate, Names, Pool
    from factprobe.question_types import End
    from factprobe.records import Entity, RelationSummary


class CandidateEnd(NamedTuple):
    """End of a relation that wrong answers come from."""

    pool: Pool
    """Its entities."""
    summary: RelationSummary
    end: End
    graph: WholeGraph
    """Graph of the relation."""

    def popularity(self, entity: Entity) -> int:
        """Return an entity's popularity: its number of facts of the relation at this end."""
        return len(self.summary.partners(entity.uri, self.end))


class Wanted(Struct, frozen=True):
    """A question that needs wrong answers."""

    right: Entity
    """Right answer, which they should resemble."""
    key: str
    """Normalised name of the question's entity, which belongs to `true`."""
    true: Names
    """Names that no wrong answer may have."""


class Negatives(ABC):
    """Order in which a side's entities are tried as wrong answers.

    It need not see to it that they are wrong or differ, nor that there are enough: whoever draws passes over what is
    right, and fills up from the next wider strategy.

    Args:
        side: where they come from.
    """

    wider: ClassVar[str | None] = "random"
    """Strategy that completes what this one leaves open; None for the widest."""
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
        """Yield the candidates for a question, best first; an entity may be repeated.

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
    """Return a strategy and those that complete it, by name, from the narrowest to the widest.

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
