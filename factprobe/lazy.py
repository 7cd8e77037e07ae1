"""Cached properties without the lock that `functools.cached_property` takes in Python 3.11."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["lazy"]

if TYPE_CHECKING:
    from functools import cached_property as lazy
else:

    class lazy:  # noqa: N801  # it decorates, like `property`
        """Decorator of a method that makes it a property, computed on first use and then kept."""

        def __init__(self, compute: Callable[[Any], Any]) -> None:
            self._compute, self._name, self.__doc__ = compute, compute.__name__, compute.__doc__

        def __get__(self, owner: Any, _: type | None = None) -> Any:
            if owner is None:
                return self
            value = owner.__dict__[self._name] = self._compute(owner)
            return value
