"""Dates and numbers as people write them, in place of the forms in which graphs store them."""

from __future__ import annotations

import re

from factprobe.periods import parse_day
from factprobe.records import Entity

_STORED_DATE = re.compile(r"[+-]?\d{4,6}(?:-\d\d(?:-\d\d)?)?(?:T00:00:00(?:\.0+)?(?:Z|[+-]00:00)?)?")
"""A year with four figures, with a month, a day and midnight."""
_OF_PROGRAMS = re.compile(r"[+-]?\d+(?:\.\d*)?[eE][+-]?\d+")
_WHOLE = re.compile(r"[+-]?[1-9]\d{4,}(?:\.0*)?")
"""A number of five figures and more."""
_NUMBERS = ("integer", "decimal", "double", "float", "int", "long", "nonNegativeInteger", "positiveInteger")
"""Data types of XML Schema."""
_XSD = "http://www.w3.org/2001/XMLSchema#"


def as_written(entity: Entity) -> Entity:
    """Return the entity under the label that people write, with the stored form as an alias.

    A day is `14 March 1879`, a year before Christ `753 BC`. A number that only programs write (`1.0E3`), or that the
    source says to be one, has its thousands separated; any other long number may be an id.
    """
    label = entity.label
    if not (label[:1].isdigit() or label[:1] in ("-", "+")):
        return entity
    shown = _date(label) or _number(label, entity.types)
    if not shown or shown == label:
        return entity
    return Entity(entity.uri, shown, (label, *entity.aliases), entity.types)


def _date(label: str) -> str:
    if _STORED_DATE.fullmatch(label) is None or label.isdecimal():
        return ""
    day = parse_day(label)
    return str(day) if day else ""


def _number(label: str, types: tuple[str, ...]) -> str:
    is_number = any(name.removeprefix(_XSD) in _NUMBERS for name in types if name.startswith(_XSD))
    if _OF_PROGRAMS.fullmatch(label):
        value = float(label)
        return f"{value:,.0f}" if value.is_integer() and abs(value) < 1e15 else ""
    if is_number and _WHOLE.fullmatch(label):
        return f"{int(label.partition('.')[0]):,}"
    return ""
