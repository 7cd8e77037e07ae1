"""Manifest with the settings, inputs, outputs and counts of each step."""

from __future__ import annotations

import logging
import platform
import subprocess
import sys
import time
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from factprobe.config import resource
from factprobe.errors import ConfigError, DataError
from factprobe.step_table import STEPS
from factprobe.steps.origins import ManifestEntry, Origins
from factprobe.storage import file_hash, read_json, write_json
from factprobe.storage.locks import hold_lock

log = logging.getLogger(__name__)

OWN_FOLDER = "give each a folder of its own: output_dir='outputs/${kg.name}-${SETTING}'"
"""Hint for jobs that would write the same files; `SETTING` is replaced by the setting that differs."""

_MAX_WAIT = 60.0
"""Maximum number of seconds to wait for another process that writes the manifest."""
_VERSIONS = {"factprobe": "factprobe", "hydra-core": "hydra", "msgspec": "msgspec", "openai": "openai"}
"""Packages whose versions are recorded, each with the name of its module."""

_HINT = "fix it, or move it away: what is there is then taken as it is"
_Typed = TypeVar("_Typed")


class DataSource(Struct, frozen=True):
    """Location of the data of a graph."""

    data_dir: str | None = None
    """Folder of the data; None for bundled data, or if `source` names the files."""
    source: tuple[str, ...] | str | None = None
    """Files with all relations of a graph."""


class RecordedSettings(Struct, frozen=True):
    """Settings of a step, as recorded, that reports show."""

    kg: DataSource | None = None
    seed: int | None = None


class Manifest:
    """File `manifest.json`, with the last run of each step under the name of the step, and earlier runs in `history`.

    `sweep_started` is the start of the sweep of which the run is a job, in seconds since 1970; None for a single run.
    """

    def __init__(self, path: Path, sweep_started: float | None = None) -> None:
        self.path = path
        self._sweep_started = sweep_started
        self._claims = path.with_name(".sweep.json")
        self._lock = path.with_name(".manifest.lock")
        self.start()

    def start(self) -> None:
        """Record the start of a step."""
        self._started = datetime.now(UTC)
        self._clock = time.monotonic()

    def settings(self, step: str) -> RecordedSettings | None:
        """Return the settings of the last run of a step that was not interrupted; None if there is none."""
        last = next((entry for entry in self._entries_of_step(step) if entry.is_whole), None)
        return self._convert_entry(last.config, RecordedSettings, f"{step}.config") if last else None

    def inputs_of(self, step: str) -> list[Path]:
        """Return the input files of the last run of a step."""
        return [Path(path) for entry in self._entries_of_step(step)[:1] for path in entry.inputs]

    def steps(self) -> set[str]:
        """Return the names of the steps that have finished in this folder."""
        _, last, _ = self._read_entries()
        return {*last}

    def has_written(self, step: str, path: Path) -> bool:
        """Return whether a run of a step is recorded to have written a file, which has not changed since."""
        hashes = {entry.outputs.get(str(path)) for entry in self._entries_of_step(step)} - {None}
        return bool(hashes) and path.exists() and file_hash(path) in hashes

    def changed_inputs(self, step: str, made: Path) -> list[Path]:
        """Return the input files of the last run of a step that have changed since it wrote the file `made`."""
        last, time_written = self._entries_of_step(step)[:1], made.stat().st_mtime
        inputs = {Path(name): digest for entry in last for name, digest in entry.inputs.items()}
        newer = [path for path in inputs if path.exists() and path.stat().st_mtime > time_written]
        return [path for path in newer if file_hash(path) != inputs[path]]

    def is_done_in_sweep(self, step: str, settings: Mapping[str, Any], generator: str | None = None) -> bool:
        """Return whether another job of this sweep has finished a step with the same settings.

        With `generator` only jobs with this generator count, since each generator has its own files.

        Raises:
            ConfigError: Another job has finished the step with other settings.
        """
        for entry in () if self._sweep_started is None else self._entries_of_step(step):
            is_of_sweep = entry.sweep == self._sweep_started and entry.is_whole
            is_same = generator is None or not _first_difference({"name": generator}, entry.config.get("generator"))
            if is_of_sweep and is_same:
                self._compare_settings(f"makes step={step}", settings, entry.config)
                return True
        return False

    def origins(self, step: str) -> Origins:
        """Return the recorded inputs of the files that a step made in this folder; none if the manifest is broken."""
        try:
            return Origins(self.path.parent, self._entries_of_step(step))
        except DataError:  # reported when the step adds its entry
            return Origins(self.path.parent, [])

    def _entries_of_step(self, step: str) -> list[ManifestEntry]:
        """Return the entries of a step, newest first."""
        _, last, history = self._read_entries()
        return [*([last[step]] if step in last else []), *(entry for entry in history if entry.step == step)]

    def _read_entries(self) -> tuple[dict[str, Any], dict[str, ManifestEntry], list[ManifestEntry]]:
        """Return the content of the file, the last entry of each step, and the earlier entries."""
        content = _read_content(self.path, _HINT)
        last = {step: self._convert_entry(content[step], ManifestEntry, step) for step in STEPS if step in content}
        return content, last, self._convert_entry(content.get("history", []), list[ManifestEntry], "history")

    def _convert_entry(self, value: Any, record: type[_Typed], name: str) -> _Typed:
        try:
            return msgspec.convert(value, record)
        except msgspec.ValidationError as error:
            raise DataError(f"is broken under {name}: {error}", where=self.path, hint=_HINT) from error

    def reserve_output(self, output: Path, action: str, settings: Mapping[str, Any], hint: str = OWN_FOLDER) -> None:
        """Record that this job of a sweep makes an output, so that no other job makes it with other settings.

        `action` follows "another job of this sweep" in the error, e.g. `makes step=grade`; `SETTING` in `hint` is
        replaced by the setting that differs.

        Raises:
            ConfigError: Another job makes the output with other settings.
        """
        if self._sweep_started is None:
            return
        with hold_lock(self._lock, "write", _MAX_WAIT):
            content = _read_content(self._claims)
            claims = content["claims"] if content.get("sweep") == self._sweep_started else {}
            if str(output) in claims:
                self._compare_settings(action, settings, claims[str(output)], hint)
            else:
                write_json(self._claims, {"sweep": self._sweep_started, "claims": {**claims, str(output): settings}})

    def _compare_settings(
        self, action: str, settings: Mapping[str, Any], other: Mapping[str, Any], hint: str = OWN_FOLDER
    ) -> None:
        if name := _first_difference(settings, other):
            what = f"another job of this sweep {action} here with another {name}"
            raise ConfigError(what, where=self.path.parent, hint=hint.replace("SETTING", name))

    def add(
        self,
        step: str,
        config: Mapping[str, Any],
        inputs: Iterable[Path],
        counts: Mapping[str, Any],
        outputs: Iterable[Path] = (),
    ) -> None:
        """Add the entry of a finished step."""
        hashes = {str(path): file_hash(path) for path in outputs}
        modules = {name: sys.modules[module] for name, module in _VERSIONS.items() if module in sys.modules}
        versions = {name: module.__version__ for name, module in modules.items()}
        entry = {
            "config": config,
            "seed": config["seed"],
            "versions": {"python": platform.python_version(), **versions},
            "git_commit": git_commit(),
            "inputs": {str(path): file_hash(path) for path in inputs},
            "counts": counts,
            "started": self._started.isoformat(timespec="milliseconds"),
            "seconds": round(time.monotonic() - self._clock, 3),
            **({"outputs": hashes} if hashes else {}),
            **({} if self._sweep_started is None else {"sweep": self._sweep_started}),
        }
        with hold_lock(self._lock, "write", _MAX_WAIT):
            content, _, _ = self._read_entries()
            if step in content:
                content["history"] = [*content.get("history", []), {"step": step, **content[step]}]
            content[step] = entry
            write_json(self.path, content)


def _read_content(path: Path, hint: str | None = None) -> dict[str, Any]:
    return read_json(path, dict[str, Any], hint) if path.exists() else {}


def _first_difference(settings: Any, other: Any) -> str:
    """Return the dotted name of the first setting that is missing or different in `other`; empty if none is."""
    if isinstance(settings, Mapping) and isinstance(other, Mapping):
        for name, value in settings.items():
            if name not in other:
                return str(name)
            encode, other_value = msgspec.json.encode, other[name]
            if (value_name := _first_difference(value, other_value)) or encode(value) != encode(other_value):
                return f"{name}.{value_name}".rstrip(".")
    return ""


@cache
def git_commit() -> str | None:
    """Return the git commit of the checkout that factprobe runs from; None if it is installed, or git fails."""
    checkout = resource("conf").parent
    if checkout != Path(__file__).resolve().parents[2]:
        return None
    command = ["git", "-C", str(checkout), "rev-parse", "HEAD"]
    try:
        process = subprocess.run(command, capture_output=True, text=True, timeout=10, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return process.stdout.strip() if process.returncode == 0 else None
