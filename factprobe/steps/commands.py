"""Arguments of commands that run other steps with the settings of this run, for error messages."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from factprobe.config import RunConfig
from factprobe.config.defaults import GROUPS, defaults, run_defaults, settings_type
from factprobe.errors import FactprobeError, MissingStepError, UnknownNameError
from factprobe.records import GraphSummary

_REPEATED_SETTINGS = ("relations", "compose", "compose_middle", "limit", "seed", "strict")
_CLASS_KEYS = ("backend", "method")
_LEFT_OUT_OF_KG = ("archive", "relations")
"""Settings of the graph that commands leave out: other steps ignore them, or they follow from other settings."""
_UNQUOTED = re.compile(r"[\w./:@~+-]+", re.ASCII)
_INTERPOLATION_START = re.compile(r"(\\*)\$\{")
"""Pattern of the start of an interpolation, with backslashes before it, which escape it."""
_PLAIN_KEY = re.compile(r"[a-z_]\w*", re.ASCII | re.IGNORECASE)
"""Key that may be part of a setting's name; mappings with other keys are written as a whole."""


def format_command(name: str, settings: Collection[str], config: RunConfig, *, has_model: bool, **changed: Any) -> str:
    """Return the arguments of the `factprobe` command that runs a step with the settings of a run, quoted for a shell.

    `settings` are the names of the settings that the step uses. `has_model` says whether its files depend on the model.
    `changed` replaces values of settings.
    """
    parts = [("step", name), *_kg_settings(config)]
    if "generator" in settings and config.generator.get("method") != "template":
        parts.append(("generator", config.generator.get("method") or config.generator["name"]))
    if "generator" in settings:
        parts += _group_settings("generator", config.generator)
        if phraser := config.generator.get("model"):
            parts += [("generator.model", phraser["backend"]), *_group_settings("generator.model", phraser)]
    if has_model:
        parts += [("model", config.model["backend"]), *_group_settings("model", config.model)]
    if config.output_dir != f"outputs/{config.kg.name}":
        parts.append(("output_dir", config.output_dir))
    preset = run_defaults()
    for setting in (*(name for name in _REPEATED_SETTINGS if name in settings), "plugins"):
        value = changed.get(setting, getattr(config, setting))
        if value != preset[setting] and value:
            parts.append((setting, value))
    return " ".join(shlex.quote(f"{setting}={_format_value(value)}") for setting, value in parts)


def unextracted_error(config: RunConfig, name: str, summary: GraphSummary, settings: Collection[str]) -> FactprobeError:
    """Return the error for a selected relation that was not extracted; its hint depends on whether the graph has it.

    `settings` are the names of the settings that `step=extract` uses.
    """
    from factprobe.factories import build_kg

    extracted = [relation.relation for relation in summary.relations]
    if "/" in name and {step.lstrip("^") for step in name.split("/")} <= {*extracted}:
        hint = f"run step=extract with compose=[{name}]"
        return MissingStepError(f"the composition {name} is not extracted", where="relations", hint=hint)
    with suppress(FactprobeError):  # the graph may be missing by now
        graph = build_kg(config.kg).by_name()
        if name in graph and graph.keys() >= {relation.relation for relation in summary.relations if not relation.path}:
            relations = [other for other in graph if other in (*extracted, *(config.selected_relations or ()))]
            limit = config.limit or summary.limit
            command = format_command("extract", settings, config, has_model=False, relations=relations, limit=limit)
            return MissingStepError(f"the relation {name} is not extracted", where="relations", hint=f"run {command}")
    return UnknownNameError(f"relation of {config.kg.name}", name, extracted)


def _kg_settings(config: RunConfig) -> Iterator[tuple[str, Any]]:
    kg = config.kg
    yield "kg", kg.adapter or kg.name
    if kg.adapter not in (None, kg.name):
        yield "kg.name", kg.name
    preset = {**defaults(type(kg)), "name": kg.name, "adapter": kg.adapter}
    settings = {name: value for name, value in msgspec.to_builtins(kg).items() if name not in _LEFT_OUT_OF_KG}
    yield from _changed_settings("kg", settings, preset)


def _changed_settings(prefix: str, settings: Mapping[str, Any], preset: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield name and value of the settings that differ from their defaults, also of settings in mappings."""
    for name, value in settings.items():
        default = preset.get(name, {})
        if isinstance(value, Mapping) and all(map(_PLAIN_KEY.fullmatch, value)):
            yield from _changed_settings(f"{prefix}.{name}", value, default)
        elif value != default:
            yield f"{prefix}.{name}", value


def _group_settings(group: str, chosen: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield name and value of the settings in a group that differ from their defaults."""
    type_ = settings_type(GROUPS[group], chosen)
    preset = {**defaults(type_), "name": chosen.get("method") or chosen.get("backend")} if type_ else {}
    for name, value in preset.items():
        is_mapping = group == "generator" and isinstance(chosen.get(name), Mapping)  # prompts and the phrasing model
        is_changed = _format_value(chosen.get(name, value)) not in (_format_value(value), "null")
        if is_changed and not is_mapping and name not in _CLASS_KEYS:
            yield f"{group}.{name}", chosen[name]


def _format_value(value: Any) -> str:
    if isinstance(value, str) and _UNQUOTED.fullmatch(value) and not _is_other_type(value):
        return value
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_format_value, value))}]"
    return json.dumps(_escape_interpolations(value), ensure_ascii=False)


def _escape_interpolations(value: Any) -> Any:
    """Return a value in whose texts, but not keys, `${` stands for itself."""
    if isinstance(value, str):
        return _INTERPOLATION_START.sub(r"\1\1\\${", value)
    if isinstance(value, Mapping):
        return {key: _escape_interpolations(inner) for key, inner in value.items()}
    return [*map(_escape_interpolations, value)] if isinstance(value, list | tuple) else value


def _is_other_type(text: str) -> bool:
    """Return whether Hydra reads an unquoted text as a number, a truth value or null."""
    try:
        float(text)
    except ValueError:
        return text.lower() in ("true", "false", "null")
    return True
