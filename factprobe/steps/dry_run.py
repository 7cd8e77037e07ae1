"""Dry runs: steps that work on a copy of the output folder, which is then deleted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace

from factprobe.config import RunConfig, path_of
from factprobe.errors import FactprobeError
from factprobe.storage import copy_folder

_LINKED = ("triplets", "questions", "grades")
"""Folders with most of the data, whose files are never changed in place."""


@contextmanager
def discarded_output(config: RunConfig) -> Iterator[RunConfig]:
    """Yield the settings of a run whose output folder is a temporary copy.

    Errors name the folder itself.
    """
    with TemporaryDirectory(prefix="factprobe-") as folder:
        copy = Path(folder) / path_of(config.output_dir).name
        copy_folder(path_of(config.output_dir), copy, _LINKED)
        try:
            yield replace(config, output_dir=str(copy))
        except FactprobeError as error:
            error.reword(lambda text: text.replace(str(copy), config.output_dir))
            raise
