"""Years, dates and numbers, in figures and in words, and when two of them are the same."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from msgspec import Struct

from factprobe.text import normalise


class Value(Struct, frozen=True, gc=False):
    """A date as far as it is given, a number, or a span of years; years before Christ are negative."""

    start: int
    """Where it stands in the text."""
    end: int
    year: int | None = None
    month: int | None = None
    day: int | None = None
    number: float | None = None
    until: int | None = None
    """The last year of a span."""
    unit: str = ""
    thousands: float | None = None
    """The number where its dot parts thousands: 169.176."""
    swapped: bool = False
    """Whether day and month may have been meant the other way round: 03/04/1920."""

    def is_year(self) -> bool:
        """Whether it may be a year and no more exact a date."""
        return self.year is not None and self.month is None and self.until is None

    def answers(self, right: Value) -> bool:
        """Whether who says this says the right value; a date may be more exact than the right one, never less."""
        if right.until is not None or self.until is not None:
            return (self.year, self.until) == (right.year, right.until)
        if right.number is not None and self.number is not None and right.month is None:
            same_unit = not (right.unit and self.unit) or right.unit == self.unit
            return right.number in (self.number, self.thousands) and same_unit and (self.year or 0) >= 0
        if right.year is None or self.year != right.year:
            return False
        if right.month is None:
            return True
        if right.day is None:
            return self.month == right.month
        plain = (self.month, self.day) == (right.month, right.day)
        return plain or (self.swapped and (self.day, self.month) == (right.month, right.day))


_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan januar janvier enero gennaio janeiro januari",
            "february feb februar février febrero febbraio fevereiro februari",
            "march mar märz mars marzo março maart",
            "april apr avril abril aprile",
            "may mai mayo maggio maio mei",
            "june jun juni juin junio giugno junho",
            "july jul juli juillet julio luglio julho",
            "august aug août agosto augustus",
            "september sept sep septembre septiembre settembre setembro",
            "october oct oktober octobre octubre ottobre outubro okt",
            "november nov novembre noviembre novembro",
            "december dec dezember décembre diciembre dicembre dezembro desember",
        ),
        start=1,
    )
    for listed in names.split()
    for name in (listed, normalise(listed))
}
UNITS = {
    unit: names.split()[0]
    for names in (
        "m metre metres meter meters",
        "km kilometre kilometres kilometer kilometers",
        "ft foot feet",
        "mi mile miles",
        "kg kilogram kilograms",
        "% percent",
        "km2 km²",
        "people inhabitants residents persons",
        "year years",
        "day days",
    )
    for unit in names.split()
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_SCALES |= {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9}
_ONES = re.findall(
    r"\w+",
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
)
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
ORDINALS = re.findall(
    r"\w+",
    "zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth "
    "thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth",
)
_WORDS = {word: n for words in (_ONES, ORDINALS) for n, word in enumerate(words)}
_WORDS |= {word: 20 + 10 * n for n, word in enumerate(_TENS)} | {
    f"{w[:-1]}ieth": 20 + 10 * n for n, w in enumerate(_TENS)
}
_ORDINAL_WORDS = frozenset(ORDINALS) | {f"{word[:-1]}ieth" for word in _TENS}
_WORDS |= {"dozen": 12, "oh": 0, "fourty": 40, "ninty": 90, "ninteen": 19, "eightteen": 18}
_MONTH = "|".join(sorted((re.escape(name) for name in _MONTHS), key=len, reverse=True))
_NUMBER_WORD = "|".join(sorted({*_WORDS, *_SCALES} - {"oh", "k", "m", "mn", "bn"}, key=len, reverse=True))
_DAY = r"\d{1,2}(?:st|nd|rd|th|er|º|\.)?|(?:the\s+)?(?:(?:twenty|thirty)[-\s])?"
_DAY += f"(?:{'|'.join([*ORDINALS[1:], 'twentieth', 'thirtieth'])})"
_ERA = r"(?:\s*(?P<{0}>b\.?c\.?(?:e\.?)?|a\.?d\.?|c\.?e\.?)(?![\w]))?"
_UPON = rf"(?:(?:\d{{1,2}}\s+)?(?:{_MONTH})\s+)?"
"""A day and month before a year."""
_VALUE = re.compile(
    rf"""(?<![\w.,/])(?:
    (?P<iso>[+-]?(?P<iy>\d{{4}})[-/.](?P<im>\d{{1,2}})[-/.](?P<id>\d{{1,2}}))(?:T[\d:.]+Z?)?(?!\d)
  | {_UPON}(?P<r1>\d{{3,4}})\s*(?:[-–—]|\bto\b|\buntil\b|\bthrough\b|(?<=between\ \d{{4}}\ )and\b)\s*
    {_UPON}(?P<r2>\d{{4}}|\d{{2}})(?![\d,.%]\d|\d)
  | (?P<n1>\d{{1,2}})[-/.]\s?(?P<n2>\d{{1,2}})[-/.]\s?(?P<ny>\d{{4}})(?!\d)
  | (?P<cy>\d{{3,4}})年(?:(?P<cm>\d{{1,2}})月(?:(?P<cd>\d{{1,2}})日)?)?
  | (?P<dd>{_DAY})\s*(?:of\s+|de\s+)?(?P<dm>{_MONTH})\b\.?,?
    (?:\s+(?:of\s+|del?\s+|in\s+)?(?P<dy>\d{{3,4}})(?!\d){_ERA.format("de")})?
  | (?P<mm>{_MONTH})\b\.?\s+(?P<md>{_DAY})\b(?:,?\s+(?:of\s+)?(?P<my>\d{{3,4}})(?!\d){_ERA.format("me")})?
  | (?P<yy>\d{{4}}),?\s+(?P<ym>{_MONTH})\b\.?,?\s+(?P<yd>{_DAY})(?!\w)
  | (?P<om>{_MONTH})\b\.?,?\s+(?:of\s+|de\s+)?(?P<oy>\d{{3,4}})(?!\d)
  | (?:ad\s+)?(?P<decade>\d{{3}}0)['’]?s\b
  | (?P<number>[-+−]?(?:\d{{1,3}}(?:[,\s'’]\d{{3}})+(?![\d])|\d{{1,3}}(?:\.\d{{3}}){{2,}}(?!\d)|\d+)(?:\.\d+)?(?!\d))
    (?P<nth>(?:st|nd|rd|th)\b)?(?:\s*(?P<scale>hundred|thousand|million|billion|trillion|k|mn|bn)\b)?
    (?:\s*(?P<unit>%|[^\W\d_]+[2²]?))?{_ERA.format("ne")}
  | (?P<words>(?:a\s+)?(?:{_NUMBER_WORD})(?:(?:[-\s]+|\s+and\s+|,\s+)(?:{_NUMBER_WORD}|oh)\b)*)
    (?:\s*(?P<wunit>%|[^\W\d_]+))?
    )""",
    re.VERBOSE | re.IGNORECASE,
)
_IN_YEAR = re.compile(r",?\s+(?:(?:in|of|the|year)\s+)*")
_AROUND = re.compile(r"^(?:(?:in|on|the|year|c\.?|ca\.?|circa|about|around|ad|c)\s+)*|[\s.]+$", re.IGNORECASE)


def values_in(text: str) -> list[Value]:
    """The values in a text, left to right."""
    found: list[Value] = []
    for match in _VALUE.finditer(text):
        value = _value(match)
        last = found[-1] if found else None
        if (
            value
            and last
            and last.day
            and last.year is None
            and value.is_year()
            and _IN_YEAR.fullmatch(text[last.end : value.start])
        ):  # the 27th of January, in the year eighteen hundred and fifty-nine
            found[-1] = Value(last.start, value.end, value.year, last.month, last.day)
        elif value:
            found.append(value)
    return found


def is_ordinal(text: str) -> bool:
    """Whether a value in words only counts: the second highest mountain."""
    return re.split(r"[-\s]", text.lower())[-1] in _ORDINAL_WORDS


@lru_cache(maxsize=1 << 14)
def value_of(label: str) -> Value | None:
    """The value that a label is, when it is nothing but a value."""
    if not (any(c.isdigit() for c in label) or normalise(label).split(" ")[0].split("-")[0] in _first_words()):
        return None
    bare = _AROUND.sub("", label.strip())
    found = _VALUE.match(bare)
    value = _value(found) if found else None
    return value if value and value.end == len(bare) else None


@cache
def _first_words() -> frozenset[str]:
    return frozenset({*_WORDS, *_MONTHS, "a"})


def _value(found: re.Match[str]) -> Value | None:
    start, end = found.span()
    group = found.groupdict()
    kind = next(name for name in _KINDS if group[name])
    value: Value | None = None
    if kind == "words":
        value = _in_words(found, start, end)
    elif kind == "number":
        value = _number(found, start)
    elif kind == "r1":
        first, last = int(group["r1"]), int(group["r2"])
        value = Value(start, end, first, until=last if last >= 100 else first // 100 * 100 + last)
    elif kind == "n1":
        one, other, year = int(group["n1"]), int(group["n2"]), int(group["ny"])
        month, day = (other, one) if one > 12 else (one, other)
        value = Value(start, end, year, month, day, swapped=day <= 12)
    elif kind != "decade":
        value = _date(found, kind)
    return value


def _date(found: re.Match[str], kind: str) -> Value:
    when, month, day = (found[name] if name else None for name in _PARTS[kind])
    era = found["de"] or found["me"] or ""
    negative = era.lower().startswith("b") or found[0].startswith("-")
    return Value(*found.span(), (-int(when) if negative else int(when)) if when else None, _month(month), _day(day))


_PARTS = {"iso": ("iy", "im", "id"), "cy": ("cy", "cm", "cd"), "dd": ("dy", "dm", "dd"), "mm": ("my", "mm", "md")}
_PARTS |= {"yy": ("yy", "ym", "yd"), "om": ("oy", "om", "")}
_KINDS = ("iso", "n1", "cy", "dd", "mm", "yy", "om", "r1", "decade", "number", "words")


def _month(text: str | None) -> int | None:
    if not text:
        return None
    return int(text) or None if text.isdigit() else _MONTHS[text.lower().rstrip(".")]


def _day(text: str | None) -> int | None:
    if not text:
        return None
    figures = re.match(r"\d+", text)
    return (
        int(figures[0]) if figures else int(_sum([w for w in re.findall(r"[a-z]+", text.lower()) if w != "the"]) or 0)
    ) or None


def _number(found: re.Match[str], start: int) -> Value:
    text = found["number"].replace("−", "-")
    grouped = re.fullmatch(r"[-+]?\d{1,3}(?:\.\d{3}){2,}", text)
    number = float(re.sub(r"[,\s'’]", "", text.replace(".", "") if grouped else text))
    scale = found["scale"] or (
        found["unit"] if found["unit"] == "M" and found.start("unit") == found.end("number") else ""
    )
    number *= _SCALES.get(scale.lower(), 1)
    unit = "" if scale == "M" else UNITS.get((found["unit"] or "").lower(), "")
    end = found.end("unit") if unit or scale == "M" else found.end("scale") if scale else found.end("nth")
    if end < 0:
        end = found.end("number")
    digits = text.lstrip("+-")
    era = (found["ne"] or (found["unit"] if (found["unit"] or "").lower() in ("bc", "bce", "ad", "ce") else "")).lower()
    year = (
        int(digits) if digits.isdigit() and len(digits) <= 4 and not scale and not unit and not found["nth"] else None
    )
    if era and year is not None:
        return Value(start, found.end(), -year if era.startswith("b") else year)
    if year is not None and (len(digits) < 3 or text[0] in "+-"):
        year = None
    thousands = number * 1000 if re.fullmatch(r"[-+]?[1-9]\d{0,2}\.\d{3}", text) else None
    return Value(start, end, year, number=number, unit=unit, thousands=thousands)


def _in_words(found: re.Match[str], start: int, end: int) -> Value | None:
    words = [word for word in re.findall(r"[a-z]+", found["words"].lower()) if word not in ("and", "a")]
    number = _sum(words)
    if number is None:
        return None
    unit = UNITS.get((found["wunit"] or "").lower(), "")
    year = int(number) if 1000 <= number <= 2100 and not unit else None
    return Value(start, end if unit else found.end("words"), year, number=number, unit=unit)


def _sum(words: list[str]) -> float | None:
    """The number that words say; nineteen twenty is 1920."""
    pair = re.fullmatch(r"(\w+teen|twenty|ten|eleven|twelve|thirteen)((?: \w+){1,2})", " ".join(words))
    if pair and not {*words} & _SCALES.keys():
        rest = [_WORDS.get(word) for word in pair[2].split()]
        low = sum(n for n in rest if n is not None)
        if None not in rest and (low >= 10 or "oh" in words) and low < 100:
            return _WORDS[pair[1]] * 100 + low
    total = part = 0.0
    for word in words:
        if word == "hundred":
            part = (part or 1) * 100
        elif word in _SCALES:
            total, part = total + (part or 1) * _SCALES[word], 0
        elif word in _WORDS:
            part += _WORDS[word]
        else:
            return None
    return total + part
