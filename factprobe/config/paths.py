"""Paths of the files that come with factprobe, and of a run's files."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from pathlib import Path

from factprobe.config.step_types import KgConfig
from factprobe.errors import ConfigError, DataError
from factprobe.storage import check_encodable, safe_name


def resource(name: str) -> Path:
    """Return the path of the folder `conf` or `kgs`, in the installed package or in the checkout."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_data" / name
    return installed if installed.is_dir() else package.parent / name


def known_names(group: str) -> list[str]:
    """List the choices of a config group that come with factprobe."""
    return sorted(path.stem for path in (resource("conf") / group).glob("*.yaml"))


def path_of(text: str) -> Path:
    """Convert the text of a setting to a path; `~` is the home folder.

    Raises:
        ConfigError: The text begins with `~name`, and there is no user of this name.
        DataError: The text is not UTF-8.
    """
    try:
        return check_encodable(Path(text).expanduser())
    except RuntimeError as error:
        raise ConfigError("no such home folder", where=text, hint="write the path in full") from error


def escape_other_wildcards(pattern: str) -> str:
    """Escape the wildcards of `glob` and `fnmatch` in a path, except `*`."""
    return re.sub(r"[?[]", r"[\g<0>]", pattern)


def paths_of(name: str) -> list[Path]:
    """Return the files that a path names; `*` in it is a wildcard. A path without `*` need not exist.

    Raises:
        DataError: The path is a folder, no file matches a path with `*`, or the name of a file is not UTF-8.
    """
    path = path_of(name)
    if path.is_dir():
        raise DataError("is a folder", where=path, hint=f"name its files: '{path}/*.jsonl'")
    if "*" not in name or path.exists():
        return [path]
    paths = sorted(Path(path.anchor).glob(escape_other_wildcards(str(path.relative_to(path.anchor)))))
    if not paths:
        raise DataError("no file has a name like that", where=path)
    return [*map(check_encodable, paths)]


def name_of(inputs: Sequence[str]) -> str:
    """Return a name for a run made from its input: the first file without suffix, or the folder of a file pattern."""
    path = Path(*inputs[:1])
    parts = [part for part in (*path.parent.parts, path.stem) if "*" not in part]
    return parts[-1] if parts else "replies"


def user_cache() -> Path:
    """Return the folder of caches: that in `$FACTPROBE_CACHE`, or else the one in the user's cache folder."""
    from platformdirs import user_cache_path

    named = os.environ.get("FACTPROBE_CACHE")
    return path_of(named) if named else user_cache_path("factprobe")


def fetched_dir(kg: KgConfig) -> Path:
    """Return the folder for a graph's published data: `kg.data_dir`, or a folder in the cache."""
    return user_cache() / "data" / safe_name(kg.name) if kg.data_dir is None else path_of(kg.data_dir)


def data_dir(kg: KgConfig) -> Path | None:
    """Return the data folder of a graph; None if there is none.

    That is `kg.data_dir`, the data that `step=fetch` has downloaded, or the bundled graph of the same name.
    """
    fetched = fetched_dir(kg)
    if kg.data_dir is not None or fetched.is_dir():
        return fetched
    bundled = resource("kgs") / kg.name
    return bundled if bundled.is_dir() else None
