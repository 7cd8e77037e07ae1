"""Archives fetched with pooch, by a downloader that resumes where it stopped."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from hashlib import blake2b
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from factprobe.errors import ConfigError, DataError, require
from factprobe.progress import progress_bar, say
from factprobe.storage import file_hash, named, open_no_link, safe_name, whole_file

GB = 1 << 30
BY_HAND = "fetch it with a browser, unpack it, and name its folder with kg.data_dir="
_TRIES = 5
_WAIT = 1.0
"""Seconds before the second try; twice as many before each further one."""
_TIMEOUT = 30.0
_CHUNK = 1 << 14
"""Bytes that are kept at once; what is there of one when the connection breaks off is lost."""
_PARTIAL, _BEYOND = 206, 416


class Archive(NamedTuple):
    """A file to be fetched."""

    url: str
    sha256: str | None
    """Its checksum, where one is published; else that of the first time it was fetched counts."""
    folder: Path
    """Where archives are kept."""
    limit: float
    """Gigabytes that it may have."""

    @property
    def path(self) -> Path:
        """Where it lies when it is whole."""
        digest = blake2b(self.url.encode(), digest_size=8).hexdigest()
        return self.folder / f"{digest}-{safe_name(PurePosixPath(urlsplit(self.url).path).name)}"

    def with_ending(self, ending: str) -> Path:
        """A file that belongs to it."""
        return self.path.with_name(self.path.name + ending)


def fetch(archive: Archive) -> str:
    """Downloads an archive, unless it is there; returns its SHA-256.

    Where none is published, it must be the one that was remembered, if any.

    Raises:
        ConfigError: the URL is none of HTTP.
        DataError: it cannot be fetched, is too large, or has another checksum.
        MissingExtraError: pooch is not installed.
    """
    parts = urlsplit(archive.url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ConfigError(f"is no URL of HTTP: {archive.url!r}", where="fetch.url", hint="name one with https://")
    require("pooch", extra="fetch", where="step=fetch")
    import pooch

    pooch.get_logger().setLevel(logging.WARNING)
    seen = archive.with_ending(".sha256")
    known = archive.sha256 or (seen.read_text().strip() if seen.exists() else None)
    with _told(archive):
        pooch.retrieve(archive.url, known, archive.path.name, archive.folder, downloader=_Downloader(archive))
    return file_hash(archive.path)


def remember(archive: Archive, digest: str) -> None:
    """Keeps the checksum of an archive for which none is published, and says which it is."""
    seen = archive.with_ending(".sha256")
    if archive.sha256 is None and not seen.exists():
        say(f"sha256 {digest}, seen for the first time; kept in {seen}")
        with whole_file(seen) as file:
            file.write(digest.encode())


@contextmanager
def _told(archive: Archive) -> Iterator[None]:
    """Has whatever goes wrong in a download say where it was, and what to do."""
    from requests import ConnectionError as UnreachableError
    from requests import HTTPError, RequestException, Timeout
    from requests.exceptions import ChunkedEncodingError

    where = archive.url
    try:
        with named(archive.path):
            yield
    except HTTPError as error:
        what = str(error).partition(" for url")[0]
        raise DataError(
            f"HTTP {what}", where=where, hint="see whether it has moved, and name it with fetch.url="
        ) from error
    except (UnreachableError, ChunkedEncodingError, Timeout) as error:
        part = archive.with_ending(".part")
        held = part.stat().st_size if part.exists() else 0
        if not held:
            raise DataError("cannot be reached", where=where, hint="see that it is right, and run it again") from error
        hint = "run it again: it resumes where it stopped"
        raise DataError(f"the connection broke off; {held:,} bytes are here", where=where, hint=hint) from error
    except RequestException as error:
        raise DataError(f"cannot be fetched: {error}", where=where, hint=BY_HAND) from error
    except ValueError as error:  # of a checksum, by pooch
        seen = archive.with_ending(".sha256")
        hint = f"if you trust it, give its own: fetch.sha256=..., and delete {seen} if that is there"
        raise DataError(f"is not what it was, or not what was published: {error}", where=where, hint=hint) from error


class _Downloader:
    """What pooch calls for a download: it resumes where the last one stopped, if the file is still the same there."""

    def __init__(self, archive: Archive) -> None:
        self._archive = archive
        self._part = archive.with_ending(".part")
        self._tag = archive.with_ending(".etag")
        self._size = ""
        """Bytes of the whole file, where the server has said so with a part."""

    def __call__(self, url: str, output_file: str, _: object) -> None:
        """Downloads `url` to `output_file`; what is there so far lies in a file that is left behind when it stops."""
        from requests import ConnectionError as UnreachableError
        from requests import Timeout
        from requests.exceptions import ChunkedEncodingError
        from tenacity import Retrying, retry_if_exception, stop_after_attempt, wait_exponential

        def is_worth_it(error: BaseException) -> bool:
            if isinstance(error, ChunkedEncodingError):
                return True
            return isinstance(error, (UnreachableError, Timeout)) and self._part.stat().st_size > 0

        stop, wait = stop_after_attempt(_TRIES), wait_exponential(_WAIT)
        Retrying(stop=stop, wait=wait, retry=retry_if_exception(is_worth_it), reraise=True)(self._transfer, url)
        self._part.replace(output_file)
        self._tag.unlink(missing_ok=True)

    def _transfer(self, url: str) -> None:
        from pooch import HTTPDownloader
        from requests.exceptions import ChunkedEncodingError

        self._part.parent.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            file = stack.enter_context(open_no_link(self._part, "ab"))
            bar = stack.enter_context(progress_bar(1, "fetch", "B", scaled=True))
            tag = self._tag.read_text() if file.tell() and self._tag.exists() else ""
            headers = {"Accept-Encoding": "identity", "User-Agent": "factprobe"}
            if tag:
                headers |= {"Range": f"bytes={file.tell()}-", "If-Range": tag}

            def begin(response: Any, **_: Any) -> None:
                stack.callback(response.close)
                self._begin(response, file)

            load = HTTPDownloader(bar, _CHUNK, timeout=_TIMEOUT, headers=headers, hooks={"response": begin})
            load(url, _Limited(file, self._archive), None)
            if self._size.isdecimal() and file.tell() != int(self._size):
                raise ChunkedEncodingError("is shorter than what is left")

    def _begin(self, response: Any, file: IO[bytes]) -> None:
        """Looks at what the server answers, before any of it is kept."""
        from requests.exceptions import ChunkedEncodingError

        status, headers = response.status_code, response.headers
        if status == _BEYOND and file.tell():  # what was there was all already, or too much
            file.truncate(0)
            self._tag.unlink(missing_ok=True)
            raise ChunkedEncodingError("begins anew")
        if not response.ok or response.is_redirect:
            return
        if headers.get("content-type", "").startswith("text/html"):
            raise DataError("is a web page, and no archive", where=self._archive.url, hint=BY_HAND)
        part, _, self._size = headers.get("content-range", "").partition("/")
        if status != _PARTIAL:
            self._size = ""
            file.truncate(file.seek(0))
        elif not part.startswith(f"bytes {file.tell()}-"):
            file.truncate(0)
            raise DataError("gives another part than was asked for", where=self._archive.url, hint="run it again")
        length = headers.get("content-length", "0")
        if not length.isdecimal():
            raise DataError(f"says that it has {length!r} bytes", where=self._archive.url, hint=BY_HAND)
        _Limited(file, self._archive).assert_fits(file.tell() + int(length))
        with whole_file(self._tag) as tag:
            tag.write((headers.get("etag") or headers.get("last-modified") or "").encode())


class _Limited:
    """A file that takes no more than an archive may have."""

    def __init__(self, file: IO[bytes], archive: Archive) -> None:
        self._file = file
        self._archive = archive
        self.flush = file.flush

    def write(self, chunk: bytes) -> int:
        """Writes some.

        Raises:
            DataError: it is too much.
        """
        self.assert_fits(self._file.tell() + len(chunk))
        return self._file.write(chunk)

    def assert_fits(self, size: int) -> None:
        """Sees to it that an archive of so many bytes may be fetched.

        Raises:
            DataError: it is too large.
        """
        limit = self._archive.limit
        if size > limit * GB:
            what = f"has {size / GB:.3g} GB and more, and at most {limit:g} are fetched"
            raise DataError(what, where=self._archive.url, hint="if that is right, raise fetch.max_gb=")
