"""The command of another step with the settings of this run, for errors to name."""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Any

from factprobe.config import RunConfig
from factprobe.steps.base import declared

_OF_MODEL = ("model", "path", "base_url", "api", "name")
"""The settings of a model that say which one it is."""


