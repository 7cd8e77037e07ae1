"""Loading of models from Python."""

from __future__ import annotations

from typing import Any

from factprobe.config import compose, from_omegaconf
from factprobe.config.explain import unknown_setting
from factprobe.factories import build_model
from factprobe.models import Model
from factprobe.models.providers.function import ModelFunction, as_model


def load_model(model: str | ModelFunction, /, **settings: Any) -> Model:
    """Load a model by the name of its config or class, e.g. `smollm2` or `openai`, with changed settings.

    A function that returns the answer to a prompt, or to a list of chat messages, is a model too; its settings are
    `name` and `max_concurrency`.

    Raises:
        UnknownNameError: There is no such config.
        ConfigError: A setting is wrong.
    """
    from omegaconf import OmegaConf

    if not isinstance(model, str):
        return as_model(model, settings)
    config = compose([f"model={model}"])
    for key in settings:
        if key not in set(config.model):  # `in` ignores settings without a default
            raise unknown_setting(f"model.{key}", (f"model.{known}" for known in config.model))
        if OmegaConf.is_missing(config.model, key):
            config.model[key] = ""  # required; `settings` has it
    made = build_model({**from_omegaconf(config).model, **settings})
    made.check()
    return made
