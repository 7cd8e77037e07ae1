"""Retrieval of passages from Google's results through the API of serper.dev."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Any, ClassVar

import msgspec
from msgspec import Meta, Struct

from factprobe.calls.call_errors import HINTS, reason_line
from factprobe.calls.environment import read_key
from factprobe.calls.posting import post
from factprobe.components.base import PartSettings
from factprobe.config import Filled
from factprobe.errors import CallError
from factprobe.models import EndpointSettings, Model, ModelSettings, Reply
from factprobe.models.base import Address, Price
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import ClaimedText, Item, Message, PlainRequest, Request, Usage
from factprobe.retrievers.base import Retriever
from factprobe.storage import UNREADABLE, short_hash

if TYPE_CHECKING:
    from factprobe.calls.bounded_client import BoundedClient

log = logging.getLogger(__name__)

_KEY_SETTING = "retriever.api_key_env"
_SEARCH_USAGE = Usage(0, 1)
_SHARED_SETTINGS = ("base_url", "count", "max_concurrency", "timeout", "max_retries", "requests_per_minute")
_MILLION = 1e6
_HINTS = {**HINTS, 400: "check the credit of the account of the key in {key}"}
"""Hints by HTTP status; the service responds with 400 if an account has no credit."""


class SerperSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the retriever that searches Google; the API key itself must be in the environment."""

    api_key_env: Filled = "SERPER_API_KEY"
    """Environment variable with the API key."""
    base_url: Filled = "https://google.serper.dev"
    """Address of the service."""
    count: Annotated[int, Meta(ge=1, le=100)] = 5
    """Maximum number of passages for a text."""
    max_concurrency: Annotated[int, Meta(ge=1, le=1000)] = 8
    """Maximum number of concurrent searches; fewer while the service reports overload."""
    timeout: Annotated[float, Meta(gt=0)] = 30.0
    """Timeout of a search in seconds."""
    max_retries: Annotated[int, Meta(ge=0)] = 8
    """Maximum number of retries of a search after a transient error."""
    requests_per_minute: Annotated[float, Meta(gt=0)] | None = None
    """Maximum number of searches per minute; by default there is no limit."""
    usd_per_search: Annotated[float, Meta(ge=0)] | None = None
    """Price of a search in US dollars; by default unknown. It is required with `max_cost_usd`."""


class SerperRetriever(Retriever):
    """Retriever of Google's results for a text's question, or for its first sentence if it has none.

    A passage is an answer box, a description of an entity, or the title and snippet of a page. Searches are made like
    calls of models: concurrently, with retries, and with the response cache.
    """

    settings_type: ClassVar[type[PartSettings]] = SerperSettings
    settings: SerperSettings

    def __init__(self, settings: SerperSettings) -> None:
        super().__init__(settings)
        self.model = SerperSearch(settings)

    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        """Yield a tuple of passages for each text, empty if its search failed; raise a `NoAnswersError` if all fail."""
        queries = [_search_query(text.item) for text in texts]
        ids = {query: short_hash(query) for query in queries if query}
        requests = [PlainRequest(name, (Message("user", query),)) for query, name in ids.items()]
        responses = {response.question_id: response for response in self.ask("retrieve", requests)} if ids else {}
        faults = [response.fault for response in responses.values() if response.failed]
        if faults:
            what = "%d of %d searches failed (%s); their texts have no references"
            log.warning(what, len(faults), len(responses), faults[0])
        for query in queries:
            body = responses[ids[query]].response if query else None
            yield tuple(_decode(body).passages())[: self.settings.count] if body else ()


def _search_query(item: Item) -> str:
    """Return the search query for a text: its question, or else its first sentence."""
    first = next(iter(sentences(item.response)), (0, 0))
    return " ".join((item.question or item.response[slice(*first)]).split())


class _SearchSettings(EndpointSettings, frozen=True, kw_only=True):
    base_url: Address[str]
    count: int


class SerperSearch(Model):
    """Search service as a model, so that cache, limits and retries apply: a request is a query, its reply is JSON.

    Since prices are per token, a search counts as one token of the answer, and prompts cost nothing.
    """

    priced_by: ClassVar[str] = "retriever.usd_per_search=0.001 for US dollars for a search"
    settings_type: ClassVar[type[ModelSettings]] = _SearchSettings
    settings: _SearchSettings

    def __init__(self, settings: SerperSettings) -> None:
        cost = settings.usd_per_search
        shared: dict[str, Any] = {name: getattr(settings, name) for name in _SHARED_SETTINGS}
        price = None if cost is None else Price(0, cost * _MILLION)
        super().__init__(_SearchSettings(backend="serper", price=price, **shared))
        self._variable = settings.api_key_env
        self._client: BoundedClient | None = None

    def price(self) -> Price | None:
        """Return the price of a search as the price of its one token; None if it is unknown."""
        return self.settings.price

    def overhead(self) -> Usage:
        """Return the maximum usage of a search: one token of the answer."""
        return _SEARCH_USAGE

    def limits_answers(self) -> bool:
        """Return True, since the cost of a search does not depend on its result."""
        return True

    def check(self) -> None:
        """Check that the variable with the key is set, and that its value has the form of a key."""
        read_key(self._variable, _KEY_SETTING)

    async def start(self) -> None:
        """Open the client."""
        from factprobe.calls.bounded_client import BoundedClient

        headers = {"X-API-KEY": read_key(self._variable, _KEY_SETTING) or ""}
        self._client = BoundedClient(follow_redirects=False, headers=headers, timeout=None)

    async def aclose(self) -> None:
        """Close the connections."""
        if self._client is not None:
            await self._client.aclose()

    async def reply(self, request: Request) -> Reply:
        """Return the service's response to a query, as JSON."""
        assert self._client is not None, "start() opens the client"
        answer = await post(
            self._client,
            f"{self.settings.base_url.rstrip('/')}/search",
            key=f"{self._variable} ({_KEY_SETTING} names another variable)",
            address="retriever.base_url",
            hints=_HINTS,
            reason=_error_message,
            json={"q": request.prompts[-1].content, "num": self.settings.count},
        )
        try:
            _decode(answer.content)
        except UNREADABLE as error:
            what = reason_line(f"the service's response cannot be read: {error}")
            raise CallError(what, transient=True, charged=True) from error
        return Reply(answer.text, "stop", _SEARCH_USAGE)


class _Entity(Struct):
    title: str = ""
    type: str = ""
    description: str = ""
    attributes: dict[str, Any] = {}


class _Answer(Struct):
    title: str = ""
    answer: str = ""
    snippet: str = ""


class _Page(Struct):
    title: str = ""
    snippet: str = ""


class _SearchResult(Struct, rename="camel"):
    """Fields of the service's response from which passages are made."""

    answer_box: _Answer | None = None
    knowledge_graph: _Entity | None = None
    organic: list[_Page] = []

    def passages(self) -> Iterator[str]:
        """Yield the distinct passages: answer box, entity, pages."""
        box, entity = self.answer_box, self.knowledge_graph
        texts: list[tuple[str, ...]] = []
        if box:
            texts.append((box.title, box.answer, box.snippet))
        if entity:
            attributes = (f"{name}: {value}" for name, value in entity.attributes.items())
            texts.append((entity.title, entity.type, entity.description, "; ".join(attributes)))
        texts += [(page.title, page.snippet) for page in self.organic if page.snippet]
        yield from dict.fromkeys(passage for text in texts if (passage := ". ".join(filter(None, text))))


class _ErrorBody(Struct):
    message: str = ""


_decode = msgspec.json.Decoder(_SearchResult, strict=False).decode


def _error_message(body: bytes) -> dict[str, str] | None:
    """Return the error message in a response body of the service; None if there is none."""
    try:
        return {"message": msgspec.json.decode(body, type=_ErrorBody).message}
    except UNREADABLE:
        return None
