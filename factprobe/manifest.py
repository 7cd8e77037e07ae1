"""The manifest: what each step was run with, on what, and what came of it."""

from __future__ import annotations

import platform
import subprocess
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from factprobe.config import resource
from factprobe.storage import file_hash, read_json, write_json

_VERSIONS = ("factprobe", "hydra-core", "msgspec", "openai")


class Manifest:
    """`manifest.json`: the last run of each step under its name, and all earlier ones under `history`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._started = datetime.now(UTC)
        self._clock = time.monotonic()

    def start(self) -> None:
        """Marks the start of a step."""
        self._started = datetime.now(UTC)
        self._clock = time.monotonic()

    def add(self, step: str, config: Mapping[str, Any], inputs: Iterable[Path], counts: Mapping[str, Any]) -> None:
        """Enters a finished step."""
        content = read_json(self.path, dict[str, Any]) if self.path.exists() else {}
        if step in content:
            content["history"] = [*content.get("history", []), {"step": step, **content[step]}]
        content[step] = {
            "config": config,
            "seed": config["seed"],
            "versions": {"python": platform.python_version(), **{name: version(name) for name in _VERSIONS}},
            "git_commit": git_commit(),
            "inputs": {str(path): file_hash(path) for path in inputs},
            "counts": counts,
            "started": self._started.isoformat(timespec="seconds"),
            "seconds": round(time.monotonic() - self._clock, 3),
        }
        write_json(self.path, content)


def git_commit() -> str | None:
    """The commit of the checkout that factprobe runs from, or None for an installed package."""
    checkout = resource("conf").parent
    if checkout != Path(__file__).resolve().parents[1]:
        return None
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return done.stdout.strip() if done.returncode == 0 else None
