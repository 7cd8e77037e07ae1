"""Fractions: ⅓, 2½, two and a half, three quarters of an hour."""

from __future__ import annotations

import re

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.values.number_words import (
    CARDINALS,
    COLLECTIVES,
    FRACTIONS,
    ORDINALS,
    WORDS_PATTERN,
    number_of,
    numbers_of,
    one_of,
)
from factprobe.reading.values.units import unit_at
from factprobe.reading.values.value import Value

_A, _AND = one_of(vocabulary("number_a")), one_of(vocabulary("number_and"))
_SCALES = numbers_of("scale") | COLLECTIVES
_NTHS, _ALONE = FRACTIONS.keys() & ORDINALS.keys(), vocabulary("fraction_alone")
_OF = rf"\s+(?:{phrases('date_of')})\b"
_LINK = rf"(?:{_OF})?\s+(?:{_A})(?=\s)"
"""Pattern of the text between a fraction and its unit or scale: half an hour, three quarters of an hour."""
_PART = rf"""(?:(?:{one_of(CARDINALS)}|\d{{1,2}})[-\s]+(?:{one_of(FRACTIONS.keys() - _NTHS)})\b
  | (?:{one_of(word for word, number in CARDINALS.items() if number == 1)}|1)[-\s]+(?:{one_of(_NTHS)})\b
  | (?:{_A})\s+(?:{one_of(_ALONE)})\b)"""
"""Pattern of a fraction with a numerator: three quarters, one third, a half."""
FRACTION = rf"""(?:
    (?P<below>[-–−](?=\d)|(?:{phrases("minus")})[-\s]+)?(?:(?P<whole>\d{{1,3}})[\s-](?=\d))?
    (?P<top>\d{{1,3}})\s?[/⁄]\s?(?P<f_under>[1-9]\d{{0,2}})(?![\d/])
  | (?:(?P<f_whole>{WORDS_PATTERN}|\d{{1,3}})\s+(?:{_AND})\s+)?(?P<f_part>{_PART}
      | (?:{_A})\s+(?:{one_of(_NTHS)})\b(?={_OF}|\s*(?:$|[.,;:!?)]))
      | (?:{one_of(_ALONE)})\b(?={_LINK})
      | \A(?:{one_of(_ALONE)})(?=[\s.!]*\Z))
    (?:(?:{_LINK})?\s+(?P<f_scale>{one_of(_SCALES)})\b)?)"""
"""Verbose pattern of a fraction, for matching without case."""
FRACTION_KINDS = ("f_under", "f_part")
"""Groups of which one is in each match."""
_BEFORE_UNIT = re.compile(_LINK, re.IGNORECASE)


def fraction(match: re.Match[str], kind: str) -> Value:
    """Parse a match of a pattern that contains `FRACTION`."""
    if kind == "f_under":
        whole, number = float(match["whole"] or 0), int(match["top"]) / int(match["f_under"])
    else:
        *top, under = re.split(r"[-\s]+", match[kind].lower())
        whole, number = _count(match["f_whole"] or "0"), (_count("".join(top)) or 1) / FRACTIONS[under]
    number = (whole + number) * _SCALES.get((match["f_scale"] or "").lower(), 1)
    link = _BEFORE_UNIT.match(match.string, match.end())
    unit, end = unit_at(match.string, link.end() if link else match.end())
    end = end if unit else match.end()
    return Value(match.start(), end, number=-number if match["below"] else number, unit=unit, step=0)


def _count(text: str) -> float:
    """Return a number in figures or words; 0 for an article."""
    return int(text) if text.isdecimal() else number_of(text)
