"""Default values and default choices of settings, and the settings types of config groups."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from factprobe.config.step_types import KgConfig
from factprobe.config.types import RULES, EvaluatorConfig, RunConfig
from factprobe.errors import UnknownNameError
from factprobe.registry import registry
from factprobe.step_table import STEPS

GROUPS = {
    "kg": "kg",
    "generator": "generator",
    "model": "model",
    "evaluator": "evaluator",
    "compat": "evaluator",
    "judge": "model",
    "generator.model": "model",
    "claim_extractor": "claim_extractor",
    "claim_extractor.model": "model",
    "checker": "checker",
    "checker.model": "model",
    "aggregator": "aggregator",
    "retriever": "retriever",
    "detector": "detector",
    "detector.model": "model",
}
"""Config group of each setting with choices, e.g. `model` for `detector.model`."""

DEFAULT_CHOICES = {name: step.choices for name, step in STEPS.items() if step.choices is not None}
"""Default choice of each group of components that a step uses, by step; steps without components are not listed."""

COMPONENTS = ("claim_extractor", "checker", "aggregator", "retriever", "detector")
"""Config groups of the components of the free-text steps."""

_CLASS_KEY = {"kg": "adapter", "model": "backend"}
"""Key that names the class in a config, by group; `method` in all other groups."""

MISSING = "???"
"""Value by which Hydra marks a setting that the user must set."""


def run_defaults() -> dict[str, Any]:
    """Return the defaults of the settings of a run that belong to no group."""
    return {name: value for name, value in defaults(RunConfig).items() if name not in GROUPS}


def settings_type(group: str, chosen: Mapping[str, Any]) -> type[Struct] | None:
    """Return the settings type of the class that a config of a group names; None if it is unknown."""
    return type_named(group, class_name(group, chosen))


def class_name(group: str, chosen: Mapping[str, Any]) -> str:
    """Return the name of the class in a config of a group."""
    return str(chosen.get(_CLASS_KEY.get(group, "method")) or chosen.get("name"))


def type_named(group: str, name: str) -> type[Struct] | None:
    """Return the settings type of a registered class; for an unregistered name `KgConfig` (graphs) or None."""
    if group == "evaluator":
        return EvaluatorConfig
    try:
        type_: type[Struct] = registry(group).get(name).settings_type
    except UnknownNameError:
        return KgConfig if group == "kg" else None
    return type_


def evaluator_defaults(config: EvaluatorConfig) -> dict[str, Any]:
    """Return the default settings of all evaluators in a config; they must be registered."""
    return {name: value for struct in evaluator_types(config) for name, value in defaults(struct).items()}


def evaluator_types(config: EvaluatorConfig) -> list[type[Struct]]:
    """Return the settings types of the evaluators with settings in a config; the evaluators must be registered."""
    names = sorted({*config.by_type().values()} - {*RULES.values()})
    return list(dict.fromkeys(registry("evaluator").get(name).settings_type for name in names))


def registered_config(group: str, name: str) -> dict[str, str]:
    """Return a config for a class without a config file; raise an `UnknownNameError` if it is not registered."""
    registry(group).get(name)
    return {"name": name, _CLASS_KEY.get(group, "method"): name}


@cache
def fields(struct: type[Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a settings type."""
    return msgspec.structs.fields(struct)


def defaults(struct: type[Struct]) -> dict[str, Any]:
    """Return the default of each field of a settings type, as a config file writes it; `MISSING` if it is required."""
    values = {}
    for field in fields(struct):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        values[field.name] = MISSING if field.required else msgspec.to_builtins(default)
    return values
