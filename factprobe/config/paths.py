"""Where the files that come with factprobe lie, and those of a run."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from factprobe.config.types import KgConfig
from factprobe.errors import ConfigError
from factprobe.storage import safe_name


def resource(name: str) -> Path:
    """A folder that comes with factprobe, `conf` or `kgs`: inside the installed package, or in the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def known_names(group: str) -> list[str]:
    """The choices of a config group that come with factprobe."""
    return sorted(path.stem for path in (resource("conf") / group).glob("*.yaml"))


def path_of(text: str) -> Path:
    """The path that a setting names; `~` is the home folder.

    Raises:
        ConfigError: it is the home folder of somebody who is not known.
    """
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise ConfigError("no such home folder", where=text, hint="write the path in full") from error


def name_of(inputs: Sequence[str]) -> str:
    """What a run over some files is called: as the first of them without its ending, or the folder of a pattern."""
    path = Path(*inputs[:1])
    parts = [part for part in (*path.parent.parts, path.stem) if "*" not in part]
    return parts[-1] if parts else "replies"


def user_cache() -> Path:
    """The user's cache folder, of which all runs know; `$FACTPROBE_CACHE` names another."""
    from platformdirs import user_cache_path

    named = os.environ.get("FACTPROBE_CACHE")
    return path_of(named) if named else user_cache_path("factprobe")


def fetched_dir(kg: KgConfig) -> Path:
    """The folder that the published data of a graph are laid out in: the one that is named, or one of the cache."""
    return user_cache() / "data" / safe_name(kg.name) if kg.data_dir is None else path_of(kg.data_dir)


def data_dir(kg: KgConfig) -> Path | None:
    """The folder of a graph's data: the one that is named, that of the data that were fetched, or that of the small
    graph of the same name, if any."""
    fetched = fetched_dir(kg)
    if kg.data_dir is not None or fetched.is_dir():
        return fetched
    bundled = resource("kgs") / kg.name
    return bundled if bundled.is_dir() else None
