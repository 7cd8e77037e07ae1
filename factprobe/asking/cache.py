"""Replies that were paid for once, shared by all runs: a SQLite file in the user's cache folder."""

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

_FILE = "responses.sqlite"
_BUSY = 5.0
"""Seconds; the others write for less than a thousandth of one, and everything waits meanwhile."""

_TABLE = """
create table if not exists replies (
    asked_hash text not null, settings_hash text not null, reply blob not null,
    primary key (asked_hash, settings_hash)
) without rowid
"""
_DAMAGE = (*UNREADABLE, TypeError)
_decode = msgspec.json.Decoder(Reply).decode
_encode = msgspec.json.Encoder().encode


def _is_one_of(error: BaseException, *codes: int) -> bool:
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in codes


def _is_busy(error: BaseException) -> bool:
    """Whether another process opens or closes the file just now, for which SQLite itself does not always wait."""
    return _is_one_of(error, sqlite3.SQLITE_BUSY)


class ResponseCache:
    """Replies by what was asked and by the model's settings.

    The settings' hash holds all that changes an answer, the repeat index among it, so another number asks anew. The
    file is in WAL mode: several processes read and write it at once. What cannot be read or written is never the end of
    a run: a damaged file is set aside, one that may not be written is only read, any other fault turns the cache off,
    each with a warning.

    Args:
        folder: where the file lies; it is made, for the user alone.
        mode: `read` uses what is there and adds to it, `refresh` only adds, over what is there.
    """

    def __init__(self, folder: Path, mode: CacheMode = "read") -> None:
        self.path = folder / _FILE
        self._reads = mode == "read"
        self._connection: sqlite3.Connection | None = None
        self._file: tuple[int, int] | None = None
        self._writes = True
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._make()
            self._open()
        except (sqlite3.Error, OSError) as error:
            self._fault(error)

    def get(self, asked_hash: str, settings_hash: str) -> Reply | None:
        """The reply that was given, or None."""
        if self._connection is None or not self._reads:
            return None
        query = "select reply from replies where asked_hash = ? and settings_hash = ?"
        try:
            found = self._connection.execute(query, (asked_hash, settings_hash)).fetchone()
        except sqlite3.Error as error:
            self._fault(error)
            return None
        try:
            reply = None if found is None else _decode(found[0])
        except _DAMAGE:  # the next put takes its place
            return None
        return None if reply is not None and ending_of(reply.finish_reason) == "broken" else reply

    def put(self, asked_hash: str, settings_hash: str, reply: Reply) -> None:
        """Keeps a reply, over an earlier one."""
        if self._connection is None or not self._writes:
            return
        row = (asked_hash, settings_hash, _encode(reply))
        try:
            self._connection.execute("insert or replace into replies values (?, ?, ?)", row)
        except sqlite3.Error as error:
            self._fault(error)

    def close(self) -> None:
        """Closes the file."""
        if self._connection is not None:
            with suppress(sqlite3.Error):  # all that was put is written
                self._connection.close()
            self._connection = None

    def _make(self) -> None:
        """Make the file, where it is missing, for the user alone; SQLite gives those beside it the same permissions."""
        with suppress(FileExistsError, PermissionError):  # one that is there may be shared on purpose
            os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))

    def _open(self) -> None:
        try:
            self._connect()
        except sqlite3.Error as error:
            if not _is_busy(error):
                raise
            from tenacity import Retrying, retry_if_exception, stop_after_delay, wait_random

            again = Retrying(
                retry=retry_if_exception(_is_busy),
                stop=stop_after_delay(_BUSY),
                wait=wait_random(0.01, 0.1),
                reraise=True,
            )
            again(self._connect)

    def _connect(self) -> None:
        self.close()
        # Every put is its own transaction; with WAL a kill loses none of them, and none waits for the disk.
        self._connection = sqlite3.connect(self.path, timeout=_BUSY, isolation_level=None)
        self._file = self._identity()
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")
        self._connection.execute(_TABLE)

    def _identity(self) -> tuple[int, int]:
        """Which file it is; another one of the same name has another."""
        found = self.path.stat()
        return found.st_dev, found.st_ino

    def _fault(self, error: Exception) -> None:
        """Begins anew in the place of a damaged file; after any other fault there is no cache."""
        self.close()
        code = getattr(error, "sqlite_errorcode", None)
        if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            try:
                aside = self._set_aside()
                self._make()
                self._open()
            except (sqlite3.Error, OSError):
                self.close()
            else:
                if aside is not None:
                    what = "%s: the response cache is damaged (%s); it is set aside as %s"
                    log.warning(what, self.path, error, aside.name)
                return
        if _is_one_of(error, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN) and self._reopened_to_read():
            log.warning("%s: the response cache can only be read (%s); this run adds nothing to it", self.path, error)
        else:
            log.warning("%s: the response cache cannot be used (%s); this run goes on without it", self.path, error)

    def _reopened_to_read(self) -> bool:
        """Opens a file that may only be read; whether there is one, and it is of use."""
        if not (self._reads and self._writes):
            return False
        self._writes = False
        for how in ("mode=ro", "immutable=1"):  # the second where there are not even the files that SQLite puts beside
            try:
                self._connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?{how}", uri=True)
                self._connection.execute("select reply from replies limit 1").fetchone()
            except sqlite3.Error:
                self.close()
            else:
                return True
        return False

    def _set_aside(self) -> Path | None:
        """Gives a damaged file another name, unless another process has been first."""
        if self.path.exists() and self._identity() != self._file:
            return None
        aside = self.path.with_suffix(f".{datetime.now(UTC):%Y%m%dT%H%M%S%f}.damaged")
        self.path.rename(aside)
        for suffix in ("-wal", "-shm"):
            self.path.with_name(_FILE + suffix).unlink(missing_ok=True)
        return aside
