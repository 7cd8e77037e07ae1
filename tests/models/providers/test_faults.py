"""What endpoints do wrong: each fault comes from a real server, and the number of requests is counted."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from factprobe.api import ask_model, load_model
from factprobe.errors import FactprobeError, ModelError
from factprobe.factories import build_model
from factprobe.models import Model, Reply
from factprobe.models.providers.scripted import Scripted, ScriptedSettings
from factprobe.records import Request, Response, Usage
from tests.command_line import CommandLine
from tests.models.faults import (
    DECLARED,
    ENCODED,
    FINAL,
    FORMS,
    ODD_TEXTS,
    ODD_VALUES,
    PASSING,
    UNREADABLE,
    UNREADABLE_VALUES,
    Wrong,
)
from tests.models.questions import question
from tests.models.server import (
    Behaviour,
    Endpoint,
    closed_port,
    completion,
    drip,
    endpoint,
    fault,
    model_at,
    send,
    silence,
)


def build(base_url: str) -> Model:
    settings = {"backend": "openai", "model": "m", "base_url": base_url, "max_retries": 1, "retry_wait": 0.0}
    return build_model(settings)


def asked(server: Endpoint, count: int = 1, **settings: Any) -> list[Response]:
    return ask_model(model_at(server, **{"max_concurrency": 1, **settings}), [question(i) for i in range(count)])


@contextmanager
def after(*faults: Wrong) -> Iterator[Endpoint]:
    """A server that fails so often, then answers."""
    left = list(faults)
    with endpoint(lambda body: left.pop(0) if left else (200, completion("Paris"))) as server:
        yield server


@pytest.mark.parametrize("name", PASSING)
def test_transient_fault_is_retried(name: str) -> None:
    wrong = PASSING[name]
    with after(wrong, wrong) as server:
        [response] = asked(server)
    assert (response.response, response.error) == ("Paris", None)
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "host", ["256.1.1.1", "a..b", "☃.invalid", "nowhere.invalid", "x" * 300, "[::1", "127.0.0.1:99999"]
)
def test_unreachable_address_ends_the_run(host: str) -> None:
    with pytest.raises(FactprobeError) as found:
        ask_model(build(f"http://{host}/v1"), [question(i) for i in range(40)])
    assert "\n" not in str(found.value)


class Odd(Scripted):
    async def reply(self, request: Request) -> Reply:
        if "second" in request.prompts[-1].content:
            raise ZeroDivisionError("by nothing")
        return Reply("Paris")


def test_fault_of_the_model_itself_ends_a_run_in_which_nothing_else_comes() -> None:
    with pytest.raises(ModelError, match="first 20 calls to scripted failed: ZeroDivisionError: by nothing"):
        ask_model(Odd(ScriptedSettings(backend="scripted")), [question(i, "second") for i in range(50)])


def test_fault_of_the_model_itself_is_that_questions_error() -> None:
    odd = Odd(ScriptedSettings(backend="scripted"))
    found = ask_model(odd, [question(1, "first"), question(2, "second"), question(3, "third")])
    assert [(one.response, one.error) for one in found] == [
        ("Paris", None),
        (None, "ZeroDivisionError: by nothing"),
        ("Paris", None),
    ]


@pytest.mark.parametrize("name", FINAL)
def test_final_fault_is_asked_once(name: str) -> None:
    wrong, part = FINAL[name]
    with endpoint(lambda body: (200, completion("x")) if "first" in str(body) else wrong) as server:
        first, second = ask_model(model_at(server, max_concurrency=1), [question(1, "first"), question(2)])
    assert first.response == "x"
    assert second.response is None
    assert part in str(second.error)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("content", "part"),
    UNREADABLE,
    ids=lambda value: str(value)[:40],
)
def test_invalid_completion_fails_with_excerpt(content: bytes, part: str) -> None:
    with endpoint(lambda body: (200, completion("x")) if "first" in str(body) else send(content)) as server:
        model = model_at(server, max_concurrency=1, max_retries=2)
        _, response = ask_model(model, [question(1, "first"), question(2)])
    assert response.response is None
    assert part in str(response.error)
    assert len(str(response.error)) <= 500
    assert len(server.requests) == 4  # as it may pass, it is tried again


@pytest.mark.parametrize(
    ("message", "text"),
    FORMS,
    ids=str,
)
def test_content_in_its_many_forms(message: Any, text: str) -> None:
    with endpoint(lambda body: (200, {"choices": [{"message": message}]})) as server:
        [response] = asked(server)
    assert (response.response, response.finish_reason, response.usage) == (text, None, None)


@pytest.mark.parametrize("name", [*UNREADABLE_VALUES, *ODD_VALUES])
def test_reply_is_kept_without_unreadable_fields(name: str, caplog: pytest.LogCaptureFixture) -> None:
    content = {**UNREADABLE_VALUES, **ODD_VALUES}[name]
    with endpoint(lambda body: send(content)) as server:
        responses = asked(server, 2, logprobs=True)
        assert len(server.requests) == 2
    assert [(one.response, one.error, one.logprobs) for one in responses] == [("Paris", None, ())] * 2
    what = "counts of tokens" if "usage" in name else "log-probabilities"
    warnings = [line for line in caplog.messages if "unreadable" in line]
    told = f"m: of 2 replies 2 have unreadable {what}; they are kept without"
    assert warnings == ([told] if name in UNREADABLE_VALUES else [])


@pytest.mark.parametrize("name", ODD_TEXTS)
def test_lenient_json_is_accepted(name: str) -> None:
    content, text = ODD_TEXTS[name]
    with endpoint(lambda body: send(content)) as server:
        [response] = asked(server)
        assert len(server.requests) == 1
    assert (response.response, response.error) == (text, None)


@pytest.mark.parametrize("name", DECLARED)
def test_declared_encoding_is_read_and_unreadable_characters_are_told(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    answer, text = DECLARED[name]
    with endpoint(lambda body: answer) as server:
        [response] = asked(server)
        assert len(server.requests) == 1
    assert (response.response, response.error) == (text, None)
    assert any("not UTF-8" in line for line in caplog.messages) == ("\ufffd" in text)


class Careless(Scripted):
    async def reply(self, request: Request) -> Reply:
        return Reply("Paris", None, Usage(-1, 2), logprobs=(-0.5, float("nan")))


def test_replies_with_invalid_fields_are_kept(caplog: pytest.LogCaptureFixture) -> None:
    [response] = ask_model(Careless(ScriptedSettings(backend="scripted")), [question()])
    assert (response.response, response.usage, response.logprobs, response.error) == ("Paris", None, (), None)
    assert [line for line in caplog.messages if "unreadable" in line] == [
        "scripted: of 1 replies 1 have unreadable counts of tokens; they are kept without",
        "scripted: of 1 replies 1 have unreadable log-probabilities; they are kept without",
    ]


@pytest.mark.parametrize("reason", ["length", "content_filter", "tool_calls", None])
def test_finish_reason_is_kept(reason: str | None) -> None:
    with endpoint(lambda body: (200, completion("The capital of", reason))) as server:
        [response] = asked(server)
    assert (response.response, response.finish_reason) == ("The capital of", reason)


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 7, "completion_tokens": 2}, Usage(7, 2)),
        ({"prompt_tokens": 7, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 3}}, Usage(7, 2)),
        ({"prompt_tokens": 7.0, "completion_tokens": 2.0}, Usage(7, 2)),
        ({"prompt_tokens": 7}, None),
        ({"prompt_tokens": None, "completion_tokens": None}, None),
        ({"prompt_tokens": -1, "completion_tokens": 2}, None),
        ({"prompt_tokens": "7", "completion_tokens": []}, None),
        ({}, None),
        ([], None),
        (None, None),
    ],
    ids=str,
)
def test_invalid_usage_is_ignored(usage: Any, expected: Usage | None) -> None:
    with endpoint(lambda body: (200, {**completion("Paris"), "usage": usage})) as server:
        [response] = asked(server)
    assert (response.response, response.usage) == ("Paris", expected)


@pytest.mark.parametrize(
    ("escaped", "text"),
    [
        (r"\ud800", "\ufffd"),
        (r"a\udc00b", "a\ufffdb"),
        (r"\ud83d\ude00", "😀"),
        (r"\ud83d\ude00\ud83d", "😀\ufffd"),
        (r"\ud83d\ud83d\ude00", "\ufffd😀"),
        (r"\u0000\u0001\u001b[31m\u007f\u2028\ufeff", "\0\x01\x1b[31m\x7f\u2028\ufeff"),
        (r"\r\n\t\"\\", '\r\n\t"\\'),
    ],
)
def test_lone_surrogates_are_replaced(escaped: str, text: str) -> None:
    content = b'{"choices": [{"message": {"content": "%s"}, "finish_reason": "%s"}]}' % ((escaped.encode(),) * 2)
    with endpoint(lambda body: send(content)) as server:
        [response] = asked(server)
    assert (response.response, response.finish_reason, response.error) == (text, text, None)


def test_lone_surrogates_in_an_error() -> None:
    with after((200, completion("x")), send(rb'{"error": {"message": "no \ud800 here"}}', 400)) as server:
        _, response = asked(server, 2)
    assert response.error == "400: no \ufffd here"


def test_answer_of_5_mb_comes_whole() -> None:
    long = "é" * 2_500_000
    with endpoint(lambda body: (200, completion(long))) as server:
        [response] = asked(server)
    assert response.response == long


def packed(body: bytes, times: int = 1) -> bytes:
    for _ in range(times):
        body = gzip.compress(body, 1)
    return body


BLANKS = b" " * (48 << 20)
TOO_LONG: dict[str, Callable[[], Behaviour]] = {
    "as it is": lambda: send(BLANKS),
    "packed": lambda: send(packed(BLANKS), Content_Encoding="gzip"),
    "packed twice, with an error": lambda: send(packed(BLANKS, 2), 500, Content_Encoding="gzip, gzip"),
}


@pytest.mark.parametrize("name", TOO_LONG)
def test_body_without_an_end_is_not_allowed_replies(name: str) -> None:
    behave = TOO_LONG[name]()
    tracemalloc.start()
    try:
        with after(behave) as server:
            short, next_one = asked(server, 2)
        assert tracemalloc.get_traced_memory()[1] < 1 << 26
    finally:
        tracemalloc.stop()
    assert short.error == "the endpoint sent more than 32 MB for one call"
    assert next_one.response == "Paris"


@pytest.mark.parametrize("name", ENCODED)
def test_encodings(name: str) -> None:
    with endpoint(lambda body: ENCODED[name]) as server:
        [response] = asked(server)
    assert (response.response, response.usage) == ("Paris", Usage(7, 2))


@pytest.mark.parametrize("name", ["silence", "drip"])
def test_no_answer_in_time(name: str) -> None:
    slow = {"silence": silence, "drip": drip}[name]
    with after(slow, slow) as server:
        [response] = asked(server, timeout=0.1)
        assert response.response == "Paris"
    with after(slow, slow) as server:
        with pytest.raises(ModelError, match=r"the first call to m failed: no answer within 0.2 s"):
            asked(server, timeout=0.2, max_retries=1)
        # on a busy machine the time may be over before the server has read the second call
        assert len(server.requests) <= 2


def test_no_server_listens() -> None:
    with pytest.raises(ModelError, match=r"^the first .*calls? to m failed: no connection: Cannot connect to"):
        ask_model(
            load_model("openai", model="m", base_url=f"http://127.0.0.1:{closed_port()}/v1", retry_wait=0.0),
            [question(i) for i in range(30)],
        )


@pytest.mark.parametrize("tries", [0, 1, 3])
@pytest.mark.parametrize("name", ["500", "429", "reset before the answer"])
def test_tries_are_bounded(name: str, tries: int) -> None:
    with endpoint(lambda body: PASSING[name]) as server:
        with pytest.raises(ModelError, match="the first call to m failed"):
            asked(server, max_retries=tries)
        assert len(server.requests) == tries + 1


@pytest.mark.parametrize(
    ("status", "reply"),
    [
        (401, fault("wrong key")),
        (402, fault("no money left")),
        (404, fault("no such model")),
        (429, fault("you have spent all", "insufficient_quota")),
        (429, {"error": {"message": "you have spent all", "type": "insufficient_quota"}}),
    ],
)
def test_hopeless_fault_ends_the_run_at_once(status: int, reply: dict[str, Any]) -> None:
    with endpoint(lambda body: (status, reply)) as server:
        with pytest.raises(ModelError, match=rf"^the first call to m failed: {status}: {reply['error']['message']}"):
            asked(server, 30)
        assert len(server.requests) == 1


HINTS = {
    "the request": (400, fault("no such parameter"), "model.model, max_tokens, temperature"),
    "its form": (422, {"detail": "extra inputs are not permitted"}, "model.model, max_tokens, temperature"),
    "the key": (401, fault("wrong key"), "check that OPENAI_API_KEY (model.api_key_env names another variable) holds"),
    "the rights": (403, fault("not you"), "check that OPENAI_API_KEY"),
    "the account": (402, fault("no money left"), "check the credit and limits of the account"),
    "the quota": (429, fault("all spent", "insufficient_quota"), "check the credit and limits of the account"),
    "the model": (
        404,
        fault("no such model"),
        "check that model.model is a model of the endpoint, and model.base_url",
    ),
    "the length": (413, fault("too long"), "the request is too long"),
}


@pytest.mark.parametrize("name", HINTS)
@pytest.mark.parametrize("count", [1, 30], ids=["few", "many"])
def test_error_has_a_hint(factprobe: CommandLine, name: str, count: int) -> None:
    status, reply, hint = HINTS[name]
    with endpoint(lambda body: (status, reply)) as server:
        run = ["kg=trex", "relations=[P36]", f"limit={count}", "model=openai", "model.model=m"]
        line = factprobe.fails("step=all", *run, f"model.base_url={server.base_url}", code=3)
    assert f"{status}: " in line
    assert hint in line


def test_unanswered_question_has_a_hint(factprobe: CommandLine) -> None:
    with endpoint(lambda body: (400, fault("not so")) if "France" in str(body) else (200, completion("x"))) as server:
        run = ["kg=trex", "relations=[P36]", "limit=5", "model=openai", "model.model=m"]
        code, _, err = factprobe("step=all", *run, f"model.base_url={server.base_url}")
    assert code == 0
    assert "4 of 20 questions have no answer of m, most often: 400: not so; check the settings in a request" in err


@pytest.mark.parametrize("number", [-1, 2**53 + 1, 10**30, 10**400], ids=["less than none", "2^53", "10^30", "10^400"])
def test_invalid_token_count_is_unknown(number: int) -> None:
    counted = {**completion("Paris"), "usage": {"prompt_tokens": number, "completion_tokens": 1}}
    with endpoint(lambda body: (200, counted)) as server:
        [response] = asked(server, price={"input": 1, "output": 1})
    assert (response.response, response.usage, response.error) == ("Paris", None, None)
