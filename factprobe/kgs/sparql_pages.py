"""Pages of an endpoint's results: asked for politely, and kept on disk, so that none is asked for twice."""

from __future__ import annotations

import asyncio
import gzip
import logging
import zlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Self

import msgspec
from msgspec import Struct, field

from factprobe.calls.faults import reason_line
from factprobe.calls.flow import Flow, Limits
from factprobe.calls.keys import key_from
from factprobe.errors import CallError, DataError
from factprobe.kgs.sparql_queries import Cursor, FactListing, Listing
from factprobe.kgs.store import hashed
from factprobe.progress import progress_bar
from factprobe.secrecy import hide
from factprobe.storage import UNREADABLE, whole_file

if TYPE_CHECKING:
    from factprobe.calls.bounded import BoundedClient

log = logging.getLogger(__name__)

_FORMAT = "application/sparql-results+json"
_ADDRESS = "see that {address} is the address for queries, often one that ends in /sparql or /query"
_ALLOWED = "see that {key} holds what lets you in, and that kg.contact tells who you are"
_LESS = "a smaller kg.page_size may help"
_HINTS = {
    206: _LESS,
    400: _ADDRESS,
    401: _ALLOWED,
    403: _ALLOWED,
    404: _ADDRESS,
    405: _ADDRESS,
    406: _ADDRESS,
    413: _LESS,
    429: "set kg.requests_per_minute to what it allows",
    500: _LESS,
    503: _LESS,
    504: _LESS,
}
"""What to look at, by status."""
_OTHER = "use kg=rdf with a dump of it"
_KEPT = "what was fetched is kept, and the same command resumes there"


class Term(Struct, frozen=True, gc=False, omit_defaults=True):
    """An RDF term as results have it (SPARQL 1.1 Query Results JSON Format, 3.2.2)."""

    type: str
    """`uri`, `bnode`, `literal`, or with some `typed-literal`."""
    value: str
    language: str = field(name="xml:lang", default="")
    datatype: str = ""


Row = tuple[Term, ...]


class _Results(Struct):
    bindings: list[dict[str, Term]]


class _Document(Struct):
    results: _Results


_read = msgspec.json.Decoder(_Document).decode
_read_kept = msgspec.json.Decoder(list[Row]).decode


class EndpointLimits(Limits, Protocol):
    """What an endpoint bears, and how many rows it is asked for at once."""

    @property
    def page_size(self) -> int:
        """Rows."""


class Endpoint:
    """An endpoint with the pages that it has given.

    Args:
        url: its address.
        limits: what it bears.
        folder: where the pages lie.
        contact: who asks, for those who keep it.
        token_env: the environment variable with what goes into the header `Authorization`, if any.
    """

    def __init__(self, url: str, limits: EndpointLimits, folder: Path, contact: str, token_env: str | None) -> None:
        self._url, self._limits, self._folder, self._variable = url, limits, folder, token_env
        self._headers = {"Accept": _FORMAT, "User-Agent": f"factprobe ({contact})" if contact else "factprobe"}
        token = key_from(token_env, "kg.token_env") if token_env else None
        if token:
            self._headers["Authorization"] = token if " " in token else f"Bearer {token}"
        self._client: BoundedClient | None = None
        self._has_told = False

    async def __aenter__(self) -> Self:
        from factprobe.calls.bounded import BoundedClient

        self._flow = Flow(self._limits, self._url)
        self._client = BoundedClient(follow_redirects=False, headers=self._headers, timeout=None)
        self._bar = progress_bar(0, "fetch", "page")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._bar.close()
        if self._client is not None:
            await self._client.aclose()

    async def fetch(self, listings: Iterable[Listing]) -> None:
        """Sees to it that all pages of some lists are on disk, several lists at once.

        Raises:
            DataError: one cannot be had.
        """
        left = iter(listings)

        async def work() -> None:
            for listing in left:
                async for _ in self.pages(listing):
                    pass
                if isinstance(listing, FactListing):
                    await self.count(listing)

        workers = [asyncio.create_task(work()) for _ in range(self._limits.max_concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def pages(self, listing: Listing) -> AsyncIterator[list[Row]]:
        """The pages of a list in order, from disk where they are there.

        It ends with an empty page, whatever the length of those before: many an endpoint sends less than it is asked
        for.

        Raises:
            DataError: one cannot be had, or does not go on where the one before ended.
        """
        async for _, rows in self._asked(listing):
            if rows:
                yield rows

    async def forget(self, listing: Listing) -> None:
        """Has the next run ask anew for a list that is of no use to this one."""
        async for query, _ in self._asked(listing):
            self._kept(query).unlink(missing_ok=True)
        if isinstance(listing, FactListing):
            self._kept(listing.count).unlink(missing_ok=True)

    async def _asked(self, listing: Listing) -> AsyncIterator[tuple[str, list[Row]]]:
        """Each query for a list, with the rows that it gives; none at the end."""
        start: Cursor | None = Cursor()
        before: Row | None = None
        short = False
        while start is not None:
            query = listing.query(start, self._limits.page_size)
            rows = await self._rows(query, listing.variables)
            if not rows:
                yield query, rows
                start = listing.behind(start)
                continue
            self._check(query, rows, start, before)
            if short:
                self._tell()
            yield query, rows
            short = len(rows) < self._limits.page_size and listing.behind(Cursor()) is None
            before, last = rows[-1], rows[-1][0].value
            alike = sum(row[0].value == last for row in rows)
            start = Cursor(last, alike + (start.skip if last == start.subject else 0))

    def _check(self, query: str, rows: list[Row], start: Cursor, before: Row | None) -> None:
        subjects = [start.subject, *(row[0].value for row in rows)]
        if before in rows or any(map(str.__gt__, subjects, subjects[1:])):
            self._kept(query).unlink(missing_ok=True)
            what = "its pages do not follow on each other: it keeps to no ORDER BY, FILTER or OFFSET"
            raise DataError(what, where=self._url, hint=_OTHER)

    def _tell(self) -> None:
        if not self._has_told:
            self._has_told = True
            what = "%s: sends fewer rows than it is asked for (kg.page_size=%d); it is asked until there are none left"
            log.warning(what, self._url, self._limits.page_size)

    async def count(self, facts: FactListing) -> int:
        """How many facts the endpoint says that a relation has.

        Raises:
            DataError: it does not say.
        """
        rows = await self._rows(facts.count, ("count",))
        try:
            [[count]] = rows
            if count.type == "uri" or (number := int(count.value)) < 0:
                raise ValueError(f"{count.type} {count.value[:80]!r}")
            return number
        except ValueError as error:
            self._kept(facts.count).unlink(missing_ok=True)
            raise DataError(f"gives no number of facts: {error}", where=self._url, hint=_OTHER) from error

    def _kept(self, query: str) -> Path:
        """Where the answer to a query is kept; one that is of no use is not, so that the next run asks anew."""
        return self._folder / f"{hashed(query)}.json.gz"

    async def _rows(self, query: str, variables: tuple[str, ...]) -> list[Row]:
        path = self._kept(query)
        try:
            return _read_kept(gzip.decompress(path.read_bytes()))
        except (OSError, EOFError, zlib.error, *UNREADABLE):  # there is none, or none that can be read
            pass
        try:
            rows = await self._flow.call(lambda: self._ask(query, variables))
        except CallError as error:
            raise DataError(str(error), where=self._url, hint=f"{error.hint or _LESS}; {_KEPT}") from error
        with whole_file(path) as file:
            file.write(gzip.compress(msgspec.json.encode(rows), 1, mtime=0))
        self._bar.update()
        return rows

    async def _ask(self, query: str, variables: tuple[str, ...]) -> list[Row]:
        """One try."""
        from factprobe.calls.posting import post

        assert self._client is not None, "the block opens it"
        names: dict[str, Any] = {"key": self._variable or "kg.token_env", "address": "kg.endpoint"}
        seconds = self._limits.timeout
        try:
            async with asyncio.timeout(seconds):
                answer = await post(
                    self._client, self._url, **names, hints=_HINTS, reason=_reason, data={"query": query}
                )
        except TimeoutError as error:
            what = f"no answer within {seconds:g} s"
            raise CallError(what, transient=True, congested=True, hint=_LESS) from error
        # a secret that it sends back is neither kept nor told
        content = hide(answer.content.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        try:
            found = _read(content).results.bindings
            return [tuple(binding[name] for name in variables) for binding in found]
        except (KeyError, *UNREADABLE) as error:
            raise _unreadable(content, error, _ADDRESS.format(**names)) from error


def _unreadable(body: bytes, error: Exception, hint: str) -> CallError:
    """What it means that a page is none: only one that was cut may come whole another time."""
    if body.lstrip().startswith(b"<"):
        kind = "HTML" if b"<html" in body[:1000].lower() else "XML"
        return CallError(f"it sent {kind} in the place of results in JSON", hint=hint)
    is_cut = not isinstance(error, KeyError | msgspec.ValidationError)
    what = reason_line(f"it sent what cannot be read as results: {error}")
    return CallError(what, transient=is_cut, hint=None if is_cut else hint)


def _reason(body: bytes) -> str | None:
    """What an endpoint says of an error, unless it does so in HTML."""
    text = body.decode(errors="replace").strip()
    return None if text.startswith("<") else text or None
