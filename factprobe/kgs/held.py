"""Graphs that give the facts of all relations in one stream, and are small enough to be held."""

from __future__ import annotations

import logging
from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec import field
from msgspec.structs import replace

from factprobe.config import KgConfig, path_of
from factprobe.errors import ConfigError, DataError
from factprobe.inputs.files import paths_of
from factprobe.kgs.base import Graph
from factprobe.kgs.plain import LONGEST, last_part, relation_of, stand_in, triplet_of
from factprobe.records import Entity, Period, Relation, Triplet
from factprobe.templating import read_templates
from factprobe.text import one_line

log = logging.getLogger(__name__)

UNNAMED = (
    "%s: %d entities have no label; they go by the words of their ids, and are not asked about where there are none"
)
NAMELESS = "%s: %d entities have no label, and no fact has labels; ids serve as names"


class TemplateConfig(KgConfig, frozen=True, kw_only=True):
    """Of a graph that brings no templates."""

    templates: dict[str, str] | str = field(default_factory=dict)
    """Sentences with [X] and [Y] by relation, e.g. `{capital: "The capital of [X] is [Y]."}`, or a YAML file of them;
    by default the label stands between both ends."""


class TemplatedGraph(Graph):
    """A graph that takes its templates from its settings."""

    settings_type: ClassVar[type[KgConfig]] = TemplateConfig
    settings: TemplateConfig

    @property
    def templates(self) -> dict[str, str]:
        """The templates that the settings give, by relation; of several in a file the first."""
        return self._templates

    @cached_property
    def _templates(self) -> dict[str, str]:
        given = self.settings.templates
        if not isinstance(given, str):
            return given
        return {name: texts[0] for name, texts in read_templates(given).items() if texts}


class SourceSettings(TemplateConfig, frozen=True, kw_only=True):
    """Of a graph whose files hold all its relations."""

    source: tuple[str, ...] | str | None = None
    """The file, or a list of them; `*` stands for anything."""


class SourceFact(NamedTuple):
    """One fact as a source gives it."""

    relation: str
    subject: Entity
    object: Entity
    period: Period
    relation_label: str = ""
    """What it calls its relation."""


class SourceGraph(TemplatedGraph):
    """A graph whose files hold all its relations."""

    settings_type: ClassVar[type[KgConfig]] = SourceSettings
    settings: SourceSettings
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    """How the names of its files end."""
    lies_in: ClassVar[tuple[str, str]] = "file", "FILE"
    """What its source is, and how a message writes it."""

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
            kind, sign = self.lies_in
            hint = f"name its {kind}: kg={self.settings.adapter or self.name} kg.source={sign}"
            raise ConfigError("is not set", where="kg.source", hint=hint)
        return [path for name in self._sources for path in self._found(name)]

    def inputs(self, relation: Relation) -> list[Path]:  # noqa: ARG002  # the same for all
        """All files, each of which holds facts of any relation, and that of templates."""
        given = self.settings.templates
        return [*self.paths, *([path_of(given)] if isinstance(given, str) else [])]

    @property
    def _sources(self) -> tuple[str, ...]:
        source = self.settings.source
        return (source,) if isinstance(source, str) else source or ()

    def _found(self, name: str) -> list[Path]:
        path = path_of(name)
        if path.is_dir():
            found = {file.suffix for file in path.iterdir()}
            ending = next((one for one in self.endings if one in found), self.endings[0])
            raise DataError("is a folder", where=path, hint=f"name its files: kg.source='{path}/*{ending}'")
        if "*" not in name and not path.exists():
            raise DataError("is not there", where=name, hint="see kg.source")
        return paths_of(name)


class HeldGraph(Graph):
    """A graph that gives its facts in one stream; each entity is held once, and a fact as its two ends."""

    @property
    def templates(self) -> dict[str, str]:
        """The templates that are given, by relation."""
        return {}

    @abstractmethod
    def read(self) -> Iterator[SourceFact]:
        """Every fact, in the order of the source; what is broken goes to `problems`.

        Raises:
            DataError: the source cannot be read.
        """

    def relation_label(self, name: str) -> str:
        """What people call a relation, as the first fact says that does; by default the words of its id."""
        return self._said.get(name, "")

    @cached_property
    def _facts(self) -> dict[str, list[SourceFact]]:
        once: dict[Entity, Entity] = {}
        found: dict[str, list[SourceFact]] = {}
        self._said: dict[str, str] = {}
        for name, subject, object_, period, label in self.read():
            if label:
                self._said.setdefault(name, label)
            fact = SourceFact(name, once.setdefault(subject, subject), once.setdefault(object_, object_), period)
            found.setdefault(name, []).append(fact)
        if not found:
            raise DataError("holds no fact that can be read", where=self.place, hint="see that it is the right file")
        self._stand_ins, self._unnamed = _stand_ins(once)
        if self._unnamed:
            every = {entity.uri for entity in once}
            log.warning(NAMELESS if len(self._unnamed) == len(every) else UNNAMED, self.place, len(self._unnamed))
        return found

    def load_relations(self) -> Iterable[Relation]:
        """Those that have facts, in the order of the source, then those that only the settings describe."""
        for name in dict.fromkeys((*self._facts, *self.templates)):
            yield relation_of(name, self.relation_label(name), self.templates)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        """See the base class."""
        if not self.has_facts(relation):
            raise DataError(f"has no facts of {relation.relation!r}", where=self.place, hint="see its id there")
        for _, subject, object_, period, _ in self._facts[relation.relation]:
            yield triplet_of(relation, self._as_called(subject), self._as_called(object_), period)

    def _as_called(self, entity: Entity) -> Entity:
        """The same with what it goes by."""
        return entity if entity.label else replace(entity, label=self._stand_ins.get(entity.uri, ""))

    def has_facts(self, relation: Relation) -> bool:
        """Whether the source has one of that relation."""
        return relation.relation in self._facts

    def unlabelled(self, uris: Collection[str]) -> set[str]:
        """See the base class."""
        return self._unnamed.intersection(uris)


def _stand_ins(entities: Iterable[Entity]) -> tuple[dict[str, str], set[str]]:
    """What those entities go by that have no label, by URI: the first that another fact gives them, or the words of
    their ids, which may be none unless nobody has a label; and those that have none anywhere."""
    every = list(entities)
    named: dict[str, str] = {}
    for entity in every:
        if entity.label:
            named.setdefault(entity.uri, entity.label)
    unnamed = dict.fromkeys(entity.uri for entity in every if not entity.label)
    otherwise = stand_in if named else last_part
    return {uri: named.get(uri) or otherwise(uri) for uri in unnamed}, unnamed.keys() - named.keys()


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
