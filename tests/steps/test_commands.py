"""Commands in error messages, which repeat the settings of a run."""

from __future__ import annotations

import shlex
from typing import Any

import pytest
from msgspec.structs import replace

from factprobe.config import RunConfig, compose, from_omegaconf
from factprobe.steps.commands import format_command

BASE = ["kg=csv", "kg.source=facts.csv"]


def repeated(config: RunConfig) -> RunConfig:
    """Return the settings of the command that repeats those of a run."""
    command = format_command("extract", ["relations"], config, has_model=True)
    return from_omegaconf(compose(shlex.split(command)))


@pytest.mark.parametrize(
    "name", ["2024", "-1", "1e5", "1_000", ".5", "inf", "nan", "true", "False", "null", "NULL", "a b", "a:b", "2024-x"]
)
def test_texts_stay_texts(name: str) -> None:
    config = from_omegaconf(compose([*BASE, f'kg.name="{name}"', f'relations=["{name}",P36]']))
    found = repeated(config)
    assert (found.kg.name, found.relations) == (config.kg.name, config.relations) == (name, (name, "P36"))


@pytest.mark.parametrize(
    "text", ["${x}", "\\${x}", "\\\\${x}", "a ${kg.name} ${oc.env:HOME}", "$ {x} \\", "${", "a\\b", "$"]
)
def test_texts_are_not_interpolated(text: str) -> None:
    config = from_omegaconf(compose(BASE))
    templates: dict[str, Any] = {"born in": f"{text} [X] [Y] {text}", "P37": text}
    config = replace(config, kg=replace(config.kg, templates=templates), relations=("P36", text))
    found = repeated(config)
    assert (found.kg, found.relations) == (config.kg, config.relations)


@pytest.mark.parametrize("key", ["P36", "born in", "http://schema.org/birthPlace", "1", "null", "a.b", "a-b", 'a "b"'])
def test_mappings_keep_their_keys(key: str) -> None:
    templates: dict[str, Any] = {key: '[X] has the "capital" [Y].', "P37": "[X] speaks [Y]."}
    config = from_omegaconf(compose(BASE))
    config = replace(config, kg=replace(config.kg, templates=templates))
    assert repeated(config).kg == config.kg
