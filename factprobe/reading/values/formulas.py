"""Formulas, in which every sign counts: x^2 - 1, E = mc^2, O(n)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from factprobe.text import compose

_OPERAND = r"(?:\d+(?:\.\d+)?[^\W\d_]?|[^\W\d_])"
_FORMULA = re.compile(
    rf".*[=^√±∞¬\u2200-\u220f\u2223-\u223b\u223d-\u228f].*|[^\W\d_]'*\s?\(.+\)|.*\w\s?[<>≤≥]\s?[-−\w].*|"
    rf"[-−](?:\d+[^\W\d_]|[^\W\d_])|(?=.*[a-z])[-−]?{_OPERAND}(?:\s?[-+*−·]\s?{_OPERAND})+|\w!"
)
"""Pattern of a name with an operator, or of a letter with brackets after it: x < 3, n - 1, -π, f'(x)."""
_SAME_SIGNS = str.maketrans({"−": "-", "–": "-", "*": "", "×": "", "·": "", "÷": "/"})
_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_ALONE, _ALONE_BEHIND = r"(?<![\w.^√+*/-])", r"(?!\w|\.\d|\s*[\^/+]|\s*-\s?\w)"


@lru_cache(maxsize=1 << 14)
def formula_of(name: str) -> re.Pattern[str] | None:
    """Return a pattern that finds a formula in a text from `in_line`; None for other names."""
    if not _FORMULA.fullmatch(name):
        return None
    signs = r"\s*".join(map(re.escape, "".join(in_line(name).split())))
    return re.compile(f"{_ALONE}{signs}{_ALONE_BEHIND}", re.IGNORECASE)


def compares(text: str) -> bool:
    """Return whether a text has a sign of comparison."""
    return not {*"<>≤≥"}.isdisjoint(text)


def in_line(text: str) -> str:
    """Return a text with the same sign for each operation, and none for a product: 2  x^2 for 2 · x²."""
    text = _RAISED.sub(lambda found: f"^{unicodedata.normalize('NFKC', found[0])}", text)
    text = compose(text).replace("\N{FRACTION SLASH}", "/")
    return text.translate(_SAME_SIGNS)
