"""Protection against settings of Hydra that call other code or read secrets; imported only with Hydra."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from omegaconf import DictConfig, ListConfig, OmegaConf
from omegaconf.errors import InterpolationResolutionError, OmegaConfBaseException
from omegaconf.resolvers import oc

from factprobe.config.paths import path_of
from factprobe.errors import ConfigError
from factprobe.secrecy import refuse

_CALLBACKS = {"begin": {"_target_": "factprobe.cli.sweeps.Begin"}}
_DERIVED_SETTINGS = {"hydra.help", "hydra.hydra_help", "hydra.job.override_dirname", "hydra.overrides"}
"""Settings of Hydra that are not checked, since they are derived from settings that are."""

_HARMLESS_NAME = re.compile(
    r"^factprobe_|^(old)?pwd$|(^|_)(base|cache|data|device|dir|directory|endpoint|file|folder|home|host|hostname|lang|language|model"
    r"|name|path|port|project|region|root|tmp|tmpdir|url|user|version|workspace)s?(_\d+)?$",
    re.IGNORECASE,
)
"""Pattern of names of environment variables whose values are no secrets."""
_HARMLESS_VALUE = re.compile(r"[\W\d]*|[A-Za-z_]{1,15}|https?://[\w.:/[\]-]+|.{0,7}")
"""Pattern of values that are never secrets: numbers, words, addresses, and texts of fewer than eight characters."""


class SecretError(InterpolationResolutionError):
    """Error for an interpolation that reads a possible secret from the environment."""


def guard_environment() -> None:
    """Replace OmegaConf's resolver of environment variables by one that raises an error for possible secrets."""
    OmegaConf.register_new_resolver("oc.env", _from_environment, replace=True)


def _from_environment(*arguments: Any) -> str | None:
    value = oc.env(*arguments)
    try:
        refuse(value)
    except ConfigError as error:
        raise SecretError(f"{error.what}; {error.hint}") from None
    name = str(arguments[0])
    if name in os.environ and not (_HARMLESS_NAME.search(name) or _is_harmless(os.environ[name])):
        what = f"may not contain the value of {name}, which may be a key: settings are written to files"
        raise SecretError(f"{what}; write the value itself, or rename the variable to what it holds, as in MY_MODEL")
    return value


def _is_harmless(value: str) -> bool:
    """Return whether a value is harmless in any variable: a word, number, URL, short text or existing path."""
    return _HARMLESS_VALUE.fullmatch(value) is not None or (len(value) > 0 and Path(value).exists())


def check_hydra_settings(hydra: DictConfig, is_run: bool) -> None:
    """Raise a `ConfigError` if Hydra's settings have a secret or call other code; expand `~` in its folders.

    `is_run` is False if Hydra only prints its help.
    """
    if is_run:
        _check_targets(hydra)
        resolved = dict(_resolve_settings(hydra, "hydra"))  # these settings name folders, and are sent to jobs
        refuse({path: value for path, value in resolved.items() if not OmegaConf.is_config(value)})
    for folder in (hydra.run, hydra.sweep):
        written = str(folder._get_node("dir"))
        if written.startswith("~"):
            folder.dir = str(path_of(written))


def _check_targets(hydra: DictConfig) -> None:
    """Raise a `ConfigError` if Hydra would set up logging, or call more than launcher, sweeper and own callback."""
    if OmegaConf.to_container(hydra.callbacks, resolve=True) != _CALLBACKS:
        hint = "do not change it; a config of another name begins with 'defaults: [config, _self_]'"
        raise ConfigError("has another callback than factprobe's", where="hydra.callbacks", hint=hint)
    for name in ("job_logging", "hydra_logging"):
        logging = hydra.get(name)
        if logging is not None and logging.get("root") is not None:
            hint = "do not change it; factprobe has its own logging"
            raise ConfigError("is not 'none'", where=f"hydra/{name}", hint=hint)
    for name in ("launcher", "sweeper"):
        for path, node in _resolve_settings(hydra.get(name), f"hydra.{name}"):
            calls_code = isinstance(node, DictConfig) and "_target_" in node
            if calls_code and path != f"hydra.{name}":  # Hydra itself checks that this one is installed
                raise ConfigError("would call other code", where=f"{path}._target_", hint="remove it")


def _resolve_settings(node: Any, path: str) -> Iterator[tuple[str, Any]]:
    """Yield path and value of each setting in a config, with interpolations resolved.

    Settings that only a job can resolve are left out.
    """
    yield path, node
    keys = node if isinstance(node, DictConfig) else range(len(node)) if isinstance(node, ListConfig) else ()
    for key in keys:
        inner = f"{path}.{key!s}"
        if inner in _DERIVED_SETTINGS:
            continue
        try:
            value = node[key]
        except SecretError as error:
            raise ConfigError(str(error).splitlines()[0], where=inner) from error
        except OmegaConfBaseException:
            continue
        yield from _resolve_settings(value, inner)
