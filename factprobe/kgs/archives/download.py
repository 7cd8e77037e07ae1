"""Download of archives with pooch, resumed after an interruption."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from factprobe.errors import FETCH_BY_HAND, ConfigError, DataError, require
from factprobe.progress import progress_bar, say
from factprobe.storage import file_hash, locate_disk_errors, open_without_links, safe_name, whole_file

GB = 10**9
_TRIES = 5
_WAIT = 1.0
"""Seconds before the first retry, doubled for each further one."""
_TIMEOUT = 30.0
_CHUNK = 1 << 14
"""Number of bytes that are written at once; an incomplete chunk is lost if the connection breaks."""
_PARTIAL_CONTENT, _RANGE_NOT_SATISFIABLE = 206, 416


class Archive(NamedTuple):
    """Archive to download."""

    url: str
    sha256: str | None
    """Published SHA-256; if None, the SHA-256 of the first download is stored."""
    folder: Path
    """Folder for downloaded archives."""
    limit: float
    """Maximum size in gigabytes."""

    @property
    def path(self) -> Path:
        """Path of the complete download."""
        digest = blake2b(self.url.encode(), digest_size=8).hexdigest()
        return self.folder / f"{digest}-{safe_name(PurePosixPath(urlsplit(self.url).path).name)}"

    def with_ending(self, ending: str) -> Path:
        """Return the path of the archive with an ending added, such as `.sha256` for its checksum."""
        return self.path.with_name(self.path.name + ending)


def fetch(archive: Archive) -> str:
    """Download an archive unless it exists, and return its SHA-256.

    It is checked against the published checksum, or else against the checksum of the first download.

    Raises:
        ConfigError: The URL is not an HTTP URL.
        DataError: The archive cannot be downloaded, is too large, or has a wrong checksum.
        MissingExtraError: Pooch is not installed.
    """
    parts = urlsplit(archive.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"is not an HTTP URL: {archive.url!r}", where="fetch.url", hint="use one with https://")
    require("pooch", extra="fetch", where="step=fetch")
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    checksum_file = archive.with_ending(".sha256")
    checksum = archive.sha256 or (checksum_file.read_text().strip() if checksum_file.exists() else None)
    with _explain_errors(archive):
        pooch.retrieve(archive.url, checksum, archive.path.name, archive.folder, downloader=_Downloader(archive))
    return file_hash(archive.path)


def store_checksum(archive: Archive, digest: str) -> None:
    """Store and print the checksum of an archive, if none is published and none is stored."""
    checksum_file = archive.with_ending(".sha256")
    if archive.sha256 is None and not checksum_file.exists():
        say(f"sha256 {digest}, of the first download; kept in {checksum_file}")
        with whole_file(checksum_file) as file:
            file.write(digest.encode())


@contextmanager
def _explain_errors(archive: Archive) -> Iterator[None]:
    """Turn errors of a download into a `DataError` with the URL and a hint."""
    from requests import ConnectionError as UnreachableError
    from requests import HTTPError, RequestException, Timeout
    from requests.exceptions import ChunkedEncodingError

    where = archive.url
    try:
        with locate_disk_errors(archive.path):
            yield
    except HTTPError as error:
        what = str(error).partition(" for url")[0]
        raise DataError(f"HTTP {what}", where=where, hint="check whether it has moved, and set fetch.url=") from error
    except (UnreachableError, ChunkedEncodingError, Timeout) as error:
        part = archive.with_ending(".part")
        size = part.stat().st_size if part.exists() else 0
        if not size:
            raise DataError("cannot be reached", where=where, hint="check the address, and run it again") from error
        hint = "run it again to resume"
        raise DataError(f"the connection broke off; {size:,} bytes are here", where=where, hint=hint) from error
    except RequestException as error:
        raise DataError(f"cannot be fetched: {error}", where=where, hint=FETCH_BY_HAND) from error
    except ValueError as error:  # raised by pooch for a checksum
        checksum_file = archive.with_ending(".sha256")
        hint = f"if you trust it, set fetch.sha256= to its checksum, and delete {checksum_file} if that exists"
        what = f"has another checksum than before or than published: {error}"
        raise DataError(what, where=where, hint=hint) from error


class _Downloader:
    """Downloader for pooch that resumes a partial file if the server's ETag or date shows that it has not changed."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._part = archive.with_ending(".part")
        self._tag = archive.with_ending(".etag")
        self._size = ""
        """Size of the whole file in bytes, from the header `Content-Range` of a resumed download; empty if unknown."""

    def __call__(self, url: str, output_file: str, _: object) -> None:
        """Download `url` to `output_file`; on an error, the partial file is kept."""
        from requests import ConnectionError as UnreachableError
        from requests import Timeout
        from requests.exceptions import ChunkedEncodingError
        from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

        def is_transient(error: BaseException) -> bool:
            if isinstance(error, ChunkedEncodingError):
                return True
            return isinstance(error, (UnreachableError, Timeout)) and self._part.stat().st_size > 0

        stop, wait = stop_after_attempt(_TRIES), wait_exponential(_WAIT)
        Retrying(stop=stop, wait=wait, retry=retry_if_exception(is_transient), reraise=True)(self._transfer_file, url)
        self._part.replace(output_file)
        self._tag.unlink(missing_ok=True)

    def _transfer_file(self, url: str) -> None:
        from pooch import HTTPDownloader
        from requests.exceptions import ChunkedEncodingError

        self._part.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            file = stack.enter_context(open_without_links(self._part, "ab"))
            bar = stack.enter_context(progress_bar(1, "fetch", "B", scaled=True))
            tag = self._tag.read_text() if file.tell() and self._tag.exists() else ""
            headers = {"Accept-Encoding": "identity", "User-Agent": "factprobe"}
            if tag:
                headers |= {"Range": f"bytes={file.tell()}-", "If-Range": tag}

            def begin(response: Any, **_: Any) -> None:
                stack.callback(response.close)
                self._prepare_transfer(response, file)

            load = HTTPDownloader(bar, _CHUNK, timeout=_TIMEOUT, headers=headers, hooks={"response": begin})
            load(url, _LimitedFile(file, self._archive), None)
            if self._size.isdecimal() and file.tell() != int(self._size):
                raise ChunkedEncodingError("the response is incomplete")

    def _prepare_transfer(self, response: Any, file: IO[bytes]) -> None:
        """Check a response, and prepare the partial file for its content.

        The file is emptied if the server sends the whole archive; the new ETag is stored.

        Raises:
            ChunkedEncodingError: The download must start over.
            DataError: The response is not the requested part of an archive within the limit.
        """
        from requests.exceptions import ChunkedEncodingError

        status, headers = response.status_code, response.headers
        if status == _RANGE_NOT_SATISFIABLE and file.tell():  # the part was already complete, or too long
            file.truncate(0)
            self._tag.unlink(missing_ok=True)
            raise ChunkedEncodingError("the download starts over")
        if not response.ok or response.is_redirect:
            return
        if headers.get("content-type", "").startswith("text/html"):
            raise DataError("is a web page, not an archive", where=self._archive.url, hint=FETCH_BY_HAND)
        part, _, self._size = headers.get("content-range", "").partition("/")
        if status != _PARTIAL_CONTENT:
            self._size = ""
            file.truncate(file.seek(0))
        elif not part.startswith(f"bytes {file.tell()}-"):
            file.truncate(0)
            raise DataError("sent another part than requested", where=self._archive.url, hint="run it again")
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            raise DataError(f"states an invalid length: {length!r}", where=self._archive.url, hint=FETCH_BY_HAND)
        _LimitedFile(file, self._archive).check_size(file.tell() + int(length))
        with whole_file(self._tag) as tag:
            tag.write((headers.get("etag") or headers.get("last-modified") or "").encode())


class _LimitedFile:
    """File that raises a `DataError` if it would grow beyond the limit of the archive."""

    def __init__(self, file: IO[bytes], archive: Archive) -> None:
        self._file = file
        self._archive = archive
        self.flush = file.flush

    def write(self, chunk: bytes) -> int:
        self.check_size(self._file.tell() + len(chunk))
        return self._file.write(chunk)

    def check_size(self, size: int) -> None:
        """Raise a `DataError` if a size in bytes exceeds the archive's limit."""
        limit = self._archive.limit
        if size > limit * GB:
            what = f"has {size / GB:.3g} GB or more, and the limit is {limit:g}"
            raise DataError(what, where=self._archive.url, hint="if you trust it, raise fetch.max_gb=")
