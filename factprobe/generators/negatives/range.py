"""Strategy for wrong answers from the whole end of the relation."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from factprobe.generators.negatives.base import Negatives, Wanted
from factprobe.generators.sampling.distractors import Candidate, shuffled

if TYPE_CHECKING:
    from random import Random


class Range(Negatives):
    """Strategy that draws any entity at the same end of the relation, with equal probability."""

    wider: ClassVar[str | None] = None
    avoids_cooccurring: ClassVar[bool] = False
    avoids_nested: ClassVar[bool] = False

    def candidates(self, wanted: Wanted, rng: Random) -> Iterable[Candidate]:
        """Return the entities at this end of the relation, in random order."""
        pool = self.side.pool
        return shuffled(pool.candidates_for(pool.all, "", wanted.key, wanted.true), rng)
