"""Keys of endpoints, which are read from the environment only."""

from __future__ import annotations

import os

from factprobe.errors import ConfigError


def read_key(variable: str, setting: str, *, needed: bool = True) -> str | None:
    """Return the key of an endpoint from the environment; errors do not show it.

    Args:
        variable: the environment variable.
        setting: the setting with the variable's name, e.g. `model.api_key_env`.
        needed: whether the key is required.

    Raises:
        ConfigError: a required variable is not set, or its value cannot be a key.
    """
    key, where = os.environ.get(variable, "").strip(), setting.rpartition(".")[0]
    if not key:
        if not needed:
            return None
        hint = f"export {variable}=..., or name another variable with {setting}="
        raise ConfigError(f"the environment variable {variable} is not set", where=where, hint=hint)
    if not (key.isascii() and key.isprintable()):
        raise ConfigError(f"the environment variable {variable} holds what no key has", where=where, hint="set it anew")
    return key
