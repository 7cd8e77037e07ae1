"""Lazily computed attributes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_attribute(Generic[T]):  # noqa: N801  # used as a decorator
    """`functools.cached_property` without the lock of Python 3.11, which costs as much time as a simple rule."""

    def __init__(self, find: Callable[[Any], T]) -> None:
        self._find = find
        self._name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, of: None, kind: type) -> cached_attribute[T]: ...

    @overload
    def __get__(self, of: object, kind: type) -> T: ...

    def __get__(self, of: object | None, kind: type) -> T | cached_attribute[T]:
        if of is None:
            return self
        value = of.__dict__[self._name] = self._find(of)
        return value
