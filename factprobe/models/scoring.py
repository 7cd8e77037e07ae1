"""The log-probabilities of a given text's tokens, asked for as any reply is: with cache, limits and further tries."""

from __future__ import annotations

import msgspec

from factprobe.errors import CallError
from factprobe.models.base import Model, Price, Reply, ScoredToken
from factprobe.records import Message, PlainRequest, Request, Response, Usage

_decode = msgspec.json.Decoder(list[ScoredToken]).decode


class TokenScorer(Model):
    """Replies with the log-probabilities of the tokens of a request's last message, behind the others, as JSON.

    Args:
        model: gives them.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        super().__init__(model.settings)
        vars(self)["cached"] = model.cached

    def identity(self) -> dict[str, object]:
        """The model's, and that nothing is written."""
        return {**self._model.identity(), "scores": True}

    def price(self) -> Price | None:
        """The model's."""
        return self._model.price()

    def overhead(self) -> Usage:
        """See the base class: nothing is written."""
        return Usage(0, 0)

    def check(self) -> None:
        """The model's."""
        self._model.check()

    async def start(self) -> None:
        """The model's."""
        await self._model.start()

    async def aclose(self) -> None:
        """The model's."""
        await self._model.aclose()

    async def reply(self, request: Request) -> Reply:
        """See the base class.

        Raises:
            ModelError: the model gives no log-probabilities of a text.
        """
        *before, last = [message.content for message in request.prompts]
        context = "".join(before)
        tokens = await self._model.token_logprobs(context + last, len(context))
        return Reply(msgspec.json.encode(tokens).decode(), "stop")


def scoring_request(name: str, text: str, start: int) -> PlainRequest:
    """Asks a `TokenScorer` for the tokens of a text that reach beyond a character."""
    return PlainRequest(name, (Message("user", text[:start]), Message("assistant", text[start:])))


def scored_tokens(response: Response) -> list[ScoredToken]:
    """The tokens in its response.

    Raises:
        CallError: it failed, or somebody else wrote it.
    """
    if response.failed or response.response is None:
        raise CallError(response.fault)
    try:
        return _decode(response.response)
    except msgspec.MsgspecError as error:
        raise CallError(f"the response holds no log-probabilities: {error}") from error
