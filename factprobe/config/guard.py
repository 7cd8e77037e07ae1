"""Protection against Hydra settings that call other code or read secrets. Imported with Hydra only."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import InterpolationResolutionError, OmegaConfBaseException
from omegaconf.resolvers import oc

from factprobe.config.paths import path_of
from factprobe.errors import ConfigError
from factprobe.secrecy import refuse

_CALLBACKS = {"begin": {"_target_": "factprobe.cli.sweeps.Begin"}}
_REPEATING = {"hydra.help", "hydra.hydra_help", "hydra.job.override_dirname", "hydra.overrides"}
"""Settings of Hydra that only repeat settings which are checked elsewhere."""


class SecretError(InterpolationResolutionError):
    """Error for an interpolation that reads a secret from the environment."""


def watch_environment() -> None:
    """Replace OmegaConf's resolver of environment variables by one that raises an error for secrets."""
    OmegaConf.register_new_resolver("oc.env", _from_environment, replace=True)


def _from_environment(*arguments: Any) -> str | None:
    value = oc.env(*arguments)
    try:
        refuse(value)
    except ConfigError as error:
        raise SecretError(f"{error.what}; {error.hint}") from None
    return value


def check_hydra_settings(hydra: DictConfig, runs: bool) -> None:
    """Check Hydra's own settings.

    Args:
        hydra: Settings of Hydra.
        runs: True if a run follows; False for Hydra's help.

    Raises:
        ConfigError: A setting holds a secret, or makes Hydra call other code.
    """
    if runs:
        _assert_ours(hydra)
        resolved = dict(_resolve(hydra, "hydra"))  # these settings name folders, and are sent to jobs
        refuse({path: value for path, value in resolved.items() if not OmegaConf.is_config(value)})
    for folder in (hydra.run, hydra.sweep):
        written = str(folder._get_node("dir"))
        if written.startswith("~"):
            folder.dir = str(path_of(written))


def _assert_ours(hydra: DictConfig) -> None:
    """Raise an error if Hydra's settings call anything but its own classes, installed launchers and our callback.

    Raises:
        ConfigError: The settings call something else.
    """
    if OmegaConf.to_container(hydra.callbacks, resolve=True) != _CALLBACKS:
        hint = "do not change it; a config of another name begins with 'defaults: [config, _self_]'"
        raise ConfigError("has another callback than factprobe's", where="hydra.callbacks", hint=hint)
    for name in ("job_logging", "hydra_logging"):
        found = hydra.get(name)
        if found is not None and found.get("root") is not None:
            hint = "do not change it; factprobe has its own logging"
            raise ConfigError("is not 'none'", where=f"hydra/{name}", hint=hint)
    for name in ("launcher", "sweeper"):
        for path, node in _resolve(hydra.get(name), f"hydra.{name}"):
            called = isinstance(node, DictConfig) and "_target_" in node
            if called and path != f"hydra.{name}":  # Hydra itself checks that this one is installed
                raise ConfigError("would call other code", where=f"{path}._target_", hint="remove it")


def _resolve(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield the settings in a config with resolved interpolations, except those known only within a job.

    Raises:
        ConfigError: An interpolation reads a secret.
    """
    yield path, node
    keys = node if isinstance(node, DictConfig) else range(len(node)) if isinstance(node, ListConfig) else ()
    for key in keys:
        inner = f"{path}.{key!s}"
        if inner in _REPEATING:
            continue
        try:
            value = node[key]
        except SecretError as error:
            raise ConfigError(str(error).splitlines()[0], where=inner) from error
        except OmegaConfBaseException:
            continue
        yield from _resolve(value, inner)
