"""Formulas and ratios, which differ by order and signs: x^2 - 1, a/b, 5/6, 2:1, (3, 4]."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import permutations

from factprobe.reading.language import vocabulary
from factprobe.reading.values import value_of
from factprobe.text import greek_name, straighten_quotes

_RAISED = re.compile("[⁰¹²³⁴-⁹⁺⁻]+")
_FRACTION = re.compile(r"(\d?)([¼-¾⅐-⅞])")
_TOKEN = re.compile(r"\s*(\d+(?:\.\d+)?|[^\W\d_]+|[-+*/^=×÷·()√\[\]{},;|<>≤≥≠±∓∪∩∞!_])")
_SIGN = re.compile(r"[-−–+*/^=×÷·⁰²³¹⁴-⁹⁻_(\[{|<>≤≥≠±∪∩√∞α-ω]|\d\.\d|\d!|^[\W_]+$")
"""Signs of formulas and code; a name without them is neither."""
_SAME_SIGN = {"×": "*", "·": "*", "÷": "/", "sqrt": "√"}
_WRITTEN = {"*": "[*×·]", "/": "[/÷]", "-": "[-−–]", "±": r"(?:±|\+/?[-−–])", "≤": "(?:≤|<=)", "≥": "(?:≥|>=)"}
_WRITTEN |= {"√": "(?:√|sqrt)", "≠": "(?:≠|!=)", "∪": "[∪U]", "_": "_?"}
_OPERATORS = frozenset("+*/^=")
_RELATIONS = frozenset("<>≤≥≠±∓∪∩")
_PARTS = frozenset(",;")
_OPENS, _CLOSES = frozenset("([{"), frozenset(")]}")
_LETTERS = 2
"""Maximal number of consecutive letters that are read as factors (mc)."""
_MOST_SWAPPED = 3
"""Maximal number of solutions that may be given in any order."""
_BEFORE = r"(?<![\w.^√])(?<![-−–+*/^∪∩±×·])(?<![+*/^∪∩±×·]\s)(?<![\w)]\s[-−–]\s)"
_NO_FACTOR = r"(?<!\d\s)"
_NOT_BETWEEN = "(?<![<≤])(?<![<≤] )"
_BEHIND = r"(?!\w|\.\d|\s*[+*/^×÷·∪∩±√]|\s*[-−–]\s?(?:\d|[^\W\d_]\b))"
_FIGURE = re.compile(r"\d")
_SIGNED_FRACTION = re.compile(r"[-−–]?\d+ \d+/\d+|[-−–]\s?\d+/\d+")
_SOLUTION = re.compile(r"-?\d+(?:\.\d+)?(?:/\d+)?")

_COMMON_MARKS = frozenset(".,;:!?-–—'\"()/*&…")
"""Signs of ordinary texts, which are no names."""
_SAYING = frozenset("+#%$€£")
"""Signs that are words by themselves."""
_ALONE, _ALONE_BEHIND = r"(?<![^\s\"'`«“(\[])", r"(?![^\s\"'`»”)\].,!?;:])"
_HTML_TAG = re.compile(r"<(/?)([A-Za-z][\w:-]*)\s*/?>")
_VERSION = re.compile(r"v\.?\s?\d+(?:\.\d+)+|\d+(?:\.\d+){2,}", re.IGNORECASE)
_COMMAND = re.compile(r"[a-z][\w.-]*(?:\s\S+)*\s-[A-Za-z](?:\s\S+)*")
_SOME_WORDS = r"\s+(?:\S+\s+){0,3}?"


def formula_of(name: str) -> re.Pattern[str] | None:
    """Return a pattern that finds a formula or code in any spacing; None for other names.

    The text has to be normalised by `in_line`. A formula consists of numbers, single letters and functions, with an
    operator between two of them, a minus before the first, brackets around a list of them, or a letter and brackets
    around them (O(n)). Names with words, or with a hyphen between capitals, are not formulas (AC/DC, C-3PO).
    """
    return _formula_of(name) if _SIGN.search(name) else None


@lru_cache(maxsize=1 << 14)
def _formula_of(name: str) -> re.Pattern[str] | None:
    if code := _code_of(name):
        return re.compile(code, re.IGNORECASE)
    tokens = _tokens(name)
    parts = _in_parts(tokens)
    is_list = len(parts) > 1 and all(map(_is_part, parts)) and any(len(part) > 1 for part in parts)
    if not (is_list or _is_formula(tokens) or _SIGNED_FRACTION.fullmatch(name.strip())):
        return None
    patterns = [_pattern(part) for part in parts] if is_list else [_pattern(tokens)]
    orders = permutations(patterns) if len(patterns) <= _MOST_SWAPPED else [patterns]
    joint = rf"\s*(?:,|;|{'|'.join(vocabulary('link_and'))}|\n)+\s*"
    pattern = "|".join(joint.join(order) for order in orders)
    before = _BEFORE + _NO_FACTOR * (not tokens[0].isascii() or tokens[0] == "(")
    before += _NOT_BETWEEN * (not _RELATIONS.isdisjoint(tokens))
    return re.compile(f"{before}(?:{pattern}){_BEHIND}", re.IGNORECASE)


def _pattern(tokens: Sequence[str]) -> str:
    pattern, before = "", ""
    needed = _needed_brackets(tokens)
    for i, (token, behind) in enumerate(zip(tokens, [*tokens[1:], ""], strict=True)):
        if token in "()":
            sign = rf"\{token}" if i in needed else rf"\{token}?"
        elif token == "^" and before.isalpha():
            sign = r"\^?" if behind.isdigit() else r"\^"
        else:
            sign = _WRITTEN.get(token) or _letters(token)
        sign += "?" if token == "*" and before.isalpha() and behind.isalpha() else ""
        if before == "√" or (before in vocabulary("function_of_numbers") and token[0].isalnum()):
            sign = rf"\(?{sign}" if behind == "(" else rf"\(?{sign}\)?"
        pattern += _gap(before, token) + (rf"[{{(]?{sign}" if before == "^" and token != "(" else sign)
        before = token
    return pattern


def _needed_brackets(tokens: Sequence[str]) -> set[int]:
    """Return the indices of brackets that change a formula's meaning: around a sum or a list, and after a letter."""
    found: set[int] = set()
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token in _OPENS:
            opened.append(i)
        elif token in _CLOSES and opened:
            start = opened.pop()
            inside = set(tokens[start + 1 : i])
            is_whole = start == 0 and i == len(tokens) - 1 and _PARTS.isdisjoint(inside)
            lead = tokens[start - 1] if start else ""
            is_call = len(lead) == 1 and lead.isalpha()
            splits = not inside.isdisjoint("+-/=<>≤≥±,;") or (lead in "/^√" and i - start > 2)
            if (splits and not is_whole) or is_call or tokens[start] + token != "()":
                found |= {start, i}
    return found


def _gap(before: str, token: str) -> str:
    """Return the pattern between two tokens; between letters it allows a space or a product sign."""
    if not before:
        return ""
    if before[0].isdigit() and token[0].isdigit():
        return r"[\s(]+"
    if not (token.isalpha() or token == "√"):
        return r"\s*"
    if before.isalpha():
        is_function = before.lower() in vocabulary("function_of_numbers")
        return r"[\s(]+" if is_function else r"[\s*×·()]*"
    return r"[\s*×·)]*" if before.isdigit() else r"\s*"


def _letters(token: str) -> str:
    """Return a pattern for a token: letters of a product may be separated, Greek letters spelled out."""
    if not token.isalpha() or token.lower() in vocabulary("function_of_numbers"):
        return re.escape(token)
    return r"[\s*×·]*".join(f"(?:{letter}|{name})" if (name := greek_name(letter)) else letter for letter in token)


def in_line(text: str) -> str:
    """Write superscripts with a caret and fraction signs with figures (x² as x^2, ½ as 1/2)."""
    if text.isascii():
        return text
    text = _FRACTION.sub(lambda found: f"{found[1]} {_plain(found[2])}".strip(), text)
    return _RAISED.sub(lambda found: f"^{_plain(found[0])}", text)


def _plain(signs: str) -> str:
    return unicodedata.normalize("NFKC", signs).replace("⁄", "/")


def is_other_formula(text: str, name: str) -> bool:
    """Return whether a name is a formula that the text does not contain (-cos x for a text with cos x)."""
    formula = formula_of(name)
    return formula is not None and formula.search(in_line(text)) is None


def differs(text: str, name: str) -> bool:
    """Return whether a text differs from a name as a formula or in its unit (5 mW for 5 MW)."""
    if text == name:
        return False
    if is_other_formula(text, name):
        return True
    right = value_of(name) if _FIGURE.search(name) else None
    said = value_of(text) if right is not None and right.unit else None
    return right is not None and said is not None and bool(said.unit) and said.differs(right)


def _tokens(name: str) -> list[str]:
    """Split a name into numbers, words and signs; return an empty list if it contains anything else."""
    plain = in_line(straighten_quotes(name)).strip()
    if not (plain[:1] == "{" and plain[-1:] == "}"):
        plain = plain.replace("{", "").replace("}", "")
    found, end = [], 0
    while end < len(plain):
        token = _TOKEN.match(plain, end)
        if token is None:
            return []
        found.append(_SAME_SIGN.get(token[1].lower(), token[1]))
        end = token.end()
    return found


def _in_parts(tokens: Sequence[str]) -> list[list[str]]:
    """Split tokens at the commas outside brackets."""
    parts: list[list[str]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token in _OPENS) - (token in _CLOSES)
        if token == "," and not depth:
            parts.append([])
        else:
            parts[-1].append(token)
    return parts


def _is_part(tokens: Sequence[str]) -> bool:
    """Return whether tokens can be one of several solutions: a formula, a number or a fraction."""
    return _is_formula(tokens) or _SOLUTION.fullmatch("".join(tokens)) is not None


def _is_formula(tokens: Sequence[str]) -> bool:
    functions = vocabulary("function_of_numbers")
    words = [token for token in tokens if token[0].isalpha()]
    letters = [word for word in words if word.lower() not in functions]
    is_equation = "=" in tokens and any(map(str.isalpha, tokens[tokens.index("=") :]))  # as in PV = nRT
    most = _LETTERS + is_equation
    if any(len(word) > most or (len(word) > 1 and not (word.islower() or is_equation)) for word in letters):
        return False
    if not tokens or not (tokens[-1].isalnum() or tokens[-1] in ")]}∞!|"):
        return False
    if any(map(greek_name, "".join(words))) or "√" in tokens:
        return True
    return len(tokens) > 1 and (_is_bracketed(tokens) or _is_operation(tokens, words, letters))


def _is_bracketed(tokens: Sequence[str]) -> bool:
    """Return whether brackets make the tokens a formula ((3, 4], |x|, O(n))."""
    if tokens[0] in _OPENS and tokens[-1] in _CLOSES and not _PARTS.isdisjoint(tokens):
        return True
    is_call = len(tokens[0]) == 1 and tokens[0].isalpha() and tokens[1] == "(" and tokens[-1] == ")"
    return is_call or tokens[0] == tokens[-1] == "|"


def _is_operation(tokens: Sequence[str], words: Sequence[str], letters: Sequence[str]) -> bool:
    """Return whether operators make the tokens a formula (x + 1, 2^10, -x, n!, x ≤ 5)."""
    inner = tokens[1:-1]
    if not _OPERATORS.isdisjoint(inner):
        return bool(words) or not {"+", "*", "^", "="}.isdisjoint(tokens)  # 5/6 is a ratio
    if not _RELATIONS.isdisjoint(inner) or tokens == ["-", "∞"] or ("_" in inner and tokens[0] not in letters):
        return True
    if tokens[-1] == "!":
        return len(tokens) == 2 and (tokens[0].isdigit() or tokens[0].islower())
    return "-" in tokens and bool(words) and all(len(word) == 1 and word.islower() for word in letters)


def _code_of(name: str) -> str | None:
    """Return a pattern for a symbol, tag, version or command, in which every sign counts; None for other names."""
    if not any(map(str.isalnum, name)):
        return None if _COMMON_MARKS.issuperset(name) or not _SAYING.isdisjoint(name) else _symbol_pattern(name)
    if tag := _HTML_TAG.fullmatch(name):
        alone = "" if tag[1] or len(tag[2]) == 1 else rf"|(?<![</\w]){tag[2]}(?![\w>])"
        return rf"<{tag[1]}{tag[2]}\s*/?>{alone}"
    if _VERSION.fullmatch(name):
        return rf"(?<![\w.]){re.escape(name)}(?!\w|\.\w)"
    if _COMMAND.fullmatch(name):
        return rf"(?<!\w){_SOME_WORDS.join(map(re.escape, name.split()))}(?!\w)"
    return None


def _symbol_pattern(name: str) -> str:
    return f"{_ALONE}{re.escape(name)}{_ALONE_BEHIND}"
