"""Embeddings from OpenAI-compatible endpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import hypot
from typing import TYPE_CHECKING, Any, ClassVar

import msgspec
from msgspec import Struct

from factprobe.errors import CallError, ModelError
from factprobe.models.base import Model, Reply
from factprobe.models.embedders import Embedder
from factprobe.models.providers.completions import read_usage
from factprobe.models.providers.openai import OpenAIModel
from factprobe.records import Message, PlainRequest, Request, Response, Usage, join_messages

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class _Embedding(Struct):
    embedding: list[float]


class _EmbeddingsPage(Struct):
    data: list[_Embedding]
    usage: Any = None


class EmbeddingModel(OpenAIModel):
    """Model whose reply is the embedding of a request's text, as a JSON list of numbers."""

    def overhead(self) -> Usage:
        """Return no overhead, since no text is generated."""
        return Usage(0, 0)

    async def reply(self, request: Request) -> Reply:
        """Return the embedding of the request's text."""
        settings = self.settings
        text = join_messages(request.prompts)
        body = {"model": settings.model, "input": text, "encoding_format": "float", **settings.extra_body}
        content = (await self._send_request("/embeddings", body)).content
        try:
            page = msgspec.json.decode(content, type=_EmbeddingsPage)
        except msgspec.MsgspecError as error:
            raise CallError(f"the endpoint sent no embedding: {error}", transient=True, charged=True) from error
        [vector, *others] = [item.embedding for item in page.data] or [[]]
        if others or not hypot(*vector):
            raise CallError("the endpoint sent no embedding, or several, of one text", charged=True)
        usage = read_usage({**page.usage, "completion_tokens": 0}) if isinstance(page.usage, dict) else None
        return Reply(msgspec.json.encode(vector).decode(), "stop", usage)


class EndpointEmbedder(Embedder):
    """Embedder behind an endpoint, asked like any model; `ask` takes the name of a group of requests and these."""

    endpoint: ClassVar[type[Model] | None] = EmbeddingModel

    def __init__(self, ask: Callable[[str, Iterable[PlainRequest]], Sequence[Response]]) -> None:
        self._ask = ask

    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return the embeddings of texts as rows of length 1."""
        import numpy as np

        requests = [PlainRequest(str(number), (Message("user", text),)) for number, text in enumerate(texts)]
        responses = self._ask("embeddings", requests) if requests else ()
        if failed := [response.fault for response in responses if response.failed]:
            what = f"has no embedding of {len(failed):,} of {len(texts):,} texts: {failed[0]}"
            raise ModelError(what, where="the embedder", hint="the same command requests them again")
        rows = [msgspec.json.decode(response.response or "", type=list[float]) for response in responses]
        if len({len(row) for row in rows}) > 1:
            raise ModelError("returns embeddings of several lengths", where="the embedder", hint="use a single model")
        vectors = np.array(rows, np.float32)
        scaled: NDArray[float32] = vectors / np.linalg.norm(vectors, axis=-1, keepdims=True) if rows else vectors
        return scaled
