"""Formulas and numbers in LaTeX as plain text: \\frac{1}{2} is 1/2, 8{,}849 is 8,849, \\pi is π, H_2SO_4 is H2SO4."""

from __future__ import annotations

import re
import unicodedata

_SYMBOLS = {"times": "×", "cdot": "·", "div": "÷", "pm": "±", "approx": "≈", "left": "", "right": "", "degree": "°"}
_COMMAND = re.compile(r"\\([A-Za-z]+)")
_FRACTION = re.compile(r"\\[dt]?frac\s*(?:\{([^{}]{1,60})\}|(\w))\s*(?:\{([^{}]{1,60})\}|(\w))")
_COMMA = re.compile(r"(?<=\d)(?:\{,\}|\\[,!;: ])(?=\d{3}(?!\d))")
_GAP = re.compile(r"\\[,!;:]")
_SUBSCRIPTED = re.compile(r"(?<!\w)(?:(?:[A-Z][a-z]?|[()])(?:_(?:[1-9]\d?|\{[1-9]\d?\}))?){2,}(?![A-Za-z_\d])")
"""The formula of a substance; NM_005157 is a code."""

_POWER_OF_TEN = re.compile(r"([×x*·⋅]\s?10)([⁻⁺]?[⁰¹²³⁴-⁹]{1,2})")


def plain_formulas(text: str) -> str:
    """The text with the commands of LaTeX that stand in numbers and formulas as what they print."""
    text = _GAP.sub(" ", _COMMA.sub(",", text))
    text = _FRACTION.sub(lambda found: f"{found[1] or found[2]}/{found[3] or found[4]}", text)
    return _COMMAND.sub(_symbol, text)


def without_subscripts(text: str) -> str:
    """The text with the figures of chemical formulas in line."""
    return _SUBSCRIPTED.sub(lambda found: re.sub("[_{}]", "", found[0]) if "_" in found[0] else found[0], text)


def with_powers(text: str) -> str:
    """The text with the raised figures of powers of ten behind a caret: 6.65 × 10³."""
    return _POWER_OF_TEN.sub(lambda found: f"{found[1]}^{unicodedata.normalize('NFKC', found[2])}", text)


def _symbol(found: re.Match[str]) -> str:
    name = found[1]
    if name in _SYMBOLS:
        return _SYMBOLS[name]
    try:
        return unicodedata.lookup(f"GREEK {'SMALL' if name.islower() else 'CAPITAL'} LETTER {name.upper()}")
    except KeyError:
        return found[0]
