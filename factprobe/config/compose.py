"""Composes the settings of a run, as the command line does and from Python."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from factprobe.config.defaults import evaluator_defaults
from factprobe.config.places import known_names, resource
from factprobe.config.plugins import load_plugins
from factprobe.config.types import RULES, EvaluatorConfig, RunConfig, convert
from factprobe.errors import ConfigError, FactprobeError, MissingExtraError, UnknownNameError, nearest
from factprobe.question_types import kind_named
from factprobe.secrecy import refuse

if TYPE_CHECKING:
    from omegaconf import DictConfig


_HYDRAS_OWN = ("env", "help", "hydra_help", "hydra_logging", "job_logging", "launcher", "output", "sweeper")
"""Hydra's groups; none of ours refers to them, and composing them takes a fifth of the time."""


def from_omegaconf(config: DictConfig) -> RunConfig:
    """The typed settings of a composed config.

    Raises:
        ConfigError: a setting is missing, unknown or of the wrong type, or holds what is secret.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or "config"
        raise ConfigError(str(error).splitlines()[0], where=key, mend=f"set {key}=...") from error
    refuse(plain)
    run = convert(plain, RunConfig)
    return msgspec.structs.replace(
        run,
        evaluator=_complete(run.evaluator, "evaluator", run.plugins),
        compat=run.compat and _complete(run.compat, "compat", run.plugins),
    )


def _complete(config: EvaluatorConfig, where: str, plugins: Sequence[str]) -> EvaluatorConfig:
    """The same with every setting that its evaluators have; whose they are is known only when all is composed."""
    if not config.settings and config.by_type() == RULES:
        return config
    load_plugins(plugins)
    for name in config.others:
        kind_named(name)
    known = evaluator_defaults(config)
    for name in config.settings.keys() - known.keys():
        raise _unknown(f"{where}.settings.{name}", (f"{where}.settings.{other}" for other in known))
    return msgspec.structs.replace(config, settings={**known, **config.settings})


def compose(overrides: Sequence[str] = (), *, from_shell: bool = False) -> DictConfig:
    """The config as the command line composes it from these overrides.

    Args:
        overrides: `name=value` each.
        from_shell: errors name overrides as a shell takes them.

    Raises:
        ConfigError: an override names what is not there.
    """
    from hydra import version
    from hydra._internal.utils import create_config_search_path
    from hydra.core.utils import setup_globals
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import open_dict
    from omegaconf.errors import OmegaConfBaseException

    from factprobe.config.loader import Loader

    version.setbase("1.3")
    setup_globals()
    without = [] if any("hydra" in override for override in overrides) else [f"~hydra/{own}" for own in _HYDRAS_OWN]
    try:
        loader = Loader(create_config_search_path(str(resource("conf"))))
        config = loader.load_configuration("config", [*without, *overrides], RunMode.RUN, from_shell=from_shell)
    except (HydraException, OmegaConfBaseException) as error:
        raise explain(error) from error
    with open_dict(config):
        del config["hydra"]
    return config


def explain(error: Exception) -> FactprobeError:
    """An error of Hydra's in one line, with the near name where a name is wrong, or the extra that is missing."""
    from hydra.errors import MissingConfigException

    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        if group == "hydra/launcher" and name in known_names("launcher"):
            extra = name.partition("_")[0]
            what = f"hydra-{extra}-launcher is not installed"
            return MissingExtraError(what, where=f"{group}={name}", extra=extra)
        return UnknownNameError(group or "config", name, error.options or known_names(group))
    message = str(error)
    unknown = re.search(r"Could not override '([^']+)'|Key '([^']+)' is not in struct", message)
    if unknown:
        return _unknown(str(unknown[1] or unknown[2]), _setting_names())
    return ConfigError(" ".join(message.split()), mend="factprobe --help shows how settings are written")


def _unknown(setting: str, known: Iterable[str]) -> ConfigError:
    near = nearest(setting, known)
    mend = f"did you mean {near}? " if near else ""
    return ConfigError(f"unknown setting {setting!r}", mend=f"{mend}factprobe --help lists the settings")


def _setting_names() -> list[str]:
    from omegaconf import DictConfig

    def names(node: DictConfig, prefix: str = "") -> list[str]:
        found: list[str] = []
        for key in node:
            name = prefix + str(key)
            found.append(name)
            value = node._get_node(key)
            if isinstance(value, DictConfig):
                found += names(value, f"{name}.")
        return found

    return names(compose())
