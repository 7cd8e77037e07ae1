"""Commands that prepare tests. Each runs once in a process; later tests get a copy of the files that it wrote."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from pathlib import Path

from tests.command_line import CommandLine

_snapshots: dict[tuple[str, ...], Path] = {}
"""Folders as commands have left them, by a hash of the folder before the command and the command's arguments."""


def run_once(factprobe: CommandLine, *arguments: str) -> None:
    """Run a command that must succeed, or copy the files that the same command wrote in an earlier test.

    The command may depend on nothing but its arguments and the files in the test's folder. It is not for a test that
    checks what the command prints, asks or caches.
    """
    folder = factprobe.folder
    key = (hash_of(folder), *arguments)
    if key not in _snapshots:
        result = factprobe(*arguments)
        assert result.code == 0, result.err
        snapshot = Path(tempfile.mkdtemp(prefix="snapshot-", dir=os.environ["HOME"]))  # removed with the session's home
        shutil.copytree(folder, snapshot, symlinks=True, dirs_exist_ok=True)
        _snapshots[key] = snapshot
        return
    for path in folder.iterdir():  # the process stands in the folder itself
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink()
    shutil.copytree(_snapshots[key], folder, symlinks=True, dirs_exist_ok=True)


def hash_of(folder: Path) -> str:
    """Return a hash of the names and contents of all files under a folder."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        found.update(f"{path.relative_to(folder)}\0{len(content)}\0".encode())
        found.update(content)
    return found.hexdigest()
