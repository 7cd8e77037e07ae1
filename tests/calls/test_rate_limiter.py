"""How calls go out: how many at once, how many a minute, and when again. Time is the event loop's: nothing waits."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.api import ask_model
from factprobe.calls.call_errors import retry_after
from factprobe.calls.rate_limiter import RateLimiter
from factprobe.errors import CallError, ModelError
from factprobe.models.base import EndpointSettings, Reply
from tests.asking.clock import now, run
from tests.models.questions import question
from tests.models.server import Sent, completion, endpoint, fault, model_at, send

Once = Callable[[], Awaitable[Reply]]


def configured(**changes: object) -> EndpointSettings:
    return EndpointSettings(**{"backend": "x", "retry_wait": 0.0, **changes})  # type: ignore[arg-type]


def flow(once: Callable[[int], Awaitable[Reply]], tokens: Sequence[int], **changes: object) -> None:
    """Makes calls of so many tokens as the runner does: `max_concurrency` workers share them."""

    async def main() -> None:
        found = configured(**changes)
        calls = RateLimiter(found, found.model_name)
        left = iter(enumerate(tokens))

        async def work() -> None:
            for number, size in left:
                await calls.call(lambda number=number: once(number), size)  # type: ignore[misc]

        await asyncio.gather(*(work() for _ in range(found.max_concurrency)))

    run(main())


def started(tokens: Sequence[int], seconds: float = 0.2, **changes: object) -> list[tuple[float, int]]:
    """When each call went out, and its tokens."""
    times: list[tuple[float, int]] = []

    async def once(number: int) -> Reply:
        times.append((now(), tokens[number]))
        await asyncio.sleep(seconds)
        return Reply("x")

    flow(once, tokens, **changes)
    return times


def most_a_minute(times: Sequence[tuple[float, int]]) -> int:
    """The most that any minute has, wherever it begins; a minute ends before its last moment."""
    return max(sum(size for at, size in times if begin <= at < begin + 60 - 1e-3) for begin, _ in times)


@given(st.sampled_from([0.5, 1, 7, 59, 60, 61, 100, 500, 1000]), st.integers(1, 50))
def test_no_minute_has_more_requests_than_it_may(allowed: float, at_once: int) -> None:
    count = min(200, max(3, int(3 * allowed)))
    times = started([1] * count, requests_per_minute=allowed, max_concurrency=at_once)
    assert len(times) == count
    assert most_a_minute([(at, 1) for at, _ in times]) <= max(allowed, 1)


def test_request_limit_is_fully_used() -> None:
    times = started([1] * 600, requests_per_minute=120, max_concurrency=50)
    assert times[-1][0] <= 5 * 60 + 10


@given(st.lists(st.integers(1, 1000), min_size=1, max_size=80), st.integers(1, 20))
def test_no_minute_has_more_tokens_than_it_may(tokens: list[int], at_once: int) -> None:
    times = started(tokens, tokens_per_minute=7000, max_concurrency=at_once)
    assert sorted(size for _, size in times) == sorted(tokens)
    assert most_a_minute(times) <= 7000


def test_call_with_more_tokens_than_the_bucket_holds_counts_in_full() -> None:
    times = started([3000] * 30, tokens_per_minute=6000, max_concurrency=8)
    assert 13 * 60 <= times[-1][0] <= 18 * 60  # 90,000 tokens take a quarter of an hour
    assert most_a_minute(times) <= 9000


def test_retry_after_delays_every_call() -> None:
    times: list[float] = []

    async def once(number: int) -> Reply:
        times.append(now())
        await asyncio.sleep(1)
        if now() > 4 and not refused:
            refused.append(now())
            raise CallError("429", transient=True, retry_after=20.0)
        return Reply("x")

    refused: list[float] = []
    flow(once, [1] * 30, max_concurrency=8, requests_per_minute=60)
    [asked] = refused
    assert len(times) == 31
    assert not [at for at in times if asked < at < asked + 19.99]


@pytest.mark.parametrize("asked", [None, 0.0])
def test_retries_back_off(asked: float | None) -> None:
    times: list[float] = []

    async def once(number: int) -> Reply:
        times.append(now())
        raise CallError("500", transient=True, retry_after=asked)

    random.seed(7)
    with pytest.raises(CallError, match="500"):
        flow(once, [1], max_retries=12, retry_wait=0.5)
    assert len(times) == 13
    gaps = [after - before for before, after in pairwise(times)]
    assert all(1e-4 < gap <= min(30, 0.5 * 2**number) for number, gap in enumerate(gaps))


def test_retry_after_overrides_backoff() -> None:
    times: list[float] = []

    async def once(number: int) -> Reply:
        times.append(now())
        raise CallError("429", transient=True, retry_after=7.0)

    with pytest.raises(CallError, match="429"):
        flow(once, [1], max_retries=2, retry_wait=0.5)
    assert times == pytest.approx([0, 7, 14], abs=1e-3)


def test_permanent_fault_is_not_retried() -> None:
    times: list[float] = []

    async def once(number: int) -> Reply:
        times.append(now())
        raise CallError("400", retry_after=7.0)

    with pytest.raises(CallError, match="400"):
        flow(once, [1])
    assert len(times) == 1


def test_overload_halves_concurrency_and_success_restores_it() -> None:
    under_way = 0
    seen: list[tuple[float, int]] = []

    async def once(number: int) -> Reply:
        nonlocal under_way
        under_way += 1
        seen.append((now(), under_way))
        await asyncio.sleep(1)
        under_way -= 1
        if 2.9 < now() < 3.1:  # the calls of one round, all refused: halved once, not once for each
            raise CallError("429", transient=True, congested=True)
        return Reply("x")

    flow(once, [1] * 400, max_concurrency=16)
    by_second = {second: max(n for at, n in seen if int(at) == second) for second in range(14)}
    assert [by_second[second] for second in (0, 1, 2, 3)] == [16, 16, 16, 8]
    assert max(by_second.values()) == 16
    assert by_second[4] < 16
    assert by_second[12] == 16


def test_one_call_at_a_time_is_the_least() -> None:
    seen: list[tuple[float, int]] = []
    under_way = 0

    async def once(number: int) -> Reply:
        nonlocal under_way
        under_way += 1
        seen.append((now(), under_way))
        await asyncio.sleep(1)
        under_way -= 1
        if now() < 10:
            raise CallError("429", transient=True, congested=True)
        return Reply("x")

    flow(once, [1] * 20, max_concurrency=4, max_retries=50)
    by_second = [max((n for at, n in seen if int(at) == second), default=0) for second in range(10)]
    assert by_second[0] == 4
    assert by_second[-3:] == [1, 1, 1]
    assert min(by_second) == 1


def test_server_never_sees_more_at_once_than_allowed() -> None:
    first_five = threading.Barrier(5)

    def answer(body: dict[str, Any]) -> tuple[int, Any]:
        if len(server.requests) <= 5:
            first_five.wait(timeout=60)
        return 200, completion("x")

    with endpoint(answer) as server:
        ask_model(model_at(server, max_concurrency=5), [question(i) for i in range(60)])
    assert server.most_at_once == 5
    assert len(server.requests) == 60


HEADERS = [
    ({"Retry-After": "3"}, 3.0),
    ({"Retry-After": "0.5"}, 0.5),
    ({"retry-after-ms": "1500", "Retry-After": "9"}, 1.5),
    ({"retry-after-ms": "soon", "Retry-After": "9"}, 9.0),
    ({"Retry-After": "-5"}, 0.0),
    ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}, 0.0),
    ({"Retry-After": "1e999"}, float("inf")),
    ({"Retry-After": "nan"}, None),
    ({"Retry-After": "soon"}, None),
    ({"Retry-After": ""}, None),
    ({"Retry-After": "Wed, 21 Oct 2015 99:28:00 GMT"}, None),
    ({"Retry-After": "Wed, 21 Oct 2015 07:28:00 +9999999999999999999"}, None),
    ({}, None),
]


@pytest.mark.parametrize(("headers", "expected"), HEADERS)
def test_wait_that_headers_ask_for(headers: dict[str, str], expected: float | None) -> None:
    assert retry_after({name.lower(): value for name, value in headers.items()}) == expected


@pytest.mark.parametrize("zone", ["GMT", "+0000", "-0000", ""])
def test_wait_until_a_date(zone: str) -> None:
    date = format_datetime(datetime.now(UTC) + timedelta(seconds=90))
    found = retry_after({"retry-after": date.removesuffix("+0000") + zone})
    assert found is not None
    assert 80 < found <= 90


@given(st.text() | st.from_regex(r"[A-Z]{3}, [0-9]+ (Oct|x) [0-9]+ [0-9]+:[0-9]+:[0-9]+ [-+0-9A-Z]+", fullmatch=True))
def test_any_header_is_a_wait_or_none(value: str) -> None:
    found = retry_after({"retry-after": value})
    assert found is None or found >= 0


@pytest.mark.parametrize("value", ["3600", "1e999", "Fri, 01 Jan 2100 00:00:00 GMT"])
def test_wait_of_hours_ends_the_run(value: str) -> None:
    with endpoint(lambda body: send(b'{"error": {"message": "too many"}}', 429, Retry_After=value)) as server:
        model = model_at(server, max_concurrency=1)
        with pytest.raises(
            ModelError, match=r"^the first call to m failed: 429: too many; it asks to wait [\d,inf]+ s$"
        ):
            ask_model(model, [question(i) for i in range(30)])
        assert len(server.requests) == 1


def test_short_wait_is_kept_to() -> None:
    replies: list[Sent]
    replies = [send(b"{}", 429, Retry_After="0.01"), send(b"{}", 429, retry_after_ms="5"), (429, fault("too many"))]
    with endpoint(lambda body: replies.pop() if replies else (200, completion("Paris"))) as server:
        model = model_at(server)
        [response] = ask_model(model, [question()])
    assert response.response == "Paris"
    assert len(server.requests) == 4


@pytest.mark.parametrize(("concurrency", "retries", "lines"), [(1, 8, 1), (8, 8, 1), (1, 2, 1), (1, 0, 0), (1, 1, 0)])
def test_down_endpoint_is_warned_of_once(
    caplog: pytest.LogCaptureFixture, concurrency: int, retries: int, lines: int
) -> None:
    async def once(_: int) -> Reply:
        raise CallError("no connection: refused", transient=True)

    with pytest.raises(CallError):
        flow(once, [1] * concurrency, max_concurrency=concurrency, max_retries=retries)
    told = "x has answered none of the last 3 calls (no connection: refused); each is retried up to "
    assert [line.startswith(f"{told}{retries} times") for line in caplog.messages] == [True] * lines


def test_occasional_faults_give_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    fails = iter([True, True, False] * 10)

    async def once(_: int) -> Reply:
        if next(fails):
            raise CallError("no connection: reset", transient=True)
        return Reply("x")

    flow(once, [1] * 10, max_concurrency=1, max_retries=8)
    assert not caplog.messages


def test_closed_port_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    with endpoint(lambda _: (200, completion("x"))) as server:
        model = model_at(server, max_retries=2)
    with pytest.raises(ModelError):
        ask_model(model, [question()])
    [line] = caplog.messages
    assert "has answered none of the last 3 calls (no connection: " in line
    assert line.endswith("; each is retried up to 2 times")
