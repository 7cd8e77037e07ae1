"""Tokens and money: estimated, counted, and never more than the limit."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.api import load_model
from factprobe.asking.cost import CostCounter, estimate, max_usage, usage_cost
from factprobe.asking.runner import Exchange, ask
from factprobe.errors import CostLimitError
from factprobe.models.base import LONGEST_ANSWER, TYPICAL_ANSWER, Price
from factprobe.models.prices import listed_price
from factprobe.records import Answer, Message, Question, Usage
from tests.asking.clock import run
from tests.models.questions import question
from tests.models.server import Answer as ServerAnswer
from tests.models.server import completion, endpoint, fault, model_at, reset, send

PRICE = Price(1.0, 2.0)
ANSWER = Usage(0, 10)


def of_bytes(size: int) -> Question:
    return Question("q", "single_answer", (Message("user", "x" * size),), (), "P36", "Q1", "Q2")


def ranked(*choices: str) -> Question:
    answers = (Answer("Q90", "Paris"),)
    prompts = (Message("user", "____ is big."),)
    return Question("q", "multi_choices", prompts, answers, "P36", "Q1", "Q2", choices, cloze=("", " is big."))


def spent(
    answer: ServerAnswer, limit: float, **changes: Any
) -> tuple[CostCounter, list[Exchange], CostLimitError | None]:
    """Asks 60 questions with a limit; what was spent, what was answered, and whether the limit ended it."""
    answers: list[Exchange] = []
    with endpoint(answer) as server:
        model = model_at(server, max_tokens=40, **changes)
        spending = CostCounter(PRICE, limit)

        async def main() -> None:
            async with model:
                await ask(model, (question(i) for i in range(60)), answers.append, None, spending)

        try:
            asyncio.run(main())
        except CostLimitError as error:
            return spending, answers, error
    return spending, answers, None


def greedy(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
    """Counts as many tokens as an endpoint may: one a byte and some for each message, and the longest answer."""
    sent = sum(len(message["content"].encode()) + 16 for message in body["messages"]) + 128
    written = body.get("max_completion_tokens") or body.get("max_tokens") or LONGEST_ANSWER
    usage = {"prompt_tokens": sent, "completion_tokens": written * body.get("n", 1)}
    return 200, {**completion("Paris"), "usage": usage}


ONE = usage_cost(max_usage(question(1), Usage(0, 40)), PRICE)
"""What one of the questions may cost."""


@pytest.mark.parametrize("calls", [1.0, 5.5, 12.0, 40.01])
def test_cost_limit_holds_at_maximum_usage(calls: float) -> None:
    spending, answers, error = spent(greedy, calls * ONE)
    assert error is not None
    assert "max_cost_usd" in str(error)
    assert "run the step again" in str(error)
    assert spending.usd <= calls * ONE * (1 + 1e-9)
    assert len(answers) == int(calls)


def test_limit_below_the_first_call_asks_nothing() -> None:
    spending, answers, error = spent(greedy, 0.9 * ONE)
    assert (spending.usd, answers) == (0.0, [])
    assert "raise the limit" in str(error)


def test_calls_that_cost_less_leave_room_for_more() -> None:
    spending, answers, error = spent(lambda body: (200, completion("Paris")), 8 * ONE)
    assert error is None
    assert len(answers) == 60
    assert spending.usd == pytest.approx(60 * (7 * 1.0 + 2 * 2.0) / 1e6)


@pytest.mark.parametrize(
    "extra",
    [
        {"max_tokens": 500},
        {"max_tokens": None, "max_completion_tokens": 500},
        {"n": 3},
        {"max_tokens": 100, "n": 2},
    ],
    ids=str,
)
def test_extra_body_limits_count_in_reservations(extra: dict[str, Any]) -> None:
    spending, answers, error = spent(greedy, 12.5 * ONE, extra_body=extra)
    assert error is not None
    assert answers
    assert spending.usd <= 12.5 * ONE


@pytest.mark.parametrize("answers", [1, 3])
def test_each_of_several_answers_without_a_limit_may_be_long(answers: int) -> None:
    one = usage_cost(max_usage(question(1), Usage(30, answers * LONGEST_ANSWER)), PRICE)
    spending, found, error = spent(greedy, 4.5 * one, extra_body={"max_tokens": None, "n": answers})
    assert error is not None
    assert len(found) == 4
    assert spending.usd <= 4.5 * one


@pytest.mark.parametrize(
    ("settings", "longest"),
    [
        ({"max_tokens": 40, "extra_body": {"max_tokens": None, "max_completion_tokens": None}}, None),
        ({"max_tokens": 40, "extra_body": {"max_tokens": None}}, None),
        ({"max_tokens": 40, "extra_body": {"max_completion_tokens": None}}, 40),
        ({"max_tokens": 40, "extra_body": {"max_tokens": -1}}, None),
        ({"max_tokens": 40, "extra_body": {"n": None}}, 40),
        ({"api": "completions"}, TYPICAL_ANSWER),
        ({"api": "completions", "extra_body": {"max_tokens": None}}, None),
    ],
    ids=str,
)
def test_limit_removed_by_extra_body_is_no_limit(settings: dict[str, Any], longest: int | None) -> None:
    model = load_model("openai", model="m", base_url="http://127.0.0.1:1/v1", **settings)
    assert model.limits_answers() == (longest is not None)
    assert model.overhead().completion_tokens == (longest or TYPICAL_ANSWER)


def test_schema_is_part_of_the_prompt() -> None:
    schema = {"type": "object", "properties": {f"property {i}": {"type": "string"} for i in range(30)}}

    def with_schema(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        reply = greedy(body)[1]
        reply["usage"]["prompt_tokens"] += len(json.dumps(body["response_format"], separators=(",", ":")))
        return 200, reply

    spending, answers, _ = spent(with_schema, 12.5 * ONE, json_schema=schema)
    assert answers
    assert spending.usd <= 12.5 * ONE


UNKNOWN: dict[str, Any] = {
    "no usage": (200, {**completion("Paris"), "usage": None}),
    "no completion": send(b"<html>"),
    "no choices": (200, {"choices": []}),
    "reset in mid-body": reset(b'{"choices": ['),
}


@pytest.mark.parametrize("name", UNKNOWN)
def test_possibly_charged_calls_count_as_spent(name: str) -> None:
    replies = iter([(200, completion("Paris"))])
    spending, _, error = spent(lambda body: next(replies, UNKNOWN[name]), 10.5 * ONE, max_retries=0, max_concurrency=1)
    assert error is not None
    assert 9.5 * ONE < spending.usd <= 10.5 * ONE


def test_uncharged_calls_do_not_count_as_spent() -> None:
    replies = iter([completion("Paris")])

    def answer(body: dict[str, Any]) -> Any:
        found = next(replies, None)
        return (400, fault("too long")) if found is None else (200, found)

    spending, answers, error = spent(answer, 10.5 * ONE)
    assert error is None
    assert len(answers) == 60
    assert spending.usd == pytest.approx(11 / 1e6)


@given(
    st.lists(
        st.tuples(st.integers(0, 300), st.floats(0, 1), st.sampled_from(["reply", "unknown", "free"])), max_size=40
    ),
    st.floats(0, 0.01),
    st.integers(1, 8),
)
def test_spending_never_passes_its_limit(calls: list[tuple[int, float, str]], limit: float, at_once: int) -> None:
    spending = CostCounter(PRICE, limit)
    left = iter(calls)

    async def work() -> None:
        for size, share, end in left:
            asked = of_bytes(size)
            most = max_usage(asked, ANSWER)
            amount = await spending.reserve(asked, ANSWER)
            await asyncio.sleep(share)
            used = Usage(round(most.prompt_tokens * share), round(most.completion_tokens * share))
            spending.book(amount, used if end == "reply" else None, unknown=end == "unknown")
            assert spending.usd <= limit * (1 + 1e-9)

    async def main() -> None:
        found = await asyncio.gather(*(work() for _ in range(at_once)), return_exceptions=True)
        assert not [error for error in found if error is not None and not isinstance(error, CostLimitError)]

    run(main())


def test_most_that_a_call_can_take() -> None:
    asked = Question("q", "single_answer", (Message("system", "ab"), Message("user", "é")), (), "P36", "Q1", "Q2")
    assert max_usage(asked, Usage(7, 48)) == Usage(2 + 2 + 2 * 16 + 128 + 7, 48)
    assert max_usage(ranked("Paris", "Rome"), Usage(0, 48)) == Usage(5 + 4 + 2 * 8 + 2 * 16 + 128, 48)


def test_estimate_by_hand() -> None:
    found = estimate([of_bytes(40), of_bytes(41), ranked("Paris", "Rome")], ANSWER, Price(1.0, 100.0))
    # 40 and 41 bytes are 10 and 11 tokens, "Paris is big." and "Rome is big." are 25 bytes and 7 tokens
    assert found[:3] == (3, 28, 20)
    assert found.usd == pytest.approx((28 * 1 + 20 * 100) / 1e6)
    assert estimate([of_bytes(40)], ANSWER, None).usd is None


@pytest.mark.parametrize(
    ("model", "base_url", "provider", "price"),
    [
        ("gpt-4o-mini", None, "openai", Price(0.15, 0.6)),
        ("gpt-4o-mini", "https://api.openai.com/v1", None, Price(0.15, 0.6)),
        ("openai/gpt-4o-mini", "https://openrouter.ai/api/v1", None, Price(0.15, 0.6)),
        ("gpt-4o-mini", "http://127.0.0.1:8000/v1", None, None),
        ("no-such-model", None, "openai", None),
        ("sonar", "https://api.perplexity.ai", None, None),  # asks for money for each request too
    ],
)
def test_listed_prices(model: str, base_url: str | None, provider: str | None, price: Price | None) -> None:
    assert listed_price(model, base_url, provider) == price


def test_configured_price_overrides_listed_price(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    assert load_model("openai", model="gpt-4o-mini").price() == Price(0.15, 0.6)
    assert load_model("openai", model="gpt-4o-mini", price={"input": 3, "output": 4}).price() == Price(3, 4)
