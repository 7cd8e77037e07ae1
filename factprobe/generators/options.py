"""Order of the options of a multiple-choice question, with the position of the right one."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from msgspec import Struct

from factprobe.question_types import NONE_OF_THESE
from factprobe.records import Entity
from factprobe.text import normalise

Draw = Callable[[int], list[Entity]]
"""Function that returns at most `count` wrong answers; with a smaller count, the first ones of the same list."""


class OptionSet(Struct, frozen=True):
    """Options of one multiple-choice question."""

    options: list[Entity]
    """Options in the order in which they are shown."""
    right: Entity
    """Right option."""
    none: str = ""
    """Text of the last option if it is "none of these"; empty otherwise."""


class OptionLayout:
    """Layout that puts up to `options` options of a question in random order; the function `draw` may use `rng` too."""

    def __init__(self, options: int, rng: Random) -> None:
        self._options = options
        self._rng = rng

    def arrange(self, right: Entity, draw: Draw) -> OptionSet:
        """Return the right answer and wrong answers from `draw`, shuffled."""
        options = [right, *draw(self._options - 1)]
        self._rng.shuffle(options)
        return OptionSet(options, right)


class BalancedLayout(OptionLayout):
    """Layout that chooses the position of the right option, and may add a last option "none of these".

    With `position_rng`, the right option takes each position once before it repeats one; without it, positions are
    drawn independently from `rng`. The option with the text `none`, which does not count as one of `options`, is right
    as often as each other; the right answer is then left out.
    """

    def __init__(self, options: int, rng: Random, position_rng: Random | None, none: str) -> None:
        super().__init__(options, rng)
        self._position_rng = position_rng
        self._none = Entity(NONE_OF_THESE, none)
        self._none_key = normalise(none)
        """Normalised text of the option "none of these", which no other option may have."""
        self._round: dict[int, list[int]] = {}
        """For each number of options: positions that the right option still takes before one is repeated."""

    def arrange(self, right: Entity, draw: Draw) -> OptionSet:
        """Return the options with the right one at the next position; "none of these" is last, and may be right."""
        none = self._none
        if not none.label or normalise(right.label) == self._none_key:
            wrong = draw(self._options - 1)
            return OptionSet(self._insert(right, wrong, self._next_position(1 + len(wrong))), right)
        wrong = [entity for entity in draw(self._options) if normalise(entity.label) != self._none_key]
        if not wrong:
            return OptionSet([right], right)
        position = self._next_position(1 + len(wrong))
        if position == len(wrong):
            self._rng.shuffle(wrong)
            return OptionSet([*wrong, none], none, none.label)
        return OptionSet([*self._insert(right, wrong[:-1], position), none], right, none.label)

    def _insert(self, right: Entity, wrong: list[Entity], position: int) -> list[Entity]:
        self._rng.shuffle(wrong)  # they are in the order of their strategies
        wrong.insert(position, right)
        return wrong

    def _next_position(self, count: int) -> int:
        if self._position_rng is None:
            return int(self._rng.random() * count)
        positions = self._round.get(count)
        if not positions:
            positions = self._round[count] = list(range(count))
            self._position_rng.shuffle(positions)
        return positions.pop()
