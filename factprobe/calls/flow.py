"""Lets calls out to an endpoint: as many at once as it bears, no more a minute than it allows, again after a fault."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol, TypeVar

from factprobe.errors import CallError

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
log = logging.getLogger(__name__)

LONGEST_WAIT = 300.0
"""Seconds; an endpoint that asks for more has no answer for this run."""

PATIENCE = 5
"""Timeouts; an endpoint that is called for so long without an answer is not waited for any more."""
_ALONE = 2
"""Timeouts; from then on it is called once at a time: it may bear no more."""
_FAULTS = 3
"""Calls in vain one after the other, of which the user is told: the first tries of an endpoint that is down."""
_LONGEST_BACKOFF = 30.0
_MINUTE = 60.0


class Limits(Protocol):
    """What an endpoint bears, as the settings of whoever calls it say."""

    @property
    def max_concurrency(self) -> int:
        """Calls under way at once."""

    @property
    def timeout(self) -> float:
        """Seconds that one call may take."""

    @property
    def max_retries(self) -> int:
        """Further tries of a call on a transient fault."""

    @property
    def retry_wait(self) -> float:
        """Seconds before the second try; they double with each further one."""

    @property
    def requests_per_minute(self) -> float | None:
        """None for no limit."""

    @property
    def tokens_per_minute(self) -> float | None:
        """None for no limit."""


class Flow:
    """The calls of one run to one endpoint, in one event loop.

    Args:
        settings: what it bears.
        name: what it is called in messages.

    The number of calls at once starts at `max_concurrency`, is halved when the endpoint says that it has too much to
    do or does not answer in time, at most once in the time of a call, and grows by one with each round of answers
    (additive increase, multiplicative decrease: Chiu and Jain 1989). A wait that the endpoint asks for holds back every
    call. The time in which calls are under way and none succeeds is counted, without the pauses between them: it says
    when the endpoint is no longer waited for, whatever the number of calls at once.
    """

    def __init__(self, settings: Limits, name: str) -> None:
        from aiolimiter import AsyncLimiter
        from tenacity import retry_if_exception, stop_after_attempt, wait_random_exponential

        self._settings, self._name = settings, name
        self._most = self._limit = float(settings.max_concurrency)
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._in_turn, self._starting = asyncio.Lock(), asyncio.Lock()
        self._open_at = self._halved_at = 0.0
        self._silence = self._counted_to = 0.0
        self._unanswered = self._told = 0
        self._has_told_of_faults = False
        self.closed = False
        """Whether the run ends: no call is tried again."""
        # A bucket that holds one part of the minute's allowance and is filled at the rate of the rest: no minute,
        # wherever it begins, has more than the allowance.
        requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
        self._requests = AsyncLimiter(max(1.0, requests / 61), max(1.0, _MINUTE / requests)) if requests else None
        self._tokens = AsyncLimiter(tokens / 7, _MINUTE / 6) if tokens else None
        self._backoff = wait_random_exponential(multiplier=settings.retry_wait, max=_LONGEST_BACKOFF)
        self._retry = retry_if_exception(self._may_pass)
        self._stop = stop_after_attempt(settings.max_retries + 1)

    @property
    def stalled(self) -> bool:
        """Whether the endpoint has not answered for so long that no call is tried again until one succeeds."""
        return self._silence >= PATIENCE * self._settings.timeout

    async def call(self, once: Callable[[], Awaitable[T]], tokens: int = 0) -> T:
        """Makes a call, and again on a transient fault.

        Args:
            once: one try.
            tokens: about how many it will take, for the limit of tokens a minute.

        Raises:
            CallError: the last try's.
        """
        try:
            return await self._try(once, tokens)
        except CallError as error:
            if not self._may_pass(error) or not self._settings.max_retries:
                raise
            first = error
        return await self._again(once, tokens, first)

    async def _again(self, once: Callable[[], Awaitable[T]], tokens: int, first: CallError) -> T:
        from tenacity import AsyncRetrying

        earlier = [first]

        async def attempt() -> T:
            if earlier:  # the try that was made already
                raise earlier.pop()
            return await self._try(once, tokens)

        retrying = AsyncRetrying(retry=self._retry, stop=self._stop, wait=self._wait, reraise=True)
        return await retrying(attempt)

    def _may_pass(self, error: BaseException) -> bool:
        return isinstance(error, CallError) and error.transient and not self.stalled and not self.closed

    def _wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, CallError) else None
        return asked or self._backoff(state)

    async def _try(self, once: Callable[[], Awaitable[T]], tokens: int) -> T:
        await self._slot()
        started = _now()
        try:
            await self._allowance(tokens)
            started = _now()
            reply = await once()
            self._limit = min(self._most, self._limit + 1 / self._limit)
            self._silence, self._counted_to, self._unanswered = 0.0, _now(), 0
            return reply
        except CallError as error:
            if error.congested:
                self._halve(started)
            if error.transient:
                self._count(started, error)
            self._hold(error)
            raise
        finally:
            self._running -= 1
            self._wake()

    async def _allowance(self, tokens: float) -> None:
        """Waits until the limits a minute leave room for a call."""
        if self._tokens is not None:
            async with self._in_turn:  # a call that needs more than the bucket holds takes it in parts
                while tokens > 0:
                    part = min(tokens, self._tokens.max_rate)
                    await self._tokens.acquire(part)
                    tokens -= part
        if self._requests is not None:
            await self._requests.acquire()
        async with self._starting:  # calls whose answers came together would wait for each other's work
            await asyncio.sleep(0)
        while (pause := self._open_at - _now()) > 0:
            await asyncio.sleep(pause)

    def _count(self, started: float, error: CallError) -> None:
        """Counts the time that a call took in vain, but for what is counted already, and tells of it now and then."""
        settings, now = self._settings, _now()
        self._silence += now - max(started, self._counted_to)
        self._counted_to = now
        self._unanswered += 1
        if (
            self._unanswered == _FAULTS
            and (error.unreached or not error.congested)
            and settings.max_retries
            and not self._has_told_of_faults
        ):
            self._has_told_of_faults = True
            what = "%s has answered none of the last %d calls (%s); each is tried again, %d times at most"
            log.warning(what, self._name, self._unanswered, error, settings.max_retries)
        timeouts = int(self._silence / settings.timeout)
        if timeouts >= _ALONE:
            self._limit = 1.0
        if self._told < timeouts < PATIENCE:
            self._told = timeouts
            calls = self._unanswered + self._running - 1
            what = (
                "%s has answered none of %d calls for %g s (%s); "
                "the run gives up when that goes on for %g s, and keeps what was answered"
            )
            seconds = settings.timeout
            log.warning(what, self._name, calls, timeouts * seconds, error, PATIENCE * seconds)

    def _hold(self, error: CallError) -> None:
        """Holds back every call for as long as the endpoint asks."""
        if error.retry_after is None:
            return
        if error.retry_after > LONGEST_WAIT:
            raise CallError(f"{error}; it asks to wait {error.retry_after:,.0f} s", hopeless=True) from error
        self._open_at = max(self._open_at, _now() + error.retry_after)

    async def _slot(self) -> None:
        """Waits until one more call may be under way."""
        while self._running >= int(self._limit):
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
        self._running += 1

    def _wake(self) -> None:
        free = int(self._limit) - self._running
        while self._waiting and free > 0:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                free -= 1

    def _halve(self, started: float) -> None:
        if started > self._halved_at:  # a call that went out before the last halving says nothing of what came of it
            self._limit = max(1.0, self._limit / 2)
            self._halved_at = _now()


def _now() -> float:
    """The time of the event loop, in seconds."""
    return asyncio.get_running_loop().time()
