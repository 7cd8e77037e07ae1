"""Hydra's search for config files. Imported with Hydra only."""

from __future__ import annotations

from copy import copy
from typing import Any, Self

from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.object_type import ObjectType
from hydra.plugins.config_source import ConfigResult, ConfigSource

from factprobe.config.hydra_internals import ConfigRepository
from factprobe.config.yaml_files import Files
from factprobe.errors import ConfigError


class OwnFirst(ConfigRepository):
    """Config repository that searches the folder of `--config-dir`, then factprobe's, then others.

    The primary config is factprobe's own, unless `--config-name` names another. Hydra would search its own files first,
    with a slower reader.
    """

    def initialize_sources(self, config_search_path: ConfigSearchPath) -> None:
        """Open the config sources in the order of the search."""
        super().initialize_sources(config_search_path)
        self.sources = [
            Files(source.provider, source.full_path()) if source.scheme() == Files.scheme() else source
            for source in self.sources
        ]

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        """Shallow-copy: Hydra deep-copies the repository on each composition, but sources are immutable."""
        return copy(self)

    def load_config(self, config_path: str) -> ConfigResult | None:
        """Read a config.

        Raises:
            DataError: The file cannot be read.
            ConfigError: The file is not a mapping, or its defaults list is invalid.
        """
        try:
            return super().load_config(config_path)
        except ValueError as error:  # raised for the defaults list
            hint = "each item of a defaults list is a name or 'group: name'"
            raise ConfigError(str(error), where=f"the config {config_path}", hint=hint) from error

    def _find_object_source(self, config_path: str, object_type: ObjectType | None) -> ConfigSource | None:
        in_group = "/" in config_path.strip("/")
        for provider in ("command-line", "main") if in_group else ("main",):
            for source in self.sources:
                if object_type is ObjectType.CONFIG and source.provider == provider and source.is_config(config_path):
                    return source
        return super()._find_object_source(config_path, object_type)
