"""What is wrong with a setting, in plain words and not in those of the type checker."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec import inspect

from factprobe.errors import ConfigError, nearest

_PATH = re.compile(r" - at (?P<key>`key` in )?`\$(?P<path>.*)`$")
_PART = re.compile(r"\.(\w+)|\[(\d+|\.\.\.)\]")
_UNKNOWN = re.compile(r"^Object contains unknown field `([^`]*)`")
_LACKING = re.compile(r"^Object missing required field `([^`]*)`")
_HELP = "factprobe --help lists the settings"
_LONGEST = 60
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


def fault(error: msgspec.ValidationError, settings: Any, into: type[Any], where: str) -> ConfigError:
    """The error for settings that are not of a type.

    Args:
        error: msgspec's.
        settings: what was given.
        into: the type.
        where: the setting that they are the value of; empty for those of a run.
    """
    found = _PATH.search(str(error))
    parts = _PART.findall(found["path"]) if found else []
    setting = where + "".join(f".{name}" if name else f"[{index}]" for name, index in parts)
    wanted, given = _at(inspect.type_info(into), settings, parts)
    setting = setting.lstrip(".")
    if unknown := _UNKNOWN.match(str(error)):
        return _unknown(unknown[1], setting, wanted)
    if lacking := _LACKING.match(str(error)):
        name = f"{setting}.{lacking[1]}".lstrip(".")
        return ConfigError("is not set", where=name, mend=f"set {name}=...")
    if found and found["key"]:
        return ConfigError("has a key that is no text", where=setting, mend=_HELP)
    if isinstance(given, str) and not given.strip():
        return ConfigError("is empty", where=setting or "config", mend="give it a value, or leave it out")
    choices = list(map(str, _choices(wanted)))
    near = nearest(given, choices) if isinstance(given, str) and choices else None
    mend = f"did you mean {near}?" if near else _HELP
    if any(index == "..." for _, index in parts):
        return ConfigError(f"holds what is not {described(wanted)}", where=setting.partition("[")[0], mend=_HELP)
    shown = _shown(given)
    return ConfigError(f"{shown} is not {described(wanted)}", where=setting or "config", mend=mend)


def _at(wanted: inspect.Type, given: Any, parts: Sequence[tuple[str, str]]) -> tuple[inspect.Type, Any]:
    """The type and the value at a path; of a union the member that has something there."""
    for name, index in parts:
        for member in _members(wanted):
            if isinstance(member, inspect.StructType) and name:
                wanted = next(field.type for field in member.fields if field.encode_name == name)
            elif isinstance(member, inspect.DictType) and not name:
                wanted = member.value_type
            elif isinstance(member, inspect.ListType | inspect.VarTupleType) and not name:
                wanted = member.item_type
            else:
                continue
            break
        unknown = given is None or index == "..."
        given = None if unknown else given[name or int(index)]
    return wanted, given


def _members(wanted: inspect.Type) -> tuple[inspect.Type, ...]:
    """The types that a setting may have."""
    if isinstance(wanted, inspect.Metadata):
        return _members(wanted.type)
    return tuple(chain(*map(_members, wanted.types))) if isinstance(wanted, inspect.UnionType) else (wanted,)


def _unknown(name: str, setting: str, wanted: inspect.Type) -> ConfigError:
    structs = (member for member in _members(wanted) if isinstance(member, inspect.StructType))
    known = [field.encode_name for struct in structs for field in struct.fields]
    prefix = f"{setting}." if setting else ""
    near = nearest(name, known)
    suggestion = f"did you mean {prefix}{near}? " if near else ""
    return ConfigError(f"unknown setting {prefix + name!r}", mend=f"{suggestion}known: {', '.join(sorted(known))}")


def described(wanted: inspect.Type) -> str:
    """What a setting may be."""
    return " or ".join(dict.fromkeys(map(_described, _members(wanted))))


def _described(member: inspect.Type) -> str:
    if isinstance(member, inspect.LiteralType):
        return f"one of {', '.join(map(str, member.values))}"
    if isinstance(member, inspect.ListType | inspect.VarTupleType):
        choices = ", ".join(map(str, _choices(member.item_type)))
        return "a list such as [a,b]" + (f" of {choices}" if choices else "")
    words = _WORDS.get(type(member), "what can stand there")
    if isinstance(member, inspect.StrType) and member.pattern:
        words += " (not empty)"
    bounds = {text: getattr(member, name, None) for name, text in _BOUNDS.items()}
    return words + ",".join(f" {text} {bound:,}" for text, bound in bounds.items() if bound is not None)


def _choices(wanted: inspect.Type) -> Iterator[Any]:
    for member in _members(wanted):
        if isinstance(member, inspect.LiteralType):
            yield from member.values


def _shown(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
