"""One-line errors for settings that fail msgspec's validation."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import inspect

from factprobe.errors import ConfigError, nearest

_PATH = re.compile(r" - at (?P<key>`key` in )?`\$(?P<path>.*)`$")
_PART = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"^Object contains unknown field `([^`]*)`")
_MISSING = re.compile(r"^Object missing required field `([^`]*)`")
_HELP = "factprobe --help lists the settings"
_LONGEST = 60
_UNBOUNDED = 2**53
"""Smallest upper bound that messages leave out, since such bounds only guard against overflow."""
_WORDS = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "a text",
    inspect.NoneType: "null",
    inspect.DictType: "a mapping such as {a: 1}",
    inspect.StructType: "a mapping such as {a: 1}",
}
_BOUNDS = {"ge": "of at least", "gt": "above", "le": "of at most", "lt": "below"}


def validation_error(error: msgspec.ValidationError, settings: Any, into: type[Any], where: str) -> ConfigError:
    """Build the error for settings that do not fit a type.

    Args:
        error: Error of msgspec.
        settings: Invalid settings.
        into: Type that they should have.
        where: Name of the setting with this value; empty for all settings of a run.
    """
    found = _PATH.search(str(error))
    parts = _PART.findall(found["path"]) if found else []
    path: list[Any] = []
    for name, index in parts:
        path.append(_invalid_key(error, settings, into, path) if index == "..." else name or int(index))
    setting = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in (where, *path)).lstrip(".")
    wanted = _type_at(inspect.type_info(into), path)
    given = _value_at(settings, path)
    if unknown := _UNKNOWN.match(str(error)):
        return _unknown_setting(unknown[1], setting, wanted)
    if missing := _MISSING.match(str(error)):
        name = f"{setting}.{missing[1]}".lstrip(".")
        return ConfigError("is not set", where=name, hint=f"set {name}=...")
    if found and found["key"]:
        return ConfigError("has a key that is not text", where=setting, hint=_HELP)
    if given in ([], ()) or (isinstance(given, str) and not given.strip()):
        return ConfigError("is empty", where=setting or "config", hint="set a value, or remove it")
    choices = list(map(str, _literal_values(wanted)))
    near = nearest(given, choices) if isinstance(given, str) and choices else None
    hint = f"did you mean {near}?" if near else _HELP
    return ConfigError(f"{_format_value(given)} is not {describe_type(wanted)}", where=setting or "config", hint=hint)


def _value_at(settings: Any, path: Iterable[Any]) -> Any:
    for part in path:
        settings = settings[part]
    return settings


def _invalid_key(error: msgspec.ValidationError, settings: Any, into: type[Any], path: Sequence[Any]) -> Any:
    """Return the key of the invalid value in the mapping at a path, since msgspec does not name it."""
    keys = list(_value_at(settings, path))
    for key in keys:
        try:
            msgspec.convert(_with_only(settings, path, key), into)
        except msgspec.ValidationError as other:
            if str(other) == str(error):
                return key
    return keys[0]


def _with_only(settings: Any, path: Sequence[Any], key: Any) -> Any:
    """Return the settings with only one key in the mapping at a path."""
    if not path:
        return {key: settings[key]}
    copied = list(settings) if isinstance(settings, list | tuple) else dict(settings)
    copied[path[0]] = _with_only(settings[path[0]], path[1:], key)
    return copied


def _type_at(wanted: inspect.Type, path: Sequence[Any]) -> inspect.Type:
    """Return the type at a path, taking the member of each union that has the path."""
    for part in path:
        for member in _union_members(wanted):
            if isinstance(member, inspect.StructType):
                wanted = next(field.type for field in member.fields if field.encode_name == part)
            elif isinstance(member, inspect.DictType):
                wanted = member.value_type
            elif isinstance(member, inspect.ListType | inspect.VarTupleType):
                wanted = member.item_type
            else:
                continue
            break
    return wanted


def _union_members(wanted: inspect.Type) -> tuple[inspect.Type, ...]:
    """Return the members of a union; any other type is its only member."""
    if isinstance(wanted, inspect.Metadata):
        return _union_members(wanted.type)
    return tuple(chain(*map(_union_members, wanted.types))) if isinstance(wanted, inspect.UnionType) else (wanted,)


def _unknown_setting(name: str, setting: str, wanted: inspect.Type) -> ConfigError:
    structs = (member for member in _union_members(wanted) if isinstance(member, inspect.StructType))
    known = [field.encode_name for struct in structs for field in struct.fields]
    prefix = f"{setting}." if setting else ""
    near = nearest(name, known)
    suggestion = f"did you mean {prefix}{near}? " if near else ""
    return ConfigError(f"unknown setting {prefix + name!r}", hint=f"{suggestion}known: {', '.join(sorted(known))}")


def describe_type(wanted: inspect.Type) -> str:
    """Describe the values of a type in words."""
    return " or ".join(dict.fromkeys(map(_describe_member, _union_members(wanted))))


def _describe_member(member: inspect.Type) -> str:
    if isinstance(member, inspect.LiteralType):
        return f"one of {', '.join(map(str, member.values))}"
    if isinstance(member, inspect.ListType | inspect.VarTupleType):
        choices = ", ".join(map(str, _literal_values(member.item_type)))
        return "a list such as [a,b]" + (f" of {choices}" if choices else "")
    words = _WORDS.get(type(member), "a valid value")
    if isinstance(member, inspect.StrType) and member.pattern:
        words += " (not empty)"
    bounds = {text: getattr(member, name, None) for name, text in _BOUNDS.items()}
    given = {text: bound for text, bound in bounds.items() if bound is not None and bound < _UNBOUNDED}
    return words + ",".join(f" {text} {bound:,}" for text, bound in given.items())


def _literal_values(wanted: inspect.Type) -> Iterator[Any]:
    for member in _union_members(wanted):
        if isinstance(member, inspect.LiteralType):
            yield from member.values


def _format_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
