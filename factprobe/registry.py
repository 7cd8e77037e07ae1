"""Registry of implementations by name; each is imported on first use.

An implementation is registered in one of three ways: by the decorator `@kgs.register("mykg")`, as a built-in target
`"module:Class"`, or as an entry point of the group `factprobe.<registry>` in an installed package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from factprobe.errors import ConfigError, NameClashError, UnknownNameError

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

T = TypeVar("T")
C = TypeVar("C", bound=type[Any])


class Registry(Generic[T]):
    """Registry of the implementations of one interface, by name.

    Args:
        name: Plural name of the interface, e.g. `kgs`; entry points are in the group `factprobe.<name>`.
        kind: Singular name of the interface, e.g. `kg`, as in messages and on the command line.
        targets: Built-in implementations as `"module:Class"`, imported on first use.
    """

    def __init__(self, name: str, kind: str, targets: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.kind = kind
        self._targets: dict[str, str] = dict(targets or {})
        self._classes: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[C], C]:
        """Return a class decorator that registers a class under `name`.

        Raises:
            NameClashError: Another class has the name.
        """

        def enter(cls: C) -> C:
            place = _where(cls)
            other = _where(self._classes[name]) if name in self._classes else self._targets.get(name)
            if other is not None and other != place:
                what = f"{self.kind} {name!r} is registered by both {other} and {place}"
                raise NameClashError(what, hint="rename one")
            self._classes[name] = cls
            return cls

        return enter

    def names(self) -> list[str]:
        """Return the sorted names of all implementations, including those of entry points."""
        return sorted({*self._classes, *self._targets, *self._entry_points()})

    def get(self, name: str) -> type[T]:
        """Return the class registered under `name`.

        Raises:
            UnknownNameError: No class has the name.
            ConfigError: An entry point or a target cannot be imported.
        """
        if name not in self._classes:
            target = self._targets.get(name) or self._entry_points().get(name)
            if target is None:
                raise UnknownNameError(self.kind, name, self.names())
            module, _, attribute = target.partition(":")
            try:
                loaded: type[T] = getattr(import_module(module), attribute)
            except (ImportError, AttributeError) as error:
                raise ConfigError(f"{self.kind} {name!r} cannot be loaded from {target}: {error}") from error
            self._classes[name] = loaded
        return self._classes[name]

    @cached_property
    def _offered(self) -> tuple[EntryPoint, ...]:
        """Entry points of the installed packages; cached, since a file of every package must be read."""
        from importlib.metadata import entry_points

        return tuple(entry_points(group=f"factprobe.{self.name}"))

    def _entry_points(self) -> dict[str, str]:
        targets: dict[str, str] = {}
        for point in self._offered:
            existing = self._classes.get(point.name)
            for place in (targets.get(point.name), self._targets.get(point.name), existing and _where(existing)):
                if place not in (None, point.value):
                    clash = f"{self.kind} {point.name!r} is registered by both {place} and {point.value}"
                    raise NameClashError(clash, hint="uninstall one of the packages")
            targets[point.name] = point.value
        return targets


REGISTRIES = {
    "kg": "factprobe.kgs:kgs",
    "extractor": "factprobe.extractors:extractors",
    "generator": "factprobe.generators:generators",
    "model": "factprobe.models:models",
    "evaluator": "factprobe.evaluators.base:evaluators",
    "claim_extractor": "factprobe.claims.base:claim_extractors",
    "checker": "factprobe.checkers.base:checkers",
    "aggregator": "factprobe.checkers.aggregators:aggregators",
    "retriever": "factprobe.retrievers.base:retrievers",
    "detector": "factprobe.detectors.base:detectors",
    "embedder": "factprobe.models.embedders:embedders",
}
"""Module and name of the registry of each config group; the module is imported on first use."""


def registry(group: str) -> Registry[Any]:
    """Return the registry of a config group, e.g. `models` for `model`."""
    module, _, attribute = REGISTRIES[group].partition(":")
    result: Registry[Any] = getattr(import_module(module), attribute)
    return result


def _where(cls: type[Any]) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"
