"""One-line errors for settings that fail msgspec's validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from itertools import chain
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct, inspect

from factprobe.errors import ConfigError, nearest

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


def validation_error(settings: Any, wanted: Any, where: str) -> ConfigError:
    """Build the error for settings that do not fit a type, about the first one that does not.

    `where` is the name of the setting with this value; it is empty for all settings of a run.
    """
    members = _union_members(wanted)
    for key, value, of in chain.from_iterable(_inner_settings(settings, member) for member in members):
        setting = f"{where}[{key}]" if isinstance(settings, list | tuple) else f"{where}.{key}".lstrip(".")
        if of is None:
            return _key_error(key, where, members)
        if value is UNSET:
            return ConfigError("is not set", where=setting, hint=f"set {setting}=...")
        if not _fits(value, of):
            return validation_error(value, of, setting)
    if settings in ([], ()) or (isinstance(settings, str) and not settings.strip()):
        return ConfigError("is empty", where=where or "config", hint="set a value, or remove it")
    types = [one.type if isinstance(one, inspect.Metadata) else one for one in map(inspect.type_info, members)]
    choices = [str(value) for one in types for value in _literal_values(one)]
    near = nearest(settings, choices) if isinstance(settings, str) and choices else None
    hint = f"did you mean {near}?" if near else _HELP
    what = f"{_format_value(settings)} is not {' or '.join(dict.fromkeys(map(_describe_type, types)))}"
    return ConfigError(what, where=where or "config", hint=hint)


def _inner_settings(settings: Any, member: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield the keys, values and types in a mapping or list; a missing value is UNSET, an invalid key has no type."""
    plain = _unwrap_annotated(member)
    origin, inner = get_origin(plain) or plain, get_args(plain) or (Any, Any)
    if isinstance(settings, Mapping) and isinstance(origin, type) and issubclass(origin, Struct):
        fields = {field.encode_name: field for field in msgspec.structs.fields(origin)}
        yield from ((key, value, fields[key].type if key in fields else None) for key, value in settings.items())
        yield from ((key, UNSET, of.type) for key, of in fields.items() if of.required and key not in settings)
    elif isinstance(settings, Mapping) and origin is dict:
        yield from ((key, value, inner[1] if _fits(key, inner[0]) else None) for key, value in settings.items())
    elif isinstance(settings, list | tuple) and origin in (list, tuple):
        yield from ((number, value, inner[0]) for number, value in enumerate(settings))


def _key_error(key: Any, where: str, members: Iterable[Any]) -> ConfigError:
    if not isinstance(key, str):
        return ConfigError("has a key that is not text", where=where, hint=_HELP)
    known = [name for member in members for name in getattr(member, "__struct_encode_fields__", ())]
    prefix = f"{where}." if where else ""
    near = nearest(key, known)
    suggestion = f"did you mean {prefix}{near}? " if near else ""
    return ConfigError(f"unknown setting {prefix + key!r}", hint=f"{suggestion}known: {', '.join(sorted(known))}")


def _fits(value: Any, wanted: Any) -> bool:
    try:
        msgspec.convert({"value": value}, _holder_of(wanted))
    except msgspec.ValidationError:
        return False
    return True


@cache
def _holder_of(wanted: Any) -> type[Struct]:
    """Return a class that keeps a type, since msgspec 0.22 releases a type's pattern once too often after each use."""
    return msgspec.defstruct("Holder", [("value", wanted)])


def _union_members(wanted: Any) -> list[Any]:
    """Return the members of a union of types; any other type is its only member."""
    plain = _unwrap_annotated(wanted)
    is_union = get_origin(plain) in (Union, UnionType)
    return [*chain(*map(_union_members, get_args(plain)))] if is_union else [wanted]


def _unwrap_annotated(wanted: Any) -> Any:
    return get_args(wanted)[0] if get_origin(wanted) is Annotated else wanted


def _describe_type(member: inspect.Type) -> str:
    """Describe the values of a type in words."""
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


def _literal_values(wanted: inspect.Type) -> list[Any]:
    return [*wanted.values] if isinstance(wanted, inspect.LiteralType) else []


def _format_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
