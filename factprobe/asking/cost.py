"""Cost of a run in tokens and money: estimate, limit and count."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from factprobe.errors import CostLimitError
from factprobe.models.base import Price
from factprobe.records import Request, Usage

_BYTES_A_TOKEN = 4
_TOKENS_A_MESSAGE, _TOKENS_A_CALL = 16, 128  # tokens that a chat template adds for each message and each call
_MILLION = 1e6


def prompt_bytes(request: Request) -> int:
    """Return the number of bytes of a request's messages; for a ranked one, of the statements of all choices."""
    if request.cloze is None:
        return sum(len(message.content.encode(errors="replace")) for message in request.prompts)
    around = sum(len(part.encode(errors="replace")) for part in request.cloze)
    return sum(around + len(choice.encode(errors="replace")) for choice in request.choices)


def estimate_usage(request: Request, overhead: Usage) -> Usage:
    """Estimate the tokens of a request, assuming four bytes a token and an answer of maximum length.

    `overhead` is `Model.overhead()`: extra bytes of the prompt, and the maximum number of tokens of the answer.
    """
    prompt = -(-(prompt_bytes(request) + overhead.prompt_tokens) // _BYTES_A_TOKEN)
    return Usage(prompt, overhead.completion_tokens if request.cloze is None else 0)


def max_usage(request: Request, overhead: Usage) -> Usage:
    """Return the maximum number of tokens of a request: one for each byte, and the tokens of the chat template."""
    messages = len(request.prompts) if request.cloze is None else len(request.choices)
    around = _TOKENS_A_CALL + _TOKENS_A_MESSAGE * messages
    return Usage(prompt_bytes(request) + around + overhead.prompt_tokens, overhead.completion_tokens)


def usage_cost(usage: Usage, price: Price) -> float:
    """Return the cost of tokens in US dollars."""
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / _MILLION


class Estimate(NamedTuple):
    """Estimated calls, tokens and cost of a run."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    """Number of tokens of answers of maximum length, or of `TYPICAL_ANSWER` tokens without a limit."""
    usd: float | None
    """Cost of these tokens in US dollars; None if the price is unknown."""


def estimate(requests: Iterable[Request], overhead: Usage, price: Price | None) -> Estimate:
    """Estimate the cost of asking all requests."""
    calls = prompt = completion = 0
    for request in requests:
        usage = estimate_usage(request, overhead)
        calls, prompt, completion = calls + 1, prompt + usage.prompt_tokens, completion + usage.completion_tokens
    return Estimate(calls, prompt, completion, None if price is None else usage_cost(Usage(prompt, completion), price))


class CostCounter:
    """Counter of tokens and money that enforces a cost limit.

    Each call first reserves its maximum cost. If the reservation would exceed the limit, the call waits until calls in
    progress end, since most cost less than they reserved. Without a price only tokens are counted. `before` is the
    amount in US dollars that earlier runs have spent of the limit.
    """

    def __init__(self, price: Price | None, max_cost_usd: float | None = None, before: float = 0.0) -> None:
        self.price = price
        self.prompt_tokens = self.completion_tokens = 0
        self.usd = 0.0
        self._limit = max_cost_usd
        self._before = before
        self._reserved = 0.0
        self._under_way = 0
        self._settled = asyncio.Event()

    async def reserve(self, request: Request, overhead: Usage) -> float:
        """Reserve the maximum cost of a call, and return it in US dollars.

        Raises:
            CostLimitError: The limit would be exceeded, and no call is in progress.
        """
        if self._limit is None or self.price is None:
            return 0.0
        amount = usage_cost(max_usage(request, overhead), self.price)
        while self._before + self.usd + self._reserved + amount > self._limit:
            if not self._under_way:
                what = f"${self._before + self.usd:.4f} are spent, and the next call may cost ${amount:.4f}"
                again = "raise the limit" if amount > self._limit else "run the step again to spend the limit once more"
                hint = f"the responses so far are kept; {again}"
                raise CostLimitError(what, where=f"max_cost_usd={self._limit:g}", hint=hint)
            self._settled.clear()
            await self._settled.wait()
        self._reserved += amount
        self._under_way += 1
        return amount

    def book(self, amount: float, usage: Usage | None, *, unknown: bool = False) -> None:
        """Replace the reservation of a call (`amount` in US dollars) by its actual cost.

        `usage` is None if there was no reply. With `unknown`, the endpoint may have charged tokens that it did not
        report, so that the reservation counts as spent.
        """
        if usage is not None:
            self.prompt_tokens += usage.prompt_tokens
            self.completion_tokens += usage.completion_tokens
            self.usd += usage_cost(usage, self.price) if self.price else 0.0
        elif unknown:
            self.usd += amount
        if self._limit is not None and self.price is not None:
            self._reserved -= amount
            self._under_way -= 1
            self._settled.set()

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens + self.completion_tokens:,} tokens"
        return f"{tokens}, ${self.usd:.4f}" if self.price and self.usd else tokens
