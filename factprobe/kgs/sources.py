"""Graphs whose files have all their relations, with templates from the settings."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import ClassVar

from msgspec import field

from factprobe.config import KgConfig, path_of, paths_of
from factprobe.errors import ConfigError, DataError
from factprobe.kgs.base import Graph
from factprobe.records import Relation
from factprobe.storage import COMPRESSED, check_encodable
from factprobe.templating import read_templates


def as_names(setting: Sequence[str] | str | None) -> Sequence[str] | None:
    """Return the names in a setting that may be a single name; None if it is not set."""
    return (setting,) if isinstance(setting, str) else setting


def plain_path(path: Path) -> Path:
    """Return a path without an ending of compression (`.gz`)."""
    return path.with_suffix("") if path.suffix.lower() in COMPRESSED else path


class TemplateConfig(KgConfig, frozen=True, kw_only=True):
    """Settings of a graph whose source has no templates."""

    templates: dict[str, str] | str = field(default_factory=dict)
    """Templates by relation, e.g. `{capital: "The capital of [X] is [Y]."}`, or a YAML file with them, which may list
    several for a relation (see `generator.template`); by default `[X], LABEL: [Y].`"""


class TemplatedGraph(Graph):
    """Graph that takes its templates from its settings."""

    settings_type: ClassVar[type[KgConfig]] = TemplateConfig
    settings: TemplateConfig

    @cached_property
    def templates(self) -> dict[str, tuple[str, ...]]:
        """Templates from the settings by relation; a file may have several for a relation."""
        templates = self.settings.templates
        if isinstance(templates, str):
            return {name: texts for name, texts in read_templates(templates).items() if texts}
        return {name: (text,) for name, text in templates.items()}

    def where_described(self, relation: Relation) -> str:
        """Return the setting or file with the template of a relation; without a template, the place of its facts."""
        if relation.relation not in self.templates:
            return super().where_described(relation)
        templates = self.settings.templates
        return str(path_of(templates)) if isinstance(templates, str) else "kg.templates"


class SourceSettings(TemplateConfig, frozen=True, kw_only=True):
    """Settings of a graph whose files have all its relations."""

    source: tuple[str, ...] | str | None = None
    """File or list of files with the facts; `*` is a wildcard."""


class SourceGraph(TemplatedGraph):
    """Graph whose files have all its relations."""

    settings_type: ClassVar[type[KgConfig]] = SourceSettings
    settings: SourceSettings
    endings: ClassVar[tuple[str, ...]] = (".csv",)
    """Endings of the names of source files."""
    source_kind: ClassVar[tuple[str, str]] = "file", "FILE"
    """Word for the source, and placeholder for its path, in messages."""

    @property
    def place(self) -> str:
        """Location of the graph for messages: its source files, or its name."""
        return ", ".join(self._source_names) or self.name

    @cached_property
    def paths(self) -> list[Path]:
        """Source files.

        Raises:
            ConfigError: No source is set.
            DataError: No file matches the source, or the name of a file is not UTF-8.
        """
        if not self._source_names:
            kind, sign = self.source_kind
            hint = f"name its {kind}: kg={self.settings.adapter or self.name} kg.source={sign}"
            raise ConfigError("is not set", where="kg.source", hint=hint)
        return [check_encodable(path) for name in self._source_names for path in self._find_files(name)]

    def inputs(self, relation: Relation) -> list[Path]:  # noqa: ARG002  # any file may hold any relation
        """Return all source files and the file of templates."""
        templates = self.settings.templates
        return [*self.paths, *([path_of(templates)] if isinstance(templates, str) else [])]

    @property
    def _source_names(self) -> Sequence[str]:
        return as_names(self.settings.source) or ()

    def _find_files(self, name: str) -> list[Path]:
        path = path_of(name)
        if path.is_dir():
            suffixes = {file.suffix for file in path.iterdir()}
            ending = next((suffix for suffix in self.endings if suffix in suffixes), self.endings[0])
            raise DataError("is a folder", where=path, hint=f"name its files: kg.source='{path}/*{ending}'")
        if "*" not in name and not path.exists():
            raise DataError("does not exist", where=name, hint="correct kg.source")
        return paths_of(name)
