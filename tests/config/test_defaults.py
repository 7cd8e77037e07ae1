"""Each setting is said once: its default and its help stand in a settings type, and a config file says what differs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from msgspec import Struct, inspect
from omegaconf import OmegaConf

from factprobe.cli.help import field_help
from factprobe.config import EvaluatorConfig, KgConfig, LabelSource, RunConfig, resource
from factprobe.config.defaults import GROUPS, MISSING, defaults, registered_config, run_defaults, settings_type
from factprobe.config.types import RULES
from factprobe.evaluators.base import evaluators
from factprobe.generators import generators
from factprobe.models import models
from factprobe.registry import REGISTRIES, registry

FOLDERS = sorted(set(GROUPS.values()))
FILES = sorted(path for folder in FOLDERS for path in (resource("conf") / folder).glob("*.yaml"))


def types() -> Iterator[type[Struct]]:
    yield from (RunConfig, KgConfig, EvaluatorConfig, LabelSource)
    for group in (generators, models, evaluators):
        yield from (group.get(name).settings_type for name in group.names())


def said(path: Path) -> dict[str, object]:
    """What a config file sets, without what only Hydra reads."""
    loaded = OmegaConf.to_container(OmegaConf.load(path), resolve=False)
    assert isinstance(loaded, dict)
    return {str(name): value for name, value in loaded.items() if name not in ("defaults", "hydra")}


def in_order(found: Iterable[type[Struct]]) -> list[type[Struct]]:
    return sorted(found, key=lambda of: of.__qualname__)


@pytest.mark.parametrize("of", in_order(set(types())), ids=lambda of: of.__name__)
def test_every_setting_has_help(of: type[Struct]) -> None:
    told = field_help(of)
    assert [name for name in of.__struct_fields__ if not told.get(name)] == []


def test_the_help_of_a_field_is_the_string_below_it() -> None:
    assert field_help(LabelSource)["label"] == "Key of the label, by default label or verdict."
    for name in ("openai", "litellm"):
        told = field_help(models.get(name).settings_type)
        assert told["timeout"] == "Timeout of a call in seconds."  # of a base class
        assert "0 is greedy" in told["temperature"]


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_config_file_says_only_what_differs(path: Path) -> None:
    group, there = path.parent.name, said(path)
    of = settings_type(group, there)
    assert of is not None
    known = defaults(of)
    assert set(there) <= set(known)
    assert {name: value for name, value in there.items() if known[name] == value} == {}


def test_the_main_config_says_only_what_differs() -> None:
    there = said(resource("conf") / "config.yaml")
    known = run_defaults()
    assert set(there) <= set(known)
    assert {name: value for name, value in there.items() if known[name] == value} == {}


def test_every_registered_name_has_a_config_file_and_each_file_its_class() -> None:
    for group in ("kg", "generator", "model"):
        files = {path.stem: said(path) for path in (resource("conf") / group).glob("*.yaml")}
        known = set(registry(group).names())
        assert known <= files.keys()
        assert {str(found.get("adapter", name)) for name, found in files.items()} == known


def test_a_group_has_its_registry() -> None:
    assert set(GROUPS.values()) <= set(REGISTRIES)
    for group in REGISTRIES:
        assert registry(group).kind == group


def test_the_usual_evaluators_have_no_settings() -> None:
    """They are not loaded to find that out."""
    for name in set(RULES.values()):
        assert evaluators.get(name).settings_type.__struct_fields__ == ()


def test_a_setting_without_a_default_is_asked_for() -> None:
    assert defaults(models.get("openai").settings_type)["model"] == MISSING


def test_a_registered_class_needs_no_config_file() -> None:
    assert registered_config("model", "scripted") == {"name": "scripted", "backend": "scripted"}
    assert registered_config("kg", "trex") == {"name": "trex", "adapter": "trex"}


def every_type() -> set[type[Struct]]:
    registered = (registry(group) for group in REGISTRIES)
    parts = (getattr(of.get(name), "settings_type", None) for of in registered for name in of.names())
    return {*types(), *filter(None, parts)}


@pytest.mark.parametrize("of", in_order(every_type()), ids=lambda of: of.__qualname__)
def test_no_text_with_a_pattern_stands_beside_a_list_or_a_mapping(of: type[Struct]) -> None:
    """msgspec 0.22 frees the pattern of such a union as if it were more, and the interpreter crashes as it ends."""
    lists = (inspect.VarTupleType, inspect.ListType, inspect.DictType, inspect.TupleType, inspect.SetType)
    for field in inspect.type_info(of).fields:  # type: ignore[attr-defined]
        if isinstance(field.type, inspect.UnionType):
            some = field.type.types
            texts = [one for one in some if isinstance(one, inspect.StrType) and one.pattern is not None]
            assert not (texts and any(isinstance(one, lists) for one in some)), field.name
