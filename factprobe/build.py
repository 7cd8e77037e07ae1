"""From settings to the graph, the generator and the model that they name."""

from __future__ import annotations

from typing import Any

from factprobe.config import KgConfig, RunConfig, convert, data_dir
from factprobe.errors import ConfigError
from factprobe.generators import Generator, generators
from factprobe.kgs import Graph, kgs
from factprobe.models import Model, models
from factprobe.secrecy import refuse
from factprobe.storage import Problems


def build_kg(config: KgConfig, problems: Problems | None = None) -> Graph:
    """The graph that the settings name."""
    return kgs.get(config.adapter or config.name)(data_dir(config), config.name, problems)


def build_generator(settings: dict[str, Any], seed: int = 0, limit: int | None = None) -> Generator:
    """The generator that the settings name."""
    cls = generators.get(settings.get("method") or settings["name"])
    return cls(convert(settings, cls.settings_type, "generator"), seed, limit)


def build_model(settings: dict[str, Any], where: str = "model") -> Model:
    """The model that the settings name; nothing is loaded yet.

    Raises:
        ConfigError: a setting is wrong, or holds what is secret.
    """
    refuse(settings, where)
    cls = models.get(settings["backend"])
    return cls(convert(settings, cls.settings_type, where))


def build_judges(config: RunConfig) -> list[Model]:
    """The judge once for each sample, which differ in their `repeat`; empty where none is set.

    Raises:
        ConfigError: several samples would all be the same.
    """
    if config.judge is None:
        return []
    repeat, samples = config.judge.get("repeat", 0), config.judge_samples
    if samples > 1 and config.judge.get("temperature") == 0:
        mend = "set judge.temperature=0.7 or so, or judge_samples=1"
        raise ConfigError(f"{samples} samples at temperature 0 are one and the same", where="judge_samples", mend=mend)
    return [build_model({**config.judge, "repeat": repeat + number}, "judge") for number in range(samples)]
