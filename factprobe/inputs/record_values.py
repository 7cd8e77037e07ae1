"""Values of records: access by name, and conversion to texts and lists."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Mapping
from math import isnan
from typing import Any

import msgspec

from factprobe.errors import format_list
from factprobe.inputs.base import Record, UnusableError

MISSING = object()
_MAX_DIGITS = 9
"""Maximum number of digits of a list index; Python refuses to parse very long numbers."""
_ITEM = r"""(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_NUMPY_LIST = re.compile(rf"\[\s*{_ITEM}(?:\s+{_ITEM})+\s*\]")
"""List of texts in NumPy's notation, without commas; Python would concatenate the texts."""
_ADJACENT_TEXTS = re.compile(r"""['"]\s+['"]""")
_PRINTED_VALUE = re.compile(r"""\s*(?:\[\s*(?:['"]|-?\d|array\()|[({]\s*['"]).*[])}]\s*""", re.DOTALL)
"""Text that looks like a list or dictionary as Python prints it."""
_TEXT_KEYS = ("content", "text", "value", "answer", "message")
"""Keys of nested objects that usually hold the text, in order of preference."""


def get_value(record: Record, name: str) -> Any:
    """Return a value of a record, or `MISSING`; `doc.answers.0` is a path through nested mappings and lists."""
    if name in record:
        return record[name]
    if "." not in name:
        return MISSING
    value: Any = record
    for part in name.split("."):
        value = _step_into(value, part)
    return value


def plain(value: Any) -> Any:
    """Convert a NumPy value to a built-in type; return any other value unchanged."""
    return value.tolist() if hasattr(value, "tolist") else value


def _step_into(value: Any, part: str) -> Any:
    value = parse_printed(value) if isinstance(value, str) else plain(value)
    if isinstance(value, Mapping):
        return value.get(part, MISSING)
    if isinstance(value, list | tuple) and parse_index(part.removeprefix("-")) is not None:
        return value[int(part)] if -len(value) <= int(part) < len(value) else MISSING
    return MISSING


def parse_index(text: str) -> int | None:
    """Parse a list index; return None if the text has characters other than digits or is too long."""
    return int(text) if text.isdecimal() and len(text) <= _MAX_DIGITS else None


def to_text(value: Any, where: str, setting: str) -> str | None:
    """Return a value as text, or None for a missing value.

    For the error, `where` is the place of the value, and `setting` the setting that could name a value inside it.

    Raises:
        UnusableError: The value is a list, a mapping or bytes.
    """
    if isinstance(value, str):
        return value
    if value is None or (isinstance(value, float) and isnan(value)):
        return None
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping | list | tuple | set | bytes):
        raise UnusableError(explain_not_text(value, where, setting))
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def explain_not_text(value: Any, where: str, setting: str, *, lists: bool = False) -> str:
    """Return a message that a value is not text, with the path to a text inside it.

    `where` is the place of the value, `setting` the setting that could have the path. With `lists`, a list of texts is
    allowed.
    """
    is_mapping = isinstance(value, Mapping)
    if not value:
        return f"{where} is an empty {'object' if is_mapping else 'list'}"
    problem = f"holds {format_list([*map(str, value)])}" if is_mapping else f"is a {type(value).__name__}, not text"
    if isinstance(value, set | bytes):
        return f"{where} {problem}"
    return f"{where} {problem}; name what is inside it: {setting}.{_path_to_text(value, lists)}"


def _path_to_text(value: Any, lists: bool) -> str:
    """Return the path to a text in a value, such as `0.content`: into a list's first item, or the last chat message."""
    parts = []
    while value and isinstance(value, Mapping | list | tuple):
        if isinstance(value, Mapping):
            part = next((key for key in _TEXT_KEYS if key in value), next(iter(value)))
            value = value[part]
        elif lists and not isinstance(value[0], Mapping):
            break
        else:
            is_talk = isinstance(value[-1], Mapping) and "role" in value[-1]
            part = "-1" if is_talk else "0"
            value = value[int(part)]
        parts.append(str(part))
    return ".".join(parts)


def parse_printed(text: str) -> Any:
    """Parse a list or dictionary in the notation of JSON, Python or NumPy; return any other text unchanged."""
    inner = text.strip()
    if inner[:1] not in ("[", "{") or inner[-1:] not in ("]", "}"):
        return text
    try:
        return msgspec.json.decode(inner)
    except (msgspec.MsgspecError, RecursionError):
        pass
    try:
        with warnings.catch_warnings(action="ignore"):  # Python warns of invalid escapes
            if _NUMPY_LIST.fullmatch(inner):
                return [ast.literal_eval(item) for item in re.findall(_ITEM, inner)]
            value = text if _ADJACENT_TEXTS.search(inner) else ast.literal_eval(inner)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return text
    return value if isinstance(value, list | dict) else text


def is_unparsed_list(text: str) -> bool:
    """Return whether a text looks like a printed list or dictionary, but does not parse to a list."""
    return _PRINTED_VALUE.fullmatch(text) is not None and not isinstance(parse_printed(text), list)


def split_items(text: str, separator: str | None = None) -> list[Any]:
    """Return the items of a list printed by JSON, Python or NumPy, or the parts of a text between separators.

    Separators in a formula do not count: the text is one item if it starts but does not end with a separator (|k| < 1),
    or if a part has an unclosed bracket (P(A|B)).
    """
    value = parse_printed(text)
    if isinstance(value, list):
        return value
    parts = text.split(separator) if separator else []
    is_formula = len(parts) > 1 and ((not parts[0] and bool(parts[-1])) or any(map(_is_open, parts)))
    return parts if parts and not is_formula else [text.strip()]


def _is_open(part: str) -> bool:
    """Return whether a text opens more brackets than it closes."""
    return sum(map(part.count, "([{")) > sum(map(part.count, ")]}"))
