"""Known settings and their defaults, from the fields of the settings types."""

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
"""Config group by setting, e.g. `detector.model` → `model`."""

_CHECKING = {"checker": "graph", "aggregator": "soft"}
DEFAULT_CHOICES = {
    "extract_claims": {"claim_extractor": "graph"},
    "check": _CHECKING,
    "extract_check": {"claim_extractor": "graph", **_CHECKING},
    "app": {"claim_extractor": "graph", **_CHECKING},
    "benchmark": {"claim_extractor": "sentences", "checker": "graph"},
    "collect": {"collect": "zero_context"},
    "detect": {"detector": "shroom"},
    "annotate": {"detector": "hades_lr"},
    "train": {"detector": "hades_lr"},
    "watch": {"detector": "hades_token_probability"},
    "evaluate_detector": {},
    "study": {},
}
"""Default choices of groups, by the steps that use them; other steps do not compose these groups."""

COMPONENTS = ("claim_extractor", "checker", "aggregator", "retriever", "detector")
"""Groups of the components of the steps on texts."""

_CLASS = {"kg": "adapter", "model": "backend"}
"""Key that names the class of a config, unless it is `method`."""

MISSING = "???"
"""Hydra's value of a setting that the user must set."""


def run_defaults() -> dict[str, Any]:
    """Return the defaults of the run's settings that belong to no group."""
    return {name: value for name, value in defaults(RunConfig).items() if name not in GROUPS}


def settings_type(group: str, chosen: Mapping[str, Any]) -> type[Struct] | None:
    """Return the settings type of a config in a group."""
    return type_named(group, class_name(group, chosen))


def class_name(group: str, chosen: Mapping[str, Any]) -> str:
    """Return the class name in a config of a group."""
    return str(chosen.get(_CLASS.get(group, "method")) or chosen.get("name"))


def type_named(group: str, name: str) -> type[Struct] | None:
    """Return the settings type of a registered class; for an unregistered name `KgConfig` (graphs) or None."""
    if group == "evaluator":
        return EvaluatorConfig
    try:
        found: type[Struct] = registry(group).get(name).settings_type
    except UnknownNameError:
        return KgConfig if group == "kg" else None
    return found


def evaluator_defaults(config: EvaluatorConfig) -> dict[str, Any]:
    """Return the default settings of all evaluators of a config, which must be registered."""
    return {name: value for struct in evaluator_types(config) for name, value in defaults(struct).items()}


def evaluator_types(config: EvaluatorConfig) -> list[type[Struct]]:
    """Return the settings types of a config's evaluators that have settings; they must be registered."""
    names = sorted({*config.by_type().values()} - {*RULES.values()})
    return list(dict.fromkeys(registry("evaluator").get(name).settings_type for name in names))


def registered_config(group: str, name: str) -> dict[str, str]:
    """Return the config of a class that has no config file.

    Raises:
        UnknownNameError: The class is not registered.
    """
    registry(group).get(name)
    return {"name": name, _CLASS.get(group, "method"): name}


@cache
def fields(struct: type[Struct]) -> tuple[FieldInfo, ...]:
    """Return the fields of a settings type."""
    return msgspec.structs.fields(struct)


def defaults(struct: type[Struct]) -> dict[str, Any]:
    """Return the default of each field as in a config file; `MISSING` for a required field."""
    found = {}
    for field in fields(struct):
        default = field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory()
        found[field.name] = MISSING if field.required else msgspec.to_builtins(default)
    return found
