"""Rate limiter for calls to an endpoint: concurrency, limits per minute, and retries with backoff."""

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

MAX_WAIT = 300.0
"""Maximum number of seconds that an endpoint may ask to wait (Retry-After); the run gives up at a longer wait."""

MAX_TIMEOUTS = 5
"""Run gives up after this many times the timeout without a response."""
_SERIAL_AFTER_TIMEOUTS = 2
"""Only one call is made at a time after this many times the timeout without a response."""
_WARNING_AFTER_FAILURES = 3
"""Number of consecutive failures at which a warning is logged."""
_MAX_BACKOFF = 30.0
_UNREACHED_SECONDS = 10.0
"""Seconds during which calls are retried if the endpoint has never been reached."""
_MINUTE = 60.0


class Limits(Protocol):
    """Settings that limit the calls to an endpoint."""

    @property
    def max_concurrency(self) -> int:
        """Maximum number of concurrent calls."""

    @property
    def timeout(self) -> float:
        """Maximum duration of a call in seconds."""

    @property
    def max_retries(self) -> int:
        """Maximum number of retries of a call after transient errors."""

    @property
    def retry_wait(self) -> float:
        """Seconds before the first retry, doubled for each further one."""

    @property
    def requests_per_minute(self) -> float | None:
        """Limit of requests per minute; None for no limit."""

    @property
    def tokens_per_minute(self) -> float | None:
        """Limit of tokens per minute; None for no limit."""


class RateLimiter:
    """Rate limiter with retries and backoff for the calls of one run to one endpoint, in one event loop.

    The limit of concurrent calls starts at `max_concurrency`. It is halved when the endpoint reports overload or times
    out, at most once in the time of a call, and grows by one with each round of responses (additive increase,
    multiplicative decrease: Chiu and Jain 1989). A Retry-After delays all calls. The run gives up if calls have been
    open for too long without any success; pauses between calls do not count, and concurrent calls count once.
    """

    def __init__(self, settings: Limits, name: str) -> None:
        from aiolimiter import AsyncLimiter
        from tenacity import retry_if_exception, stop_after_attempt, wait_random_exponential

        self._settings, self._name = settings, name
        self._max_limit = self._limit = float(settings.max_concurrency)
        self._running = 0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._in_turn, self._starting = asyncio.Lock(), asyncio.Lock()
        self._open_at = self._halved_at = 0.0
        self._seconds_unanswered = self._counted_to = 0.0
        self._unanswered = self._warned_timeouts = 0
        self._has_warned = self._has_answered = False
        self._unreached_since: float | None = None
        self.closed = False
        """True once the run ends, so that no call is retried."""
        # The bucket holds one part of the minute's allowance and is refilled at the rate of the rest, so that any 60
        # seconds stay within the allowance.
        requests, tokens = settings.requests_per_minute, settings.tokens_per_minute
        self._requests = AsyncLimiter(max(1.0, requests / 61), max(1.0, _MINUTE / requests)) if requests else None
        self._tokens = AsyncLimiter(tokens / 7, _MINUTE / 6) if tokens else None
        self._backoff = wait_random_exponential(multiplier=settings.retry_wait, max=_MAX_BACKOFF)
        self._retry = retry_if_exception(self._is_retried)
        self._stop = stop_after_attempt(settings.max_retries + 1)

    @property
    def is_stalled(self) -> bool:
        """True if the endpoint has not responded for so long that calls are no longer retried."""
        return self._seconds_unanswered >= MAX_TIMEOUTS * self._settings.timeout

    async def call(self, make_call: Callable[[], Awaitable[T]], tokens: int = 0) -> T:
        """Call `make_call`, and retry it after transient errors; `tokens` is the estimated number of tokens of a call.

        Raises:
            CallError: The last attempt failed.
        """
        try:
            return await self._try_call(make_call, tokens)
        except CallError as error:
            if not self._is_retried(error) or not self._settings.max_retries:
                raise
            first = error
        return await self._retry_call(make_call, tokens, first)

    async def _retry_call(self, make_call: Callable[[], Awaitable[T]], tokens: int, first: CallError) -> T:
        from tenacity import AsyncRetrying

        earlier = [first]

        async def attempt_call() -> T:
            if earlier:  # the first attempt was made by `call`
                raise earlier.pop()
            return await self._try_call(make_call, tokens)

        retrying = AsyncRetrying(retry=self._retry, stop=self._stop, wait=self._seconds_to_wait, reraise=True)
        return await retrying(attempt_call)

    def _is_retried(self, error: BaseException) -> bool:
        if not isinstance(error, CallError) or not error.transient or self.is_stalled or self.closed:
            return False
        return self._seconds_to_reach(error) > 0

    def _seconds_to_reach(self, error: CallError) -> float:
        """Return the seconds left for retries after an error; fewer if the endpoint was never reached."""
        if not error.unreached or self._has_answered:
            return MAX_WAIT
        self._unreached_since = _loop_time() if self._unreached_since is None else self._unreached_since
        return self._unreached_since + _UNREACHED_SECONDS - _loop_time()

    def _seconds_to_wait(self, state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        retry_after = error.retry_after if isinstance(error, CallError) else None
        wait = retry_after or self._backoff(state)
        return min(wait, self._seconds_to_reach(error)) if isinstance(error, CallError) else wait

    async def _try_call(self, make_call: Callable[[], Awaitable[T]], tokens: int) -> T:
        while self._running >= int(self._limit):
            waiter = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
        self._running += 1
        started = _loop_time()
        try:
            await self._acquire_allowance(tokens)
            started = _loop_time()
            reply = await make_call()
            self._limit = min(self._max_limit, self._limit + 1 / self._limit)
            self._seconds_unanswered, self._counted_to, self._unanswered = 0.0, _loop_time(), 0
            self._has_answered = True
            return reply
        except CallError as error:
            if error.congested and started > self._halved_at:  # an earlier call does not reflect the last halving
                self._limit = max(1.0, self._limit / 2)
                self._halved_at = _loop_time()
            if error.transient:
                self._count_failure(started, error)
            self._delay_calls(error)
            raise
        finally:
            self._running -= 1
            self._wake_waiting()

    async def _acquire_allowance(self, tokens: float) -> None:
        """Wait until the limits per minute, and a Retry-After, allow a call."""
        if self._tokens is not None:
            async with self._in_turn:  # a call that exceeds the bucket acquires it in parts
                while tokens > 0:
                    acquired = min(tokens, self._tokens.max_rate)
                    await self._tokens.acquire(acquired)
                    tokens -= acquired
        if self._requests is not None:
            await self._requests.acquire()
        async with self._starting:  # spreads calls whose predecessors ended at the same moment
            await asyncio.sleep(0)
        while (pause := self._open_at - _loop_time()) > 0:
            await asyncio.sleep(pause)

    def _count_failure(self, started: float, error: CallError) -> None:
        """Count a failed call and its time, and log a warning at each further multiple of the timeout."""
        settings, now = self._settings, _loop_time()
        self._seconds_unanswered += now - max(started, self._counted_to)
        self._counted_to = now
        self._unanswered += 1
        if (
            self._unanswered == _WARNING_AFTER_FAILURES
            and (error.unreached or not error.congested)
            and settings.max_retries
            and not self._has_warned
        ):
            self._has_warned = True
            what = "%s has answered none of the last %d calls (%s); each is retried up to %d times"
            log.warning(what, self._name, self._unanswered, error, settings.max_retries)
        timeouts = int(self._seconds_unanswered / settings.timeout)
        if timeouts >= _SERIAL_AFTER_TIMEOUTS:
            self._limit = 1.0
        if self._warned_timeouts < timeouts < MAX_TIMEOUTS:
            self._warned_timeouts = timeouts
            calls = self._unanswered + self._running - 1
            what = (
                "%s has answered none of %d calls for %g s (%s); "
                "the run gives up after %g s and keeps the responses so far"
            )
            seconds = settings.timeout
            log.warning(what, self._name, calls, timeouts * seconds, error, MAX_TIMEOUTS * seconds)

    def _delay_calls(self, error: CallError) -> None:
        """Delay all calls if the error of one has a Retry-After; raise a `CallError` if the wait would be too long."""
        if error.retry_after is None:
            return
        if error.retry_after > MAX_WAIT:
            raise CallError(f"{error}; it asks to wait {error.retry_after:,.0f} s", hopeless=True) from error
        self._open_at = max(self._open_at, _loop_time() + error.retry_after)

    def _wake_waiting(self) -> None:
        free = int(self._limit) - self._running
        while self._waiting and free > 0:
            waiter = self._waiting.popleft()
            if not waiter.done():
                waiter.set_result(None)
                free -= 1


def _loop_time() -> float:
    """Return the event loop's time in seconds."""
    return asyncio.get_running_loop().time()
