"""Concurrent requests to a model; each response is passed on as it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable
from typing import NamedTuple

import msgspec

from factprobe.asking.cache import ResponseCache
from factprobe.asking.cost import CostCounter, estimate_usage
from factprobe.asking.omitted_fields import OmittedFields, drop_unreadable_fields
from factprobe.calls.rate_limiter import RateLimiter
from factprobe.endings import FILTERED, ending_of
from factprobe.errors import CallError, FactprobeError, MissingExtraError, ModelError, NoAnswersError
from factprobe.models.base import LONGEST_ANSWER, TYPICAL_ANSWER, EndpointSettings, Model, Reply, request_hash
from factprobe.records import Request, Response, Usage
from factprobe.secrecy import make_hider

_MAX_FAILURES = 20
"""Number of failures in a row after which a run ends."""
_CHECKED_REPLIES = 20
"""Number of replies after which a run ends if most of them are cut off."""
_MAX_REASON_LENGTH = 200
_FURTHER_QUESTIONS = 4
"""Number of further questions that are tried once each after an endpoint stops answering."""
_STALLED_HINT = "see to the endpoint, or set a higher timeout, and run this again"


class Exchange(NamedTuple):
    """Request and its response."""

    request: Request
    response: Response
    from_cache: bool
    position: int
    """Index of the request among all requests of the run, from 0."""
    hint: str | None = None
    """Hint of the error if the call failed; None if it succeeded or has no hint."""


async def ask(
    model: Model,
    requests: Iterable[Request],
    store: Callable[[Exchange], None],
    cache: ResponseCache | None = None,
    spending: CostCounter | None = None,
    *,
    is_proven: bool = False,
) -> None:
    """Ask a started model every request once, at most `max_concurrency` at a time.

    Requests are read as they are sent, and no response is kept in memory. An endpoint's settings define timeouts,
    retries and limits. `store` is called with each response as it arrives. `is_proven` says that the model has already
    answered some of the same requests, so that failures are not taken for a wrong setting.

    Raises:
        NoAnswersError: The first calls, or many in a row, fail, or most of the first replies are cut off; the other
            requests are not tried.
        CostLimitError: The next call could cost more than the limit allows.
        MissingExtraError: A package that the model needs is not installed.
        ModelError: The model cannot answer requests of this kind.
    """
    caller = _Caller(model, cache, spending or CostCounter(None), is_proven)
    remaining = enumerate(requests)
    in_progress: dict[int, Request] = {}

    async def work() -> None:
        for position, request in remaining:
            in_progress[position] = request
            store(await caller.ask(request, position))
            del in_progress[position]
            caller.check()

    workers = [asyncio.create_task(work()) for _ in range(model.settings.max_concurrency)]
    try:
        await asyncio.gather(*workers)
    except ModelError:
        await caller.finish(workers)
        if caller.stall_error is None or next(remaining, None) is not None:
            raise
        # only the requests in progress are left; one of them may be the reason of the failure
        for position, request in sorted(in_progress.items()):
            store(caller.failed_exchange(request, position, caller.stall_error))
    finally:
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)
        caller.omitted_fields.warn(model.name)


def _is_cancelled() -> bool:
    """Return whether the current task was cancelled, and not only a task that the model started."""
    task = asyncio.current_task()
    return task is None or task.cancelling() > 0


class _Caller:
    """Source of responses: the cache, or else the model, called within the limits of its endpoint."""

    def __init__(self, model: Model, cache: ResponseCache | None, spending: CostCounter, is_proven: bool) -> None:
        self._model, self._spending, self._proven = model, spending, is_proven
        self._resumed = is_proven
        self._cache = cache if model.cached else None
        self._endpoint = model.settings if isinstance(model.settings, EndpointSettings) else None
        self._rate_limiter = RateLimiter(self._endpoint, self._endpoint.model_name) if self._endpoint else None
        self._overhead = model.overhead()
        longest = self._overhead.completion_tokens
        if not model.limits_answers():  # it is that of answers of typical length, of which there may be several
            longest = -(-longest * LONGEST_ANSWER // TYPICAL_ANSWER)
        self._max_overhead = Usage(self._overhead.prompt_tokens, longest)
        self._replies = self._cut = 0
        self._cut_off: ModelError | None = None
        """Error that ends the run at the next call, set if most of the first replies are cut off."""
        self._hide = make_hider()
        self._calling: set[asyncio.Task[None] | None] = set()
        self._answered = False
        self._failed_in_a_row = self._hopeless_in_a_row = self._without_answer = 0
        self.omitted_fields = OmittedFields()
        self._stop: ModelError | None = None
        self.stall_error: CallError | None = None
        """Error of the last call if the endpoint has stopped answering; None otherwise."""

    async def ask(self, request: Request, position: int) -> Exchange:
        asked_hash, settings = request_hash(request), self._model.settings_hash
        reply = self._cache.get(asked_hash, settings) if self._cache else None
        if reply is not None or self._rate_limiter is None:
            await asyncio.sleep(0)  # lets Ctrl-C interrupt requests that never wait
        if reply is not None:
            self._proven = True
            self.omitted_fields.add(reply)
            return Exchange(
                request, _make_response(request, self._make_storable(reply), asked_hash, settings), True, position
            )
        try:
            reply = await self._call_within_limits(request)
        except CallError as error:
            self._count_failure(error)
            return self.failed_exchange(request, position, error)
        self._answered, self._failed_in_a_row, self._hopeless_in_a_row, self._without_answer = True, 0, 0, 0
        self.omitted_fields.add(reply)
        self._count_ending(reply)
        if self._cache:
            self._cache.put(asked_hash, settings, reply)
        return Exchange(request, _make_response(request, reply, asked_hash, settings), False, position)

    def failed_exchange(self, request: Request, position: int, error: CallError) -> Exchange:
        """Return a request with a response that records the error of its call."""
        asked_hash, settings = request_hash(request), self._model.settings_hash
        response = Response(request.question_id, None, None, None, self._clean_text(str(error)), asked_hash, settings)
        return Exchange(request, response, False, position, error.hint)

    def check(self) -> None:
        """Raise a `NoAnswersError` with the reason of the last failure if no call succeeds any more."""
        if self._stop is not None:
            raise self._stop

    async def finish(self, workers: Collection[asyncio.Task[None]]) -> None:
        """Wait for the calls in progress, since their answers are paid for, and prevent new ones.

        There is no wait if the endpoint has stopped answering.
        """
        if self._rate_limiter is not None:
            if self._rate_limiter.is_stalled:
                return
            self._rate_limiter.closed = True
        for worker in workers:
            if worker not in self._calling:
                worker.cancel()
        await asyncio.wait(workers)

    async def _call_within_limits(self, request: Request) -> Reply:
        if self._rate_limiter is None:
            return await self._call_once(request)
        usage = estimate_usage(request, self._overhead)
        tokens = usage.prompt_tokens + usage.completion_tokens
        return await self._rate_limiter.call(lambda: self._call_once(request), tokens)

    async def _call_once(self, request: Request) -> Reply:
        if self._cut_off is not None:
            raise self._cut_off
        amount = await self._spending.reserve(request, self._max_overhead)
        seconds = self._endpoint.timeout if self._endpoint else None
        reply, unknown = None, True
        self._calling.add(asyncio.current_task())
        try:
            async with asyncio.timeout(seconds):
                model = self._model
                found = await (model.reply(request) if request.cloze is None else model.rank(request))
            reply = drop_unreadable_fields(self._make_storable(found))
            if ending_of(reply.finish_reason) == "broken":
                what = f"the answer was broken off: {self._truncate_reason(reply.finish_reason)}"
                raise CallError(what, transient=True, charged=True)
            return reply
        except TimeoutError as error:
            what = "TimeoutError" if seconds is None else f"no answer within {seconds:g} s"
            raise CallError(what, transient=True, congested=True) from error
        except CallError as error:
            unknown = error.charged
            if error.filtered:
                return Reply("", FILTERED)
            raise
        except FactprobeError:
            raise
        except ImportError as error:  # every other call would fail too
            hint = "install it beside factprobe and run this again; what was answered is kept"
            raise MissingExtraError(str(error), where=self._model.name, hint=hint) from error
        except (Exception, asyncio.CancelledError, GeneratorExit) as error:  # other questions are still asked
            if not isinstance(error, Exception) and _is_cancelled():
                raise
            raise CallError(f"{type(error).__name__}: {error}", charged=True) from error
        finally:
            self._calling.discard(asyncio.current_task())
            self._spending.book(amount, reply.usage if reply else None, unknown=unknown)

    def _count_failure(self, error: CallError) -> None:
        """Count a failure, and set the error that ends the run if no call succeeds."""
        if self._endpoint is None and error.__cause__ is None:  # the model has no answer to this question
            return
        reason = self._clean_text(str(error))
        self._failed_in_a_row += 1
        self._hopeless_in_a_row += error.hopeless
        count = self._failed_in_a_row
        most = min(_MAX_FAILURES, self._model.settings.max_concurrency) if error.transient else _MAX_FAILURES
        general = error.hopeless or error.transient
        is_stalled = self._rate_limiter is not None and self._rate_limiter.is_stalled
        self._without_answer += is_stalled
        last = f"the last {count} calls to {self._model.name} all failed: {reason}"
        if is_stalled and (self._answered or self._proven):
            if self._without_answer > _FURTHER_QUESTIONS:  # the endpoint may never finish some questions
                self._stop, self.stall_error = (
                    NoAnswersError(last, hint=f"what was answered is kept; {_STALLED_HINT}"),
                    error,
                )
        elif error.hopeless and self._answered and self._hopeless_in_a_row > 1:
            self._stop = NoAnswersError(last, hint=error.hint)
        elif not self._answered and (error.hopeless or is_stalled or (count >= most and (general or not self._proven))):
            calls = "first call" if count == 1 else f"first {count} calls"
            hint = _STALLED_HINT if is_stalled else error.hint
            self._stop = NoAnswersError(f"the {calls} to {self._model.name} failed: {reason}", hint=hint)
        elif general and count >= _MAX_FAILURES:
            self._stop = NoAnswersError(last, hint=error.hint)

    def _count_ending(self, reply: Reply) -> None:
        """Count a reply; if most of the first replies are cut off, the next call ends the run.

        A run that resumes an earlier one is not ended, so that repeating a command always makes progress.
        """
        self._replies += 1
        self._cut += ending_of(reply.finish_reason) == "cut"
        if (
            self._endpoint
            and not self._resumed
            and self._replies == _CHECKED_REPLIES
            and 2 * self._cut > _CHECKED_REPLIES
        ):
            limit = self._endpoint.max_tokens
            what = f"{self._cut} of the first {_CHECKED_REPLIES} replies of {self._model.name} were cut off"
            other = "higher, or to null" if limit else "to what the model may write"
            hint = f"set model.max_tokens {other}; what was answered is kept, and the same command goes on all the same"
            self._cut_off = NoAnswersError(f"{what}{f' by max_tokens={limit}' if limit else ''}", hint=hint)

    def _make_storable(self, reply: Reply) -> Reply:
        """Return a reply with texts that can be written to a file: valid UTF-8, without secrets."""
        text, reason = self._clean_text(reply.text), self._truncate_reason(reply.finish_reason)
        if (text, reason) == (reply.text, reply.finish_reason):
            return reply
        return msgspec.structs.replace(reply, text=text, finish_reason=reason)

    def _truncate_reason(self, reason: object) -> str | None:
        """Truncate the finish reason; return None unless it is a string."""
        return self._clean_text(reason)[:_MAX_REASON_LENGTH] if isinstance(reason, str) else None

    def _clean_text(self, text: str) -> str:
        """Return a text without lone surrogates, and without secrets, which some endpoints repeat."""
        return self._hide(_replace_surrogates(text))


def _make_response(request: Request, reply: Reply, asked_hash: str, settings: str) -> Response:
    content = reply.text, reply.finish_reason, reply.usage
    return Response(request.question_id, *content, None, asked_hash, settings, reply.scores, reply.logprobs)


def _replace_surrogates(text: str) -> str:
    """Return a text with U+FFFD for each lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text
