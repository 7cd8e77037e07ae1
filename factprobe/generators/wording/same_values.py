"""Comparison of labels in other notations: equal values, dates that include others, spellings of a name."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import permutations
from operator import itemgetter
from typing import TYPE_CHECKING
from unicodedata import normalize

from factprobe.reading.language import phrases, table, vocabulary
from factprobe.text import greek_name, normalise

if TYPE_CHECKING:
    from factprobe.reading.values.units import Quantity
    from factprobe.reading.values.value import Value

_OF_PROGRAMS = re.compile(r"[+-]?(?:\d+\.?\d*[eE][+-]?\d+|\.\d+(?:[eE][+-]?\d+)?)")
"""Number in the notation of programs: 1.0E3, .5."""
_DIGIT = re.compile(r"\d")
_FIGURES = re.compile(r"[\d.,\s+−-]+")
_HAS_NUMERAL = re.compile(r"[\d +−♭♯#-](?:(?<=\d)[a-z]|(?<=[ -])[IVXL]+\b|(?<=[+−♭♯#-])$)")
"""Pattern of an ordinal, of what may be a Roman numeral, or of a sign at the end that is read as a word (O-)."""
_POWER_OF_TEN = re.compile(r"(?<=10)[⁺⁻]?[⁰¹²³⁴-⁹]+")
"""Pattern of a superscript exponent after 10."""
_BARE_POWER = re.compile(r"^([-+−]?)(?=10\^)")
"""Pattern of the sign before a power of ten without a factor (`10^6`)."""
_INNER_MARK = re.compile(r"(?<=[^\W\d_])[-‐‑–.](?=[^\W\d_])")
"""Pattern of a hyphen or dot within a word."""
_IN_CODE = re.compile(r"\d(?:(?<=[^\W\d_]\d)|(?=[^\W\d_]))")
"""Pattern of a digit next to a letter, as in a code (`IL6`)."""
_LETTER_DIGIT = re.compile(r"(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_])")
"""Pattern of the boundary between a letter and a digit in a code."""
_amount = itemgetter(0)
_YEAR_DIGITS = (3, 4)
"""Numbers of digits of a number that may be a year."""
_GREEK = "\u0370-\u03ff\u1f00-\u1fff"
_GREEK_LETTER = re.compile(rf"(?<![{_GREEK}])[{_GREEK}µ](?![{_GREEK}])")


class SameValues:
    """Index of the entities at one end of a relation whose labels are numbers or dates, by value, in any reading."""

    def __init__(self) -> None:
        self._keys: dict[str, tuple[str, ...]] = {}
        self._same: dict[str, list[str]] = {}
        self._finer: dict[str, list[str]] = {}

    @property
    def has_values(self) -> bool:
        """True if any label is a number or date."""
        return bool(self._keys)

    def add(self, uri: str, names: tuple[str, ...]) -> None:
        """Add an entity with the comparison keys of its label, from `value_names`."""
        if names:
            self._keys[uri] = names
            self._same.setdefault(names[0], []).append(uri)
            for name in names[1:]:
                self._finer.setdefault(name, []).append(uri)

    def same(self, uri: str) -> Sequence[str]:
        """Return the URIs of the entities with the same value, also the given one; empty if its label is no value."""
        names = self._keys.get(uri)
        return self._same[names[0]] if names else ()

    def finer(self, uri: str) -> Sequence[str]:
        """Return the URIs of entities with a date within this one (March 1990 for 1990), or an equal number."""
        names = self._keys.get(uri)
        return self._finer.get(names[0], ()) if names else ()

    def coarser(self, uri: str) -> Iterator[str]:
        """Yield the URIs of entities with a date that includes this one, or an equal number."""
        for name in self._keys.get(uri, ())[1:]:
            yield from self._same.get(name, ())


def value_names(label: str) -> tuple[str, ...]:
    """Return comparison keys of the number or date in a label; empty if it is neither.

    The first key is the value itself. Further keys are the dates that include it (month, year, decade, century), the
    number without a unit that may be omitted, or with its dot read as a thousands separator. Two labels cannot both be
    options if the first key of one is among the keys of the other. Keys begin with `=`, so that no label equals them.
    """
    if not label[:1].isalpha():  # 5, -5, .5, $5, ½
        if not (label.isdecimal() and label.isascii()):
            return _keys(label.strip())
        digits = label.lstrip("0") or "0"
        return (f"={digits}", *(_period_keys(int(digits)) if len(digits) in _YEAR_DIGITS else ()))
    is_duration = label[0] == "P" and (label[1:2].isdigit() or label[1:2] == "T")  # P3Y, PT90M
    first, _, rest = label.partition(" ")
    first = rest.partition(" ")[0] if first.casefold() in vocabulary("article") else first
    is_value = is_duration or first.casefold().partition("-")[0] in _value_words()
    if not is_value and (digit := _DIGIT.search(label)):
        is_value = _leads_to_value(label[: digit.end()])
    return _keys(label.strip()) if is_value else ()


def equal_keys(labels: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Return, by key, the keys of quantities equal in other units (5 km, 3.1 miles); labels come with first keys."""
    units = {(key, label) for key, label in labels if " " in key}
    if len({_FIGURES.sub("", label) for _, label in units}) < 2:  # all in one unit
        return {}
    from factprobe.reading.values.value_parsing import value_of

    by_unit: dict[tuple[str, float, float], list[tuple[float, str, Quantity]]] = {}
    for key, label in units:
        for one in value.quantities() if (value := value_of(label)) else ():
            by_unit.setdefault((one.kind, one.size, one.zero), []).append((one.amount, key, one))
    for group in by_unit.values():
        group.sort()
    keys_by_label: dict[str, list[str]] = {}
    for (unit, group), (other, others) in permutations(by_unit.items(), 2):
        for amount, key, quantity in group if unit[0] == other[0] else ():
            start = bisect_left(others, amount - quantity.reach, key=_amount)
            end = bisect_right(others, amount + quantity.reach, start, key=_amount)
            for _, equal, another in others[start:end]:
                if equal != key and quantity.equals(another):
                    keys_by_label.setdefault(key, []).append(equal)
                    keys_by_label.setdefault(equal, []).append(key)
    return {key: sorted({*equal}) for key, equal in keys_by_label.items()}


def other_forms(label: str) -> tuple[str, ...]:
    """Return other spellings of a label, normalised.

    Umlauts become two letters (Koeln), Greek letters Latin ones or their names, `&` becomes "and", hyphens and dots
    within words go (email), letters and digits are separated (IL 6), and Roman numerals, number words and ordinals
    become figures, in their place or at the end (2 World War, World War 2).
    """
    has_number = _HAS_NUMERAL.search(label) or not _number_words().isdisjoint(label.lower().split())
    is_plain = label.isascii() and label.replace(" ", "").isalpha()
    is_code = not is_plain and _IN_CODE.search(label) is not None
    if not (has_number or is_code) and (is_plain or (label.isascii() and {"-", ".", "&"}.isdisjoint(label))):
        return ()
    from factprobe.reading.tokenisation.tokens import UMLAUTS, Words  # the settings of every step load this module

    greek = _GREEK_LETTER.sub(_greek_name, label)
    latin = _GREEK_LETTER.sub(lambda match: "u" if match[0] in "µμ" else _greek_name(match).strip("-")[:1], label)
    texts = [spelt for spelt in (label.translate(UMLAUTS), greek, latin, _INNER_MARK.sub("", greek)) if spelt != label]
    if is_code:
        texts.append(_LETTER_DIGIT.sub(" ", label))
    if "&" in label:
        texts.append(label.replace("&", " and "))
    if has_number:
        words = Words(label, is_name=True)
        spelt = [key if key[0].isdigit() else raw for key, raw in zip(words.keys, words.raw, strict=True)]
        content = [word for word in spelt if word.casefold() not in vocabulary("article")]
        texts += [" ".join(spelt), " ".join(sorted(content, key=str.isdecimal))]
    return tuple(map(normalise, texts))


def _greek_name(match: re.Match[str]) -> str:
    """Return the name of a Greek letter, with hyphens between it and adjacent letters."""
    text, (start, end) = match.string, match.span()
    before, after = text[start - 1 : start].isalnum(), text[end : end + 1].isalnum()
    name = greek_name(normalize("NFKC", match[0]).lower())
    return f"{'-' * before}{name}{'-' * after}" if name else match[0]


def _keys(label: str) -> tuple[str, ...]:
    from factprobe.periods import parse_day
    from factprobe.reading.values.value_parsing import value_of

    if (day := parse_day(label)) and ":" not in label:
        return (*_date_keys(day.year, day.month, day.day), *_period_keys(day.year))
    if _OF_PROGRAMS.fullmatch(label):
        return (_of_number(float(label)),)
    label = _POWER_OF_TEN.sub(lambda match: "^" + normalize("NFKC", match[0]), label)
    value = value_of(_BARE_POWER.sub(r"\g<1>1×", label))
    if value is None:
        return ()
    if value.clock:
        return _of_time(value)
    if value.number is None:
        years = value.year if value.until is None else f"{value.year}/{value.until}"
        other = _date_keys(years, value.day, value.month) if value.swapped else ()
        periods = () if value.year is None else _period_keys(value.year, value.until)
        return tuple(dict.fromkeys([*_date_keys(years, value.month, value.day), *other, *periods]))
    readings = (value.number, value.unit), *((value.other,) if value.other else ())
    return tuple(dict.fromkeys(key for number, unit in readings for key in _of_quantity(number, unit)))


def _of_time(value: Value) -> tuple[str, ...]:
    """Return keys of a time (as given, 12 hours later if it may be p.m.) and of its date."""
    days = _date_keys(value.year, value.month, value.day)
    readings = value.clock.readings() if value.clock else ()
    keys = [f"{days[0]}T{text}" for clock in readings for text in clock.texts()]
    return tuple(dict.fromkeys([*keys, *(days if value.day else ())]))


def _of_quantity(number: float, unit: str) -> Iterator[str]:
    """Yield keys that are equal in any unit (1 km, 1000 m), and that of the bare number if the unit may be omitted."""
    from factprobe.reading.values.units import may_be_left_out, quantities

    if unit:
        yield from (_of_number(float(f"{value.amount:.12g}"), value.kind) for value in quantities(number, unit))
    if may_be_left_out(unit):
        yield _of_number(number)


def _of_number(amount: float, unit: str = "") -> str:
    exact = str(int(amount)) if amount % 1 == 0 else repr(amount)
    return f"={exact} {unit}".rstrip()


def _date_keys(year: int | str | None, month: int | None, day: int | None) -> tuple[str, ...]:
    """Return the keys of a date and of the less precise dates that include it, the most precise first."""
    parts = [f"={'' if year is None else year}"]
    parts += [f"{parts[0]}-{month}"] if month else []
    parts += [f"{parts[-1]}-{day}"] if month and day else []
    return tuple(reversed(parts if year is not None else parts[-1:]))


def _period_keys(year: int, until: int | None = None) -> list[str]:
    """Return the keys of the decade and the century that include a year, or a span of years."""
    decade, century = (year // size * size for size in (10, 100))
    last = year if until is None else until
    keys = [f"={decade}/{decade + 9}"] if last < decade + 10 else []
    return [*keys, f"={century}/{century + 99}"] if last < century + 100 else keys


@lru_cache(maxsize=1 << 10)
def _leads_to_value(start: str) -> bool:
    """Return whether the start of a label, up to its first digit, shows a value; cached, since many labels share it."""
    return _value_lead().match(start) is not None


@cache
def _value_lead() -> re.Pattern[str]:
    """Return a pattern of what may precede a number: month, era, "about" and the like, or currency."""
    from factprobe.reading.values.units import MONEY

    months = "|".join(name for names in table("month").values() for name in names)
    eras = f"{phrases('era_after')}|{phrases('era_before')}"
    return re.compile(rf"(?i:{months}|{eras}|{phrases('value_lead')})\.?\s|(?:{MONEY})\s?\d")


@cache
def _number_words() -> frozenset[str]:
    return frozenset(word for name in ("number", "ordinal") for words in table(name).values() for word in words)


@cache
def _value_words() -> frozenset[str]:
    from factprobe.reading.values.clock import CLOCK_WORDS

    return _number_words() | CLOCK_WORDS
