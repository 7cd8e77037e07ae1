"""Limits on what Hydra may call and read from the environment. Imported with Hydra only."""

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
"""Settings of Hydra's that repeat others, which are checked themselves."""


class SecretError(InterpolationResolutionError):
    """Error for an interpolation that reads a secret from the environment."""


def watch_environment() -> None:
    """Refuse interpolations that read secrets, whenever Hydra or a launcher resolves them."""
    OmegaConf.register_new_resolver("oc.env", _from_environment, replace=True)


def _from_environment(*arguments: Any) -> str | None:
    value = oc.env(*arguments)
    try:
        refuse(value)
    except ConfigError as error:
        raise SecretError(f"{error.what}; {error.hint}") from None
    return value


def ready(hydra: DictConfig, runs: bool) -> None:
    """Check Hydra's own settings; its help is composed without a config and runs nothing."""
    if runs:
        _assert_ours(hydra)
        held = dict(_resolved(hydra, "hydra"))  # it names folders, and is sent to jobs
        refuse({path: value for path, value in held.items() if not OmegaConf.is_config(value)})
    for folder in (hydra.run, hydra.sweep):
        written = str(folder._get_node("dir"))
        if written.startswith("~"):
            folder.dir = str(path_of(written))


def _assert_ours(hydra: DictConfig) -> None:
    """Raise an error if a config has Hydra call anything but its own classes, installed launchers and our callback.

    Raises:
        ConfigError: it names something else.
    """
    if OmegaConf.to_container(hydra.callbacks, resolve=True) != _CALLBACKS:
        hint = "leave it as it is; a config of another name begins with 'defaults: [config, _self_]'"
        raise ConfigError("holds another callback than factprobe's", where="hydra.callbacks", hint=hint)
    for name in ("job_logging", "hydra_logging"):
        found = hydra.get(name)
        if found is not None and found.get("root") is not None:
            hint = "leave it as it is; factprobe logs by itself"
            raise ConfigError("is not 'none'", where=f"hydra/{name}", hint=hint)
    for name in ("launcher", "sweeper"):
        for path, node in _resolved(hydra.get(name), f"hydra.{name}"):
            called = isinstance(node, DictConfig) and "_target_" in node
            if called and path != f"hydra.{name}":  # Hydra itself sees to it that this one is installed
                raise ConfigError("names what is to be called", where=f"{path}._target_", hint="leave it out")


def _resolved(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Return a config with its interpolations resolved, except those known within a job only.

    Raises:
        ConfigError: it takes what is secret.
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
        yield from _resolved(value, inner)
