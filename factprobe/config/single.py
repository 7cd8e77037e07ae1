"""Composition of the settings of a single run without Hydra's own settings; imported only with Hydra."""

from __future__ import annotations

from copy import deepcopy
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, NamedTuple

from hydra.core.config_search_path import ConfigSearchPath
from hydra.plugins.config_source import ConfigResult
from hydra.types import RunMode
from msgspec import Struct
from omegaconf import DictConfig, OmegaConf

from factprobe.config.defaults import type_named
from factprobe.config.hydra_internals import (
    ConfigLoaderImpl,
    ConfigSearchPathImpl,
    FileConfigSource,
    Overrides,
    SourcesRegistry,
    StructuredConfigSource,
    create_config_search_path,
    create_defaults_list,
)
from factprobe.config.loader import Loader
from factprobe.config.yaml_files import ConfigFiles, OwnFirst


class _ComposedConfig(NamedTuple):
    """Cached config that was composed from files and settings types."""

    config: DictConfig
    """Composed settings; each run gets a copy."""
    types: list[tuple[str, str, type[Struct] | None]]
    """Group, class name and settings type of each chosen config; the registry may have another type since."""


_MAX_CACHED = 64
_compositions: dict[tuple[Any, ...], _ComposedConfig] = {}
"""Cached compositions of this process, by the chosen config files and their state."""

_WITHOUT_SEARCH_PATH = ("_launcher", "_sweeper")
"""Endings of the names of Hydra plugins that add no folder of config files and need not be imported."""


def search_path(folder: Path) -> ConfigSearchPath:
    """Return the search path for config files: a folder, and the folders that Hydra's plugins add.

    Hydra would import all plugins, including all launchers, to get these folders. Here they are imported only if one of
    them may add a folder.
    """
    plugins = find_spec("hydra_plugins")
    installed = iter_modules(plugins.submodule_search_locations) if plugins else ()
    if not all(plugin.name.endswith(_WITHOUT_SEARCH_PATH) for plugin in installed):
        return create_config_search_path(str(folder))
    for source in (FileConfigSource, StructuredConfigSource):
        SourcesRegistry.instance().register(source)
    path = ConfigSearchPathImpl()
    path.append("main", str(folder))
    path.append("schema", "structured://")
    return path


class WithoutHydra(OwnFirst):
    """Config repository that leaves out the config files with Hydra's own settings."""

    def load_config(self, config_path: str) -> ConfigResult | None:
        """Read a config, and drop Hydra's own groups from its defaults list; None without the config."""
        config = super().load_config(config_path)
        if config is not None:
            defaults = config.defaults_list or []
            config.defaults_list = [
                item for item in defaults if not (getattr(item, "group", None) or "").startswith("hydra/")
            ]
        return config

    def state(self) -> tuple[Any, ...]:
        """Return a value that differs once a config file was created, written or deleted."""
        folders = [Path(source.path) for source in self.sources if isinstance(source, ConfigFiles)]
        files = sorted(path for folder in folders for path in folder.rglob("*.yaml"))
        return tuple((str(path), (stat := path.stat()).st_mtime_ns, stat.st_size) for path in files)


class SingleLoader(Loader):
    """Loader that leaves out Hydra's own settings, which take the most time, and caches compositions."""

    def __init__(self, config_search_path: ConfigSearchPath) -> None:
        super().__init__(config_search_path)
        self.repository: WithoutHydra = WithoutHydra(config_search_path)

    def _process_config_searchpath(self, *_: Any) -> None:
        """Ignore `hydra.searchpath`, which applies only to runs through Hydra's command line."""

    def _load_configuration_impl(
        self,
        config_name: str | None,
        overrides: list[str],
        run_mode: RunMode,
        from_shell: bool = True,
        validate_sweep_overrides: bool = True,
    ) -> DictConfig:
        parsed, repository = self._parse_overrides_and_create_caching_repo(config_name, overrides)
        if validate_sweep_overrides:
            self.validate_sweep_overrides_legal(parsed, run_mode, from_shell)
        changes = Overrides(repository, parsed).config_overrides
        choices = [override for override in parsed if override not in changes]
        inputs = (override.input_line for override in choices)
        key = () if from_shell else (config_name, self._names_kg, *inputs, self.repository.state())
        cached = _compositions.get(key)
        if cached is None or any(type_named(group, name) is not type_ for group, name, type_ in cached.types):
            defaults = create_defaults_list(repository, config_name, choices, prepend_hydra=False, skip_missing=False)
            composed = ConfigLoaderImpl._compose_config_from_defaults_list(self, defaults.defaults, repository)
            composed.pop("hydra", None)
            cached = _ComposedConfig(self._add_defaults(composed), self._types)
            if len(_compositions) == _MAX_CACHED:
                _compositions.clear()
            if key:  # a command composes once
                _compositions[key] = cached
        self._config = config = deepcopy(cached.config) if key else cached.config
        OmegaConf.set_struct(config, True)
        self._apply_overrides_to_config(changes, config)
        return config
