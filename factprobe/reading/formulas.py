"""Formulas and ratios, in which order and signs tell one from another: x^2 - 1, a/b, 5/6, 2:1."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from functools import lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.values import value_of
from factprobe.text import straight

_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[^\W\d_]+|[-+*/^=×÷·()√])")
_SIGN = re.compile("[-−–+*/^=×÷·⁰²³¹⁴-⁹⁻]")
_SAME_SIGN = {"×": "*", "·": "*", "÷": "/"}
_WRITTEN = {"*": r"[*×·]", "/": "[/÷]", "-": "[-−–]", "(": r"\(?", ")": r"\)?"}
_OPERATORS = frozenset("+*/^=")
_LETTERS = 2
"""Letters in a row that may be factors: mc."""
_BEFORE = r"(?<![\w.^])(?<![-−–+*/^])(?<![+*/^]\s)(?<![\w)]\s[-−–]\s)"
_BEHIND = r"(?!\w|\.\d|\s*[+*/^×÷]|\s*[-−–]\s?(?:\d|[^\W\d_]\b))"
_FIGURE = re.compile(r"\d")
_RATIO = re.compile(r"\d+(?:\s?[-/:]\s?\d+)+")
_GAP = 4
"""Words from one number of a ratio to the next: 4 games to 3."""


def formula_of(name: str) -> re.Pattern[str] | None:
    """What finds a formula, however it is spaced, in a text with its powers in line; None where a name is none.

    A formula is made of numbers, single letters and functions, with an operator between two of them or a minus before
    the first. A hyphen between capitals, and what has words in it, makes none: C-3PO, AC/DC.
    """
    return _formula_of(name) if _SIGN.search(name) else None


@lru_cache(maxsize=1 << 14)
def _formula_of(name: str) -> re.Pattern[str] | None:
    tokens = _tokens(name)
    if not _is_formula(tokens):
        return None
    pattern, before = "", ""
    for token in tokens:
        gap = r"[\s(]+" if before.isalpha() and token.isalpha() else r"\s*" if before else ""
        sign = r"\^?" if token == "^" and before.isalpha() else _WRITTEN.get(token, re.escape(token))
        pattern += gap + (rf"\{{?{sign}" if before == "^" else sign)
        before = token
    return re.compile(f"{_BEFORE}{pattern}{_BEHIND}", re.IGNORECASE)


def in_line(text: str) -> str:
    """The text with its raised figures behind a caret: x² as x^2."""
    if text.isascii():
        return text
    return _RAISED.sub(lambda found: f"^{unicodedata.normalize('NFKC', found[0])}", text)


def is_other_formula(text: str, name: str) -> bool:
    """Whether a name is a formula that a text has not: -cos x of a text that has cos x."""
    formula = formula_of(name)
    return formula is not None and formula.search(in_line(text)) is None


def differs(text: str, name: str) -> bool:
    """Whether a text that has a name's letters and figures is another formula, or has another unit: 5 mW for 5 MW."""
    if text == name:
        return False
    if is_other_formula(text, name):
        return True
    right = value_of(name) if _FIGURE.search(name) else None
    said = value_of(text) if right is not None and right.unit else None
    return right is not None and said is not None and bool(said.unit) and said.differs(right)


def ratio_of(name: str) -> tuple[str, ...]:
    """The numbers of a ratio, a score or a fraction in their order; none where a name is something else."""
    plain = straight(name.strip())
    return tuple(re.findall(r"\d+", plain)) if _RATIO.fullmatch(plain) else ()


def ordered(numbers: Sequence[str], places: Mapping[str, Sequence[int]]) -> tuple[int, int] | None:
    """Where numbers stand in their order, with few words between them; None where they do not.

    Args:
        numbers: of a ratio.
        places: those of the words of a text.
    """
    found: list[tuple[int, int]] = []
    for start in places.get(numbers[0], ()):
        last: int | None = start
        for number in numbers[1:]:
            last = next((i for i in places.get(number, ()) if last is not None and last < i <= last + _GAP), None)
        if last is not None:
            found.append((start, last + 1))
    return min(found, key=lambda place: place[1] - place[0], default=None)


def _tokens(name: str) -> list[str]:
    """The numbers, words and signs of a name; none where it has anything else."""
    plain = in_line(straight(name)).replace("{", "").replace("}", "").strip()
    found, end = [], 0
    while end < len(plain):
        token = _TOKEN.match(plain, end)
        if token is None:
            return []
        found.append(_SAME_SIGN.get(token[1], token[1]))
        end = token.end()
    return found


def _is_formula(tokens: Sequence[str]) -> bool:
    if len(tokens) < 2 or not (tokens[-1].isalnum() or tokens[-1] == ")"):
        return False
    functions = vocabulary("function_of_numbers")
    words = [token for token in tokens if token[0].isalpha()]
    letters = [word for word in words if word.lower() not in functions]
    if any(len(word) > _LETTERS or (len(word) > 1 and not word.islower()) for word in letters):
        return False
    if not _OPERATORS.isdisjoint(tokens[1:-1]):
        return bool(words) or not {"+", "*", "^", "="}.isdisjoint(tokens)  # 5/6 is a ratio
    return "-" in tokens and bool(words) and all(len(word) == 1 and word.islower() for word in letters)
