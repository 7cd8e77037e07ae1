"""Finish reasons from a real server: what is an answer, what is a fault, and what is a refusal."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from factprobe.api import ask_model, load_model
from factprobe.asking.cache import ResponseCache
from factprobe.asking.cost import CostCounter
from factprobe.asking.runner import Exchange, ask
from factprobe.errors import ModelError
from factprobe.models import Reply
from factprobe.models.base import request_hash
from factprobe.records import Usage
from tests.models.faults import FILTERED, NOT_FILTERED
from tests.models.questions import question
from tests.models.server import Endpoint, completion, endpoint, fault, model_at

KEY = "sk-0123456789abcdef"


def broken(**choice: Any) -> dict[str, Any]:
    """A completion that a fault broke off, as OpenRouter sends it."""
    found = completion("The capital", "error")
    found["choices"][0].update(choice)
    return found


FAULTS = {
    "error": completion("", "error"),
    "error behind some words": completion("The capital", "error"),
    "abort": completion(None, "abort"),
    "with its reason": broken(error={"code": 502, "message": f"upstream is gone, {KEY}"}),
    "with its reason alone": broken(error={"code": 502, "message": f"upstream is gone, {KEY}"}, finish_reason="stop"),
    "with a plain reason": broken(error=f"upstream is gone, {KEY}", finish_reason=None),
}


@pytest.mark.parametrize("name", FAULTS)
def test_answer_that_a_fault_broke_off_is_asked_for_again(name: str) -> None:
    replies = [FAULTS[name], FAULTS[name], completion("Paris")]
    with endpoint(lambda body: (200, replies.pop(0))) as server:
        [response] = ask_model(model_at(server), [question()])
        assert len(server.requests) == 3
    assert (response.response, response.finish_reason, response.error) == ("Paris", "stop", None)


@pytest.mark.parametrize("name", FAULTS)
def test_repeated_broken_answer_fails_the_question(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    spending = CostCounter(None)
    found: list[Exchange] = []

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, completion("x") if "first" in str(body) else FAULTS[name]

    async def main(server: Endpoint) -> None:
        async with model_at(server, max_concurrency=1, max_retries=2) as model:
            await ask(model, [question(1, "first"), question(2)], found.append, spending=spending)

    with endpoint(answer) as server:
        asyncio.run(main(server))
        assert len(server.requests) == 4
    _, failed = (one.response for one in found)
    assert (failed.response, failed.finish_reason) == (None, None)
    assert str(failed.error).startswith("the answer was broken off: ")
    assert "upstream is gone, ***" in str(failed.error) or "reason" not in name
    assert KEY not in str(failed.error)
    assert spending.prompt_tokens == 4 * 7  # each of them was paid


def test_ranking_that_a_fault_broke_off_is_asked_for_again() -> None:
    one = question()
    ranked = replace(one, choices=("Paris", "Rome"), cloze=("", " is in France."))
    scores = [{"index": i, "logprobs": {"token_logprobs": [None, -1.0 - i]}} for i in range(2)]
    replies: list[list[dict[str, Any]]] = [
        [scores[0], {"index": 1, "finish_reason": "error"}],
        [scores[0], {"index": 1, "error": {"message": "upstream is gone"}}],
        scores,
    ]
    with endpoint(lambda body: (200, {"choices": replies.pop(0)})) as server:
        [response] = ask_model(model_at(server), [ranked])
    assert (response.response, response.scores) == ("Paris", (-1.0, -2.0))


def test_run_of_nothing_but_broken_answers_ends_with_the_reason() -> None:
    with endpoint(lambda body: (200, FAULTS["error"])) as server:
        with pytest.raises(ModelError, match=r"^the first 8 calls to m failed: the answer was broken off: error$"):
            ask_model(model_at(server, max_retries=1), [question(i) for i in range(40)])
        assert len(server.requests) <= 16 + 14


ODD: list[tuple[Any, str | None]] = [
    (None, None),
    (7, None),
    (True, None),
    (["length"], None),
    ({"type": "length"}, None),
    ("", ""),
    ("something else", "something else"),
    ("x" * 10_000, "x" * 200),
    ("\x1b[2J\x00\r\n", "\x1b[2J\x00\r\n"),
    ("\ud800", "\ufffd"),
]


@pytest.mark.parametrize(("sent", "kept"), ODD, ids=lambda value: ascii(value)[:20])
def test_unknown_finish_reason_is_harmless(sent: Any, kept: str | None) -> None:
    with endpoint(lambda body: (200, completion("Paris", sent))) as server:
        [response] = ask_model(model_at(server), [question()])
        assert len(server.requests) == 1
    assert (response.response, response.finish_reason, response.error) == ("Paris", kept, None)


@pytest.mark.parametrize("content", [None, "", []])
@pytest.mark.parametrize("reason", ["stop", "content_filter", None])
def test_refusal_in_the_answers_place_is_told_apart(content: Any, reason: str | None) -> None:
    with endpoint(lambda body: (200, completion(content, reason, refusal="Das sage ich nicht."))) as server:
        [response] = ask_model(model_at(server), [question()])
    assert (response.response, response.finish_reason) == ("Das sage ich nicht.", "refusal")


def test_refusal_with_an_answer_is_ignored() -> None:
    with endpoint(lambda body: (200, completion("Paris", "stop", refusal="No."))) as server:
        [response] = ask_model(model_at(server), [question()])
    assert (response.response, response.finish_reason) == ("Paris", "stop")


AZURE = {
    "error": {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "type": None,
        "param": "prompt",
        "code": "content_filter",
        "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation", "content_filter_result": {}},
    }
}


def test_filtered_prompt_counts_as_filtered_answer() -> None:
    with endpoint(lambda body: (400, AZURE)) as server:
        responses = ask_model(model_at(server, price={"input": 1, "output": 1}), [question(i) for i in range(40)])
        assert len(server.requests) == 40
    assert {(one.response, one.finish_reason, one.error) for one in responses} == {("", "content_filter", None)}


def test_other_request_errors_are_not_filters() -> None:
    replies = [(200, completion("Paris")), (400, fault("content_filter is no parameter", "bad"))]
    with endpoint(lambda body: replies.pop(0)) as server:
        _, response = ask_model(model_at(server, max_concurrency=1), [question(1), question(2)])
    assert response.error == "400: content_filter is no parameter"


@pytest.mark.parametrize("name", FILTERED)
def test_filter_is_known_in_all_its_forms(name: str) -> None:
    replies = [completion("Rome")] * 2
    wrong = FILTERED[name]
    with endpoint(lambda body: (200, replies.pop()) if "Rome" in str(body) else wrong) as server:
        responses = ask_model(model_at(server, max_concurrency=1), [question(1, "Rome"), question(2)])
        assert len(server.requests) == 2
    assert (responses[1].response, responses[1].finish_reason, responses[1].error) == ("", "content_filter", None)


@pytest.mark.parametrize("name", NOT_FILTERED)
def test_error_mentioning_filters_is_not_a_filter(name: str) -> None:
    wrong = NOT_FILTERED[name]
    with endpoint(lambda body: (200, completion("Rome")) if "Rome" in str(body) else wrong) as server:
        _, response = ask_model(model_at(server, max_concurrency=1), [question(1, "Rome"), question(2)])
    assert (response.response, response.finish_reason) == (None, None)
    assert response.error


def test_endings_are_reported_in_python(caplog: pytest.LogCaptureFixture) -> None:
    for reply, what in (
        (completion("", "tool_calls"), "empty or reasoning alone"),
        (completion("The", "length"), "cut off by max_tokens"),
    ):
        with endpoint(lambda body, reply=reply: (200, reply)) as server:  # type: ignore[misc]
            ask_model(model_at(server), [question(i) for i in range(3)])
        assert f"m: of 3 replies 3 (100.0 %) were {what}; " in caplog.messages[-1]


LITELLM: dict[str, tuple[tuple[int, dict[str, Any]], tuple[str, str]]] = {
    "filter": ((200, completion(None, "content_filter")), ("", "content_filter")),
    "length": ((200, completion("", "length")), ("", "length")),
    "refusal": ((200, completion(None, "stop", refusal="I will not.")), ("I will not.", "refusal")),
    "unknown": ((200, completion("Paris", "whatever")), ("Paris", "stop")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", LITELLM)
def test_litellm_reports_the_same_endings(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    reply, expected = LITELLM[name]
    with endpoint(lambda body: reply) as server:
        model = load_model("litellm", model="openai/m", api_base=server.base_url, retry_wait=0.0)
        [response] = ask_model(model, [question()])
        assert len(server.requests) == 1
    assert (response.response, response.finish_reason) == expected


@pytest.mark.slow
def test_litellm_takes_an_error_for_an_end_and_we_do_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    replies = [completion("The capital", "error"), completion("Paris")]
    with endpoint(lambda body: (200, replies.pop(0))) as server:
        model = load_model("litellm", model="openai/m", api_base=server.base_url, retry_wait=0.0)
        [response] = ask_model(model, [question()])
    assert (response.response, response.finish_reason) == ("Paris", "stop")


@pytest.mark.slow
def test_litellm_reports_azure_prompt_filter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AZURE_API_KEY", KEY)
    with endpoint(lambda body: (400, AZURE)) as server:
        base = server.base_url.removesuffix("/v1")
        model = load_model("litellm", model="azure/m", api_base=base, extra={"api_version": "2024-06-01"})
        [response] = ask_model(model, [question()])
        assert len(server.requests) == 1
    assert (response.response, response.finish_reason, response.error) == ("", "content_filter", None)


@pytest.mark.slow
def test_refusal_in_anthropics_protocol(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    reply = {"id": "m1", "type": "message", "role": "assistant", "model": "m", "content": [], "stop_reason": "refusal"}
    with endpoint(lambda body: (200, {**reply, "usage": {"input_tokens": 11, "output_tokens": 0}})) as server:
        model = load_model("litellm", model="anthropic/claude-3-haiku-20240307", api_base=server.base_url)
        [response] = ask_model(model, [question()])
    assert (response.response, response.finish_reason) == ("", "content_filter")


def test_recorded_broken_answer_is_ignored(write: Callable[[str, str | bytes], Path]) -> None:
    lines = [
        {"question_id": question(n).question_id, "response": "Paris", "finish_reason": reason}
        for n, reason in enumerate(["error", "length", "whatever", None, 7, {"type": "x"}])
    ]
    path = write("old.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    first, *others = ask_model(load_model("replay", path=str(path)), [question(n) for n in range(6)])
    assert (first.response, first.error) == (None, "the answer was broken off: error")
    assert [(one.response, one.finish_reason) for one in others] == [
        ("Paris", "length"),
        ("Paris", "whatever"),
        *[("Paris", None)] * 3,
    ]


def test_broken_answer_in_the_cache_is_asked_for_again(tmp_path: Path) -> None:
    found: list[Exchange] = []

    async def main(server: Endpoint) -> None:
        async with model_at(server) as model:
            cache = ResponseCache(tmp_path)
            cache.put(request_hash(question(1)), model.settings_hash, Reply("The", "error", Usage(1, 1)))
            cache.put(request_hash(question(2, "second")), model.settings_hash, Reply("The", "length", Usage(1, 1)))
            await ask(model, [question(1), question(2, "second")], found.append, cache)
            cache.close()

    with endpoint(lambda body: (200, completion("Paris"))) as server:
        asyncio.run(main(server))
        assert len(server.requests) == 1
    assert {(one.response.response, one.from_cache) for one in found} == {("Paris", False), ("The", True)}


def test_error_with_empty_answer_fails() -> None:
    broken = {**completion(""), "error": {"message": "overloaded", "code": 503}}
    replies = iter([broken, completion("Paris"), {**completion("Rome"), "error": {"message": "a warning"}}])
    with endpoint(lambda body: (200, next(replies))) as server:
        model = model_at(server, max_concurrency=1, retry_wait=0.0)
        first, second = ask_model(model, [question(1), question(2)])
    assert (first.response, second.response) == ("Paris", "Rome")
