"""Composition of a single run without Hydra's own settings; imported only with Hydra."""

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
    """Config composed from files and settings types."""

    config: DictConfig
    """Composed settings, copied for each run."""
    types: list[tuple[str, str, type[Struct] | None]]
    """Completed groups, with the chosen class and its settings type, which the registry may have replaced since."""


_MOST = 64
_composed: dict[tuple[Any, ...], _ComposedConfig] = {}
"""Compositions of this process, by the choice of config files."""

_NO_PLACES = ("_launcher", "_sweeper")
"""Endings of the names of Hydra plugins that have no search path, so that they need not be imported."""


def search_path(folder: Path) -> ConfigSearchPath:
    """Return the search path for config files: a folder, and the folders of Hydra's plugins.

    Hydra would import all plugins, including all launchers, to get their search paths. Here they are imported only if
    one of them may have a search path.
    """
    plugins = find_spec("hydra_plugins")
    installed = iter_modules(plugins.submodule_search_locations) if plugins else ()
    if not all(plugin.name.endswith(_NO_PLACES) for plugin in installed):
        return create_config_search_path(str(folder))
    for source in (FileConfigSource, StructuredConfigSource):
        SourcesRegistry.instance().register(source)
    found = ConfigSearchPathImpl()
    found.append("main", str(folder))
    found.append("schema", "structured://")
    return found


class WithoutHydra(OwnFirst):
    """Config repository without the config files of Hydra's own settings."""

    def load_config(self, config_path: str) -> ConfigResult | None:
        """Return a config, empty for Hydra's own groups."""
        found = super().load_config(config_path)
        if found is not None:
            listed = found.defaults_list or []
            found.defaults_list = [
                item for item in listed if not (getattr(item, "group", None) or "").startswith("hydra/")
            ]
        return found

    def state(self) -> tuple[Any, ...]:
        """Return a value that changes when a config file is created, written or deleted."""
        folders = [Path(source.path) for source in self.sources if isinstance(source, ConfigFiles)]
        files = sorted(path for folder in folders for path in folder.rglob("*.yaml"))
        return tuple((str(path), (known := path.stat()).st_mtime_ns, known.st_size) for path in files)


class SingleLoader(Loader):
    """Loader without Hydra's own settings, which are the largest part, and with a cache of compositions."""

    def __init__(self, config_search_path: ConfigSearchPath) -> None:
        super().__init__(config_search_path)
        self.repository: WithoutHydra = WithoutHydra(config_search_path)

    def _process_config_searchpath(self, *_: Any) -> None:
        """Ignore `hydra.searchpath`, which only runs of Hydra use."""

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
        known = _composed.get(key)
        if known is None or any(type_named(group, name) is not of for group, name, of in known.types):
            found = create_defaults_list(repository, config_name, choices, prepend_hydra=False, skip_missing=False)
            read = ConfigLoaderImpl._compose_config_from_defaults_list(self, found.defaults, repository)
            read.pop("hydra", None)
            known = _ComposedConfig(self._add_defaults(read), self._types)
            if len(_composed) == _MOST:
                _composed.clear()
            if key:  # a command composes once
                _composed[key] = known
        self._config = config = deepcopy(known.config) if key else known.config
        OmegaConf.set_struct(config, True)
        self._apply_overrides_to_config(changes, config)
        return config
