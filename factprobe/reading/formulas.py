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
_FRACTION = re.compile(r"(\d?)([¼-¾⅐-⅞])")
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
    for token, behind in zip(tokens, [*tokens[1:], ""], strict=True):
        gap = _gap(before, token)
        sign = r"\^?" if token == "^" and before.isalpha() else _WRITTEN.get(token) or _letters(token)
        sign += "?" if token == "*" and before.isalpha() and behind.isalpha() else ""
        pattern += gap + (rf"\{{?{sign}" if before == "^" else sign)
        before = token
    return re.compile(f"{_BEFORE}{pattern}{_BEHIND}", re.IGNORECASE)


def _gap(before: str, token: str) -> str:
    """What may stand between two tokens: between letters a space or the sign of a product."""
    if not before:
        return ""
    if not token.isalpha():
        return r"\s*"
    if before.isalpha():
        is_function = before.lower() in vocabulary("function_of_numbers")
        return r"[\s(]+" if is_function else r"[\s*×·()]*"
    return r"[\s*×·)]*" if before.isdigit() else r"\s*"


def _letters(token: str) -> str:
    """A token as it may be written: the letters of a product apart, a Greek one by its name."""
    if not token.isalpha() or token.lower() in vocabulary("function_of_numbers"):
        return re.escape(token)
    return r"[\s*×·]*".join(f"(?:{letter}|{name})" if (name := _greek(letter)) else letter for letter in token)


def _greek(letter: str) -> str:
    name = unicodedata.name(letter, "")
    return name.rpartition(" ")[2].lower() if name.startswith("GREEK SMALL LETTER") and name.count(" ") == 3 else ""


def in_line(text: str) -> str:
    """The text with its raised figures behind a caret, and signs of fractions in figures: x² as x^2, ½ as 1/2."""
    if text.isascii():
        return text
    text = _FRACTION.sub(lambda found: f"{found[1]} {_plain(found[2])}".strip(), text)
    return _RAISED.sub(lambda found: f"^{_plain(found[0])}", text)


def _plain(signs: str) -> str:
    return unicodedata.normalize("NFKC", signs).replace("⁄", "/")


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


def _is_formula(tokens: list[str]) -> bool:
    if len(tokens) < 2 or not (tokens[-1].isalnum() or tokens[-1] == ")"):
        return False
    functions = vocabulary("function_of_numbers")
    words = [token for token in tokens if token[0].isalpha()]
    letters = [word for word in words if word.lower() not in functions]
    is_equation = "=" in tokens and any(map(str.isalpha, tokens[tokens.index("=") :]))  # PV = nRT
    most = _LETTERS + is_equation
    if any(len(word) > most or (len(word) > 1 and not (word.islower() or is_equation)) for word in letters):
        return False
    if not _OPERATORS.isdisjoint(tokens[1:-1]):
        return bool(words) or not {"+", "*", "^", "="}.isdisjoint(tokens)  # 5/6 is a ratio
    return "-" in tokens and bool(words) and all(len(word) == 1 and word.islower() for word in letters)
