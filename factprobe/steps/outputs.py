"""Checks that a step overwrites no file that it reads, and no file of the user."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from factprobe.config import RunConfig, path_of, plain_settings
from factprobe.config.paths import escape_other_wildcards
from factprobe.errors import ConfigError, FactprobeError
from factprobe.inputs.texts import output_path
from factprobe.steps.manifest import Manifest

_OUTPUTS = ("output", "output_dir")


def output_file(config: RunConfig, default: Path, source: Path) -> Path:
    """Return the path of a step's output (`output`, else `default`); raise a `ConfigError` if the run reads it."""
    path = output_path(config.output, default, source)
    check_not_read(path, config)
    return path


def check_not_read(output: Path, config: RunConfig, files: Iterable[Path] = ()) -> None:
    """Raise a `ConfigError` if the run reads the file to be written: it is in `files`, or a setting names it."""
    if not output.exists():
        return
    read = {*map(os.path.realpath, files)}
    settings = {name: value for name, value in plain_settings(config).items() if name not in _OUTPUTS}
    if os.path.realpath(output) in read or any(_is_named(output, text) for text in _texts(settings)):
        what = f"{output} is read by this run, and would be overwritten"
        raise ConfigError(what, where="output", hint="set another file")


def check_replaceable(paths: Iterable[Path], manifest: Manifest, step: str, hint: str) -> None:
    """Raise a `ConfigError` if files to be written exist, and are not as the step has written them."""
    for path in paths:
        if os.path.lexists(path) and not manifest.has_written(step, path):
            what = f"{path} exists, and is not an unchanged output of step={step}"
            raise ConfigError(what, where="output", hint=hint)


def _is_named(file: Path, text: str) -> bool:
    """Return whether the text of a setting is the path of a file, or a pattern of such paths with `*`."""
    with suppress(FactprobeError, ValueError):  # the text is no path
        if "*" in text:
            pattern = escape_other_wildcards(os.path.normpath(path_of(text).absolute()))
            return Path(os.path.normpath(file.absolute())).match(pattern)
        return os.path.realpath(path_of(text)) == os.path.realpath(file)
    return False


def _texts(settings: Any) -> Iterator[str]:
    """Yield all texts in nested settings."""
    if isinstance(settings, str):
        yield settings
    elif isinstance(settings, Mapping | list | tuple):
        for value in settings.values() if isinstance(settings, Mapping) else settings:
            yield from _texts(value)
