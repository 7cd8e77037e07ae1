"""Formulas, in which every sign counts: x^2 - 1, E = mc^2, O(n)."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import permutations

from factprobe.reading.values.units import measure_in
from factprobe.text import compose, greek_name

_OPERAND = r"(?:\d+(?:\.\d+)?[^\W\d_]?|[^\W\d_])"
_TERM = rf"{_OPERAND}(?:\s?[-+*−·]\s?{_OPERAND})+"
_FORMULA = re.compile(
    rf".*[=^√±∞¬\u2190-\u21ff\u2200-\u220f\u2223-\u223b\u223d-\u228f].*|[^\W\d_]'*\s?\(.+\)|"
    rf"(?!.*[^\W\d_]{{3}})[(\[].+,.+[)\]]|.*[\w|)\]]\s?[<>≤≥]\s?[-−\w].*|"
    rf"[-−](?:\d+[^\W\d_]|[^\W\d_])|(?=.*[a-z])[-−]?{_TERM}|\w!"
)
"""Pattern of a name with an operator, of a letter with brackets after it, or of numbers in brackets.

Examples: x < 3, n - 1, -π, P → Q, f'(x), (0, 1].
"""
_PRODUCT = re.compile(rf"{_OPERAND}?(?:\({_TERM}\))+|[-−]?\d+(?:\.\d+)?[a-zα-ω]|.*[a-zα-ω)](?:\^|[⁰¹²³⁴-⁹]).*")
"""Pattern of a product that may also be a unit: (x - 1)(x + 1), 2x, πr²."""
_BRACKETS = re.compile(r"\([^()]*\)")
_CALL = re.compile(r"([^\W\d_]{2,})\s*\(\s*(\w+)\s*\)")
_COMMAND = re.compile(r"\\(?=[^\W\d_]{2})")
_SAME_SIGNS = str.maketrans(
    {"−": "-", "–": "-", "*": "", "×": "", "·": "", "÷": "/"}
    | {letter: greek_name(letter) for letter in "αβγδεθλμπρστφψω"}
)
_OPERATORS = {"<=": "≤", ">=": "≥", "!=": "≠", "->": "→"}
_IN_ASCII = re.compile("|".join(_OPERATORS))
_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_ALONE, _ALONE_BEHIND = r"(?<![\w.^√+*/-])", r"(?!\w|\.\d|\s*[\^/+]|\s*-\s?\w)"
_COMPARES, _WORD = re.compile("[<>≤≥]"), re.compile(r"\w+")


@lru_cache(maxsize=1 << 14)
def formula_of(name: str) -> re.Pattern[str] | None:
    """Return a pattern that finds a formula in a text from `in_line`; None if the name is no formula."""
    if not _FORMULA.fullmatch(name) and not (_PRODUCT.fullmatch(name) and not measure_in(name)):
        return None
    plain = "".join(in_line(name).split())
    factors = _BRACKETS.findall(plain)
    orders = {plain}
    if "".join(factors) == plain and len(factors) <= 3:
        orders.update(map("".join, permutations(factors)))
    signs = "|".join(r"\s*".join(map(re.escape, order)) for order in sorted(orders))
    return re.compile(f"{_ALONE}(?:{signs}){_ALONE_BEHIND}", re.IGNORECASE)


def is_in_words(name: str, text: str) -> bool:
    """Return whether a text may have the comparison signs or outer brackets of a formula in words."""
    if name[0] in "([":
        return "(" not in text and "[" not in text
    return _COMPARES.search(name) is not None and not (
        _COMPARES.search(text) or _WORD.findall(in_line(text)) == _WORD.findall(in_line(name))
    )


def in_line(text: str) -> str:
    """Return a text with one notation: no sign for a product, 2  x^2 for 2 · x², log n for log(n)."""
    text = _RAISED.sub(lambda match: f"^{unicodedata.normalize('NFKC', match[0])}", text)
    text = _IN_ASCII.sub(lambda match: _OPERATORS[match[0]], compose(text).replace("\N{FRACTION SLASH}", "/"))
    return _CALL.sub(r"\1 \2", _COMMAND.sub("", text)).translate(_SAME_SIGNS)
