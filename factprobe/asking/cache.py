"""Response cache shared by all runs: a SQLite file in the user's cache folder."""

from __future__ import annotations

import logging
import os
import sqlite3
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from factprobe.config import CacheMode
from factprobe.endings import ending_of
from factprobe.models.base import Reply
from factprobe.storage import UNREADABLE

log = logging.getLogger(__name__)

_FILE_NAME = "responses.sqlite"
_BUSY_SECONDS = 5.0
"""Seconds to wait for a locked file, during which all calls wait; a write takes less than a millisecond."""

_CREATE_TABLE = """
create table if not exists replies (
    asked_hash text not null, settings_hash text not null, reply blob not null,
    primary key (asked_hash, settings_hash)
) without rowid
"""
_DECODING_ERRORS = (*UNREADABLE, TypeError)
_decode = msgspec.json.Decoder(Reply).decode
_encode = msgspec.json.Encoder().encode


def _is_one_of(error: BaseException, *codes: int) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in codes


def _is_busy(error: BaseException) -> bool:
    """Return whether an error means that the file is locked, as while another process opens or closes it."""
    return _is_one_of(error, sqlite3.SQLITE_BUSY)


class ResponseCache:
    """Cache of replies, by hash of the request and hash of the model's settings.

    The second hash covers every setting that changes an answer, and the index of the repeat. The mode `read` returns
    cached replies and adds new ones; `refresh` returns none, and replaces earlier replies by new ones. Several
    processes can use the file at once (SQLite's WAL mode). An error never ends a run but gives a warning: a damaged
    file is renamed, a read-only file is only read, and any other error turns the cache off.
    """

    def __init__(self, folder: Path, mode: CacheMode = "read") -> None:
        self.path = folder / _FILE_NAME
        self._reads = mode == "read"
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._writes = True
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._create_file()
            self._open_connection()
        except (sqlite3.Error, OSError) as error:
            self._handle_error(error)

    def get(self, asked_hash: str, settings_hash: str) -> Reply | None:
        """Return the cached reply; None if there is none, or if it is damaged or was interrupted by an error."""
        if self._connection is None or not self._reads:
            return None
        query = "select reply from replies where asked_hash = ? and settings_hash = ?"
        try:
            row = self._connection.execute(query, (asked_hash, settings_hash)).fetchone()
        except sqlite3.Error as error:
            self._handle_error(error)
            return None
        try:
            reply = None if row is None else _decode(row[0])
        except _DECODING_ERRORS:  # the next put replaces it
            return None
        return None if reply is not None and ending_of(reply.finish_reason) == "broken" else reply

    def put(self, asked_hash: str, settings_hash: str, reply: Reply) -> None:
        """Store a reply, replacing an earlier one."""
        if self._connection is None or not self._writes:
            return
        row = (asked_hash, settings_hash, _encode(reply))
        try:
            self._connection.execute("insert or replace into replies values (?, ?, ?)", row)
        except sqlite3.Error as error:
            self._handle_error(error)

    def close(self) -> None:
        """Close the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):  # all replies are already written
                self._connection.close()
            self._connection = None

    def _create_file(self) -> None:
        """Create a missing file that only the user can read; SQLite copies its permissions to the companion files."""
        with suppress(FileExistsError, PermissionError):  # an existing file may be shared on purpose
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    def _open_connection(self) -> None:
        try:
            self._connect()
        except sqlite3.Error as error:
            if not _is_busy(error):
                raise
            from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

            stop, wait = stop_after_delay(_BUSY_SECONDS), wait_random(0.01, 0.1)
            Retrying(stop=stop, wait=wait, retry=retry_if_exception(_is_busy), reraise=True)(self._connect)

    def _connect(self) -> None:
        self.close()
        # Each put is a transaction; with WAL, a kill loses none of them, and none waits for the disk.
        # One thread at a time uses it, not always the one that opens it: a notebook calls from another.
        self._connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        self._file = self._file_identity()
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")
        self._connection.execute(_CREATE_TABLE)

    def _file_identity(self) -> tuple[int, int]:
        """Return the device and inode of the file, which distinguish it from a later file of the same name."""
        status = self.path.stat()
        return status.st_dev, status.st_ino

    def _handle_error(self, error: Exception) -> None:
        """Replace a damaged file, reopen a read-only one, or turn the cache off after another error; log a warning."""
        self.close()
        code = getattr(error, "sqlite_errorcode", None)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            try:
                aside = self._set_aside()
                self._create_file()
                self._open_connection()
            except (sqlite3.Error, OSError):
                self.close()
            else:
                if aside is not None:
                    what = "%s: the response cache is damaged (%s); it is renamed to %s"
                    log.warning(what, self.path, error, aside.name)
                return
        if _is_one_of(error, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and self._reopen_read_only():
            log.warning("%s: the response cache is read-only (%s); this run adds no responses", self.path, error)
        else:
            log.warning("%s: the response cache cannot be used (%s); this run continues without it", self.path, error)

    def _reopen_read_only(self) -> bool:
        """Reopen the file read-only and return whether it is usable."""
        if not (self._reads and self._writes):
            return False
        self._writes = False
        for mode in ("mode=ro", "immutable=1"):  # `immutable` works without SQLite's companion files
            try:
                uri = f"{self.path.absolute().as_uri()}?{mode}"
                self._connection = sqlite3.connect(uri, uri=True, check_same_thread=False)
                self._connection.execute("select reply from replies limit 1").fetchone()
            except sqlite3.Error:
                self.close()
            else:
                return True
        return False

    def _set_aside(self) -> Path | None:
        """Rename a damaged file and return its new path; return None if another process has renamed it."""
        if self.path.exists() and self._file_identity() != self._file:
            return None
        aside = self.path.with_suffix(f".{datetime.now(UTC):%Y%m%dT%H%M%S%f}.damaged")
        self.path.rename(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(_FILE_NAME + suffix).unlink(missing_ok=True)
        return aside
