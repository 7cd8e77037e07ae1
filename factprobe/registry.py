"""One generic registry: names to implementations, loaded when they are first asked for.

An implementation gets in by one of three ways: the decorator `@kgs.register("mykg")`, a lazy built-in target
`"module:Class"`, or an entry point of the group `factprobe.<registry>` in an installed package.
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
    """The implementations of one interface, by name.

    Args:
        name: plural, as the folder and the entry point group are called, e.g. `kgs`.
        kind: singular, as people and the command line call it, e.g. `kg`.
        targets: built-in implementations as `"module:Class"`, imported on first use.
    """

    def __init__(self, name: str, kind: str, targets: Mapping[str, str] | None = None) -> None:
        self.name = name
        self.kind = kind
        self._targets: dict[str, str] = dict(targets or {})
        self._classes: dict[str, type[T]] = {}

    def register(self, name: str) -> Callable[[C], C]:
        """Class decorator that enters a class under `name`.

        Raises:
            NameClashError: another class holds the name; both are named.
        """

        def enter(cls: C) -> C:
            here = _where(cls)
            there = _where(self._classes[name]) if name in self._classes else self._targets.get(name)
            if there is not None and there != here:
                raise NameClashError(f"{self.kind} {name!r} is claimed by both {there} and {here}", hint="rename one")
            self._classes[name] = cls
            return cls

        return enter

    def names(self) -> list[str]:
        """Every name that `get` takes, entry points included, sorted."""
        return sorted({*self._classes, *self._targets, *self._entry_points()})

    def get(self, name: str) -> type[T]:
        """The class registered under `name`.

        Raises:
            UnknownNameError: nothing is; the message suggests the nearest name.
            ConfigError: an entry point or a target cannot be imported.
        """
        if name not in self._classes:
            target = self._targets.get(name) or self._entry_points().get(name)
            if target is None:
                raise UnknownNameError(self.kind, name, self.names())
            self._classes[name] = self._load(name, target)
        return self._classes[name]

    def _load(self, name: str, target: str) -> type[T]:
        module, _, attribute = target.partition(":")
        try:
            loaded: type[T] = getattr(import_module(module), attribute)
        except (ImportError, AttributeError) as error:
            raise ConfigError(f"{self.kind} {name!r} cannot be loaded from {target}: {error}") from error
        return loaded

    @cached_property
    def _offered(self) -> tuple[EntryPoint, ...]:
        """What the installed packages offer; asked once, since it reads a file of each of them."""
        from importlib.metadata import entry_points

        return tuple(entry_points(group=f"factprobe.{self.name}"))

    def _entry_points(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for point in self._offered:
            taken = self._classes.get(point.name)
            for there in (found.get(point.name), self._targets.get(point.name), taken and _where(taken)):
                if there not in (None, point.value):
                    clash = f"{self.kind} {point.name!r} is claimed by both {there} and {point.value}"
                    raise NameClashError(clash, hint="uninstall one of the packages")
            found[point.name] = point.value
        return found


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
"""Where the registry of each config group lies; imported when something of it is asked for, as its targets are."""


def registry(group: str) -> Registry[Any]:
    """The registry of a config group, e.g. `models` of `model`."""
    module, _, attribute = REGISTRIES[group].partition(":")
    found: Registry[Any] = getattr(import_module(module), attribute)
    return found


def _where(cls: type[Any]) -> str:
    return f"{cls.__module__}:{cls.__qualname__}"
