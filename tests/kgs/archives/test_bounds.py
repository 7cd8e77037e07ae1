"""Archives that are small and unpack to much: each is refused before it fills the memory or the disk."""

from __future__ import annotations

import gzip
import io
import os
import struct
import subprocess
import sys
import tarfile
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.kgs.archives.unpacking import remove_abandoned_folders, unpack, whole_folder
from factprobe.storage import opening
from tests.kgs.archives.server import LAMA, tarred, zipped

BIG = 40 << 20
"""Bytes that a bomb would hold in memory."""
WANTED = ("data/TREx",)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_SLACK", 1 << 22)


def header(kind: bytes, size: int, name: str = "x") -> bytes:
    """A header of a tar archive, of content that follows it."""
    entry = tarfile.TarInfo(name)
    entry.type, entry.size = kind, size
    return entry.tobuf(tarfile.GNU_FORMAT)


def pax(record: bytes, kind: bytes = tarfile.XHDTYPE) -> bytes:
    """A header of pax with one record."""
    padded = record.ljust(-(-len(record) // 512) * 512, b"\0")
    return header(kind, len(record)) + padded


def record(key: str, length: int) -> bytes:
    return f"{length} {key}=".encode().ljust(length - 1, b"v") + b"\n"


def sparse() -> bytes:
    """A member of a megabyte of holes for each byte of the archive."""
    entry = tarfile.TarInfo("data/TREx/P19.jsonl")
    entry.pax_headers = {"GNU.sparse.major": "0", "GNU.sparse.minor": "1", "GNU.sparse.name": entry.name}
    entry.pax_headers |= {"GNU.sparse.size": str(1 << 34), "GNU.sparse.map": f"{(1 << 34) - 1},1"}
    entry.size = 1
    return entry.tobuf(tarfile.PAX_FORMAT) + b"x".ljust(512, b"\0")


END = b"\0" * 1024
BODY = tarred(LAMA, compress=bytes)[:-1024].rstrip(b"\0") + b"\0" * 512
BOMBS: dict[str, Callable[[], bytes]] = {
    "a long name": lambda: header(tarfile.GNUTYPE_LONGNAME, BIG) + b"\0" * BIG + END,
    "a long pax header": lambda: pax(record("path", BIG)) + END,
    "a long pax header behind a member": lambda: header(tarfile.REGTYPE, 0) + pax(record("comment", BIG)) + END,
    "many pax headers": lambda: pax(record("comment", 60_000), tarfile.XGLTYPE) * 700 + END,
    "headers in headers": lambda: pax(record("a", 20)) * 20_000 + END,
    "an unwanted member": lambda: header(tarfile.REGTYPE, BIG, "other") + b"\0" * BIG + END,
    "a wanted member": lambda: header(tarfile.REGTYPE, BIG, "data/TREx/a") + b"\0" * BIG + END,
    "zeros behind the end": lambda: END + b"\0" * BIG,
    "holes": lambda: sparse() + END,
    "many members": lambda: b"".join(header(tarfile.REGTYPE, 0, f"m{number}") for number in range(10_001)) + END,
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
@pytest.mark.slow
def test_bomb_of_tar_is_refused(tmp_path: Path, bomb: Callable[[], bytes]) -> None:
    archive, folder = tmp_path / "archive", tmp_path / "x"
    archive.write_bytes(gzip.compress(bomb()))
    tracemalloc.start()
    with pytest.raises(DataError, match=r"unpacks to more than|headers that are too|recursion|more than 10,000 files"):
        unpack(archive, WANTED, folder, 10)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < BIG
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) < BIG


def test_bomb_of_zip_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(zipped({"data/TREx/a": "0" * BIG}, zipfile.ZIP_DEFLATED))
    with pytest.raises(DataError, match="unpacks to more than 200 times its size; do not trust it"):
        unpack(archive, WANTED, tmp_path / "x", 10)


def test_unwanted_member_of_zip_costs_nothing(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    archive.write_bytes(zipped({**LAMA, "other": "0" * BIG}, zipfile.ZIP_DEFLATED))
    assert unpack(archive, WANTED, tmp_path / "x", 10) == 1


def test_long_directory_of_zip_is_refused(tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    size = 8 << 20
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 1, 1, size, 0, 0)
    archive.write_bytes(b"PK\1\2".ljust(size, b"\0") + end)
    with pytest.raises(DataError, match="cannot be unpacked: its directory is too long"):
        unpack(archive, WANTED, tmp_path / "x", 10)


def test_many_files_of_zip_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factprobe.kgs.archives.unpacking.FILES", 3)
    archive = tmp_path / "archive"
    archive.write_bytes(zipped(LAMA))
    with pytest.raises(DataError, match="holds more than 3 files; do not trust it"):
        unpack(archive, (), tmp_path / "x", 10)


def test_archive_within_bounds_is_unpacked(tmp_path: Path) -> None:
    """Of a long name, and of data that are packed to a fiftieth."""
    archive = tmp_path / "archive"
    text = "".join(f'{{"sub": "Q{number}"}}\n' for number in range(200_000))
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w:xz") as opened:
        entry = tarfile.TarInfo(f"data/TREx/{'n' * 150}")
        entry.size = len(text)
        opened.addfile(entry, io.BytesIO(text.encode()))
    archive.write_bytes(packed.getvalue())
    assert unpack(archive, WANTED, tmp_path / "x", 10) == 1
    assert (tmp_path / "x" / ("n" * 150)).read_text() == text


def test_leftovers_of_killed_process_are_removed(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    running, other = os.getppid(), tmp_path / ".trex.notes.tmp"
    left, alive, old = (tmp_path / f".trex.{number}.tmp" for number in (ended.pid, running, "1"))
    for folder in (left, alive, old, other):
        (folder / "a").mkdir(parents=True)
    os.utime(old, (0, 0))
    remove_abandoned_folders(tmp_path / "trex")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([alive.name, other.name])
    with whole_folder(tmp_path / "trex") as folder:
        (folder / "x").write_text("x")
    assert (tmp_path / "trex/x").exists()


def test_on_windows_processes_get_no_signal(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / f".trex.{2**22 + 1}.tmp").mkdir()
    monkeypatch.setattr(os, "kill", pytest.fail)
    monkeypatch.setattr(sys, "platform", "win32")
    remove_abandoned_folders(tmp_path / "trex")
    assert len([*tmp_path.iterdir()]) == 1
