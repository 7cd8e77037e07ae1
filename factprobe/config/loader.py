"""How Hydra composes the settings; imported with Hydra only, which takes its time to load."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from hydra._internal import hydra as hydra_main
from hydra._internal.config_loader_impl import ConfigLoaderImpl
from hydra._internal.config_repository import ConfigRepository
from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.config_store import ConfigStore
from hydra.core.object_type import ObjectType
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException
from hydra.plugins.config_source import ConfigSource
from omegaconf import DictConfig, OmegaConf

from factprobe.config.defaults import GROUPS, defaults, named, run_defaults, settings_type
from factprobe.config.plugins import load_plugins, plugins_of
from factprobe.errors import UnknownNameError
from factprobe.secrecy import refuse, refuse_argument

CHOICE = re.compile(r"^\+{0,2}(kg|generator|model)(?:@\w+)?=([\w.,-]+)$")


class OwnFirst(ConfigRepository):
    """Looks for a file of a group in the folder that `--config-dir` names, then among factprobe's, then elsewhere.

    The config that all others hang on stays factprobe's own, unless `--config-name` names another. Hydra would look
    among its own files first, which are read in another and slower way.
    """

    def _find_object_source(self, config_path: str, object_type: ObjectType | None) -> ConfigSource | None:
        in_group = "/" in config_path.strip("/")
        for provider in ("command-line", "main") if in_group else ("main",):
            for source in self.sources:
                if object_type is ObjectType.CONFIG and source.provider == provider and source.is_config(config_path):
                    return source
        return super()._find_object_source(config_path, object_type)


class Loader(ConfigLoaderImpl):
    """Composes as Hydra does, from YAML, with the defaults of the settings types for all that no file says.

    They are there before the overrides of the command line, which may then name every setting and no other. Jobs of a
    sweep are composed by it wherever they run. What is secret is refused here, before Hydra writes or prints any of it.
    """

    def __init__(self, config_search_path: ConfigSearchPath) -> None:
        super().__init__(config_search_path)
        self.repository = OwnFirst(config_search_path)

    def load_configuration(
        self, config_name: str | None, overrides: list[str], *args: Any, **kwargs: Any
    ) -> DictConfig:
        """See the base class."""
        load_plugins(plugins_of(overrides))
        for group, name in _choices(overrides):
            if not self.repository.config_exists(f"{group}/{name}"):
                _offer(group, name)
        config = super().load_configuration(config_name, overrides, *args, **kwargs)
        refuse(OmegaConf.to_container(config))
        return config

    def _parse_overrides_and_create_caching_repo(
        self, config_name: str | None, overrides: list[str]
    ) -> tuple[list[Override], Any]:
        try:
            parsed, repository = super()._parse_overrides_and_create_caching_repo(config_name, overrides)
        except HydraException as error:
            broken = error
        else:
            for override in parsed:
                value = override.value()
                values = map(Override._convert_value, value.list) if isinstance(value, ChoiceSweep) else (value,)
                refuse(list(values), override.key_or_group)
            return parsed, repository
        for text in overrides:  # the error shows the one that is broken
            refuse_argument(text)
        raise broken

    def _compose_config_from_defaults_list(self, *args: Any, **kwargs: Any) -> DictConfig:
        config = super()._compose_config_from_defaults_list(*args, **kwargs)
        _complete(config, run_defaults())
        for name, group in GROUPS.items():
            chosen = config.get(name)
            of = settings_type(group, chosen) if isinstance(chosen, DictConfig) else None
            if of is not None:
                _complete(chosen, defaults(of))
        return config


def install() -> None:
    """Has Hydra's own main function compose by the loader above, which it takes from nobody."""
    hydra_main.ConfigLoaderImpl = Loader  # type: ignore[attr-defined]  # not exported there


def _choices(overrides: Iterable[str]) -> Iterator[tuple[str, str]]:
    for override in overrides:
        if found := CHOICE.match(override):
            yield from ((found[1], name) for name in found[2].split(","))


def _offer(group: str, name: str) -> None:
    """Lets a registered class be chosen that has no config file."""
    try:
        node: Any = named(group, name)
    except UnknownNameError:
        return  # Hydra says so
    ConfigStore.instance().store(group=group, name=name, node=node)


def _complete(config: DictConfig, settings: dict[str, Any]) -> None:
    """Enters the settings that a config lacks; one that is an empty mapping by default takes any key."""
    there = set(config)
    for name, value in settings.items():
        if name not in there:
            config[name] = value
        if value == {} and isinstance(node := config._get_node(name), DictConfig):
            OmegaConf.set_struct(node, False)
