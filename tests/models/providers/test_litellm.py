"""The model `litellm` against a real server on loopback, and Anthropic's protocol, which is not OpenAI's."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import MissingExtraError, ModelError
from factprobe.models.base import TYPICAL_ANSWER, Price
from tests.extras import loads
from tests.models.questions import question
from tests.models.server import completion, endpoint, fault, raw, send

KEY = "sk-ant-0123456789"


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY"):
        monkeypatch.setenv(name, KEY)


@loads("litellm")
def test_provider_of_another_protocol() -> None:
    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, {
            "id": "m1",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [{"type": "text", "text": "Paris"}],
            "stop_reason": "end_turn",
            "usage": {"input_tokens": 11, "output_tokens": 1},
        }

    with endpoint(answer) as server:
        model = load_model("litellm", model="anthropic/claude-3-haiku-20240307", api_base=server.base_url)
        [response] = ask_model(model, [question()])
    assert (response.response, response.finish_reason, response.error) == ("Paris", "stop", None)
    assert response.usage is not None
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (11, 1)
    assert server.requests[0]["messages"][-1]["role"] == "user"


@pytest.mark.slow
def test_only_transient_faults_are_retried() -> None:
    states = [429, 500, 200]

    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        status = states.pop(0)
        return status, completion("Paris") if status == 200 else {"error": {"message": "busy"}}

    settings = {"model": "openai/m", "retry_wait": 0.0}
    with endpoint(answer) as server:
        [response] = ask_model(load_model("litellm", **settings, api_base=server.base_url), [question()])
    assert (response.response, len(server.requests)) == ("Paris", 3)
    with endpoint(lambda body: (401, {"error": {"message": f"wrong key {KEY}"}})) as server:
        with pytest.raises(ModelError, match="wrong key") as caught:
            ask_model(load_model("litellm", **settings, api_base=server.base_url), [question()])
        assert len(server.requests) == 1
    assert KEY not in str(caught.value)


@pytest.mark.slow
@pytest.mark.parametrize(
    "answer",
    [
        lambda: (200, completion(f"My key is {KEY}.", finish_reason=f"stop {KEY}")),
        lambda: (200, completion([{"type": KEY}], finish_reason=[KEY])),  # type: ignore[arg-type]
        lambda: (200, {**completion("x"), "choices": [{"message": KEY}]}),
        lambda: (200, {"key": KEY, "choices": []}),
        lambda: (400, fault(f"{KEY} may not")),
        lambda: send(f"<html>{KEY}</html>".encode()),
        lambda: raw(f"HTTP/1.1 {KEY}\r\n\r\n".encode()),
    ],
)
def test_echoed_key_is_hidden(answer: Callable[[], Any], capfd: pytest.CaptureFixture[str]) -> None:
    with endpoint(lambda body: answer() if "first" in str(body) else (200, completion("Paris"))) as server:
        model = load_model("litellm", model="openai/m", api_base=server.base_url, max_retries=0, max_concurrency=1)
        answered, echoed = ask_model(model, [question(2), question(1, "first")])
    assert server.keys == {f"Bearer {KEY}"}
    assert answered.response == "Paris"
    assert KEY not in str(echoed)
    assert KEY not in "".join(capfd.readouterr())


@pytest.mark.slow
def test_extra_arguments_override_settings() -> None:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        settings = {"model": "hosted_vllm/m", "api_base": server.base_url, "extra": {"max_tokens": 7}}
        model = load_model("litellm", name="mine", **settings)
        ask_model(model, [question()])
    assert (model.name, server.requests[0]["max_tokens"]) == ("mine", 7)


@loads("litellm")
@pytest.mark.parametrize(
    ("settings", "longest"),
    [
        ({}, None),
        ({"max_tokens": 40}, 40),
        ({"extra": {"max_tokens": 20_000}}, 20_000),
        ({"max_tokens": 40, "extra": {"max_completion_tokens": 20_000}}, 20_000),
        ({"max_tokens": 40, "extra": {"n": 3}}, 120),
        ({"max_tokens": 40, "extra": {"max_tokens": None}}, None),
    ],
    ids=str,
)
def test_extra_arguments_count_in_the_maximum_usage(settings: dict[str, Any], longest: int | None) -> None:
    model = load_model("litellm", model="hosted_vllm/m", **settings)
    assert model.limits_answers() == (longest is not None)
    assert model.overhead().completion_tokens == (longest or TYPICAL_ANSWER)


@pytest.mark.slow
def test_price_is_the_listed_one_or_the_users() -> None:
    listed = load_model("litellm", model="anthropic/claude-3-haiku-20240307").price()
    assert listed == Price(0.25, 1.25)
    own = load_model("litellm", model="openai/m", price={"input": 1, "output": 2}).price()
    assert own == Price(1, 2)
    assert load_model("litellm", model="openai/no-such-model").price() is None


def test_missing_dependency_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "litellm", None)
    message = r"^model: litellm is not installed; pip install 'factprobe\[litellm\]'$"
    with pytest.raises(MissingExtraError, match=message):
        load_model("litellm", model="openai/m")
