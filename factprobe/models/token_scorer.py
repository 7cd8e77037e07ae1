"""Log-probabilities of given texts, requested as replies are, with cache, limits and retries."""

from __future__ import annotations

import msgspec

from factprobe.errors import CallError
from factprobe.models.base import Model, Price, Reply, ScoredToken
from factprobe.records import Message, PlainRequest, Request, Response, Usage

_decode = msgspec.json.Decoder(list[ScoredToken]).decode


class TokenScorer(Model):
    """Model whose reply has the tokens of the last message, with their log-probabilities by `model`, as JSON."""

    def __init__(self, model: Model) -> None:
        self._model = model
        super().__init__(model.settings)
        vars(self)["cached"] = model.cached

    def identity(self) -> dict[str, object]:
        """Return the identity of the wrapped model, marked as scoring."""
        return {**self._model.identity(), "scores": True}

    def price(self) -> Price | None:
        """Return the price of the wrapped model; None if unknown."""
        return self._model.price()

    def overhead(self) -> Usage:
        """Return no overhead, since no text is generated."""
        return Usage(0, 0)

    def check(self) -> None:
        """Check that the wrapped model can be called."""
        self._model.check()

    async def start(self) -> None:
        """Start the wrapped model."""
        await self._model.start()

    async def aclose(self) -> None:
        """Close the wrapped model."""
        await self._model.aclose()

    async def reply(self, request: Request) -> Reply:
        """Score the last message."""
        *before, last = [message.content for message in request.prompts]
        context = "".join(before)
        tokens = await self._model.token_logprobs(context + last, len(context))
        return Reply(msgspec.json.encode(tokens).decode(), "stop")


def scoring_request(name: str, text: str, start: int) -> PlainRequest:
    """Return a request to a `TokenScorer` for the tokens of a text that end after `start`."""
    return PlainRequest(name, (Message("user", text[:start]), Message("assistant", text[start:])))


def read_scored_tokens(response: Response) -> list[ScoredToken]:
    """Return the tokens in the response of a `TokenScorer`; raise a `CallError` if it failed or has none."""
    if response.failed or response.response is None:
        raise CallError(response.fault)
    try:
        return _decode(response.response)
    except msgspec.MsgspecError as error:
        raise CallError(f"the response has no log-probabilities: {error}") from error
