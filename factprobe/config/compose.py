"""Composes the settings of a run, as the command line does and from Python."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from factprobe.config.places import known_names, resource
from factprobe.config.types import RunConfig, convert
from factprobe.errors import ConfigError, FactprobeError, MissingExtraError, UnknownNameError, nearest

if TYPE_CHECKING:
    from omegaconf import DictConfig


def from_omegaconf(config: DictConfig) -> RunConfig:
    """The typed settings of a composed config.

    Raises:
        ConfigError: a setting is missing or of the wrong type.
    """
    from omegaconf import OmegaConf
    from omegaconf.errors import OmegaConfBaseException

    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or "config"
        raise ConfigError(str(error).splitlines()[0], where=key, mend=f"set {key}=...") from error
    return convert(plain, RunConfig)


def compose(overrides: Sequence[str] = (), *, from_shell: bool = False) -> DictConfig:
    """The config as the command line composes it from these overrides.

    Args:
        overrides: `name=value` each.
        from_shell: errors name overrides as a shell takes them.

    Raises:
        ConfigError: an override names what is not there.
    """
    from hydra import initialize_config_dir
    from hydra.core.global_hydra import GlobalHydra
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import open_dict
    from omegaconf.errors import OmegaConfBaseException

    try:
        with initialize_config_dir(config_dir=str(resource("conf")), version_base="1.3"):
            loader = GlobalHydra.instance().config_loader()
            config = loader.load_configuration("config", list(overrides), RunMode.RUN, from_shell)
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
            mend = f"pip install 'factprobe[{extra}]'"
            return MissingExtraError(f"hydra-{extra}-launcher is not installed", where=f"{group}={name}", mend=mend)
        return UnknownNameError(group or "config", name, error.options or known_names(group))
    message = str(error)
    unknown = re.search(r"Could not override '([^']+)'|Key '([^']+)' is not in struct", message)
    if unknown:
        key = str(unknown[1] or unknown[2])
        near = nearest(key, _setting_names())
        mend = f"did you mean {near}? " if near else ""
        return ConfigError(f"unknown setting {key!r}", mend=f"{mend}python run.py --help lists the settings")
    return ConfigError(" ".join(message.split()), mend="python run.py --help shows how settings are written")


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
