"""Loader that composes the settings with Hydra; imported only when needed, since Hydra is slow to load."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from itertools import chain
from typing import Any

from hydra.core.config_search_path import ConfigSearchPath
from hydra.core.config_store import ConfigStore
from hydra.core.override_parser.types import ChoiceSweep, Override
from hydra.errors import HydraException
from msgspec import Struct
from omegaconf import DictConfig, OmegaConf
from omegaconf.errors import OmegaConfBaseException

from factprobe.config.defaults import (
    DEFAULT_CHOICES,
    GROUPS,
    class_name,
    defaults,
    registered_config,
    run_defaults,
    type_named,
)
from factprobe.config.explain import HELP, unknown_setting
from factprobe.config.guard import check_hydra_settings, guard_environment
from factprobe.config.hydra_internals import ConfigLoaderImpl, hydra_main
from factprobe.config.overrides import decode_keys, quote_override
from factprobe.config.plugins import load_plugins, plugins_of
from factprobe.config.yaml_files import OwnFirst
from factprobe.errors import ConfigError, UnknownNameError
from factprobe.secrecy import refuse
from factprobe.step_table import OF_COMPONENTS, STEPS, named_steps

_UNKNOWN = re.compile(r"Could not override '([^']+)'|Key '([^']+)' is not in struct")
_MAX_CACHED_JOBS = 256
"""Maximum number of jobs whose settings are cached, about 200 KB each."""
CHOICE = re.compile(
    r"^\+{0,2}(kg|generator|model|claim_extractor|checker|aggregator|retriever|detector)(?:@[\w.]+)?=([\w.,-]+)$"
)
_COMPONENT_MODEL = re.compile(r"^(generator|claim_extractor|checker|detector)\.model=(?=[\w.,-]+$)")
"""Pattern of an override that chooses the model of a component, such as `checker.model=openai`."""
_MODEL = re.compile(r"model(?:\.|=[^,]*\Z)")
"""Pattern of an override of `model` or a setting in it; a choice of several models (`model=a,b`) does not match."""
_COMPONENTS_WITH_MODEL = ("claim_extractor", "checker", "detector")
"""Components whose own models are set by the overrides of `model`."""


class Loader(ConfigLoaderImpl):
    """Hydra's loader, which also adds the defaults of the settings types and checks the settings for secrets.

    The defaults are added before the overrides are applied, so that overrides can change exactly the settings that
    exist. Secrets raise an error before Hydra writes or prints a setting. Jobs of a sweep use this loader as well,
    also in other processes.
    """

    def __init__(self, config_search_path: ConfigSearchPath) -> None:
        super().__init__(config_search_path)
        self.repository = OwnFirst(config_search_path)
        self._config = OmegaConf.create()
        """Composed config before the overrides are applied."""
        self._types: list[tuple[str, str, type[Struct] | None]] = []
        """Group, class name and settings type of each chosen config that was completed with defaults."""
        self._checked: dict[tuple[str, ...], DictConfig] = {}
        """Settings of the jobs of a sweep, cached since Hydra composes each twice: for a check and for the launch."""
        self._names_kg = False
        """True if an override chooses or changes the graph; some steps use a graph only then."""

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_checked": {}}  # a launcher may send the loader with each job

    def load_sweep_config(self, master_config: DictConfig, sweep_overrides: list[str]) -> DictConfig:
        """Return the settings of a job of a sweep; they are composed once for its check and its launch."""
        guard_environment()  # needed in the processes of a launcher
        key = tuple(sweep_overrides)
        if key in self._checked:
            return self._checked.pop(key)
        config = super().load_sweep_config(master_config, sweep_overrides)
        if len(self._checked) < _MAX_CACHED_JOBS:
            self._checked[key] = deepcopy(config)  # each job writes its number into its copy
        return config

    def load_configuration(
        self, config_name: str | None, overrides: list[str], *args: Any, **kwargs: Any
    ) -> DictConfig:
        """Compose the settings; raise a `ConfigError` if a part is invalid, or would make Hydra call other code."""
        overrides = [_COMPONENT_MODEL.sub(r"model@\1.model=", quote_override(override)) for override in overrides]
        overrides = [*_default_overrides(overrides), *overrides]
        overrides = [*self._component_model_overrides(overrides), *overrides]
        load_plugins(plugins_of(overrides))
        for choice in filter(None, map(CHOICE.match, overrides)):
            for name in choice[2].split(","):
                if not self.repository.config_exists(f"{choice[1]}/{name}"):
                    _offer_registered(choice[1], name)
        try:
            config = super().load_configuration(config_name, overrides, *args, **kwargs)
        except (HydraException, OmegaConfBaseException) as error:
            if unknown := _UNKNOWN.search(str(error)):
                name, names = (unknown[1] or unknown[2]).removeprefix("model@"), {*_setting_names(self._config)}
                if name in names:
                    raise ConfigError("cannot have this value", where=name, hint=HELP) from error
                raise unknown_setting(name, names) from error
            raise
        except RecursionError as error:
            hint = "check that no defaults list refers back to its own file"
            raise ConfigError("the settings are nested too deep", hint=hint) from error
        except (AssertionError, AttributeError, TypeError, ValueError) as error:  # for an invalid name
            raise ConfigError(f"the settings cannot be composed: {error}", hint=HELP) from error
        refuse(OmegaConf.to_container(config))
        if "hydra" in config:
            check_hydra_settings(config.hydra, is_run=config_name is not None)
        return config

    def _component_model_overrides(self, overrides: Sequence[str]) -> Iterator[str]:
        """Yield the overrides of `model` again as overrides of the components' models, such as `checker.model.top_p=1`.

        They precede all others, so that explicit settings of a component's model win. A component whose model is chosen
        explicitly gets none. If the components differ between the jobs of a sweep, each job yields its own.
        """
        steps = [names[0] for names in named_steps(overrides) if len(names) == 1]
        if not steps or steps[-1] not in STEPS or STEPS[steps[-1]].model != OF_COMPONENTS:
            return
        model_overrides = [override for override in overrides if _MODEL.match(override)]
        for component in _COMPONENTS_WITH_MODEL if model_overrides else ():
            names = [override.partition("=")[2] for override in overrides if override.startswith(f"{component}=")]
            is_chosen = any(override.startswith(f"model@{component}.model=") for override in overrides)
            if names and not is_chosen and self._chooses_model(component, names[-1]):
                for override in model_overrides:
                    yield f"{'model@' * override.startswith('model=')}{component}.{override}"

    def _chooses_model(self, group: str, name: str) -> bool:
        """Return whether the config of a component contains a model to ask."""
        config = self.repository.load_config(f"{group}/{name}")
        defaults_list = config.defaults_list or [] if config else []
        return any((getattr(item, "group", None) or "").lstrip("/") == "model" for item in defaults_list)

    def _parse_overrides_and_create_caching_repo(
        self, config_name: str | None, overrides: list[str]
    ) -> tuple[list[Override], Any]:
        parsed, repository = super()._parse_overrides_and_create_caching_repo(config_name, overrides)
        self._names_kg = any(override.key_or_group.partition(".")[0] == "kg" for override in parsed)
        for override in parsed:
            sweep = override._value if isinstance(override._value, ChoiceSweep) else None
            if sweep is not None:
                sweep.list = decode_keys(sweep.list)
            else:
                override._value = decode_keys(override._value)
            value = override.value()
            values = map(Override._convert_value, value.list) if isinstance(value, ChoiceSweep) else (value,)
            refuse(list(values), override.key_or_group)
        return parsed, repository

    def _compose_config_from_defaults_list(self, *args: Any, **kwargs: Any) -> DictConfig:
        return self._add_defaults(super()._compose_config_from_defaults_list(*args, **kwargs))

    def _add_defaults(self, config: DictConfig) -> DictConfig:
        """Add to a config the defaults of settings that its files do not set, and return it."""
        _add_missing_settings(config, {**run_defaults(), "with_kg": self._names_kg})
        self._types = []
        for name, group in GROUPS.items():
            if not isinstance(chosen := OmegaConf.select(config, name), DictConfig):
                continue
            chosen_class = class_name(group, chosen)
            type_ = type_named(group, chosen_class)
            self._types.append((group, chosen_class, type_))
            if type_ is not None:
                _add_missing_settings(chosen, defaults(type_))
        self._config = config
        return config


def _setting_names(config: DictConfig, prefix: str = "") -> Iterator[str]:
    """Yield the name of each setting in a config, nested ones with dots."""
    for key in map(str, config):
        yield f"{prefix}{key}"
        if isinstance(value := config._get_node(key), DictConfig):
            yield from _setting_names(value, f"{prefix}{key}.")


def _in_context(name: str, context: str | None) -> str:
    """Return the name of a generator, followed by the kind of its passages if it has any (`template-relevance`)."""
    return name if context in (None, "none") else f"{name}-{context}"


def _local_limit(backend: str, tokens: int) -> int | None:
    """Return `tokens` as the limit for a local model; None for an endpoint, since its model may reason first."""
    type_ = type_named("model", backend)
    return None if type_ is not None and "timeout" in type_.__struct_fields__ else tokens


OmegaConf.register_new_resolver("local_limit", _local_limit, replace=True)
OmegaConf.register_new_resolver("in_context", _in_context, replace=True)
# With compositions a graph reads all relations, since their steps may be any.
OmegaConf.register_new_resolver("picked", lambda relations, compose: None if compose else relations, replace=True)


def install() -> None:
    """Make Hydra's main function use `Loader`, since it accepts no loader as an argument."""
    hydra_main.ConfigLoaderImpl = Loader  # type: ignore[attr-defined]  # the module does not export it
    guard_environment()


def _default_overrides(overrides: Sequence[str]) -> Iterator[str]:
    """Return overrides that choose the default config of each group which the steps use and the user did not choose."""
    steps = chain.from_iterable(named_steps(overrides))
    defaults = {group: name for step in steps for group, name in DEFAULT_CHOICES.get(step, {}).items()}
    chosen = {override.lstrip("+").partition("=")[0] for override in overrides}
    return (f"{group}={name}" for group, name in defaults.items() if group not in chosen)


def _offer_registered(group: str, name: str) -> None:
    """Make a registered class that has no config file available as a choice of its group."""
    try:
        node: Any = registered_config(group, name)
    except UnknownNameError:
        return  # Hydra reports the error
    ConfigStore.instance().store(group=group, name=name, node=node)


def _add_missing_settings(config: DictConfig, settings: dict[str, Any]) -> None:
    """Add missing settings to a config; let a mapping whose default is empty accept any key."""
    present = set(config)
    for name, value in settings.items():
        if name not in present:
            config[name] = value
        if value in ({}, None) and isinstance(node := config._get_node(name), DictConfig):
            OmegaConf.set_struct(node, False)
