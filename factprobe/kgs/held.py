"""Graphs that give the facts of all relations in one stream, and are small enough to be held."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec import field

from factprobe.config import KgConfig
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.files import paths_of
from factprobe.kgs.base import Graph
from factprobe.kgs.plain import LONGEST, last_part, relation_of
from factprobe.records import Entity, Period, Relation, Triplet
from factprobe.text import one_line

log = logging.getLogger(__name__)


class SourceSettings(KgConfig, frozen=True, kw_only=True):
    """Of a graph whose files hold all its relations."""

    source: tuple[str, ...] | str | None = None
    """The file, or a list of them; `*` stands for anything."""
    templates: dict[str, str] = field(default_factory=dict)
    """Sentences with [X] and [Y] by relation, e.g. `{capital: "The capital of [X] is [Y]."}`; by default the label
    stands between both ends."""


class Fact(NamedTuple):
    """One fact as a source gives it."""

    relation: str
    subject: Entity
    object: Entity
    period: Period


class SourceGraph(Graph):
    """A graph whose files hold all its relations."""

    settings_type: ClassVar[type[KgConfig]] = SourceSettings
    settings: SourceSettings

    @property
    def templates(self) -> dict[str, str]:
        """The templates that the settings give, by relation."""
        return self.settings.templates

    @property
    def place(self) -> str:
        """See the base class."""
        return ", ".join(self._sources) or self.name

    @cached_property
    def paths(self) -> list[Path]:
        """The files.

        Raises:
            ConfigError: none is named.
            DataError: none has such a name.
        """
        if not self._sources:
            mend = f"name its file: kg={self.settings.adapter or self.name} kg.source=FILE"
            raise ConfigError("is not set", where="kg.source", mend=mend)
        return [path for name in self._sources for path in self._found(name)]

    def inputs(self, relation: Relation) -> list[Path]:  # noqa: ARG002  # the same for all
        """All files; each holds facts of any relation."""
        return self.paths

    @property
    def _sources(self) -> tuple[str, ...]:
        source = self.settings.source
        return (source,) if isinstance(source, str) else source or ()

    def _found(self, name: str) -> list[Path]:
        return paths_of(name)


class HeldGraph(Graph):
    """A graph that gives its facts in one stream; each entity is held once, and a fact as its two ends."""

    @property
    def templates(self) -> dict[str, str]:
        """The templates that are given, by relation."""
        return {}

    @abstractmethod
    def read(self) -> Iterator[Fact]:
        """Every fact, in the order of the source; what is broken goes to `problems`.

        Raises:
            DataError: the source cannot be read.
        """

    def relation_label(self, name: str) -> str:  # noqa: ARG002  # the same for all
        """What people call a relation; by default the last part of its id."""
        return ""

    @cached_property
    def _facts(self) -> dict[str, list[Fact]]:
        once: dict[Entity, Entity] = {}
        found: dict[str, list[Fact]] = {}
        for name, subject, object_, period in self.read():
            fact = Fact(name, once.setdefault(subject, subject), once.setdefault(object_, object_), period)
            found.setdefault(name, []).append(fact)
        if not found:
            raise DataError("holds no fact that can be read", where=self.place, mend="see that it is the right file")
        self._stand_ins, unnamed = _stand_ins(once)
        if unnamed:
            log.warning("%s: %d entities have no label, and go by the last part of their ids", self.place, unnamed)
        return found

    def load_relations(self) -> Iterable[Relation]:
        """Those that have facts, in the order of the source, then those that only the settings describe."""
        for name in dict.fromkeys((*self._facts, *self.templates)):
            yield relation_of(name, self.relation_label(name), self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        if not self.has_facts(relation):
            raise DataError(f"has no facts of {relation.relation!r}", where=self.place, mend="see its id there")
        for _, subject, object_, period in self._facts[relation.relation]:
            yield Triplet(
                subject.label or self._stand_ins.get(subject.uri, ""),
                object_.label or self._stand_ins.get(object_.uri, ""),
                object_.uri,
                subject.uri,
                relation,
                subject.aliases,
                object_.aliases,
                subject.types,
                object_.types,
                start=period.start,
                end=period.end,
            )

    def has_facts(self, relation: Relation) -> bool:
        """Whether the source has one of that relation."""
        return relation.relation in self._facts


def _stand_ins(entities: Iterable[Entity]) -> tuple[dict[str, str], int]:
    """What those entities go by that have no label, by URI: the first that another fact gives them; and how many have
    none anywhere."""
    every = list(entities)
    named: dict[str, str] = {}
    for entity in every:
        if entity.label:
            named.setdefault(entity.uri, entity.label)
    unnamed = dict.fromkeys(entity.uri for entity in every if not entity.label)
    return {uri: named.get(uri) or last_part(uri) for uri in unnamed}, len(unnamed.keys() - named.keys())


def entity_of(uri: str, label: str, aliases: Iterable[str] = (), types: Iterable[str] = ()) -> Entity:
    """An entity with its names in one line each; aliases that are too long to be names are left out.

    Raises:
        ValueError: it has no id, or what is to be its name is too long for one.
    """
    label = one_line(label)
    if not uri:
        raise ValueError("the subject or the object is empty")
    if max(len(uri), len(label)) > LONGEST:
        raise ValueError(f"a name has {max(len(uri), len(label)):,} characters, and at most {LONGEST} are read")
    names = dict.fromkeys(map(one_line, aliases))
    return Entity(
        uri,
        label,
        tuple(name for name in names if name and name != label and len(name) <= LONGEST),
        tuple(dict.fromkeys(filter(None, types))),
    )
