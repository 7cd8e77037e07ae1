"""Parser of years, dates and numbers, in digits and in words."""

from __future__ import annotations

import re
import unicodedata
from calendar import day_name
from collections.abc import Callable, Iterable
from functools import lru_cache

from msgspec.structs import replace

from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.values.clock import CLOCK, CLOCK_WORDS, clock_from, clock_of
from factprobe.reading.values.fractions import FRACTION, FRACTION_KINDS, fraction
from factprobe.reading.values.number_words import (
    CARDINALS,
    FRACTIONS,
    ORDINALS,
    ROMAN,
    SCALES,
    WORDS,
    WORDS_PATTERN,
    number_of,
    numbers_of,
    one_of,
)
from factprobe.reading.values.parts import join_parts
from factprobe.reading.values.units import MONEY, same_unit, unit_at
from factprobe.reading.values.value import Value
from factprobe.text import compose, normalise

_MONTHS = {form: number for name, number in numbers_of("month").items() for form in (name, normalise(name))}
_UNIT_OF_MONEY = {name.lower(): sign for sign, names in table("currency").items() for name in (sign, *names)}
_LONGEST_INTEGER = 200  # digits; with a scale or in another unit it stays below the largest float
_A = vocabulary("number_a")
_MONTH = one_of(_MONTHS)
_DAY_WORD = one_of(word for word, number in ORDINALS.items() if 0 < number <= 20 or number == 30)
_DAY_TENS = one_of(word for word, number in CARDINALS.items() if number in (20, 30))
_NUMERALS = {numeral: i for i, numeral in enumerate(ROMAN, 1)}
_CENTURY = rf"\d{{1,2}}|(?:(?:{_DAY_TENS})[-\s])?(?:{one_of(ORDINALS)})|(?-i:{one_of(map(str.upper, _NUMERALS))})"
"""Pattern of the number of a century, in figures, words or Roman numerals."""
_DAY = rf"(?:(?:{phrases('day_article')})\s+)?(?:\d{{1,2}}(?:{phrases('nth')}|{phrases('nth_of_day')}|\.)?|"
_DAY += rf"(?:(?:{_DAY_TENS})[-\s])?(?:{_DAY_WORD})\b)"
_ERA = f"(?:{phrases('era_before')}|{phrases('era_after')})"


def _year(name: str) -> str:
    """Return a pattern for a year of three figures or more, or with an era before or after it."""
    figures = rf"(?P<{name}>(?({name}a)\d{{1,4}}|(?:\d{{3,4}}|\d{{1,2}}(?=\s*{_ERA}(?!\w)))))(?!\d)"
    return rf"(?:(?P<{name}a>{_ERA})\s?(?=\d))?{figures}(?:\s*{_ERA}(?!\w))?"


_BEGINNINGS = one_of({word[:3] for word in (*_MONTHS, *WORDS, *FRACTIONS, *numbers_of("scale"), *CLOCK_WORDS)})
_BEGINS = rf"[-+−–.\d'’]|(?:(?:{phrases('day_article')}|{one_of(_A)})\s+)?(?:{_BEGINNINGS})|(?-i:{MONEY})"
_BEGINS += rf"|(?-i:[IVX]+(?![^\W\d_a-zè]))|(?:{phrases('century')})\s"
_BEGINS += rf"|(?:{phrases('minus')})[-\s]|{_ERA}[\s\d]"
"""Pattern of the beginning of any value; at other words, the many types of value need not be tried."""
_OF, _IN = phrases("date_of"), phrases("date_in")
_VALUE = re.compile(
    rf"""(?:(?<![\w.,/])|(?<=\d[hm]))(?={_BEGINS})(?:
    (?P<iso>[+-]?(?P<iy>\d{{4}}|-(?=-))[-/.](?P<im>\d{{1,2}})[-/.](?P<id>\d{{1,2}}))(?:T(?P<it>\d\d:[\d:.]+\d)(?:Z|[-+]\d\d:\d\d)?)?(?!\d)
  | (?P<clock>{CLOCK})
  | (?P<isom>[+-]?(?P<jy>\d{{4}})-(?P<jm>0[1-9]|1[0-2]))(?![-/.,%]?\d)
  | (?P<r1>\d{{3,4}})\s*(?:[-–—]|\b(?:{phrases("until")})\b)\s*
    (?P<r2>\d{{4}}|\d{{2}})(?![\d,.%]\d|\d)
  | (?P<n1>\d{{1,2}})[-/.]\s?(?P<n2>\d{{1,2}})(?:[-/.]\s?(?P<ny>\d{{4}})|/(?P<nyy>\d{{2}}))(?!/?\d)
  | (?P<qm>0?[1-9]|1[0-2])/(?P<qy>\d{{4}})(?!/?\d)
  | (?P<century>{_CENTURY})(?:{phrases("nth")}|{phrases("nth_of_century")})?[-\s]*
    (?:{phrases("century")})(?!\w)(?:\s*(?P<ce>{_ERA})(?!\w))?
  | (?:{phrases("century")})\s+(?P<century_of>{_CENTURY})(?!\w)
  | (?P<cy>\d{{3,4}})\s?(?:{phrases("year_sign")})
    (?:\s?(?P<cm>\d{{1,2}})\s?(?:{phrases("month_sign")})(?:\s?(?P<cd>\d{{1,2}})\s?(?:{phrases("day_sign")}))?)?
  | (?P<dd>{_DAY})[-\s]*(?:(?:{_OF})\s+)?(?P<dm>{_MONTH})\b\.?,?
    (?:[-\s]+(?:(?:{_OF}|{_IN})\s+)?{_year("dy")})?
  | (?P<mm>{_MONTH})\b\.?\s+(?P<md>{_DAY})\b(?!\s*{_ERA}(?!\w|\s?\d))(?:,?\s+(?:(?:{_OF})\s+)?{_year("my")})?
  | (?P<om>{_MONTH})\b\.?,?\s+(?:(?:{_OF})\s+)?{_year("oy")}
  | (?:(?:{phrases("era_after")})\s+)?(?:(?P<decade>\d{{3}}0|['’]\d0)['’]?s)\b
  | {FRACTION}
  | (?:(?-i:(?=[A-Z]\.?\s?[A-Z]))(?P<anno>{_ERA})\s?(?=\d))?
    (?P<sign>[-+−–](?=[^\s\w]?\d)|(?:{phrases("minus")})[-\s]+)?(?P<money>(?-i:{MONEY})\s?)?
    (?P<counted>(?P<number>[-−]?(?:\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\.?\d)
    |(?:(?:0|\d{{1,3}}(?:\.\d{{3}})+),\d+|\d+,(?:\d{{1,2}}|\d{{4,}}))(?![\d,.]\d|\d)
    |(?:\d{{1,3}}(?:[,\s'’]\d{{3}})+(?!\d)|\d+)(?:\.\d+)?(?!\d)|\.\d+))(?!e[-−+]?\d{{3}})
    (?:\s?(?:±|\+/-)\s?\d+(?:\.\d+)?(?!\d))?
    (?:(?:(?P<times>\s?[×x*·⋅]\s?10)|(?<=(?<!\d)10))(?P<power>\^\{{?[-−+]?\d{{1,2}}\}}?|⁻?[⁰¹²³⁴-⁹]{{1,2}})|e(?P<exp>[-−+]?\d{{1,2}})(?![^\W_]))?
    (?P<nth>(?:{phrases("nth")})\b)?(?:(?P<mega>M)(?![^\W\d_])|\s*(?P<scale>{one_of(SCALES)})\b)?)(?:\s*(?P<ne>{_ERA})(?!\w))?
  | (?P<less>(?:{phrases("minus")})[-\s]+)?(?P<words>(?:(?:{one_of(_A)})\s+)?{WORDS_PATTERN})
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_BEFORE_CHRIST = re.compile(rf"(?<![^\W\d_])(?:{phrases('era_before')})(?!\w)", re.IGNORECASE | re.VERBOSE)
_AT = re.compile(
    rf"\s?[,;(–-]?\s*(?:(?:{phrases('value_lead')})\s+)*(?:(?:{one_of(map(str.lower, day_name))}),?\s+)?", re.IGNORECASE
)
"""Pattern of the text that may be between a date and a time of day."""
_WHOLE_DAY = re.compile(r"00:00(?::00(?:\.0+)?)?(?![:\d])")
"""Pattern of midnight, which graphs give as the time if a date stands for the whole day."""
_DURATION = re.compile(r"P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?")
"""Pattern of a duration in ISO 8601, as XML Schema writes it: P3Y, PT90M."""
_DURATION_UNITS = ("years", "months", "days", "hours", "minutes", "seconds")
_AROUND = re.compile(rf"^(?:(?:{phrases('value_lead')})\s+)*|(?<![\s.])[\s.]+$", re.IGNORECASE)


def values_in(text: str) -> list[Value]:
    """Return the dates and numbers in a text, from left to right."""
    values: list[Value] = []
    for match in _VALUE.finditer(text):
        value = _value(match)
        last = values[-1] if values else None
        if last and match.start() < last.end:  # a figure in the unit, as in m/s^2
            continue
        if value and last and (joined := _join(last, value, text[last.end : value.start])):
            values[-1] = joined
        elif value:
            values.append(value)
    return join_parts(values, text)


def _join(last: Value, value: Value, gap: str) -> Value | None:
    """Return a date and a time as one value, given the text between them; None if they are separate."""
    date, time = (last, value) if last.day else (value, last)
    is_pair = date.day and time.clock and not (date.clock or time.day)
    return replace(date, start=last.start, end=value.end, clock=time.clock) if is_pair and _AT.fullmatch(gap) else None


def duration_in_words(text: str) -> str:
    """Return a duration of XML Schema (PT90M) in words, without zeros; empty for zero and for any other text."""
    match = _DURATION.fullmatch(text)
    parts = zip(match.groups(), _DURATION_UNITS, strict=True) if match else ()
    numbers = ((f"{float(number):.15g}", unit) for number, unit in parts if number and float(number))
    return " ".join(f"{number} {unit[:-1] if number == '1' else unit}" for number, unit in numbers)


@lru_cache(maxsize=1 << 14)
def value_of(label: str) -> Value | None:
    """Return the value that a label is, with nothing else; None for other labels."""
    bare = duration_in_words(label) or _AROUND.sub("", compose(label).strip())
    values = values_in(bare) if _VALUE.match(bare) else []
    return values[0] if len(values) == 1 and (values[0].start, values[0].end) == (0, len(bare)) else None


@lru_cache(maxsize=1 << 14)
def value_in_template(template: str, label: str) -> str:
    """Return a date or number with what belongs to it in a template: 2850 km for 2850 in "[X] is [Y] km long".

    Other labels, and values with nothing next to them, are returned unchanged.
    """
    start, text = template.find("[Y]"), template.replace("[Y]", label)
    values = values_in(text) if value_of(label) else ()
    written = (text[value.start : value.end] for value in values if value.start <= start < value.end)
    return next((value for value in written if label in value), label)


def with_unit(templates: Iterable[str], label: str) -> str:
    """Return a value with the unit, scale or era that is next to it in any of the templates: 2850 km for 2850."""
    written = (value_in_template(template, label) for template in templates)
    return next((value for value in written if value != label), label)


def _value(match: re.Match[str]) -> Value | None:
    kind = next(name for name in _PARSERS if match[name])
    return _PARSERS[kind](match, kind)


def _span(match: re.Match[str], kind: str) -> Value:
    first, last = int(match[kind]), int(match["r2"])
    return Value(*match.span(), first, until=last if last >= 100 else first // 100 * 100 + last)


def _figures(match: re.Match[str], kind: str) -> Value:
    one, other, year = int(match[kind]), int(match["n2"]), int(match["ny"] or f"19{match['nyy']}")
    month, day = (other, one) if one > 12 else (one, other)
    return Value(*match.span(), year, month, day, swapped=day <= 12)


def _century(match: re.Match[str], kind: str) -> Value | None:
    """Return a century as the span of its years (19th: 1800 to 1899, as in "the 1800s"); None for the 0th."""
    text = match[kind].lower()
    number = _NUMERALS.get(text) or (int(text) if text.isdigit() else int(number_of(text)))
    is_before = _BEFORE_CHRIST.match(match["ce"] or "") is not None
    first = -100 * number if is_before else 100 * (number - 1)
    return Value(*match.span(), first, until=first + 99, is_period=True) if number else None


def _decade(match: re.Match[str], kind: str) -> Value:
    """Return a decade, of the 20th century if none is given, or a century ("the 1800s"), as the span of its years."""
    first = int(match[kind].lstrip("'’"))
    first += 1900 * (first < 100)
    last = first + (99 if first >= 100 and not first % 100 else 9)
    return Value(*match.span(), first, until=last, is_period=True)


def _date(match: re.Match[str], kind: str) -> Value:
    when, month, day = (match[name] if name else None for name in _PARTS[kind])
    negative = _BEFORE_CHRIST.search(match[0]) or match[0].startswith("-")
    year = (-int(when) if negative else int(when)) if when and when != "-" else None
    until = None
    if year and (both := match["isom"]) and both[0].isdigit() and int(match["jm"]) > year % 100:
        until = year // 100 * 100 + int(match["jm"])  # 1906-08 may also be a span of years
    clock = clock_of(match["it"]) if match["it"] and not _WHOLE_DAY.match(match["it"]) else None
    return Value(*match.span(), year, _month(month), _day(day), until=until, clock=clock)


def _time(match: re.Match[str], kind: str) -> Value:  # noqa: ARG001
    return Value(*match.span(), clock=clock_from(match))


_PARTS = {"iso": ("iy", "im", "id"), "cy": ("cy", "cm", "cd"), "dd": ("dy", "dm", "dd"), "mm": ("my", "mm", "md")}
_PARTS |= {"om": ("oy", "om", ""), "isom": ("jy", "jm", ""), "qm": ("qy", "qm", "")}


def _month(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) or None if text.isdigit() else _MONTHS[text.lower().rstrip(".")]


def _day(text: str | None) -> int | None:
    if not text:
        return None
    figures = re.search(r"\d+", text)
    return (int(figures[0]) if figures else int(number_of(text))) or None


def _number(match: re.Match[str], kind: str) -> Value:
    start = match.start()
    text = match[kind].replace("−", "-")
    digits = text.lstrip("-")
    sign = match["sign"] or ""
    if sign and sign != "+" and digits == text:
        text = f"-{text}"
    has_comma = re.fullmatch(r"\d{1,3}(?:\.\d{3}){2,}|[\d.]+,(?:\d{1,2}|\d{4,})|0,\d+|\d+\.[\d.]+,\d+", digits)
    figures = re.sub(r"[,\s'’]", "", text.replace(".", "").replace(",", ".") if has_comma else text)
    figures = "1" if match["power"] and not match["times"] else figures  # 10^6
    power = _power(match["power"] or match["exp"] or "")
    is_integer = not power and figures.lstrip("-").isdecimal() and len(figures) <= _LONGEST_INTEGER
    number = int(figures) if is_integer else float(f"{figures}e{power}")
    before, scale = (match["money"] or "").strip().lower(), match["mega"] or (match["scale"] or "")
    is_unit = not before and (scale == "m" or match[0].endswith(" K"))
    end = match.end("number") if is_unit else match.end("counted")
    size = 1 if is_unit else 10**6 if match["mega"] else SCALES.get(scale.lower(), 1)
    unit, after = unit_at(match.string, end)
    if before and not (unit and same_unit(unit, _UNIT_OF_MONEY[before])):
        unit, after = _UNIT_OF_MONEY[before], end
    is_year = digits.isdigit() and len(digits) <= 4 and not (scale or power or match["nth"])
    is_year = is_year and not before and (not unit or match.string[end:].lstrip()[0].isupper())  # 1850 A great fire
    year = int(digits) if is_year else None
    if (era := match["ne"] or match["anno"]) and year is not None:
        return Value(start, match.end(), -year if _BEFORE_CHRIST.match(era) else year)
    if year is not None and sign and len(digits) == 4 and digits[0] == "0":  # only years are zero-padded
        return Value(start, end, int(text))
    year = None if len(digits) < 3 or sign else year
    step = float(f"1e{power - len(figures.partition('.')[2])}") * size
    other = (number, scale) if scale == "K" and not unit else None
    if not power and re.fullmatch(r"[1-9]\d{0,2}\.\d{3}", digits):
        other = number * size * 1000, unit
    elif is_unit and unit == "m":
        other = number * 10**6, ""
    return Value(start, after, year, number=number * size, unit=unit, step=step, other=other)


def _power(text: str) -> int:
    """Parse an exponent of ten (^3, ^{3}, ³)."""
    return int(unicodedata.normalize("NFKC", text).strip("^{}").replace("−", "-")) if text else 0


def _in_words(match: re.Match[str], kind: str) -> Value:
    number = number_of(match[kind])
    unit, end = unit_at(match.string, match.end(kind))
    year = int(number) if 1000 <= number <= 2100 and not unit and not match["less"] else None
    return Value(match.start(), end, year, number=-number if match["less"] else number, unit=unit)


_PARSERS: dict[str, Callable[[re.Match[str], str], Value | None]] = {
    **{"clock": _time, "n1": _figures, "r1": _span, "century": _century, "century_of": _century, "decade": _decade},
    **dict.fromkeys(FRACTION_KINDS, fraction),
    **{"number": _number, "words": _in_words},
    **dict.fromkeys(_PARTS, _date),
}
"""Parser of each kind of value, by a group that no match of another kind has."""
