"""Numbers in words, by the tables of the language packs, and in Roman numerals."""

from __future__ import annotations

import re
from collections.abc import Iterable

from factprobe.reading.language import table, vocabulary


def numbers_of(name: str) -> dict[str, int]:
    """Return the number of each word in a table of numbers."""
    return {word: int(number) for number, words in table(name).items() for word in words}


def one_of(words: Iterable[str]) -> str:
    """Return words as the alternatives of a regular expression, longest first."""
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


ROMAN = (
    *("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"),
    *("xi", "xii", "xiii", "xiv", "xv", "xvi", "xvii", "xviii", "xix", "xx", "xxi", "xxii", "xxiii"),
)
"""Roman numerals in names, from 1 upwards."""
CARDINALS, ORDINALS = numbers_of("number"), numbers_of("ordinal")
COLLECTIVES = numbers_of("collective")
SCALES = numbers_of("scale") | numbers_of("scale_sign")
FRACTIONS = numbers_of("fraction") | {f"{word}{s}": n for word, n in ORDINALS.items() if n > 2 for s in ("", "s")}
"""Denominator of each word for a part: half, third, thirds."""
NUMBER_WORDS = CARDINALS | ORDINALS
"""Number of each cardinal and ordinal word."""
WORDS = NUMBER_WORDS | COLLECTIVES
"""Number of each word that may be added to others."""
_MIN_BEFORE_COMMA = 1000
"""Minimum of a scale after which a comma may be within a number in words: two thousand, three hundred."""
_ANY = one_of({*NUMBER_WORDS, *COLLECTIVES, *numbers_of("scale")})
_LARGE = one_of(word for word, number in numbers_of("scale").items() if number >= _MIN_BEFORE_COMMA)
_SCALE_AND = rf"(?:{one_of(numbers_of('scale'))})\s+(?:{one_of(vocabulary('number_and'))})"
WORDS_PATTERN = rf"""(?=(?:{_ANY})\b)(?:(?:{_LARGE}),\s+|{_SCALE_AND}\s+|(?:{_ANY})\b[-\s]+){{0,20}}(?:{_ANY})\b"""
"""Verbose pattern of a number in words; a comma or "and" is within it only after a scale, else between numbers.

The number of words is limited, and no text matches two alternatives of the repeated group, so that time stays linear.
"""
_HUNDREDS = frozenset(word for word, number in CARDINALS.items() if 10 <= number <= 20)
"""Words for the hundreds of a year, as in "nineteen twenty"."""


def number_of(text: str) -> float:
    """Return the number that the words of a text denote, other words aside; "nineteen twenty" is 1920."""
    words = [word for word in re.findall(r"[^\W\d_]+", text.lower()) if word in WORDS or word in SCALES]
    if len(words) in (2, 3) and words[0] in _HUNDREDS and SCALES.keys().isdisjoint(words):
        low = sum(WORDS[word] for word in words[1:])
        if 10 <= low < 100:
            return WORDS[words[0]] * 100 + low
    total = part = 0.0
    for word in words:
        scale = SCALES.get(word, 0)
        if scale == 100:
            part = (part or 1.0) * 100
        elif scale:
            total, part = total + (part or 1) * scale, 0
        else:
            part += WORDS[word]
    return total + part
