"""Wrong answers from all entities at the same end of the relation, equally likely."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, ClassVar

from factprobe.generators.negatives.base import Negatives, Wanted
from factprobe.generators.sampling.distractors import Candidate, shuffled

if TYPE_CHECKING:
    from random import Random


class Range(Negatives):
    """The range of the relation: any entity of the side, each as likely as the other."""

    wider: ClassVar[str | None] = None
    avoids_together: ClassVar[bool] = False
    avoids_nested: ClassVar[bool] = False

    def candidates(self, wanted: Wanted, rng: Random) -> Iterable[Candidate]:
        """See the base class."""
        pool = self.side.pool
        return shuffled(pool.left(pool.all, "", wanted.key, wanted.true), rng)
