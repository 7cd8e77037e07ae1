"""Commands of other steps with this run's settings, for error messages."""

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

_CARRIED = ("relations", "compose", "compose_middle", "limit", "seed", "strict")
_NOT_SHOWN = ("backend", "method")
_OF_OTHERS = ("archive", "relations")
"""Graph settings left out of commands: other steps ignore them, or they follow from the run's settings."""
_PLAIN = re.compile(r"[\w./:@~+-]+", re.ASCII)


def format_command(name: str, settings: Collection[str], config: RunConfig, *, has_model: bool, **changed: Any) -> str:
    """Return the shell command that runs a step with this run's settings.

    `has_model` is True if the step is run for a model; `changed` overrides settings of the run.
    """
    found = [("step", name), *_kg_settings(config)]
    if "generator" in settings and config.generator.get("method") != "template":
        found.append(("generator", config.generator.get("method") or config.generator["name"]))
    if "generator" in settings:
        found += _group_settings("generator", config.generator)
        if phraser := config.generator.get("model"):
            found += [("generator.model", phraser["backend"]), *_group_settings("generator.model", phraser)]
    if has_model:
        found += [("model", config.model["backend"]), *_group_settings("model", config.model)]
    if config.output_dir != f"outputs/{config.kg.name}":
        found.append(("output_dir", config.output_dir))
    preset = run_defaults()
    for setting in (*(name for name in _CARRIED if name in settings), "plugins"):
        value = changed.get(setting, getattr(config, setting))
        if value != preset[setting] and value:
            found.append((setting, value))
    return " ".join(shlex.quote(f"{setting}={_format_value(value)}") for setting, value in found)


def unextracted_error(config: RunConfig, name: str, summary: GraphSummary, settings: Collection[str]) -> FactprobeError:
    """Return the error for a selected relation that was not extracted, whether or not the graph has it.

    `settings` are those that `step=extract` uses.
    """
    from factprobe.factories import build_kg

    extracted = [found.relation for found in summary.relations]
    if "/" in name and {step.lstrip("^") for step in name.split("/")} <= {*extracted}:
        hint = f"run step=extract with compose=[{name}]"
        return MissingStepError(f"the composition {name} is not extracted", where="relations", hint=hint)
    with suppress(FactprobeError):  # the graph may be gone; what was extracted is still there
        graph = build_kg(config.kg).by_name()
        if name in graph and graph.keys() >= {found.relation for found in summary.relations if not found.path}:
            wanted = [other for other in graph if other in (*extracted, *(config.selected_relations or ()))]
            limit = config.limit or summary.limit
            again = format_command("extract", settings, config, has_model=False, relations=wanted, limit=limit)
            return MissingStepError(f"the relation {name} is not extracted", where="relations", hint=f"run {again}")
    return UnknownNameError(f"relation of {config.kg.name}", name, extracted)


def _kg_settings(config: RunConfig) -> Iterator[tuple[str, Any]]:
    kg = config.kg
    yield "kg", kg.adapter or kg.name
    if kg.adapter not in (None, kg.name):
        yield "kg.name", kg.name
    preset = {**defaults(type(kg)), "name": kg.name, "adapter": kg.adapter}
    found = {name: value for name, value in msgspec.to_builtins(kg).items() if name not in _OF_OTHERS}
    yield from _changed_settings("kg", found, preset)


def _changed_settings(prefix: str, found: Mapping[str, Any], preset: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the settings that differ from their defaults, with the entries of a mapping one by one."""
    for name, value in found.items():
        known = preset.get(name, {})
        if isinstance(value, Mapping):
            yield from _changed_settings(f"{prefix}.{name}", value, known)
        elif value != known:
            yield f"{prefix}.{name}", value


def _group_settings(group: str, chosen: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Yield the settings of a chosen group that differ from their defaults."""
    of = settings_type(GROUPS[group], chosen)
    preset = {**defaults(of), "name": chosen.get("method") or chosen.get("backend")} if of else {}
    for name, value in preset.items():
        apart = group == "generator" and isinstance(chosen.get(name), Mapping)  # the wordings, and who phrases
        if (
            name not in _NOT_SHOWN
            and not apart
            and _format_value(chosen.get(name, value)) not in (_format_value(value), "null")
        ):
            yield f"{group}.{name}", chosen[name]


def _format_value(value: Any) -> str:
    if isinstance(value, str):
        return value if _PLAIN.fullmatch(value) else json.dumps(value, ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{','.join(map(_format_value, value))}]"
    return json.dumps(value, ensure_ascii=False)
