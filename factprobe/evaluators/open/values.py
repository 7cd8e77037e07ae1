"""The dates and numbers that a reply gives where the right answers are all that is known."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection
from decimal import ROUND_HALF_UP, Decimal

from factprobe.evaluators.open.turns import item_numbers
from factprobe.evaluators.short.reading import ShortReading
from factprobe.reading.essence import Place
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.names.index import answers_of
from factprobe.reading.once import once
from factprobe.reading.units import measure_in, same_unit
from factprobe.reading.values import Value, is_ordinal, value_of, values_in

_ROUND = 100
_NEAR = 0.05
"""How far a rounded number may be from the one that it stands for, and of how many figures it is at least."""
_FIGURES = 2
_BEFORE = 40
"""Characters before a number that may say that it is left behind."""
_BEYOND = re.compile(rf"(?:{phrases('beyond')})$", re.IGNORECASE)
_SAYS_BEYOND = re.compile(phrases("beyond"))
_BEYOND_YEAR = re.compile(rf"(?:{phrases('beyond_year')})$", re.IGNORECASE)
_SAYS_BEYOND_YEAR = re.compile(phrases("beyond_year"))
SHORT = 12
"""Words of a reply that is nothing but a few names or values."""


class ValueReading(ShortReading, frozen=True):
    """A reply to a question that may be answered by a date or a number."""

    @once
    def is_choice_of_values(self) -> bool:
        """Whether it is nothing but several values, of which it takes none and not all are right: 1968 or 1969."""
        text, values = self.text, self.given_values
        if len(text) > SHORT or all(map(self.is_right, values)):
            return False
        inside = {i for value in values for i in range(*self.words_at(value))}
        told = {word for i, word in enumerate(text.words) if i not in inside}
        if vocabulary("link_or").isdisjoint(told):
            return not told and len(values) > 1 and {",", "\n"}.issuperset("".join(text.mark))
        return told <= vocabulary("function", "hedge", "before_name") | self.question_words

    @property
    def asks_amount(self) -> bool:
        """Whether it is asked for an amount, not for a year."""
        return not vocabulary("asks_amount").isdisjoint(self.asked.words)

    def has_other_unit(self, right: Value, place: Place) -> bool:
        """Whether the number that stands in a place has another unit than the right one."""
        return any(
            value.unit and value.number == right.number and value.differs(right)
            for value in self.given_values
            if (at := self.words_at(value))[0] < place[1] and place[0] < at[1]
        )

    def place_of(self, right: Value, others: Collection[Value]) -> Place | None:
        """Where the reply gives a number, or a date as exactly as the answers have it or less, and no other day."""
        exact = [other for other in others if right.is_year() and other.year == right.year and other.month]
        for value in self.given_values:
            if self._is_beyond(value) or self._is_of_other_kind(value, right):
                continue
            if _agree(value, right) and (not exact or any(_agree(value, other) for other in exact)):
                return self.words_at(value)
        return None

    def _is_of_other_kind(self, value: Value, right: Value) -> bool:
        """Whether a number is no count or no year where one is asked for: 8 %, the 8th, 1879 kilometres."""
        asked = self.question_words
        if value.year is None and value.unit and right.is_year() and not right.unit:
            return not vocabulary("asks_when").isdisjoint(asked) and vocabulary("asks_amount").isdisjoint(asked)
        if right.unit or vocabulary("asks_count").isdisjoint(asked):
            return False
        if same_unit(value.unit, "%"):
            return not same_unit(measure_in([*self.asked.words]), "%")
        said = self.text.source[value.start : value.end]
        return is_ordinal(said) and not any(map(is_ordinal, self.names))

    def _is_beyond(self, value: Value) -> bool:
        """Whether a number is left behind: more than five is not five. Of a round one people say so who estimate."""
        if value.number is None or value.month is not None or value.number % _ROUND == 0:
            return False
        before = self.text.source[max(value.start - _BEFORE, 0) : value.start].rstrip()
        if value.is_year() and _BEYOND_YEAR.search(before) and not any(map(_SAYS_BEYOND_YEAR.search, self.names)):
            return True
        return _BEYOND.search(before) is not None and not any(map(_SAYS_BEYOND.search, self.names))

    @once
    def given_values(self) -> list[Value]:
        """The dates and numbers in it, but for those that number the items of a list."""
        numbers = item_numbers(self.text.source)
        return [value for value in values_in(self.text.source) if value.start not in numbers]

    @once
    def right_values(self) -> list[Value]:
        """The right answers that are dates or numbers."""
        names = (name for answer in answers_of(self.question) for name in answer.names())
        return [value for name in names if (value := value_of(name)) is not None]

    def is_right(self, value: Value) -> bool:
        """Whether a value in it is a right one."""
        return any(_agree(value, right) for right in self.right_values)

    def is_of_kind(self, value: Value) -> bool:
        """Whether a value in it may stand in a right one's place: one in feet says the same again as one in metres."""
        return any(not (value.unit and right.unit) or same_unit(value.unit, right.unit) for right in self.right_values)

    def words_at(self, value: Value) -> Place:
        """The words that a value in it stands in; a quote may stand before the first."""
        starts = self.text.starts
        first = bisect_left(starts, starts[max(bisect_right(starts, value.start) - 1, 0)])
        return first, max(bisect_left(starts, value.end), first + 1)


def _agree(value: Value, right: Value) -> bool:
    """Whether a value is the right one, that rounded, or a date that says less of the same day."""
    if value.answers(right) or (right.month is not None and value.year is not None and right.answers(value)):
        return True
    if not right.unit or value.number is None or right.number is None or value.differs(right):
        return False
    return _is_rounded(value.number, right.number) or _is_rounded(right.number, value.number)


def _is_rounded(number: float, exact: float) -> bool:
    """Whether a number is another one rounded to fewer decimals, at least to one: 42.2 for 42.195, and not 42."""
    if abs(number - exact) > _NEAR * abs(exact):
        return False
    short, long = Decimal(repr(number)).normalize(), Decimal(repr(exact)).normalize()
    places, more = (-int(one.as_tuple().exponent) for one in (short, long))
    if not 0 < places < more or len(short.as_tuple().digits) < _FIGURES:
        return False
    return long.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP) == short
