"""Composition of a run's settings, from the command line and from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from factprobe.config.converting import convert
from factprobe.config.defaults import COMPONENTS, DEFAULT_CHOICES, GROUPS, evaluator_defaults, fields, settings_type
from factprobe.config.explain import ESCAPE_HINT, HELP, explain, unknown_setting
from factprobe.config.paths import name_of, resource
from factprobe.config.plugins import load_plugins
from factprobe.config.step_types import KgConfig
from factprobe.config.types import RULES, EvaluatorConfig, RunConfig
from factprobe.config.validation_errors import example_of
from factprobe.errors import ConfigError
from factprobe.question_types import get_kind
from factprobe.registry import registry
from factprobe.secrecy import refuse
from factprobe.storage.layout import safe_name

if TYPE_CHECKING:
    from omegaconf import DictConfig

_GRAPH_OUTPUT_DIR = "outputs/${kg.name}"
"""Default output folder of runs with a graph."""
_STEPS_WITH_INPUT = {"grade", *DEFAULT_CHOICES}
"""Steps whose output folder is named after their input by default."""


def from_omegaconf(config: DictConfig) -> RunConfig:
    """Convert a composed config into typed settings; raise a `ConfigError` for wrong, missing or secret ones."""
    from omegaconf import OmegaConf
    from omegaconf.errors import InterpolationResolutionError, MissingMandatoryValue, OmegaConfBaseException

    try:
        plain = OmegaConf.to_container(config, resolve=True, throw_on_missing=True)
    except RecursionError as error:
        raise ConfigError("the settings are nested too deep", hint=HELP) from error
    except OmegaConfBaseException as error:
        key = getattr(error, "full_key", None) or "config"
        is_missing = isinstance(error, MissingMandatoryValue)
        what = "is not set" if is_missing else str(error).splitlines()[0]
        hint = f"set {key}=...{_example_for(config, key) if is_missing else ''}"
        if isinstance(error, InterpolationResolutionError):
            hint = f"name a setting, or {ESCAPE_HINT}"
        raise ConfigError(what, where=key, hint=hint) from error
    refuse(plain)
    run = _convert_settings(plain)
    is_of_input = run.step in _STEPS_WITH_INPUT or (run.step in ("compare", "label") and run.inputs)
    if is_of_input and str(config._get_node("output_dir")) == _GRAPH_OUTPUT_DIR:
        inputs = run.prediction_files or run.inputs or filter(None, [run.references])
        run = msgspec.structs.replace(run, output_dir=f"outputs/{safe_name(name_of(tuple(inputs)))}")
    _check_name(run)
    _check_graph_name(run.kg.name)
    evaluator = _add_evaluator_defaults(run.evaluator, "evaluator", run.plugins)
    compat = run.compat and _add_evaluator_defaults(run.compat, "compat", run.plugins)
    return msgspec.structs.replace(run, evaluator=evaluator, compat=compat)


def _example_for(config: DictConfig, key: str) -> str:
    """Return an example value for a setting of a model or another part, as a phrase; empty without any."""
    from omegaconf import OmegaConf

    part, _, name = key.rpartition(".")
    chosen: Any = OmegaConf.to_container(OmegaConf.select(config, part)) if part in GROUPS else None
    type_ = settings_type(GROUPS[part], chosen) if isinstance(chosen, dict) else None
    return "".join(example_of(field.type) for field in fields(type_) if field.name == name) if type_ else ""


def _convert_settings(plain: Any) -> RunConfig:
    """Convert plain settings into a `RunConfig`, with `kg` of the type that the class of the graph declares."""
    chosen = plain.get("kg")
    type_ = settings_type("kg", chosen) if isinstance(chosen, Mapping) else None
    if type_ in (None, KgConfig):
        return convert(plain, RunConfig)
    kg = convert(chosen, type_, "kg")
    common = {name: value for name, value in chosen.items() if name in KgConfig.__struct_fields__}
    return msgspec.structs.replace(convert({**plain, "kg": common}, RunConfig), kg=kg)


def _check_name(run: RunConfig) -> None:
    """Raise a `ConfigError` if a config does not name its class, as an incomplete file of the user."""
    names = {
        "generator.name": run.generator.get("name"),
        "generator.method": run.generator.get("method") or run.generator.get("name"),
        "model.backend": run.model.get("backend"),
        "judge.backend": run.judge.get("backend") if run.judge is not None else "",
    }
    components = {name: chosen for name in COMPONENTS if (chosen := getattr(run, name)) is not None}
    for part, chosen in components.items():
        names |= {f"{part}.name": chosen.get("name"), f"{part}.method": chosen.get("method") or chosen.get("name")}
    for part, chosen in {"generator": run.generator, **components}.items():
        if isinstance(model := chosen.get("model"), dict):
            names[f"{part}.model.backend"] = model.get("backend")
    for where, name in names.items():
        if not isinstance(name, str):
            group, _, key = where.rpartition(".")
            known = ", ".join(registry(GROUPS[group]).names())
            hint = f"add a line '{key}: NAME' to your config file, with one of {known}"
            raise ConfigError("is not set" if name is None else "is not a name", where=where, hint=hint)


def _check_graph_name(name: str) -> None:
    """Raise a `ConfigError` if the name of the graph, a part of `output_dir` by default, is a path."""
    if name in (".", "..") or not {"/", "\\"}.isdisjoint(name):
        hint = "write a name without slashes; output_dir= is the path of the files"
        raise ConfigError(f"{name!r} is a path, and no name", where="kg.name", hint=hint)


def _add_evaluator_defaults(config: EvaluatorConfig, where: str, plugins: Sequence[str]) -> EvaluatorConfig:
    """Add the default settings of the evaluators in a config; plugins may register these after composition."""
    if not config.settings and config.by_type() == RULES:
        return config
    load_plugins(plugins)
    for name in config.others:
        get_kind(name)
    defaults = evaluator_defaults(config)
    for name in config.settings.keys() - defaults.keys():
        raise unknown_setting(f"{where}.settings.{name}", (f"{where}.settings.{other}" for other in defaults))
    return msgspec.structs.replace(config, settings={**defaults, **config.settings})


def compose(overrides: Sequence[str] = (), *, from_shell: bool = False) -> DictConfig:
    """Compose the settings from overrides, as the command line does; with `from_shell`, errors quote for a shell.

    Raises:
        ConfigError: An override names an unknown setting or choice.
    """
    from hydra import version
    from hydra.core.utils import setup_globals
    from hydra.errors import HydraException
    from hydra.types import RunMode
    from omegaconf import open_dict
    from omegaconf.errors import OmegaConfBaseException

    from factprobe.config.hydra_internals import create_config_search_path
    from factprobe.config.loader import Loader
    from factprobe.config.single import SingleLoader, search_path

    version.setbase("1.3")
    setup_globals()
    folder = resource("conf")
    try:
        loader: Loader
        if any("hydra" in override for override in overrides):
            loader = Loader(create_config_search_path(str(folder)))
        else:
            loader = SingleLoader(search_path(folder))
        config = loader.load_configuration("config", list(overrides), RunMode.RUN, from_shell=from_shell)
    except (HydraException, OmegaConfBaseException) as error:
        raise explain(error) from error
    with open_dict(config):
        config.pop("hydra", None)
    return config
