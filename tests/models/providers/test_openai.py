"""The model `openai` against a real server on loopback."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import ConfigError, ModelError, NoAnswersError
from tests.extras import needs
from tests.models.questions import question
from tests.models.server import completion, endpoint


def test_reply_comes_as_it_was_sent() -> None:
    with endpoint(lambda body: (200, completion(" Paris.\n"))) as server:
        model = load_model("openai", model="some/model", base_url=server.base_url, max_tokens=5, temperature=0.5)
        [response] = ask_model(model, [question()])
    assert response.response == " Paris.\n"
    assert response.finish_reason == "stop"
    assert response.usage is not None
    assert (response.usage.prompt_tokens, response.usage.completion_tokens) == (7, 2)
    assert response.error is None
    [request] = server.requests
    assert request["model"] == "some/model"
    assert (request["max_tokens"], request["temperature"]) == (5, 0.5)
    assert request["messages"][1] == {"role": "user", "content": "The capital of France is ____."}


def test_first_choice_is_that_of_index_0() -> None:
    sent, other = completion("Paris"), completion("Lyon")
    sent["choices"] = [{**other["choices"][0], "index": 1}, *sent["choices"]]
    with endpoint(lambda body: (200, sent)) as server:
        [response] = ask_model(load_model("openai", model="m", base_url=server.base_url), [question()])
    assert response.response == "Paris"


def test_no_limit_is_sent_unless_one_is_set() -> None:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        for api in ("chat", "completions"):
            ask_model(load_model("openai", model="m", base_url=server.base_url, api=api), [question(1)])
    chat, plain = server.requests
    assert not {"max_tokens", "max_completion_tokens"} & chat.keys()
    assert plain["max_tokens"] == 500  # vLLM's own limit is 16


def test_further_keys_go_into_the_request() -> None:
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        model = load_model("openai", model="m", base_url=server.base_url, extra_body={"top_k": 3})
        ask_model(model, [question()])
    assert server.requests[0]["top_k"] == 3


@pytest.mark.parametrize(
    ("name", "setting"), [("openai", "extra_body"), pytest.param("litellm", "extra", marks=needs("litellm"))]
)
def test_stream_is_refused_before_a_call(monkeypatch: pytest.MonkeyPatch, name: str, setting: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-0123456789")
    with pytest.raises(ConfigError, match=rf"model\.{setting}\.stream"):
        load_model(name, **{"model": "openai/m", setting: {"stream": True}})
    load_model(name, **{"model": "openai/m", setting: {"stream": False}})


def test_responses_are_in_the_order_of_the_questions() -> None:
    def echo(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return 200, completion(body["messages"][-1]["content"])

    asked = [question(i, f"text {i}") for i in range(30)]
    with endpoint(echo) as server:
        responses = ask_model(load_model("openai", model="m", base_url=server.base_url), asked)
    assert [response.response for response in responses] == [f"text {i}" for i in range(30)]


@pytest.mark.parametrize(
    ("status", "reply", "part"),
    [
        (400, {"error": {"message": "prompt too long"}}, "prompt too long"),
        (200, {**completion(""), "choices": []}, "no choices"),
    ],
)
def test_call_without_a_reply_is_failed(status: int, reply: dict[str, Any], part: str) -> None:
    with endpoint(lambda body: (200, completion("x")) if "1st" in str(body) else (status, reply)) as server:
        model = load_model("openai", model="m", base_url=server.base_url, max_retries=0)
        _, response = ask_model(model, [question(1, "1st"), question(2, "2nd")])
        with pytest.raises(NoAnswersError, match=rf"^none of the 1 questions has an answer of m, most often: .*{part}"):
            ask_model(model, [question(2, "2nd")])
    assert response.response is None
    assert response.error is not None
    assert part in response.error


def test_no_content_is_an_empty_reply() -> None:
    with endpoint(lambda body: (200, completion(None, "content_filter"))) as server:
        [response] = ask_model(load_model("openai", model="m", base_url=server.base_url), [question()])
    assert (response.response, response.finish_reason) == ("", "content_filter")


@pytest.mark.parametrize(
    ("status", "reason", "calls"),
    [(400, "too long", 40), (401, "wrong key", 16), (404, "no such model", 16), (500, "out of order", 16)],
)
def test_run_without_hope_stops_early(status: int, reason: str, calls: int) -> None:
    with endpoint(lambda body: (status, {"error": {"message": reason}})) as server:
        model = load_model("openai", model="m", base_url=server.base_url, max_retries=0)
        with pytest.raises(ModelError, match=rf"^the first .*calls? to m failed: {status}: {reason}(; check .*)?$"):
            ask_model(model, [question(i) for i in range(500)])
    assert len(server.requests) <= calls


def test_key_is_read_from_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "sk-test-0123456789")
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        model = load_model("openai", model="m", base_url=server.base_url, api_key_env="MY_KEY")
        [response] = ask_model(model, [question()])
    assert server.keys == {"Bearer sk-test-0123456789"}
    assert "sk-test" not in repr(model.settings) + repr(response) + str(model.identity())


def test_missing_key_is_a_config_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_SUCH_KEY", raising=False)
    with pytest.raises(ConfigError, match="NO_SUCH_KEY is not set"):
        load_model("openai", model="m", api_key_env="NO_SUCH_KEY")


def test_spellings_of_an_address_are_one_endpoint() -> None:
    def settings_hash(address: str | None) -> str:
        return load_model("openai", model="m", base_url=address).settings_hash

    plain = "http://host:8000/v1"
    assert settings_hash(plain) == "de3300838aeb27f3"  # replies that are cached stay valid
    for spelling in (f"{plain}/", "HTTP://Host:8000/v1", "http://HOST:8000/v1/"):
        assert settings_hash(spelling) == settings_hash(plain), spelling
    others = ("https://host:8000/v1", "http://host:8001/v1", "http://host:8000/V1")
    assert len({settings_hash(plain), *map(settings_hash, others)}) == 1 + len(others)
