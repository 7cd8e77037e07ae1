"""From settings to the graph, the generator and the model that they name."""

from __future__ import annotations

from typing import Any

from factprobe.config import KgConfig, convert, data_dir
from factprobe.generators import Generator, generators
from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.models import Model, models
from factprobe.storage import Problems


def build_kg(config: KgConfig, problems: Problems | None = None) -> KnowledgeGraph:
    """The graph that the settings name."""
    return kgs.get(config.adapter or config.name)(data_dir(config), config.name, problems)


def build_generator(settings: dict[str, Any], seed: int = 0, limit: int | None = None) -> Generator:
    """The generator that the settings name."""
    cls = generators.get(settings.get("method") or settings["name"])
    return cls(convert(settings, cls.settings_type, "generator"), seed, limit)


def build_model(settings: dict[str, Any]) -> Model:
    """The model that the settings name; nothing is loaded yet."""
    cls = models.get(settings["backend"])
    return cls(convert(settings, cls.settings_type, "model"))


def default_settings(group: str, name: str) -> dict[str, Any]:
    """The settings of a registered class that has no config file of its own.

    Raises:
        UnknownNameError: nothing is registered under the name.
    """
    if group == "kg":
        kgs.get(name)
        return {"name": name, "adapter": name, "data_dir": None}
    if group == "generator":
        generators.get(name)
        return {"name": name, "method": name}
    models.get(name)
    return {"backend": name, "name": name}
