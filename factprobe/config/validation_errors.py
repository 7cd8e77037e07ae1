"""One-line errors for settings that fail msgspec's validation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from types import UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import UNSET, Struct, inspect

from factprobe.errors import ConfigError, nearest

_HELP = "factprobe --help lists the settings"
_MAX_SHOWN_LENGTH = 60
_UNBOUNDED = 2**53
"""Upper bounds from this one on are left out of messages, since they only prevent overflow."""
_TYPE_NAMES = {
    inspect.BoolType: "true or false",
    inspect.IntType: "a whole number",
    inspect.FloatType: "a number",
    inspect.StrType: "a text",
    inspect.NoneType: "null",
    inspect.DictType: "a mapping such as {a: 1}",
    inspect.StructType: "a mapping such as {a: 1}",
}
_BOUND_NAMES = {"ge": "of at least", "gt": "above", "le": "of at most", "lt": "below"}


def validation_error(settings: Any, expected: Any, where: str) -> ConfigError:
    """Build the error for the first setting that does not fit its type.

    `where` is the name of the setting whose value is `settings`; it is empty for the settings of a whole run.
    """
    members = _union_members(expected)
    for key, value, type_ in chain.from_iterable(_inner_settings(settings, member) for member in members):
        setting = f"{where}[{key}]" if isinstance(settings, list | tuple) else f"{where}.{key}".lstrip(".")
        if type_ is None:
            return _key_error(key, where, members)
        if value is UNSET:
            return ConfigError("is not set", where=setting, hint=f"set {setting}=...{example_of(type_)}")
        if not _fits(value, type_):
            return validation_error(value, type_, setting)
    if settings in ([], ()) or (isinstance(settings, str) and not settings.strip()):
        return ConfigError("is empty", where=where or "config", hint="set a value, or remove it")
    types = [info.type if isinstance(info, inspect.Metadata) else info for info in map(inspect.type_info, members)]
    choices = [str(value) for info in types for value in _literal_values(info)]
    near = nearest(settings, choices) if isinstance(settings, str) and choices else None
    hint = f"did you mean {near}?" if near else _HELP
    what = f"{_format_value(settings)} is not {' or '.join(dict.fromkeys(map(_describe_type, types)))}"
    return ConfigError(what, where=where or "config", hint=hint)


def _inner_settings(settings: Any, member: Any) -> Iterator[tuple[Any, Any, Any]]:
    """Yield key, value and type of each setting in a mapping or list.

    The value of a missing setting is UNSET, the type of an unknown one is None.
    """
    plain = _unwrap_annotated(member)
    origin, inner = get_origin(plain) or plain, get_args(plain) or (Any, Any)
    if isinstance(settings, Mapping) and isinstance(origin, type) and issubclass(origin, Struct):
        fields = {field.encode_name: field for field in msgspec.structs.fields(origin)}
        yield from ((key, value, fields[key].type if key in fields else None) for key, value in settings.items())
        yield from ((key, UNSET, type_.type) for key, type_ in fields.items() if type_.required and key not in settings)
    elif isinstance(settings, Mapping) and origin is dict:
        yield from ((key, value, inner[1] if _fits(key, inner[0]) else None) for key, value in settings.items())
    elif isinstance(settings, list | tuple) and origin in (list, tuple):
        yield from ((number, value, inner[0]) for number, value in enumerate(settings))


def _key_error(key: Any, where: str, members: Iterable[Any]) -> ConfigError:
    if not isinstance(key, str):
        return ConfigError("has a key that is not text", where=where or "config", hint=_HELP)
    names = [name for member in members for name in getattr(member, "__struct_encode_fields__", ())]
    prefix = f"{where}." if where else ""
    near = nearest(key, names)
    suggestion = f"did you mean {prefix}{near}? " if near else ""
    return ConfigError(f"unknown setting {prefix + key!r}", hint=f"{suggestion}known: {', '.join(sorted(names))}")


def _fits(value: Any, expected: Any) -> bool:
    try:
        msgspec.convert(value, expected)
    except msgspec.ValidationError:
        return False
    return True


def _union_members(expected: Any) -> list[Any]:
    """Return the members of a union of types; a list with the type itself if it is no union."""
    plain = _unwrap_annotated(expected)
    is_union = get_origin(plain) in (Union, UnionType)
    return [*chain(*map(_union_members, get_args(plain)))] if is_union else [expected]


def example_of(type_: Any) -> str:
    """Return the first example value in a type's annotations as a phrase; empty without any."""
    examples = (getattr(annotation, "examples", None) for annotation in getattr(type_, "__metadata__", ()))
    return next((f", e.g. {values[0]}" for values in examples if values), "")


def _unwrap_annotated(expected: Any) -> Any:
    return get_args(expected)[0] if get_origin(expected) is Annotated else expected


def _describe_type(member: inspect.Type) -> str:
    """Describe in words which values a type allows, e.g. `a whole number above 0`."""
    if isinstance(member, inspect.LiteralType):
        return f"one of {', '.join(map(str, member.values))}"
    if isinstance(member, inspect.ListType | inspect.VarTupleType):
        choices = ", ".join(map(str, _literal_values(member.item_type)))
        return "a list such as [a,b]" + (f" of {choices}" if choices else "")
    words = _TYPE_NAMES.get(type(member), "a valid value")
    if isinstance(member, inspect.StrType) and member.pattern:
        words += " (not empty)"
    bounds = {text: getattr(member, name, None) for name, text in _BOUND_NAMES.items()}
    finite = {text: bound for text, bound in bounds.items() if bound is not None and bound < _UNBOUNDED}
    return words + ",".join(f" {text} {bound:,}" for text, bound in finite.items())


def _literal_values(expected: inspect.Type) -> list[Any]:
    return [*expected.values] if isinstance(expected, inspect.LiteralType) else []


def _format_value(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    text = repr(value)
    return text if len(text) <= _MAX_SHOWN_LENGTH else f"{text[:_MAX_SHOWN_LENGTH]}..."
