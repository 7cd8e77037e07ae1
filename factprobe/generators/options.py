"""Options of a multiple-choice question, their order, and the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from factprobe.question_types import NONE_OF_THESE
from factprobe.records import Entity
from factprobe.text import normalise

if TYPE_CHECKING:
    from random import Random

Draw = Callable[[int], list[Entity]]
"""Function that draws up to so many wrong answers; smaller draws are prefixes of larger ones."""


class OptionSet(Struct, frozen=True):
    """Options of one question."""

    options: list[Entity]
    """Options in the order shown."""
    right: Entity
    """The right option."""
    none: str = ""
    """Text of the last option, if it says that none of the others is right."""


class OptionLayout:
    """Arrangement of the options of one relation's questions.

    Args:
        options: how many entities a question shows, where there are as many.
        rng: for the order; it is also the one that wrong answers are drawn with.
    """

    def __init__(self, options: int, rng: Random) -> None:
        self._options = options
        self._rng = rng

    def lay(self, right: Entity, draw: Draw) -> OptionSet:
        """Arrange the options of a question in random order.

        Args:
            right: the right answer.
            draw: gives wrong ones.
        """
        options = [right, *draw(self._options - 1)]
        self._rng.shuffle(options)
        return OptionSet(options, right)


class BalancedLayout(OptionLayout):
    """Arrangement in which each position has the right option equally often, once in each round of positions.

    Args:
        options: as in the base class.
        rng: as in the base class.
        places: for the places; None leaves them to `rng`, so that they are even in the long run only.
        none: the text of a last option that says that none of the others is right; empty for none. As often as the
            right answer stands at each other place it is left out, so that this one is right.
    """

    def __init__(self, options: int, rng: Random, places: Random | None, none: str) -> None:
        super().__init__(options, rng)
        self._places = places
        self._none = Entity(NONE_OF_THESE, none)
        self._key = normalise(none)
        """Its normalised name, which no other option shares."""
        self._left: dict[int, list[int]] = {}

    def lay(self, right: Entity, draw: Draw) -> OptionSet:
        """See the base class."""
        none = self._none
        if not none.label or normalise(right.label) == self._key:
            wrong = draw(self._options - 1)
            return OptionSet(self._around(right, wrong, self._place(1 + len(wrong))), right)
        wrong = [entity for entity in draw(self._options) if normalise(entity.label) != self._key]
        if not wrong:
            return OptionSet([right], right)
        place = self._place(1 + len(wrong))
        if place == len(wrong):
            self._rng.shuffle(wrong)
            return OptionSet([*wrong, none], none, none.label)
        return OptionSet([*self._around(right, wrong[:-1], place), none], right, none.label)

    def _around(self, right: Entity, wrong: list[Entity], place: int) -> list[Entity]:
        self._rng.shuffle(wrong)  # they come from the narrowest strategy to the widest
        return [*wrong[:place], right, *wrong[place:]]

    def _place(self, count: int) -> int:
        """Return the position of the right option among so many."""
        if self._places is None:
            return int(self._rng.random() * count)
        left = self._left.get(count)
        if not left:
            left = self._left[count] = list(range(count))
            self._places.shuffle(left)
        return left.pop()
