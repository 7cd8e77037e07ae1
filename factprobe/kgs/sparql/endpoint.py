"""Client of a SPARQL endpoint, with rate-limited queries and a cache of result pages on disk."""

from __future__ import annotations

import asyncio
import gzip
import logging
import zlib
from collections.abc import AsyncIterator, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import msgspec
from msgspec import Meta, Struct, field

from factprobe.calls.call_errors import reason_line
from factprobe.calls.environment import read_key
from factprobe.calls.rate_limiter import RateLimiter
from factprobe.config import Filled
from factprobe.errors import CallError, DataError
from factprobe.kgs.rdf.predicate_graph import PredicateSettings
from factprobe.kgs.sparql.queries import Cursor, FactListing, Listing
from factprobe.progress import progress_bar
from factprobe.secrecy import hide
from factprobe.storage import UNREADABLE, short_hash, whole_file

if TYPE_CHECKING:
    from factprobe.calls.bounded_client import BoundedClient

log = logging.getLogger(__name__)

_FORMAT = "application/sparql-results+json"
_ADDRESS_HINT = "check that {address} is the address for queries, which often ends in /sparql or /query"
_CREDENTIALS_HINT = "check that {key} holds valid credentials, and that kg.contact has your mail address or page"
_PAGE_SIZE_HINT = "a smaller kg.page_size may help"
_HINTS = {
    **dict.fromkeys((206, 413, 500, 503, 504), _PAGE_SIZE_HINT),
    **dict.fromkeys((400, 404, 405, 406), _ADDRESS_HINT),
    **dict.fromkeys((401, 403), _CREDENTIALS_HINT),
    429: "set kg.requests_per_minute to the endpoint's limit",
}
"""Hint of an error, by HTTP status."""
_DUMP_HINT = "use kg=rdf with a dump of the graph"
_RESUME_NOTE = "fetched pages are kept, and the same command resumes"


class RdfTerm(Struct, frozen=True, gc=False, omit_defaults=True):
    """RDF term in query results (SPARQL 1.1 Query Results JSON Format, 3.2.2)."""

    type: str
    """`uri`, `bnode`, `literal`, or, from some endpoints, `typed-literal`."""
    value: str
    language: str = field(name="xml:lang", default="")
    datatype: str = ""


ResultRow = tuple[RdfTerm, ...]


class _Results(Struct):
    bindings: list[dict[str, RdfTerm]]


class _Document(Struct):
    results: _Results


_decode_document = msgspec.json.Decoder(_Document).decode
_decode_rows = msgspec.json.Decoder(list[ResultRow]).decode


class SparqlSettings(PredicateSettings, frozen=True, kw_only=True):
    """Settings of a graph behind a SPARQL endpoint; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    endpoint: Filled | None = None
    """Address for queries, e.g. `http://127.0.0.1:7878/query`."""
    snapshot: str = ""
    """Name of the state of the data, such as a date; change it to fetch everything again."""
    contact: Annotated[str, Meta(pattern=r"^[ -~]*$")] = ""
    """Your mail address or page, sent to the operators of the endpoint in the header `User-Agent`."""
    token_env: Filled | None = None
    """Environment variable with the value of the header `Authorization`: `Basic ...`, or only a token."""
    page_size: Annotated[int, Meta(ge=1, le=1_000_000)] = 10_000
    """Number of rows to request at once; an endpoint may send fewer."""
    max_concurrency: Annotated[int, Meta(ge=1, le=100)] = 2
    """Maximum number of open queries; fewer while the endpoint reports overload."""
    timeout: Annotated[float, Meta(gt=0)] = 90.0
    """Timeout of a query in seconds."""
    max_retries: Annotated[int, Meta(ge=0)] = 8
    """Maximum number of retries of a query after transient errors."""
    retry_wait: Annotated[float, Meta(ge=0)] = 1.0
    """Seconds before the first retry, doubled for each further one up to 30, unless the endpoint sends Retry-After."""
    requests_per_minute: Annotated[float, Meta(gt=0)] | None = None
    """Maximum number of queries per minute; by default no limit."""

    @property
    def tokens_per_minute(self) -> None:
        """None, since queries are not counted in tokens."""


class Endpoint:
    """SPARQL endpoint whose pages are cached in a folder; failed queries and pages out of order raise a `DataError`."""

    def __init__(self, url: str, settings: SparqlSettings, folder: Path) -> None:
        self._url, self._settings, self._folder = url, settings, folder
        contact, variable = settings.contact, settings.token_env
        self._headers = {"Accept": _FORMAT, "User-Agent": f"factprobe ({contact})" if contact else "factprobe"}
        token = read_key(variable, "kg.token_env") if variable else None
        if token:
            self._headers["Authorization"] = token if " " in token else f"Bearer {token}"
        self._client: BoundedClient | None = None
        self._has_warned = False

    async def __aenter__(self) -> Self:
        from factprobe.calls.bounded_client import BoundedClient

        self._rate_limiter = RateLimiter(self._settings, self._url)
        self._client = BoundedClient(follow_redirects=False, headers=self._headers, timeout=None)
        self._bar = progress_bar(0, "fetch", "page")
        return self

    async def __aexit__(self, *_: object) -> None:
        self._bar.close()
        if self._client is not None:
            await self._client.aclose()

    async def fetch(self, listings: Iterable[Listing]) -> None:
        """Fetch all pages of some lists, and the counts of facts, into the cache; several lists at the same time."""
        remaining = iter(listings)

        async def work() -> None:
            for listing in remaining:
                async for _ in self.pages(listing):
                    pass
                if isinstance(listing, FactListing):
                    await self.count(listing)

        workers = [asyncio.create_task(work()) for _ in range(self._settings.max_concurrency)]
        try:
            await asyncio.gather(*workers)
        finally:
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def pages(self, listing: Listing) -> AsyncIterator[list[ResultRow]]:
        """Yield the pages of a list in order, from the cache if possible.

        Only an empty page ends the list, since endpoints may send fewer rows than requested.
        """
        async for _, rows in self._query_pages(listing):
            if rows:
                yield rows

    async def evict(self, listing: Listing) -> None:
        """Delete the pages of a list from the cache, so that the next run fetches them again; nothing is asked."""
        async for query, _ in self._query_pages(listing, is_cached=True):
            self._cache_path(query).unlink(missing_ok=True)
        if isinstance(listing, FactListing):
            self._cache_path(listing.count).unlink(missing_ok=True)

    async def _query_pages(
        self, listing: Listing, *, is_cached: bool = False
    ) -> AsyncIterator[tuple[str, list[ResultRow]]]:
        """Yield each query for a list with its rows; the last one has no rows.

        With `is_cached` the list ends at the first page that is not in the cache.
        """
        start: Cursor | None = Cursor()
        before: ResultRow | None = None
        short = False
        while start is not None:
            query = listing.query(start, self._settings.page_size)
            rows = self._read_rows(query) if is_cached else await self._fetch_rows(query, listing.variables)
            if rows is None:
                return
            if not rows:
                yield query, rows
                start = listing.next_cursor(start)
                continue
            subjects = [start.subject, *(row[0].value for row in rows)]
            if before in rows or any(map(str.__gt__, subjects, subjects[1:])):
                self._cache_path(query).unlink(missing_ok=True)
                what = "its pages are not in sequence: it ignores ORDER BY, FILTER or OFFSET"
                raise DataError(what, where=self._url, hint=_DUMP_HINT)
            if short:
                self._warn_of_short_pages()
            yield query, rows
            short = len(rows) < self._settings.page_size and listing.next_cursor(Cursor()) is None
            before, last = rows[-1], rows[-1][0].value
            same_subject = sum(row[0].value == last for row in rows)
            start = Cursor(last, same_subject + (start.skip if last == start.subject else 0))

    def _warn_of_short_pages(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            what = "%s: sends fewer rows than requested (kg.page_size=%d); pages are requested until one is empty"
            log.warning(what, self._url, self._settings.page_size)

    async def count(self, facts: FactListing) -> int:
        """Return the number of facts of a relation as counted by the endpoint; raise a `DataError` without one."""
        rows = await self._fetch_rows(facts.count, ("count",))
        try:
            if len(rows) != 1:
                raise ValueError(f"{len(rows):,} rows")
            [[count]] = rows
            if count.type == "uri" or (number := int(count.value)) < 0:
                raise ValueError(f"{count.type} {count.value[:80]!r}")
            return number
        except ValueError as error:
            self._cache_path(facts.count).unlink(missing_ok=True)
            raise DataError(f"returns no number of facts: {error}", where=self._url, hint=_DUMP_HINT) from error

    def _cache_path(self, query: str) -> Path:
        """Return the path of the cached answer to a query."""
        return self._folder / f"{short_hash(query)}.json.gz"

    def _read_rows(self, query: str) -> list[ResultRow] | None:
        """Return the cached rows of a query; None if they are not cached, or unreadable."""
        try:
            return _decode_rows(gzip.decompress(self._cache_path(query).read_bytes()))
        except (OSError, EOFError, zlib.error, *UNREADABLE):
            return None

    async def _fetch_rows(self, query: str, variables: tuple[str, ...]) -> list[ResultRow]:
        if (cached := self._read_rows(query)) is not None:
            return cached
        try:
            rows = await self._rate_limiter.call(lambda: self._post_query(query, variables))
        except CallError as error:
            raise DataError(
                str(error), where=self._url, hint=f"{error.hint or _PAGE_SIZE_HINT}; {_RESUME_NOTE}"
            ) from error
        with whole_file(self._cache_path(query)) as file:
            file.write(gzip.compress(msgspec.json.encode(rows), 1, mtime=0))
        self._bar.update()
        return rows

    async def _post_query(self, query: str, variables: tuple[str, ...]) -> list[ResultRow]:
        """Send a query once, and return its rows; raise a `CallError` if the response is missing or unreadable."""
        from factprobe.calls.posting import post

        assert self._client is not None, "__aenter__ opens it"
        names: dict[str, Any] = {"key": self._settings.token_env or "kg.token_env", "address": "kg.endpoint"}
        seconds = self._settings.timeout
        try:
            async with asyncio.timeout(seconds):
                answer = await post(
                    self._client, self._url, **names, hints=_HINTS, reason=_error_text, data={"query": query}
                )
        except TimeoutError as error:
            what = f"no answer within {seconds:g} s"
            raise CallError(what, transient=True, congested=True, hint=_PAGE_SIZE_HINT) from error
        # A secret in the response is neither cached nor shown.
        content = hide(answer.content.decode(errors="surrogateescape")).encode(errors="surrogateescape")
        try:
            rows = _decode_document(content).results.bindings
            return [tuple(binding[name] for name in variables) for binding in rows]
        except (KeyError, *UNREADABLE) as error:
            raise _unreadable_error(content, error, _ADDRESS_HINT.format(**names)) from error


def _unreadable_error(body: bytes, error: Exception, hint: str) -> CallError:
    """Return the error for an unreadable page; if the page was cut off, the error is transient (to be retried)."""
    if body.lstrip().startswith(b"<"):
        kind = "HTML" if b"<html" in body[:1000].lower() else "XML"
        return CallError(f"it sent {kind} instead of results in JSON", hint=hint)
    is_cut = not isinstance(error, KeyError | msgspec.ValidationError)
    what = reason_line(f"it sent unreadable results: {error}")
    return CallError(what, transient=is_cut, hint=None if is_cut else hint)


def _error_text(body: bytes) -> str | None:
    """Return the text of an error response; None if it is empty or HTML."""
    text = body.decode(errors="replace").strip()
    return None if text.startswith("<") else text or None
