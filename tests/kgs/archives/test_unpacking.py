"""What is unpacked of archives, and what is not."""

from __future__ import annotations

import bz2
import io
import lzma
import struct
import tarfile
import zipfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.kgs.archives.unpacking import unpack, whole_folder
from tests.kgs.archives.server import LAMA, Compress, gzipped, tarred, zipped

TREX = ("data/TREx", "data/relations.jsonl")


def packed(tmp_path: Path, content: bytes) -> Path:
    path = tmp_path / "archive"
    path.write_bytes(content)
    return path


def found(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_wanted_files_are_unpacked_into_folder(tmp_path: Path, pack: object) -> None:
    archive = packed(tmp_path, pack(LAMA))  # type: ignore[operator]
    assert unpack(archive, TREX, tmp_path / "trex", 1) == 2
    assert found(tmp_path / "trex") == ["P19.jsonl", "relations.jsonl"]
    assert (tmp_path / "trex/P19.jsonl").read_text() == LAMA["data/TREx/P19.jsonl"]
    assert unpack(archive, ("*/Google_RE",), tmp_path / "re", 1) == 1
    assert unpack(archive, (), tmp_path / "all", 1) == 4
    assert found(tmp_path / "all") == sorted(LAMA)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_wanted_file_may_lie_in_a_wanted_folder(tmp_path: Path, pack: object) -> None:
    archive = packed(tmp_path, pack(LAMA))  # type: ignore[operator]
    wanted = ("data/TREx", "data/TREx/P19.jsonl", "data/*/P19.jsonl", "data/TREx")
    assert unpack(archive, wanted, tmp_path / "folder", 1) == 1
    assert found(tmp_path / "folder") == ["P19.jsonl"]
    with pytest.raises(DataError, match=r"holds no data/TREx/P20\.jsonl"):
        unpack(archive, ("data/TREx", "data/TREx/P20.jsonl"), tmp_path / "x", 1)


def test_brackets_in_a_wanted_path_are_no_wildcards(tmp_path: Path) -> None:
    archive = packed(tmp_path, zipped({"data [v1]/a": "x", "data v/b": "y"}))
    assert unpack(archive, ("data [v1]",), tmp_path / "x", 1) == 1
    assert found(tmp_path / "x") == ["a"]


def test_missing_member_is_an_error(tmp_path: Path) -> None:
    archive = packed(tmp_path, zipped(LAMA))
    with pytest.raises(DataError, match=r"holds no data/BEAR; list files that it has in kg\.archive\.paths="):
        unpack(archive, (*TREX, "data/BEAR"), tmp_path / "x", 1)
    with pytest.raises(DataError, match="holds no file"):
        unpack(packed(tmp_path, zipped({})), (), tmp_path / "y", 1)


def test_zip_archive_of_windows_has_backslashes(tmp_path: Path) -> None:
    """Older .NET wrote them in place of slashes; in a tar archive they are part of a name."""
    names = {name.replace("/", "\\"): content for name, content in LAMA.items()}
    archive = packed(tmp_path, zipped({"data\\": "", **names}))
    assert unpack(archive, TREX, tmp_path / "trex", 1) == 2
    assert found(tmp_path / "trex") == ["P19.jsonl", "relations.jsonl"]
    assert unpack(archive, (), tmp_path / "all", 1) == 4
    assert found(tmp_path / "all") == sorted(LAMA)
    with pytest.raises(DataError, match="holds a path outside its folder"):
        unpack(packed(tmp_path, tarred(names)), (), tmp_path / "x", 1)


@pytest.mark.parametrize(
    "name", ["../evil", "/etc/evil", "a/../../evil", "a\\..\\evil", "\\\\evil", "C:evil", "C:\\evil"]
)
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_path_traversal_is_refused(tmp_path: Path, name: str, pack: object) -> None:
    archive = packed(tmp_path, pack({name: "x", "a/b": "y"}))  # type: ignore[operator]
    for wanted in ((), ("a",)):
        with pytest.raises(DataError, match="holds a path outside its folder"):
            unpack(archive, wanted, tmp_path / "x", 1)
    assert not list(tmp_path.rglob("evil"))


@pytest.mark.parametrize("kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.FIFOTYPE, tarfile.CHRTYPE])
def test_links_and_devices_of_a_tar_archive(tmp_path: Path, kind: bytes) -> None:
    entry = tarfile.TarInfo("a/link")
    entry.type, entry.linkname = kind, "/etc/passwd"
    with pytest.raises(DataError, match="holds a link: 'a/link'; do not trust it"):
        unpack(packed(tmp_path, tarred({"a/b": "y"}, entry)), ("a",), tmp_path / "x", 1)


def test_links_of_a_zip_archive(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "archive", "w") as archive:
        entry = zipfile.ZipInfo("link")
        entry.external_attr = 0o120777 << 16
        archive.writestr(entry, "/etc/passwd")
    with pytest.raises(DataError, match="holds a link"):
        unpack(tmp_path / "archive", (), tmp_path / "x", 1)


@pytest.mark.parametrize("pack", [zipped, tarred])
def test_size_limit_is_enforced(tmp_path: Path, pack: object) -> None:
    archive = packed(tmp_path, pack({"zeros": "0" * 5_100_000}))  # type: ignore[operator]
    with pytest.raises(DataError, match=r"unpacks to more than 0\.005 GB; .*fetch\.max_gb="):
        unpack(archive, (), tmp_path / "x", 0.005)


@pytest.mark.parametrize("content", [b"<html>", b"", tarred(LAMA)[:-30], zipped(LAMA).replace(b"Ada", b"Ado", 1)])
def test_unreadable_archive_is_deleted(tmp_path: Path, content: bytes) -> None:
    archive = packed(tmp_path, content)
    with pytest.raises(DataError, match=r"archive: (is neither a zip nor a tar archive|cannot be unpacked: .*); it is"):
        unpack(archive, (), tmp_path / "x", 1)
    assert not archive.exists()


with tarfile.open(fileobj=io.BytesIO(tarred(LAMA))) as lama:
    HEADERS = [entry.offset for entry in lama]
STORED = partial(gzipped, compresslevel=0)


def flipped(content: bytes, place: int) -> bytes:
    """Archives of which one bit is another."""
    return content[:place] + bytes([content[place] ^ 1]) + content[place + 1 :]


def cut(content: bytes, place: int) -> bytes:
    return content[:place]


@pytest.mark.parametrize("compress", [bytes, gzipped, bz2.compress, lzma.compress])
@pytest.mark.parametrize("damaged", [cut, flipped])
@pytest.mark.parametrize("place", [HEADERS[2], HEADERS[2] + 100, HEADERS[3] + 512])
def test_tar_archive_without_its_end_is_not_whole(
    tmp_path: Path, compress: Compress, damaged: Callable[[bytes, int], bytes], place: int
) -> None:
    archive = packed(tmp_path, compress(damaged(tarred(LAMA, compress=bytes), place)))
    with pytest.raises(DataError, match="archive: cannot be unpacked: the archive is cut off, or a header is damaged;"):
        unpack(archive, TREX, tmp_path / "x", 1)
    assert not archive.exists()


@pytest.mark.parametrize(
    "content",
    [
        tarred(LAMA, compress=STORED).replace(b"Ada", b"Ado", 1),
        flipped(tarred(LAMA), -6),
        tarred(LAMA)[:-8],
        tarred(LAMA) + b"more",
    ],
)
def test_checksum_of_gzip_holds_for_all_of_it(tmp_path: Path, content: bytes) -> None:
    archive = packed(tmp_path, content)
    with pytest.raises(DataError, match=r"archive: cannot be unpacked: .*; it is deleted; fetch it again"):
        unpack(archive, TREX, tmp_path / "x", 1)
    assert not archive.exists()


@pytest.mark.parametrize(
    "whole",
    [
        *(tarred(LAMA, compress=compress) for compress in (gzipped, STORED, bz2.compress, lzma.compress)),
        *(zipped(LAMA, method) for method in (zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)),
    ],
)
def test_any_flipped_bit_is_detected(tmp_path: Path, whole: bytes) -> None:
    files = whole.partition(b"PK\1\2")[0]  # the list at the end of a zip archive has no checksum
    for place in range(0, len(files), len(files) // 40):
        archive, folder = packed(tmp_path, flipped(whole, place)), tmp_path / str(place)
        with suppress(DataError):
            unpack(archive, (), folder, 1)
            assert {name: (folder / name).read_text() for name in found(folder)} == LAMA


def zip64(whole: bytes) -> bytes:
    """A zip archive whose files are counted in the record of Zip64 alone (APPNOTE.TXT, 4.3.14 to 4.3.16)."""
    at = whole.rindex(b"PK\5\6")
    *_, count, size, offset, comment = struct.unpack("<4s4H2LH", whole[at:])
    record = struct.pack("<4sQ2H2L4Q", b"PK\6\6", 44, 45, 45, 0, 0, count, count, size, offset)
    pointer = struct.pack("<4sLQL", b"PK\6\7", 0, at, 1)
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 0xFFFF, 0xFFFF, 0xFFFFFFFF, 0xFFFFFFFF, comment)
    return whole[:at] + record + pointer + end


@pytest.mark.parametrize("whole", [zipped(LAMA), zip64(zipped(LAMA))])
def test_both_ends_of_a_zip_archive_count_its_files(tmp_path: Path, whole: bytes) -> None:
    assert unpack(packed(tmp_path, whole), (), tmp_path / "x", 1) == len(LAMA)


@pytest.mark.parametrize("flip", [1, *(pytest.param(flip, marks=pytest.mark.slow) for flip in (16, 128))])
@pytest.mark.parametrize("whole", [zipped(LAMA), zip64(zipped(LAMA))], ids=["zip", "zip64"])
def test_one_bit_of_the_directory_of_a_zip_archive_hides_no_file(tmp_path: Path, whole: bytes, flip: int) -> None:
    for place in range(whole.index(b"PK\1\2"), len(whole)):
        damaged = whole[:place] + bytes([whole[place] ^ flip]) + whole[place + 1 :]
        archive, folder = packed(tmp_path, damaged), tmp_path / str(place)
        with suppress(DataError):
            unpack(archive, (), folder, 1)
            assert found(folder) == sorted(LAMA), place


def test_folder_is_whole_or_not_at_all(tmp_path: Path) -> None:
    def fill(fails: bool) -> None:
        with whole_folder(tmp_path / "a/b") as folder:
            (folder / "x").write_text("x")
            if fails:
                raise DataError("so")

    with pytest.raises(DataError, match="so"):
        fill(True)
    assert list((tmp_path / "a").iterdir()) == []
    (tmp_path / "a/b").mkdir()
    fill(False)
    assert found(tmp_path) == ["a/b/x"]


def test_a_link_to_an_empty_folder_is_filled(tmp_path: Path) -> None:
    """As where the data is kept on another disk."""
    (tmp_path / "disk").mkdir()
    (tmp_path / "data").symlink_to("disk")
    with whole_folder(tmp_path / "data") as folder:
        (folder / "x").write_text("x")
    assert (tmp_path / "data").is_symlink()
    assert found(tmp_path / "disk") == ["x"]


@pytest.mark.parametrize("names", [("a/b", "a"), ("a", "a/b"), ("x" * 300,), ("y/a", "z/a")])
@pytest.mark.parametrize("pack", [zipped, tarred])
def test_member_without_valid_path_is_an_error(tmp_path: Path, names: tuple[str, ...], pack: object) -> None:
    archive = packed(tmp_path, pack(dict.fromkeys(names, "x")))  # type: ignore[operator]
    wanted = names if names[0] == "y/a" else ()
    message = rf"archive: holds '{names[-1]}', which cannot be created: .*; list .* in kg\.archive\.paths="
    with pytest.raises(DataError, match=message):
        unpack(archive, wanted, tmp_path / "out", 1)
    assert archive.exists()
