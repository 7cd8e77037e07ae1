"""Conversion and validation of typed settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec import Meta

from factprobe.errors import ConfigError

T = TypeVar("T")
NotEmpty = Annotated[str, Meta(min_length=1)]
"""Non-empty text, for unions with lists or mappings.

Unlike `Filled` it has no pattern, since msgspec 0.22 crashes when it frees a pattern in such a union.
"""

Filled = Annotated[str, Meta(pattern=r"\S")]
"""Text with a visible character, such as a path or a name."""
_MAX_INTEGER = 2**63


def convert(settings: Any, into: type[T], where: str = "") -> T:
    """Convert settings into a typed record; raise a `ConfigError` for wrong, unknown or missing ones."""
    for setting, number in _numbers_not_in_json(settings, where):
        what = f"{number} is not a finite number" if isinstance(number, float) else "the number has too many digits"
        hint = "set a finite number of usual size, or quote a text inside the shell's quotes: '\"nan\"'"
        raise ConfigError(what, where=setting, hint=hint)
    try:
        return msgspec.convert(settings, into)
    except msgspec.ValidationError as error:
        from factprobe.config.validation_errors import validation_error

        raise validation_error(settings, into, where) from error


def _numbers_not_in_json(value: Any, where: str) -> Iterator[tuple[str, float]]:
    """Yield name and value of each setting that is a number which JSON cannot represent."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _numbers_not_in_json(inner, f"{where}.{key}".lstrip("."))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from _numbers_not_in_json(inner, where)
    elif (isinstance(value, float) and not isfinite(value)) or (
        isinstance(value, int) and not -_MAX_INTEGER <= value < _MAX_INTEGER
    ):
        yield where, value
