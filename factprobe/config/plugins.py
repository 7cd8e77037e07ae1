"""Import of plugins: modules of the user that register classes."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence
from importlib import import_module
from pathlib import Path

from factprobe.errors import ConfigError

_PLUGINS = re.compile(r"^\+{0,2}plugins=\[?([^\]]*)\]?$")


def load_plugins(modules: Sequence[str]) -> None:
    """Import modules of the user, also from the working folder; raise a `ConfigError` if one cannot be imported."""
    if modules and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    for module in modules:
        try:
            import_module(module)
        except ImportError as error:
            hint = "use modules that are installed or can be imported from this folder"
            raise ConfigError(f"{module} cannot be imported: {error}", where="plugins", hint=hint) from error


def plugins_of(overrides: Iterable[str]) -> list[str]:
    """Return the modules in the override `plugins=[...]`; empty without one."""
    modules = [match[1] for override in overrides if (match := _PLUGINS.match(override))]
    return [name.strip(" '\"") for names in modules for name in names.split(",") if name.strip()]
