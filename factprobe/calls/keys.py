"""Keys of endpoints, which stand in the environment and nowhere else."""

from __future__ import annotations

import os

from factprobe.errors import ConfigError


def key_from(variable: str, setting: str, *, needed: bool = True) -> str | None:
    """The key of an endpoint from the environment; a fault of it is named without showing it.

    Args:
        variable: that holds it.
        setting: that names the variable, e.g. `model.api_key_env`.
        needed: whether there must be one.

    Raises:
        ConfigError: the variable is not set and a key is needed, or it holds what is none.
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
