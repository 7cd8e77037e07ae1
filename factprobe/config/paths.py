"""Paths of the files that factprobe ships, and of a run's files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from factprobe.config.step_types import KgConfig
from factprobe.errors import ConfigError, DataError
from factprobe.storage import safe_name


def resource(name: str) -> Path:
    """Return the folder `conf` or `kgs` of the installed package or the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def known_names(group: str) -> list[str]:
    """List the shipped choices of a config group."""
    return sorted(path.stem for path in (resource("conf") / group).glob("*.yaml"))


def path_of(text: str) -> Path:
    """Return the path that a setting names; `~` is the home folder.

    Raises:
        ConfigError: The path is in the home folder of an unknown user.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ConfigError("no such home folder", where=text, hint="write the path in full") from error


def paths_of(name: str) -> list[Path]:
    """Return the files of a path, in which `*` is a wildcard.

    Raises:
        DataError: The path is a folder, or there is no such file.
    """
    path = path_of(name)
    if path.is_dir():
        raise DataError("is a folder", where=path, hint=f"name its files: '{path}/*.jsonl'")
    if "*" not in name or path.exists():
        return [path]
    found = sorted(Path(path.anchor).glob(str(path.relative_to(path.anchor))))
    if not found:
        raise DataError("no file has a name like that", where=path)
    return found


def name_of(inputs: Sequence[str]) -> str:
    """Return the name of a run: its first input file without suffix, or the folder of a file pattern."""
    path = Path(*inputs[:1])
    parts = [part for part in (*path.parent.parts, path.stem) if "*" not in part]
    return parts[-1] if parts else "replies"


def user_cache() -> Path:
    """Return the user's cache folder, or the one that `$FACTPROBE_CACHE` names."""
    from platformdirs import user_cache_path

    named = os.environ.get("FACTPROBE_CACHE")
    return path_of(named) if named else user_cache_path("factprobe")


def fetched_dir(kg: KgConfig) -> Path:
    """Return the folder for a graph's published data: `kg.data_dir`, or a folder in the cache."""
    return user_cache() / "data" / safe_name(kg.name) if kg.data_dir is None else path_of(kg.data_dir)


def data_dir(kg: KgConfig) -> Path | None:
    """Return a graph's data folder: `kg.data_dir`, the fetched data, or the bundled graph of the same name."""
    fetched = fetched_dir(kg)
    if kg.data_dir is not None or fetched.is_dir():
        return fetched
    bundled = resource("kgs") / kg.name
    return bundled if bundled.is_dir() else None
