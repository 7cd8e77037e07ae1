"""Dry runs: steps that work on a copy of the output folder, which is then deleted."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from factprobe.config import RunConfig, path_of
from factprobe.errors import FactprobeError

_LINKED = ("triplets", "questions", "grades")
"""Folders with most of the data, whose files are never changed in place."""


@contextmanager
def discarded_output(config: RunConfig) -> Iterator[RunConfig]:
    """Yield the settings of a run whose output folder is a temporary copy.

    Errors name the folder itself.
    """
    with TemporaryDirectory(prefix="factprobe-") as folder:
        copy = Path(folder) / path_of(config.output_dir).name
        _copy(path_of(config.output_dir), copy)
        try:
            yield replace(config, output_dir=str(copy))
        except FactprobeError as error:
            error.reword(lambda text: text.replace(str(copy), config.output_dir))
            raise


def _copy(source: Path, target: Path) -> None:
    """Copy the files of a folder, and link the large ones; locks and temporary files are left out."""
    target.mkdir()
    for path in sorted(source.rglob("*")) if source.is_dir() else ():
        parts = path.relative_to(source).parts
        if path.is_dir() or any(part.startswith(".") for part in parts):
            continue
        copy = target.joinpath(*parts)
        copy.parent.mkdir(parents=True, exist_ok=True)
        if parts[0] in _LINKED:
            with suppress(OSError):  # links may not be allowed
                copy.symlink_to(path.absolute())
                continue
        shutil.copy2(path, copy)
