"""Conversion of dates and numbers from the notation of graphs to the usual one."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

from factprobe.periods import parse_day
from factprobe.reading.language import vocabulary
from factprobe.records import Entity, Relation

_STORED_DATE = re.compile(r"[+-]?\d{4,6}(?:-\d\d(?:-\d\d)?)?(?:T00:00:00(?:\.0+)?)?(?:Z|[+-]\d\d:\d\d)?")
"""Pattern of a year of four to six digits, with or without month, day, midnight and time zone."""
_FLOAT_LITERAL = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d+")
_LIKE_A_CODE = re.compile(r"\d+[eE]\d+")
_WHOLE_NUMBER = re.compile(r"[+-]?[1-9]\d{4,}(?:\.0*)?")
"""Pattern of a whole number of five digits or more."""
_NUMBERS = (
    *("decimal", "double", "float", "integer", "long", "int", "short", "byte"),
    *("nonNegativeInteger", "positiveInteger", "nonPositiveInteger", "negativeInteger"),
    *("unsignedLong", "unsignedInt", "unsignedShort", "unsignedByte"),
)
"""Numeric data types of XML Schema."""
_XSD = "http://www.w3.org/2001/XMLSchema#"


_MIN_QUANTITIES, _MIN_DIGIT_RANGE = 3, 2
"""Minimum number of quantities, and minimum difference between their greatest and smallest number of digits."""


def are_quantities(relation: Relation, entities: Iterable[Entity]) -> bool:
    """Return whether all entities at an end of a relation are whole numbers, and no identifiers.

    Identifiers have similar lengths, or a word such as "code" is in the id, label or template of the relation.
    """
    lengths = []
    for entity in entities:
        label = entity.label
        if not (label.isdecimal() and label.isascii()) or (label[0] == "0" and label != "0"):
            return False
        lengths.append(len(label))
    if len(lengths) < _MIN_QUANTITIES or max(lengths) - min(lengths) < _MIN_DIGIT_RANGE:
        return False
    words = re.findall(r"[a-z]+", f"{relation.relation} {relation.label} {relation.template}".lower())
    return vocabulary("identifier").isdisjoint(words)


def as_written(entity: Entity, *, is_quantity: bool = False) -> Entity:
    """Return an entity with its label in the usual notation, and the form in the graph as an alias.

    Days become `14 March 1879`, years before Christ `753 BC`, durations of XML Schema `3 hours 15 minutes`. Numbers get
    thousands separators if they are in the notation of programs (`1.0E3`), have a numeric type, or are quantities;
    other long numbers may be identifiers and stay unchanged. `-1500` is a year unless it has a numeric type.
    """
    label = entity.label
    if not (label[:1].isdigit() or label[:1] in ("-", "+", "P")):
        return entity
    kinds = {name.removeprefix(_XSD) for name in entity.types if name.startswith(_XSD)}
    is_number = is_quantity or not kinds.isdisjoint(_NUMBERS)
    text = "" if is_number else _date(label, kinds)
    text = text or _number(label, is_number=is_number)
    if any(kind.lower().endswith("duration") for kind in kinds):
        from factprobe.reading.values.value_parsing import duration_in_words  # loads slowly

        text = duration_in_words(label)
    if not text or text == label:
        return entity
    return Entity(entity.uri, text, (label, *entity.aliases), entity.types)


def _date(label: str, kinds: Collection[str]) -> str:
    if label.startswith("--") and (yearly := parse_day(f"2000{label[1:]}")):  # --06-20 is of every year
        return str(yearly).removesuffix(" 2000")
    if "gYear" in kinds and label.isdecimal() and label[0] == "0":
        return f"AD {int(label)}"
    if _STORED_DATE.fullmatch(label) is None or label.isdecimal():
        return ""
    day = parse_day(label)
    return str(day) if day else ""


def _number(label: str, *, is_number: bool) -> str:
    if _FLOAT_LITERAL.fullmatch(label) and (is_number or not _LIKE_A_CODE.fullmatch(label)):
        value = float(label)
        return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else ""
    if is_number and _WHOLE_NUMBER.fullmatch(label):
        return f"{int(label.partition('.')[0]):,}"
    return ""
