"""The values of records: where they are found, and what they are as texts and lists."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from math import isnan
from typing import Any

import msgspec

from factprobe.errors import listed
from factprobe.inputs.base import Record, UnusableError

MISSING = object()
_DIGITS = 9
"""Of the place in a list; Python refuses to read a number of some thousands."""
_ITEM = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_NUMPY = re.compile(rf"\[\s*{_ITEM}(?:\s+{_ITEM})+\s*\]")
"""Texts with no comma between them, as NumPy prints lists; Python would take them for one text."""
_GLUED = re.compile(r"""['"]\s+['"]""")
_PRINTED = re.compile(r"""\s*(?:\[\s*(?:['"]|-?\d|array\()|[({]\s*['"]).*[])}]\s*""", re.DOTALL)
"""What is likely to be a list or a dictionary that a program has printed."""
_TELLING = ("content", "text", "value", "answer", "message")
"""Keys under which a text is likely to stand."""


def found_in(record: Record, name: str) -> Any:
    """What a record has under a name; dots lead into mappings, and with a number into lists."""
    if name in record:
        return record[name]
    if "." not in name:
        return MISSING
    value: Any = record
    for part in name.split("."):
        value = _inside(value, part)
    return value


def plain(value: Any) -> Any:
    """A value without the types of NumPy."""
    return value.tolist() if hasattr(value, "tolist") else value


def _inside(value: Any, part: str) -> Any:
    value = printed(value) if isinstance(value, str) else plain(value)
    if isinstance(value, Mapping):
        return value.get(part, MISSING)
    if isinstance(value, list | tuple) and part.removeprefix("-").isdecimal():
        return value[int(part)] if -len(value) <= int(part) < len(value) else MISSING
    return MISSING


def place_of(text: str) -> int | None:
    """Return the place in a list that a text of digits names; None where it has others, or too many."""
    return int(text) if text.isdecimal() and len(text) <= _DIGITS else None


def text_of(value: Any, where: str, setting: str) -> str | None:
    """A value as text; None where there is none.

    Args:
        value: as the record has it.
        where: what it is, for people.
        setting: that by which one inside it can be named.

    Raises:
        UnusableError: it is a list, a mapping or bytes.
    """
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping | list | tuple | set | bytes):
        raise UnusableError(no_text(value, where, setting))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def no_text(value: Any, where: str, setting: str, *, lists: bool = False) -> str:
    """What is wrong with a value that holds others, and how the likeliest of these is named; the same arguments, and
    whether a list of texts will do."""
    is_mapping = isinstance(value, Mapping)
    if not value:
        return f"{where} is an empty {'object' if is_mapping else 'list'}"
    told = (
        f"{where} holds {listed([*map(str, value)])}" if is_mapping else f"{where} is a {type(value).__name__}, no text"
    )
    if isinstance(value, set | bytes):
        return told
    return f"{told}; name what is inside it: {setting}.{_path_to_text(value, lists)}"


def _path_to_text(value: Any, lists: bool) -> str:
    """The path to what a value is most likely there for: of messages to the text of the last one."""
    parts = []
    while value and isinstance(value, Mapping | list | tuple):
        if isinstance(value, Mapping):
            part = next((key for key in _TELLING if key in value), next(iter(value)))
            value = value[part]
        elif lists and not isinstance(value[0], Mapping):
            break
        else:
            is_talk = isinstance(value[-1], Mapping) and "role" in value[-1]
            part = "-1" if is_talk else "0"
            value = value[int(part)]
        parts.append(str(part))
    return ".".join(parts)


def printed(text: str) -> Any:
    """The list or dictionary that a text is, in JSON or as Python or NumPy prints it; else the text."""
    inner = text.strip()
    if inner[:1] not in ("[", "{") or inner[-1:] not in ("]", "}"):
        return text
    try:
        return msgspec.json.decode(inner)
    except (msgspec.MsgspecError, RecursionError):
        pass
    try:
        with warnings.catch_warnings(action="ignore"):  # of a backslash that escapes nothing
            if _NUMPY.fullmatch(inner):
                return [ast.literal_eval(item) for item in re.findall(_ITEM, inner)]
            found = text if _GLUED.search(inner) else ast.literal_eval(inner)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
    return found if isinstance(found, list | dict) else text


def is_unread(text: str) -> bool:
    """Whether a text looks like a list or dictionary that a program has printed, and is none that is read as one."""
    return _PRINTED.fullmatch(text) is not None and not isinstance(printed(text), list)


def items_of(text: str, separator: str | None = None) -> list[Any]:
    """The items of a text: a list in JSON or as Python or NumPy prints it, or what stands between separators."""
    found = printed(text)
    if isinstance(found, list):
        return found
    return text.split(separator) if separator else [text.strip()]
