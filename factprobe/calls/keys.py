"""Keys of endpoints, read from the environment."""

from __future__ import annotations

import os

from factprobe.errors import ConfigError


def read_key(variable: str, setting: str, *, needed: bool = True) -> str | None:
    """Return the key of an endpoint from an environment variable, which a setting names (`model.api_key_env`).

    Raises:
        ConfigError: A required variable is not set, or its value cannot be a key.
    """
    key, where = os.environ.get(variable, "").strip(), setting.rpartition(".")[0]
    if not key:
        if not needed:
            return None
        hint = f"export {variable}=..., or set {setting}= to another variable"
        raise ConfigError(f"the environment variable {variable} is not set", where=where, hint=hint)
    if not (key.isascii() and key.isprintable()):
        what = f"the environment variable {variable} has characters that no key has"
        raise ConfigError(what, where=where, hint="set it again")
    return key
