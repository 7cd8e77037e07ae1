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

import msgspec

from factprobe.config import resource
from factprobe.errors import ConfigError
from factprobe.locks import hold
from factprobe.storage import file_hash, read_json, write_json

_SETTINGS = {
    "extract": ("kg", "relations", "limit", "strict"),
    "generate": ("kg", "relations", "limit", "generator", "seed"),
}
"""The settings that change what a step makes."""

_LONGEST_WAIT = 60.0
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

    def holds(self, step: str, config: Mapping[str, Any], since: float) -> bool:
        """Whether a step was finished since a time, with the same settings as far as they matter to it.

        Args:
            step: `extract` or `generate`.
            config: the settings.
            since: in seconds since 1970.

        Raises:
            ConfigError: it was finished with others.
        """
        entry = read_json(self.path, dict[str, Any]).get(step) if self.path.exists() else None
        if entry is None or datetime.fromisoformat(entry["started"]).timestamp() < since:
            return False
        for name in _SETTINGS[step]:
            if msgspec.json.encode(entry["config"][name]) != msgspec.json.encode(config[name]):
                what = f"another job of this sweep made step={step} with another {name} in the same folder"
                mend = f"give each its own: output_dir='outputs/${{kg.name}}-${{{name}}}'"
                raise ConfigError(what, where=self.path.parent, mend=mend)
        return True

    def add(self, step: str, config: Mapping[str, Any], inputs: Iterable[Path], counts: Mapping[str, Any]) -> None:
        """Enters a finished step."""
        entry = {
            "config": config,
            "seed": config["seed"],
            "versions": {"python": platform.python_version(), **{name: version(name) for name in _VERSIONS}},
            "git_commit": git_commit(),
            "inputs": {str(path): file_hash(path) for path in inputs},
            "counts": counts,
            "started": self._started.isoformat(timespec="milliseconds"),
            "seconds": round(time.monotonic() - self._clock, 3),
        }
        with hold(self.path.with_name(".manifest.lock"), "write", _LONGEST_WAIT):
            content = read_json(self.path, dict[str, Any]) if self.path.exists() else {}
            if step in content:
                content["history"] = [*content.get("history", []), {"step": step, **content[step]}]
            content[step] = entry
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
