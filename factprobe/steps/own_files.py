"""Record of the steps that write in an output folder, so that no step replaces a file of the user.

A file is one of factprobe's if a step that replaces files of its name has run in the folder, or has begun to. Steps
that have begun are recorded beside the manifest, which names only finished ones and may be moved away.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from factprobe.errors import ConfigError, DataError
from factprobe.step_table import STEPS
from factprobe.steps.manifest import Manifest
from factprobe.storage import Layout, open_without_links

_HINT = "set output_dir= to another folder, or move {} away"


class OwnFiles:
    """Files in an output folder, with its manifest, that a step may replace.

    `replaced_names` returns the names of the files that a step replaces, relative to the folder.
    """

    def __init__(
        self, layout: Layout, manifest: Manifest, step: str, replaced_names: Callable[[str], Iterable[str]]
    ) -> None:
        self._root, self._step, self._names_of = layout.root, step, replaced_names
        self._mark = layout.begun_mark(step)
        self._owners = layout.begun_steps() & STEPS.keys()
        """Steps that have run here, or begun to."""
        with suppress(DataError):  # a broken manifest is reported when the step adds its entry
            self._owners |= manifest.steps()
        self._missing: set[Path] = set()
        """Files of the step that do not exist before it begins."""

    def check(self, paths: Iterable[Path]) -> None:
        """Raise a `ConfigError` if one of these files exists, and no step here has written it."""
        if self._step in self._owners:
            return
        files = {*paths}
        found = {path for path in files if os.path.lexists(path)}
        if found and (unknown := sorted(found - self._replaced_files())):
            name = unknown[0].relative_to(self._root)
            more = f" and {len(unknown) - 1:,} more" if unknown[1:] else ""
            what = f"has {name}{more}, which step={self._step} would write over, and which no step here has written"
            raise ConfigError(what, where=self._root, hint=_HINT.format("them" if more else "it"))
        self._missing |= files - found

    def _replaced_files(self) -> set[Path]:
        """Return the files that the steps which have run here replace, without those of a relation or model."""
        return {self._root / name for step in self._owners for name in self._names_of(step)}

    def begin(self) -> None:
        """Record that the step has begun to write; a missing folder has no file of the user."""
        if self._root.exists():
            open_without_links(self._mark, "ab").close()

    def cancel(self) -> None:
        """Remove the record of a step that failed if the step is new here and has written nothing."""
        if self._step not in self._owners:
            with suppress(OSError, DataError):  # the error that ended the step takes precedence
                if any(map(os.path.lexists, self._missing)):
                    self.begin()  # the folder may be new
                else:
                    self._mark.unlink()
