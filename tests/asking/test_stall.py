"""Endpoints that do not answer: how long a run waits for them. Time is the event loop's: nothing waits."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import ClassVar

import pytest

from factprobe.asking.runner import Exchange, ask
from factprobe.errors import CallError, ModelError
from factprobe.models.base import EndpointSettings, Model, Reply
from factprobe.records import Request
from tests.asking.clock import now, run
from tests.models.questions import question

TIMEOUT = 60.0
GIVEN_UP = 6 * TIMEOUT + 60
GIVEN_UP_LATER = GIVEN_UP + 4 * TIMEOUT
"""Where it has answered before: four more questions are tried once."""
"""Seconds after the last answer: five timeouts, one more that was under way, and the waits between tries."""

Once = Callable[["Slow"], Awaitable[None]]


class Slow(Model):
    """An endpoint that takes as long for a call as a function does."""

    settings_type: ClassVar[type[EndpointSettings]] = EndpointSettings

    def __init__(self, once: Once, at_once: int = 8, **changes: object) -> None:
        settings = {"backend": "x", "name": "slow", "max_concurrency": at_once, "timeout": TIMEOUT, **changes}
        super().__init__(EndpointSettings(**settings))  # type: ignore[arg-type]
        self.once, self.calls, self.under_way = once, 0, 0
        self.asked: list[str] = []

    async def reply(self, request: Request) -> Reply:
        self.calls += 1
        self.under_way += 1
        self.asked.append(request.question_id)
        try:
            await self.once(self)
        finally:
            self.under_way -= 1
        return Reply("Paris")


class Run:
    """Puts questions to an endpoint: what it answered, when it did so for the last time, and how the run ended."""

    def __init__(self, model: Slow, most: int, is_proven: bool = False) -> None:
        self.answers: list[Exchange] = []
        self.last = self.ended = 0.0
        self.error = ""

        def keep(found: Exchange) -> None:
            self.answers.append(found)
            if found.response.error is None:
                self.last = now()

        async def main() -> None:
            try:
                await ask(model, (question(i) for i in range(most)), keep, is_proven=is_proven)
            except ModelError as error:
                self.error = str(error)
            self.ended = now()

        run(main())

    @property
    def answered(self) -> int:
        return sum(one.response.error is None for one in self.answers)

    @property
    def failed(self) -> list[str]:
        return [one.request.question_id for one in self.answers if one.response.error is not None]


async def never(model: Slow) -> None:
    await asyncio.sleep(1e9)


@pytest.mark.parametrize("at_once", [1, 2, 8, 64, 1000])
@pytest.mark.parametrize("tries", [0, 1, 8, 100])
def test_endpoint_that_never_answers_is_given_up_after_a_few_timeouts(at_once: int, tries: int) -> None:
    found = Run(Slow(never, at_once, max_retries=tries), 2000)
    assert found.error.startswith("the first ")
    assert "to slow failed: no answer within 60 s" in found.error
    assert "set a higher timeout" in found.error or tries < 8
    assert found.ended <= GIVEN_UP
    assert found.answered == 0


@pytest.mark.parametrize("at_once", [1, 2, 8, 64, 1000])
@pytest.mark.parametrize("tries", [1, 8, 100])
def test_endpoint_that_stops_answering_is_given_up(at_once: int, tries: int) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls <= 100 else 1e9)

    found = Run(Slow(once, at_once, max_retries=tries), 2000)
    assert "calls to slow all failed: no answer within 60 s" in found.error
    assert found.answered == 100
    assert found.ended - found.last <= GIVEN_UP_LATER


def test_stall_error_has_a_hint() -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls <= 10 else 1e9)

    assert Run(Slow(once), 72).error == (
        "the last 5 calls to slow all failed: no answer within 60 s; "
        "what was answered is kept; see to the endpoint, or set a higher timeout, and run this again"
    )


@pytest.mark.parametrize("at_once", [1, 8, 64])
@pytest.mark.parametrize("every", [4, 20])
def test_one_that_answers_now_and_then_is_waited_for_no_longer_after_its_last_answer(at_once: int, every: int) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls % every == 0 else 1e9)

    found = Run(Slow(once, at_once), 72)
    assert found.ended - found.last <= GIVEN_UP_LATER
    assert found.ended <= (found.answered + 1) * GIVEN_UP_LATER


@pytest.mark.parametrize("status", ["503", "504"])
@pytest.mark.parametrize("at_once", [1, 8, 64])
def test_gateway_timeouts_count_as_silence(at_once: int, status: str) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(50)
        raise CallError(status, transient=True, congested=status == "503")

    found = Run(Slow(once, at_once, max_retries=100), 2000)
    assert f"to slow failed: {status}" in found.error
    assert found.ended <= GIVEN_UP


@pytest.mark.parametrize("at_once", [1, 8, 64])
def test_slow_endpoint_is_not_given_up(at_once: int) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(TIMEOUT - 1)

    found = Run(Slow(once, at_once), 200)
    assert (found.answered, found.error) == (200, "")


@pytest.mark.parametrize(
    ("at_once", "bears"),
    [
        *((2, 1), (8, 5), (64, 2)),
        *(pytest.param(2, bears, marks=pytest.mark.slow) for bears in (2, 5)),
        *(pytest.param(8, bears, marks=pytest.mark.slow) for bears in (1, 2)),
        *(pytest.param(64, bears, marks=pytest.mark.slow) for bears in (1, 5)),
        *(pytest.param(1000, bears, marks=pytest.mark.slow) for bears in (1, 2, 5)),
    ],
)
def test_endpoint_with_low_concurrency_is_not_given_up(at_once: int, bears: int) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.under_way <= bears else 1e9)

    found = Run(Slow(once, at_once, max_retries=100), 2000)
    assert (found.answered, found.error) == (2000, "")


def test_endpoint_that_loads_its_model_is_not_given_up() -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if now() > 4 * TIMEOUT else 1e9)

    found = Run(Slow(once), 200)
    assert (found.answered, found.error) == (200, "")


def test_endpoint_that_asks_to_wait_is_not_given_up() -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(0.1)
        if now() < 3000:
            raise CallError("429", transient=True, congested=True, retry_after=200.0)

    found = Run(Slow(once, max_retries=100), 200)
    assert (found.answered, found.error) == (200, "")


def test_pauses_between_calls_do_not_count() -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls > 4 else 1e9)

    found = Run(Slow(once, at_once=1, requests_per_minute=0.1), 10)
    assert (found.answered, found.error) == (10, "")
    assert found.ended > 20 * GIVEN_UP / 6


@pytest.mark.parametrize("at_once", [1, 3, 8])
@pytest.mark.parametrize("which", [{5}, {5, 11}, {29}])
def test_single_questions_that_get_no_answer_do_not_end_the_run(at_once: int, which: set[int]) -> None:
    without = {question(i).question_id for i in which}

    async def once(model: Slow) -> None:
        await asyncio.sleep(1e9 if model.asked[-1] in without else 1)

    found = Run(Slow(once, at_once), 30)
    assert (found.answered, found.error, set(found.failed)) == (30 - len(which), "", without)


def test_question_that_is_refused_before_one_without_an_answer_does_not_count_for_it() -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1e9 if model.asked[-1] == question(6).question_id else 1)
        if model.asked[-1] == question(5).question_id:
            raise CallError("400: too long")

    found = Run(Slow(once, at_once=1), 30)
    assert (found.answered, len(found.failed), found.error) == (28, 2, "")


@pytest.mark.parametrize("is_proven", [True, False])
def test_last_unanswered_questions_do_not_end_the_run(is_proven: bool) -> None:
    first = 0 if is_proven else 20

    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls <= first else 1e9)

    found = Run(Slow(once, at_once=8), first + 6, is_proven=is_proven)
    assert (found.answered, len(found.failed), found.error) == (first, 6, "")
    assert len(set(found.failed)) == 6
    assert found.ended - found.last <= GIVEN_UP_LATER


def test_waiting_is_reported_during_the_run(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        Run(Slow(never), 72)
    lines = [record.getMessage() for record in caplog.records]
    assert lines[0] == (
        "slow has answered none of 8 calls for 60 s (no answer within 60 s); "
        "the run gives up after 300 s and keeps the responses so far"
    )
    assert [line.split(" for ")[1].split(" (")[0] for line in lines] == ["60 s", "120 s", "180 s", "240 s"]


def test_occasional_failures_give_few_warnings(caplog: pytest.LogCaptureFixture) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1 if model.calls % 3 == 0 else 1e9)

    with caplog.at_level(logging.WARNING):
        found = Run(Slow(once, at_once=1), 200)
    assert (found.answered, found.error) == (200, "")
    assert len(caplog.records) == 2


def test_isolated_timeouts_give_no_warning(caplog: pytest.LogCaptureFixture) -> None:
    async def once(model: Slow) -> None:
        await asyncio.sleep(1e9 if model.calls % 50 == 0 else 1)

    with caplog.at_level(logging.WARNING):
        found = Run(Slow(once, at_once=16), 2000)
    assert (found.answered, found.error) == (2000, "")
    assert not caplog.records
