"""Safe unpacking of archives into folders that appear only when complete."""

from __future__ import annotations

import os
import stat
import sys
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from errno import EEXIST, EILSEQ, EINVAL, ENAMETOOLONG, ENOTDIR
from fnmatch import fnmatchcase
from functools import partial
from glob import escape
from io import BufferedReader, BufferedWriter, FileIO
from pathlib import Path, PurePosixPath
from shutil import rmtree
from time import time
from typing import IO, Any, NamedTuple, cast

from factprobe.config.paths import escape_other_wildcards
from factprobe.errors import FETCH_BY_HAND, DataError
from factprobe.kgs.archives.bounds import CHUNK, FILES, Allowance, TarStream, ZipReader
from factprobe.storage import locate_disk_errors

_MAX_END_RECORD = 22 + 0xFFFF
"""Maximum length of the end record of a zip archive with its comment (APPNOTE.TXT, 4.3.16)."""
_FILE_COUNT = slice(10, 12)
"""Position of the number of files in the end record."""
_IN_ZIP64 = 0xFFFF
"""Number of files in the end record that means that the Zip64 record has it."""
_ZIP64_RECORD = 56 + 20
"""Length of the Zip64 record (4.3.14) with its locator."""
_ZIP64_FILE_COUNT = slice(32, 40)
"""Position of the number of files in the Zip64 record."""


class _Member(NamedTuple):
    """File, folder or link in an archive."""

    name: str
    is_file: bool
    is_folder: bool
    open: Callable[[], AbstractContextManager[IO[bytes]]]


def is_occupied(path: Path) -> bool:
    """Return whether a path exists and is no empty folder."""
    return path.exists() and (not path.is_dir() or any(path.iterdir()))


def remove_abandoned_folders(path: Path) -> None:
    """Remove temporary folders for a path that are over a day old, or whose process has ended or is this one."""
    for folder in path.parent.glob(f".{escape(path.name)}.*.tmp"):
        number = folder.name.removesuffix(".tmp").rpartition(".")[2]
        with suppress(OSError):
            if number.isdecimal() and (
                not _is_other_process(int(number)) or time() - folder.lstat().st_mtime > _MAX_AGE
            ):
                rmtree(folder)


def _is_other_process(process: int) -> bool:
    """Return whether a process with this id is running, other than the current one; on Windows always True."""
    if sys.platform == "win32":  # where os.kill sends Ctrl+C
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:  # the process of another user
        return True
    return process != os.getpid()


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a temporary folder to fill, which is renamed to `path` on success and removed on an error."""
    path = path.resolve()  # a link to an empty folder stays a link
    remove_abandoned_folders(path)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    temporary.mkdir(parents=True)
    try:
        yield temporary
        if path.is_dir():
            path.rmdir()  # it is empty
        temporary.rename(path)
    finally:
        rmtree(temporary, ignore_errors=True)


def unpack(archive: Path, wanted: Sequence[str], folder: Path, limit: float) -> int:
    """Unpack files of a zip or tar archive, and return their number; an unreadable archive is deleted.

    Args:
        archive: Path of the archive.
        wanted: Paths in the archive to unpack; a folder stands for all its files, `*` is a wildcard within one name.
            Without any, all files are unpacked.
        folder: Folder for the files.
        limit: Maximum size of the files in total, in GB.

    Raises:
        DataError: The file is broken, not an archive, has links or unsafe paths, lacks a wanted file, or has too many
            files or too large ones.
    """
    missing, count, allowance = {*wanted}, 0, Allowance(archive, limit)
    with _open_archive(archive, Allowance(archive, limit)) as opened:
        for number, member in enumerate(_iterate_members(opened), 1):
            if number > FILES:
                raise DataError(f"holds more than {FILES:,} files", where=archive, hint=_DISTRUST)
            destination = _target_path(member.name, wanted, archive)
            if destination is None or member.is_folder:
                continue
            patterns, relative_path = destination
            if not member.is_file:
                raise DataError(f"holds a link: {member.name!r}", where=archive, hint=_DISTRUST)
            missing.difference_update(patterns)
            target = folder / relative_path
            with (
                member.open() as packed,
                locate_disk_errors(target),
                _create_file(target, member.name, archive) as file,
            ):
                while chunk := packed.read(CHUNK):
                    allowance.spend(len(chunk))
                    file.write(chunk)
            count += 1
    if missing or not count:
        what = f"holds no {', '.join(sorted(missing)) or 'file'}"
        raise DataError(what, where=archive, hint="list files that it has in kg.archive.paths=[...]")
    return count


_DISTRUST = "do not trust it"
_MAX_AGE = 24 * 3600.0
"""Age in seconds from which a temporary folder is abandoned."""
_PATH_ERRORS = (EEXIST, ENOTDIR, ENAMETOOLONG, EILSEQ, EINVAL)


def _create_file(target: Path, name: str, archive: Path) -> BufferedWriter:
    """Open a new file for a member; raise a `DataError` if the path is taken, or not allowed on this system."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target.open("xb")
    except OSError as error:
        if error.errno not in _PATH_ERRORS:
            raise
        what = f"holds {name!r}, which cannot be created: {error.strerror}"
        hint = f"list other files in kg.archive.paths=[...], or {FETCH_BY_HAND}"
        raise DataError(what, where=archive, hint=hint) from error


def _target_path(name: str, wanted: Sequence[str], archive: Path) -> tuple[list[str], Path] | None:
    """Return the wanted paths that a member matches, and the path to unpack it to; None if it is not wanted."""
    parts = PurePosixPath(name).parts
    if name.startswith("/") or ".." in parts or "\\" in name or any(":" in part for part in parts[:1]):
        raise DataError(f"holds a path outside its folder: {name!r}", where=archive, hint=_DISTRUST)
    names = {pattern: PurePosixPath(escape_other_wildcards(pattern)).parts for pattern in wanted}
    matched = [one for one in names if len(parts) >= len(names[one]) and all(map(fnmatchcase, parts, names[one]))]
    if not matched:
        return None if wanted else ([], Path(*parts))
    return matched, Path(*(parts[len(names[matched[0]]) :] or parts[-1:]))


@contextmanager
def _open_archive(path: Path, allowance: Allowance) -> Iterator[zipfile.ZipFile | tarfile.TarFile]:
    """Open an archive; if it cannot be read, delete it and raise a `DataError`."""
    from lzma import LZMAError

    broken = (zipfile.BadZipFile, tarfile.TarError, zlib.error, LZMAError, EOFError, RuntimeError, ValueError, OSError)
    try:
        if zipfile.is_zipfile(path):
            with ZipReader(FileIO(path)) as packed, zipfile.ZipFile(packed) as archive:
                yield archive
        else:
            with path.open("rb") as file, _open_decompressed(file) as plain:
                yield _open_tar(path, TarStream(plain, allowance))
    except broken as error:
        if getattr(error, "errno", None) not in (None, EINVAL):  # EINVAL comes from a seek beyond the end
            raise
        path.unlink()
        raise DataError(f"cannot be unpacked: {error}", where=path, hint="it is deleted; fetch it again") from error


def _open_tar(path: Path, stream: TarStream) -> tarfile.TarFile:
    try:
        return tarfile.TarFile(fileobj=stream)  # type: ignore[arg-type]  # it only calls read, seek and tell
    except tarfile.ReadError as error:
        path.unlink()
        hint = f"it is deleted; {FETCH_BY_HAND}"
        raise DataError("is neither a zip nor a tar archive", where=path, hint=hint) from error


def _open_decompressed(file: BufferedReader) -> AbstractContextManager[IO[bytes]]:
    """Return a reader of the content of a file, decompressed if it is in gzip, bzip2, xz or LZMA."""
    from bz2 import BZ2File
    from gzip import GzipFile
    from lzma import LZMAFile

    start = file.peek(6)
    if start.startswith(b"\x1f\x8b"):
        return cast("IO[bytes]", GzipFile(fileobj=file))
    if start.startswith(b"BZh"):
        return cast("IO[bytes]", BZ2File(file))
    if start.startswith((b"\xfd7zXZ\0", b"\x5d\0\0")):
        return cast("IO[bytes]", LZMAFile(file))
    return nullcontext(file)


def _iterate_members(archive: zipfile.ZipFile | tarfile.TarFile) -> Iterator[_Member]:
    if isinstance(archive, tarfile.TarFile):
        for entry in archive:
            yield _Member(entry.name, entry.isfile(), entry.isdir(), partial(_tar_content, archive, entry))
        stream: Any = archive.fileobj  # tarfile also stops at a damaged header, and zeros follow the last member
        if stream.last != tarfile.NUL * tarfile.BLOCKSIZE:
            raise tarfile.ReadError("the archive is cut off, or a header is damaged")
        stream.drain()  # verifies the checksums of the rest
        return
    _check_listed(archive)
    for info in archive.infolist():
        name = info.filename.replace("\\", "/")  # some archives of Windows have backslashes, against the standard
        kind = stat.S_IFMT(info.external_attr >> 16)
        yield _Member(name, kind in (0, stat.S_IFREG), name.endswith("/"), partial(archive.open, info))


def _check_listed(archive: zipfile.ZipFile) -> None:
    """Raise a `zipfile.BadZipFile` if the zip directory and its end record differ in the number of files.

    The directory has no checksum, and zipfile reads it from the position that the end record gives.
    """
    assert archive.fp is not None, "the archive is open"
    archive.fp.seek(0, os.SEEK_END)
    archive.fp.seek(max(archive.fp.tell() - _ZIP64_RECORD - _MAX_END_RECORD, 0))
    end = archive.fp.read()
    at = end.rfind(b"PK\5\6")
    counted, listed = int.from_bytes(end[at:][_FILE_COUNT], "little"), len(archive.infolist())
    zip64 = end[max(at - _ZIP64_RECORD, 0) : at]
    if counted == _IN_ZIP64 and zip64.startswith(b"PK\6\6"):
        counted = int.from_bytes(zip64[_ZIP64_FILE_COUNT], "little")
    if counted != listed:
        raise zipfile.BadZipFile(f"its directory lists {listed:,} files, and its end record {counted:,}")


@contextmanager
def _tar_content(archive: tarfile.TarFile, entry: tarfile.TarInfo) -> Iterator[IO[bytes]]:
    content, stream = archive.extractfile(entry), cast("Any", archive.fileobj)
    assert content is not None, "the member is a file"
    stream.in_content = True
    with content:
        yield content
    stream.in_content = False
