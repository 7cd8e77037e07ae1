"""The runner: holds nothing, gives up where there is no hope, and goes on where there is."""

from __future__ import annotations

import asyncio
import weakref
from collections.abc import Iterator
from itertools import count
from typing import Any, ClassVar

import pytest
from msgspec.structs import replace

from factprobe.api import ask_model
from factprobe.asking.runner import Exchange, ask
from factprobe.errors import CallError, MissingExtraError, ModelError, NoAnswersError
from factprobe.models.base import EndpointSettings, Model, ModelSettings, Reply
from factprobe.records import Question, Request, Usage
from tests.asking.clock import run
from tests.models.questions import question
from tests.models.server import completion, endpoint, fault, model_at


class Failing(Model):
    """An endpoint that fails those calls whose number is told."""

    settings_type: ClassVar[type[EndpointSettings]] = EndpointSettings

    def __init__(self, error: CallError, failing: set[int] | range, at_once: int = 8) -> None:
        super().__init__(EndpointSettings(backend="failing", max_concurrency=at_once, max_retries=0, retry_wait=0.0))
        self.error, self.failing, self.calls = error, failing, 0

    async def reply(self, request: Request) -> Reply:
        self.calls += 1
        number = self.calls
        await asyncio.sleep(0.1)
        if number in self.failing:
            raise self.error
        return Reply("Paris")


def asked(model: Model, most: int, **settings: Any) -> list[Exchange]:
    """Asks in an event loop whose time passes at once."""
    answers: list[Exchange] = []
    run(ask(model, (question(i) for i in range(most)), answers.append, **settings))
    return answers


class Watched(Question, weakref=True, gc=True, frozen=True):
    """A question that tells whether it is still held."""


@pytest.mark.parametrize("at_once", [pytest.param(1, marks=pytest.mark.slow), 16])
def test_memory_holds_only_calls_under_way(at_once: int) -> None:
    alive: weakref.WeakSet[Watched] = weakref.WeakSet()
    most = 0

    def questions() -> Iterator[Question]:
        for number in range(20_000):
            one = Watched(**{name: getattr(question(number), name) for name in Question.__struct_fields__})
            alive.add(one)
            yield one
            del one

    def keep(found: Exchange) -> None:
        nonlocal most
        most = max(most, len(alive))

    model = Failing(CallError("never"), set(), at_once)
    run(ask(model, questions(), keep))
    assert model.calls == 20_000
    assert most <= at_once + 1


TRANSIENT = CallError("500: out of order", transient=True)
REFUSED = CallError("400: too long")
HOPELESS = CallError("401: wrong key", hopeless=True)


@pytest.mark.parametrize(("error", "calls"), [(HOPELESS, 1), (TRANSIENT, 8), (REFUSED, 20)], ids=str)
def test_run_in_which_nothing_succeeds_ends(error: CallError, calls: int) -> None:
    model = Failing(error, range(10_000))
    with pytest.raises(
        ModelError, match=rf"^the first {'call' if calls == 1 else f'{calls} calls'} to failing failed: "
    ):
        asked(model, 1000)
    assert model.calls <= calls + 7


@pytest.mark.parametrize(("error", "calls"), [(HOPELESS, 2), (TRANSIENT, 20)], ids=str)
def test_endpoint_that_dies_in_the_middle_ends_the_run(error: CallError, calls: int) -> None:
    model = Failing(error, range(100, 10_000))
    with pytest.raises(ModelError, match=rf"^the last {calls} calls to failing all failed: {error}"):
        asked(model, 1000)
    assert model.calls <= 100 + calls + 7


def test_single_call_without_hope_does_not() -> None:
    model = Failing(HOPELESS, {100, 102})
    answers = asked(model, 300)
    assert [one.response.error is None for one in answers].count(False) == 2


def test_missing_package_ends_the_run_at_once() -> None:
    class Needing(Failing):
        async def reply(self, request: Request) -> Reply:
            if self.calls == 99:
                raise ModuleNotFoundError("No module named 'tokenisers'")
            return await super().reply(request)

    model = Needing(REFUSED, set())
    with pytest.raises(MissingExtraError, match=r"^failing: No module named 'tokenisers'; install it beside factprobe"):
        asked(model, 1000)
    assert model.calls == 99


class Cutting(Failing):
    """An endpoint whose replies are cut off but for every third."""

    async def reply(self, request: Request) -> Reply:
        await super().reply(request)
        return Reply("Well, let me", "stop" if self.calls % 3 == 0 else "length")


def test_first_replies_that_are_cut_off_end_the_run_once() -> None:
    model = Cutting(REFUSED, set())
    told = r"^13 of the first 20 replies of failing were cut off; set model.max_tokens to what .* goes on all the same$"
    with pytest.raises(NoAnswersError, match=told):
        asked(model, 1000)
    assert model.calls < 20 + 8
    assert len(asked(model, 100, is_proven=True)) == 100
    few = Cutting(REFUSED, set())
    assert len(asked(few, 19)) == 19


@pytest.mark.parametrize("at_once", [1, 8])
def test_server_that_is_not_there_is_told_after_ten_seconds(at_once: int) -> None:
    model = Failing(CallError("no connection", transient=True, unreached=True), range(10_000), at_once)
    model.settings = replace(model.settings, max_retries=8, retry_wait=0.5)
    seconds = 0.0

    async def main() -> None:
        nonlocal seconds
        try:
            await ask(model, (question(i) for i in range(50)), lambda _: None)
        finally:
            seconds = asyncio.get_running_loop().time()

    with pytest.raises(NoAnswersError, match="no connection"):
        run(main())
    assert 10 <= seconds <= 11


def test_questions_that_are_refused_one_by_one_do_not() -> None:
    model = Failing(REFUSED, range(100, 200))
    answers = asked(model, 300)
    assert [one.response.error is None for one in answers].count(False) == 100


def test_last_refused_questions_do_not_end_the_run() -> None:
    model = Failing(REFUSED, range(1000))
    assert len(asked(model, 60, is_proven=True)) == 60
    wrong_key = Failing(HOPELESS, range(1000))
    with pytest.raises(ModelError, match="the first call to failing failed: 401"):
        asked(wrong_key, 60, is_proven=True)
    down = Failing(TRANSIENT, range(1000))
    with pytest.raises(ModelError, match="the first 8 calls to failing failed: 500"):
        asked(down, 60, is_proven=True)


def test_single_failures_are_given_as_they_are() -> None:
    model = Failing(TRANSIENT, {5, 50})
    answers = asked(model, 100)
    failed = [one.response for one in answers if one.response.error]
    assert [(one.response, one.error) for one in failed] == [(None, "500: out of order")] * 2


def test_server_that_goes_down_for_a_while_is_waited_for() -> None:
    calls = count(1)

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (503, fault("starting")) if 20 < next(calls) <= 40 else (200, completion("Paris"))

    with endpoint(answer) as server:
        model = model_at(server)
        responses = ask_model(model, [question(i) for i in range(60)])
        assert len(server.requests) == 80
    assert [response.error for response in responses] == [None] * 60


def test_broken_source_of_questions_ends_the_run() -> None:
    def questions() -> Iterator[Question]:
        yield question(1)
        raise ValueError("broken")

    model = Failing(HOPELESS, set())
    with pytest.raises(ValueError, match="broken"):
        run(ask(model, questions(), lambda found: None))


class Mixed(Failing):
    """The first call ends the run at once; of the others some are answered late, and some fail in passing."""

    async def reply(self, request: Request) -> Reply:
        self.calls += 1
        number = self.calls
        await asyncio.sleep(0.1 if number == 1 else 0.5)
        if number == 1:
            raise CallError("402: no money left", hopeless=True)
        if number in self.failing:
            raise CallError("503: busy", transient=True)
        return Reply("Paris")


def test_calls_under_way_at_the_end_of_a_run_are_kept() -> None:
    model = Mixed(CallError(""), {3, 5})
    answers: list[Exchange] = []
    with pytest.raises(NoAnswersError, match="the first call to failing failed: 402: no money left"):
        run(ask(model, (question(i) for i in range(30)), answers.append))
    assert model.calls == 8
    assert sorted(str(found.response.response or found.response.error) for found in answers) == (
        ["402: no money left", "503: busy", "503: busy", *["Paris"] * 5]
    )


class Odd(Model):
    """A class of one's own with a fault."""

    def __init__(self, reply: object) -> None:
        super().__init__(ModelSettings(backend="odd"))
        self.odd = reply

    async def reply(self, request: Request) -> Reply:
        if request.question_id.startswith("Q0:"):
            return Reply("Paris")
        if isinstance(self.odd, Exception):
            raise self.odd
        return self.odd  # type: ignore[return-value]  # which is the fault


@pytest.mark.parametrize(
    ("fault", "part"),
    [
        (TimeoutError(), "TimeoutError"),
        (Reply(None), "AttributeError"),  # type: ignore[arg-type]
        (Reply("x", scores=(float("nan"),)), "ValidationError"),
        ("x", "AttributeError"),
        (None, "AttributeError"),
    ],
    ids=repr,
)
def test_custom_model_errors_fail_single_questions(fault: object, part: str) -> None:
    answers: list[Exchange] = []
    run(ask(Odd(fault), [question(0), question(1)], answers.append))
    first, second = sorted(answers, key=lambda found: found.position)
    assert first.response.response == "Paris"
    assert (second.response.response, (second.response.error or "").split(":")[0]) == (None, part)


@pytest.mark.parametrize(
    "reply",
    [
        Reply("x", usage=Usage(None, None)),  # type: ignore[arg-type]
        Reply("x", usage=Usage(-1, 1)),
        Reply("x", logprobs=(float("nan"),)),
        Reply("x", logprobs=(-0.5, 3.0)),
        Reply("x", usage="much", logprobs=("low",)),  # type: ignore[arg-type]
    ],
    ids=repr,
)
def test_unreadable_optional_field_is_omitted(reply: Reply) -> None:
    answers: list[Exchange] = []
    run(ask(Odd(reply), [question(0), question(1)], answers.append))
    _, second = sorted(answers, key=lambda found: found.position)
    assert second.response.response == "x"
    assert (second.response.usage, second.response.logprobs, second.response.error) == (None, (), None)
