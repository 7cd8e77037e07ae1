"""What a run costs: tokens and money, before it, while it runs, and after it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import NamedTuple

from factprobe.errors import CostLimitError
from factprobe.models.base import Price
from factprobe.records import Request, Usage

_BYTES_A_TOKEN = 4
_TOKENS_A_MESSAGE, _TOKENS_A_CALL = 16, 128  # what a chat template puts around messages, and before the first
_MILLION = 1e6


def prompt_bytes(request: Request) -> int:
    """The bytes that go out with a request; a ranked one goes out once for each choice."""
    if request.cloze is None:
        return sum(len(message.content.encode(errors="replace")) for message in request.prompts)
    around = sum(len(part.encode(errors="replace")) for part in request.cloze)
    return sum(around + len(choice.encode(errors="replace")) for choice in request.choices)


def estimated_usage(request: Request, overhead: Usage) -> Usage:
    """About how many tokens a request takes: four bytes a token, and the longest answer.

    Args:
        request: what is asked.
        overhead: the model's `overhead()`.
    """
    prompt = -(-(prompt_bytes(request) + overhead.prompt_tokens) // _BYTES_A_TOKEN)
    return Usage(prompt, overhead.completion_tokens if request.cloze is None else 0)


def at_most(request: Request, overhead: Usage) -> Usage:
    """The most tokens that a request can take: no token is shorter than a byte."""
    messages = len(request.prompts) if request.cloze is None else len(request.choices)
    around = _TOKENS_A_CALL + _TOKENS_A_MESSAGE * messages
    return Usage(prompt_bytes(request) + around + overhead.prompt_tokens, overhead.completion_tokens)


def in_dollars(usage: Usage, price: Price) -> float:
    """What tokens cost, in US dollars."""
    return (usage.prompt_tokens * price.input + usage.completion_tokens * price.output) / _MILLION


class Estimate(NamedTuple):
    """About what a run will take."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    """At most."""
    usd: float | None
    """At most; None where the price is not known."""


def estimate(requests: Iterable[Request], overhead: Usage, price: Price | None) -> Estimate:
    """About what it will take to ask all of these."""
    calls = prompt = completion = 0
    for request in requests:
        usage = estimated_usage(request, overhead)
        calls, prompt, completion = calls + 1, prompt + usage.prompt_tokens, completion + usage.completion_tokens
    return Estimate(calls, prompt, completion, None if price is None else in_dollars(Usage(prompt, completion), price))


class Spending:
    """Tokens and money as they are spent, never beyond the limit.

    Each call first reserves the most that it can cost; a call whose reservation would pass the limit waits for those
    under way, which mostly cost less than was reserved for them.

    Args:
        price: of a million tokens, or None where it is not known; then only tokens are counted.
        max_cost_usd: the limit, or None.
        before: US dollars of the limit that earlier calls took.
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
        """Sets aside what a call may cost at most, in US dollars.

        Raises:
            CostLimitError: even with nothing else under way the limit would be passed.
        """
        if self._limit is None or self.price is None:
            return 0.0
        amount = in_dollars(at_most(request, overhead), self.price)
        while self._before + self.usd + self._reserved + amount > self._limit:
            if not self._under_way:
                what = f"${self._before + self.usd:.4f} are spent, and the next call may cost ${amount:.4f}"
                again = "raise the limit" if amount > self._limit else "run the step again to spend as much once more"
                hint = f"what was answered is kept; {again}"
                raise CostLimitError(what, where=f"max_cost_usd={self._limit:g}", hint=hint)
            self._settled.clear()
            await self._settled.wait()
        self._reserved += amount
        self._under_way += 1
        return amount

    def settle(self, amount: float, usage: Usage | None, *, unknown: bool = False) -> None:
        """Replaces a reservation by what the call took.

        Args:
            amount: what was reserved.
            usage: the tokens that the endpoint counted, or None for a call without a reply.
            unknown: the endpoint may have counted tokens without saying so; the reservation is taken as spent.
        """
        if usage is not None:
            self.prompt_tokens += usage.prompt_tokens
            self.completion_tokens += usage.completion_tokens
            self.usd += in_dollars(usage, self.price) if self.price else 0.0
        elif unknown:
            self.usd += amount
        if self._limit is not None and self.price is not None:
            self._reserved -= amount
            self._under_way -= 1
            self._settled.set()

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens + self.completion_tokens:,} tokens"
        return f"{tokens}, ${self.usd:.4f}" if self.price and self.usd else tokens
