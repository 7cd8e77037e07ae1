"""Exceptions of a model that are no errors of a call, and cancellations of a run."""

from __future__ import annotations

import asyncio
from itertools import count

import pytest

from factprobe.api import ask_model
from factprobe.asking.runner import Exchange, ask
from factprobe.errors import CallError
from tests.asking.test_runner import Failing
from tests.models.questions import question


@pytest.mark.parametrize("error", [StopIteration(), asyncio.CancelledError(), GeneratorExit(), StopAsyncIteration()])
@pytest.mark.parametrize("is_async", [False, True])
def test_any_exception_of_a_function_fails_its_question_alone(error: BaseException, is_async: bool) -> None:
    numbers = count()

    def answer(_: str) -> str:
        if next(numbers) == 1:
            raise error
        return "Paris"

    async def answer_later(prompt: str) -> str:
        return answer(prompt)

    replies = ask_model(answer_later if is_async else answer, (question(i) for i in range(3)))
    assert sorted(reply.failed for reply in replies) == [False, False, True]
    assert any(type(error).__name__ in (reply.error or "") for reply in replies)


def test_a_cancelled_run_is_cancelled() -> None:
    answers: list[Exchange] = []

    async def cancelled() -> None:
        asking = asyncio.create_task(
            ask(Failing(CallError("never"), set()), [question(1), question(2)], answers.append)
        )
        await asyncio.sleep(0.01)
        asking.cancel()
        await asking

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(cancelled())
    assert not answers
