"""One-line errors for settings that Hydra cannot read."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterable, Iterator

from factprobe.config.defaults import GROUPS, registered_config, settings_type
from factprobe.config.paths import known_names
from factprobe.errors import ConfigError, FactprobeError, MissingExtraError, UnknownNameError, format_list, nearest
from factprobe.registry import registry

HELP = "factprobe --help shows how settings are written"
"""Hint for a setting that cannot be read."""

ESCAPE_HINT = r"write \${ for a ${ that is part of a text"
"""Hint for an interpolation that cannot be resolved."""

_CHOSEN_BY = {"judge": "model@judge"}
"""Setting that chooses a config, if it differs from the name of its group."""


def explain(error: Exception) -> FactprobeError:
    """Convert an error of Hydra into an error of one line, with a hint such as the closest name."""
    from hydra.errors import MissingConfigException
    from omegaconf.errors import ConfigTypeError, OmegaConfBaseException

    if isinstance(error, MissingConfigException) and error.missing_cfg_file:
        group, _, name = str(error.missing_cfg_file).rpartition("/")
        if group == "hydra/launcher" and name in known_names("launcher"):
            extra = name.partition("_")[0]
            what = f"hydra-{extra}-launcher is not installed"
            return MissingExtraError(what, where=f"{group}={name}", extra=extra)
        source = re.match(r"In '([^']+)'", str(error))  # the file with the defaults list
        where = source[1] if source and source[1] not in ("config", "hydra/config") else None
        names = error.options or known_names(group)
        hint = None
        if group.partition("@")[0] == "model" and nearest(name, names) is None:
            hint = (
                f"known: {format_list(sorted(names))}; for a model of an endpoint set {group}=openai model.model={name}"
            )
        return UnknownNameError(group or "config", name, names, where=where, hint=hint)
    if isinstance(error, OmegaConfBaseException) and error.full_key:
        return ConfigError(str(error).splitlines()[0], where=error.full_key, hint=HELP)
    message, cause = " ".join(str(error).split()), error.__cause__
    if isinstance(cause, ConfigTypeError) and cause.full_key:
        return ConfigError("cannot have this value", where=cause.full_key, hint=HELP)
    if isinstance(cause, OmegaConfBaseException):  # Hydra's own message may be empty
        message = f"{message}: {' '.join(str(cause).split())}".removeprefix(": ")
    if several := re.match(r"Ambiguous value for argument '([^=]+)=(.*?)' 1\. ", message):
        as_list = shlex.quote(f"{several[1]}=[{several[2]}]")
        hint = f"add --multirun to run with each value, or write {as_list} if it takes a list"
        return ConfigError("has several values", where=several[1], hint=hint)
    return ConfigError(message, hint=HELP)


def unknown_setting(setting: str, known: Iterable[str]) -> ConfigError:
    """Build the error for an unknown setting; its hint is a similar setting, or a choice that has this setting."""
    group = next((name for name in GROUPS if "." in name and setting.startswith(f"{name}.")), setting.partition(".")[0])
    name = setting.removeprefix(f"{group}.")
    chooser = _CHOSEN_BY.get(group, group)
    choices_with = [f"{chooser}={choice}" for choice in _choices_with(group, name.partition(".")[0])]
    others, parent = {*known} - {setting}, setting.rpartition(".")[0]
    hint = _similar_setting(setting, others)
    hint = f"{' and '.join(choices_with)} would have this setting; " if choices_with else hint
    hint = f"{parent} is set as a whole: {parent}=...; " if parent != group and parent in others else hint
    hint = f"choose one with {chooser}=NAME; " if setting in _CHOSEN_BY else hint
    return ConfigError(f"unknown setting {setting!r}", hint=f"{hint}factprobe --help lists the settings")


def _similar_setting(setting: str, known: Collection[str]) -> str:
    """Return a hint: the setting of this name at another level, a similar one in its group, or all of its group."""
    group, _, name = setting.rpartition(".")
    siblings = {other.rpartition(".")[2]: other for other in sorted(known) if other.rpartition(".")[0] == group}
    same = [other for other in sorted(known) if (other == name if group else other.endswith(f".{name}"))]
    near = same[0] if same else siblings.get(nearest(name, siblings) or "")
    if near:
        return f"did you mean {near}? "
    return f"{group} has {', '.join(siblings)}; " if group and siblings else ""


def _choices_with(group: str, name: str) -> Iterator[str]:
    """Yield the choices of a group that have a setting of this name."""
    if GROUPS.get(group) in (None, "evaluator"):
        return
    for choice in registry(GROUPS[group]).names():
        type_ = settings_type(GROUPS[group], registered_config(GROUPS[group], choice))
        if type_ is not None and name in type_.__struct_fields__:
            yield choice
