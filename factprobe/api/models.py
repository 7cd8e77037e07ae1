"""Models by name."""

from __future__ import annotations

from typing import Any

from factprobe.config import compose, from_omegaconf
from factprobe.config.explain import unknown_setting
from factprobe.factories import build_model
from factprobe.models import Model


def load_model(name: str, /, **settings: Any) -> Model:
    """Load a model by the name of its config or class, e.g. `smollm2`, `openai`; more arguments change its settings.

    Raises:
        UnknownNameError: there is no such config.
        ConfigError: a setting is wrong.
    """
    from omegaconf import OmegaConf

    config = compose([f"model={name}"])
    for key in settings:
        if key not in config.model.keys():  # noqa: SIM118  # `in` itself leaves out what has no default
            raise unknown_setting(f"model.{key}", (f"model.{known}" for known in config.model))
        if OmegaConf.is_missing(config.model, key):
            config.model[key] = ""  # it has no default; what is given here replaces it
    model = build_model({**from_omegaconf(config).model, **settings})
    model.check()
    return model
