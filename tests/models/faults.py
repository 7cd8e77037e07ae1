"""What endpoints do wrong, for the tests and for `benchmarks/faults.py`."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from typing import Any

from tests.models.server import Behaviour, chunked, completion, fault, hang_up, raw, reset, send

Wrong = Behaviour | tuple[int, dict[str, Any]]

PARIS = json.dumps(completion("Paris")).encode()

PASSING: dict[str, Wrong] = {
    **{str(status): (status, fault("try again")) for status in (408, 409, 429, 500, 503, 529)},
    "502 with a page": send(b"<html>bad gateway</html>", 502, Content_Type="text/html"),
    "504 without a body": send(b"", 504),
    "reset before the answer": reset(),
    "reset in mid-body": reset(b'{"choices": ['),
    "closed in mid-body": hang_up,
    "broken gzip": send(b"no gzip", Content_Encoding="gzip"),
    "SSH": raw(b"SSH-2.0-OpenSSH_9.6\r\n"),
    "TLS": raw(b"\x15\x03\x01\x00\x02\x02\x46"),
    "two lengths": raw(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}x"),
    "a length below zero": raw(b"HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n{}"),
    "a length that is no number": raw(b"HTTP/1.1 200 OK\r\nContent-Length: two\r\n\r\n{}"),
    "a header of 10 KB": raw(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 10_000 + b"\r\nContent-Length: 2\r\n\r\n{}"),
    "204 with a body": raw(b"HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\n{}"),
    "a status of letters": raw(b"HTTP/1.1 OK fine\r\n\r\n"),
    "a broken chunk": raw(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n"),
    "a page": send(b"<html>it works</html>"),
    "a cut-off body": send(PARIS[:50]),
    "no choices": send(b'{"choices": []}'),
}
"""What is tried again."""

FINAL: dict[str, tuple[Wrong, str]] = {
    "400": ((400, fault("too long")), "400: too long"),
    "402": ((402, fault("no money left")), "402: no money left"),
    "403": ((403, fault("not here")), "403: not here"),
    "404": ((404, fault("no such model")), "404: no such model"),
    "422": ((422, {"detail": [{"loc": ["body"], "msg": "no temperature"}]}), "no temperature"),
    "no quota": ((429, fault("you have spent all", "insufficient_quota")), "429: you have spent all"),
    "a string": ((400, {"error": "a plain string"}), "a plain string"),
    "no message": ((400, {"error": {"message": None}}), "400"),
    "a list": ((400, {"error": ["a list"]}), "a list"),
    "deep": (send(b"[" * 100_000, 400), "400"),
    "no UTF-8": (send(b"\xff\xfe\x00", 400), "400"),
}
"""What is asked once, with a part of its error."""


def _with_status(status: int, message: str, **fields: Any) -> Wrong:
    return status, {"error": {"message": message, **fields}}


_AZURE = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."
FILTERED: dict[str, Wrong] = {
    "Azure": _with_status(400, _AZURE, code="content_filter", innererror={"code": "ResponsibleAIPolicyViolation"}),
    "LiteLLM's proxy before Azure": _with_status(
        400, f"litellm.BadRequestError: AzureException BadRequestError - {_AZURE}", type=None, param=None, code="400"
    ),
    "LiteLLM's proxy, by its class": _with_status(
        400, "litellm.BadRequestError: litellm.ContentPolicyViolationError: AzureException - no", code="400"
    ),
    "a proxy that quotes the error": _with_status(
        500, "Error code: 400 - {'error': {'message': 'no', 'code': 'content_filter'}}", code="500"
    ),
    "OpenAI's policy": _with_status(400, "Your request was rejected.", code="content_policy_violation"),
    "OpenAI's prompt": _with_status(
        400, "Invalid prompt: your prompt was flagged as potentially violating our usage policy.", code="invalid_prompt"
    ),
    "DashScope": _with_status(
        400,
        "<400> InternalError.Algo.DataInspectionFailed: Input text data may contain inappropriate content.",
        code="data_inspection_failed",
        type="data_inspection_failed",
    ),
    "DashScope's own protocol": (400, {"code": "DataInspectionFailed", "message": "no", "request_id": "r1"}),
    "OpenRouter": _with_status(
        403, "It needs moderation.", code=403, metadata={"reasons": ["violence"], "flagged_input": "The capital"}
    ),
    "OpenRouter's message alone": _with_status(403, "m requires moderation and your input was flagged", code=403),
    "OpenRouter, status 200": _with_status(200, "no", code=403, metadata={"reasons": ["x"], "flagged_input": "The"}),
    "DeepSeek": _with_status(400, "Content Exists Risk", type="invalid_request_error", code="invalid_request_error"),
    "Zhipu": (400, {"contentFilter": [{"level": 1}], "error": {"code": "1301", "message": "no"}}),
    "Moonshot": _with_status(
        400, "The request was rejected because it was considered high risk", type="content_filter"
    ),
    "Volcengine": _with_status(400, "no", code="SensitiveContentDetected", type="BadRequest"),
    "xAI": (403, {"code": "denied", "error": "Content violates usage guidelines. Failed check: SAFETY"}),
    "Anthropic": _with_status(400, "Output blocked by content filtering policy", type="invalid_request_error"),
    "Databricks": (400, {"input_guardrail": [{"flagged": True}], "finishReason": "input_guardrail_triggered"}),
    "MiniMax": (
        200,
        {"choices": None, "input_sensitive": True, "base_resp": {"status_code": 1026, "status_msg": "no"}},
    ),
    "Gemini": (200, {"choices": [], "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}}),
    "Azure, status 200": (
        200,
        {"choices": [], "prompt_filter_results": [{"content_filter_results": {"hate": {"filtered": True}}}]},
    ),
    "a choice that says so": (
        200,
        {"choices": [{"message": {"content": ""}, "error": {"code": 403, "metadata": {"flagged_input": "The"}}}]},
    ),
}
"""Errors that say that a content filter stopped the call, by who sends them."""

NOT_FILTERED: dict[str, Wrong] = {
    "a setting of that name": _with_status(400, "Unrecognized request argument supplied: content_filter", code=None),
    "a setting that is quoted": _with_status(400, "'content_filter' is no parameter", param="content_filter"),
    "a form that is checked": (422, {"detail": [{"loc": ["body", "safety_settings"], "type": "extra_forbidden"}]}),
    "a model that is not allowed": _with_status(403, "Key limit exceeded", code=403),
    "filters that let it through": _with_status(
        400, "too long", code="context_length_exceeded", content_filter_result={"hate": {"filtered": False}}
    ),
}
"""Errors of requests that speak of filters or of permissions and are none of a filter."""

UNREADABLE: list[tuple[bytes, str]] = [
    (b"<html>it works</html>", "<html>it works</html>"),
    (PARIS[:50], '{"id": "c1"'),
    (b"", "truncated"),
    (b"null", "no completion"),
    (b"[]", "no completion"),
    (b"[" * 100_000, "no completion"),
    (b'{"choices": ' + b"[" * 100_000, "no completion"),
    (b"{}", "no choices"),
    (b'{"choices": null}', "no choices"),
    (b'{"choices": []}', "no choices"),
    (b'{"choices": [null]}', "no completion"),
    (b'{"error": {"message": "out of memory"}}', "out of memory"),
    (b"\xff\xfe", "no completion"),
]
"""Bodies with status 200 that are no completion, with a part of their error; they may pass, and are tried again."""

FORMS: list[tuple[Any, str]] = [
    ({"content": None}, ""),
    ({}, ""),
    ({"content": [{"type": "text", "text": "Par"}, {"type": "text", "text": "is"}]}, "Paris"),
    ({"content": [{"type": "image_url", "image_url": {}}, {"type": "text", "text": "Paris"}]}, "Paris"),
    ({"content": []}, ""),
    ({"content": "Paris", "refusal": None, "tool_calls": [], "reasoning_content": "Hm."}, "Paris"),
    ({"content": "Paris", "refusal": False, "role": 7}, "Paris"),
    ({"content": {"type": "text", "text": "Paris"}}, "Paris"),
    ({"content": {"answer": "Paris"}}, '{"answer": "Paris"}'),
    ({"content": ["Par", {"type": "text", "text": "is"}, {"type": "text", "text": None}]}, "Paris"),
    ({"content": 1906}, "1906"),
    ("Paris", "Paris"),
]
"""Messages that are answers, with their text."""


def with_value(name: str, value: str) -> bytes:
    """Return a completion that says "Paris", one of its values replaced by JSON, or by what is none."""
    fields = {
        "index": "0",
        "finish_reason": '"stop"',
        "logprobs": "null",
        "usage": '{"prompt_tokens": 7, "completion_tokens": 2}',
        name: value,
    }
    usage = fields.pop("usage")
    rest = ", ".join(f'"{key}": {one}' for key, one in fields.items())
    return f'{{"choices": [{{"message": {{"content": "Paris"}}, {rest}}}], "usage": {usage}}}'.encode()


UNREADABLE_VALUES: dict[str, bytes] = {
    **{
        f"the log-probability {value}": with_value(
            "logprobs", f'{{"content": [{{"token": "Par", "logprob": -0.5}}, {{"token": "is", "logprob": {value}}}]}}'
        )
        for value in ("NaN", '"low"', '"-0.5"', "null", "[]", "3.0", "1" * 5000)
    },
    **{
        f"the log-probabilities {value}": with_value("logprobs", value) for value in ('"none"', "[1]", '{"content": 7}')
    },
    "the older log-probabilities": with_value("logprobs", '{"token_logprobs": [null, NaN]}'),
    **{
        f"the usage {value[:40]}": with_value("usage", value)
        for value in (
            '"much"',
            "[7]",
            '{"prompt_tokens": "x"}',
            '{"prompt_tokens": NaN}',
            f'{{"prompt_tokens": {"9" * 5000}}}',
        )
    },
}
"""Completions that say "Paris", with a value beside it that cannot be read."""

ODD_VALUES: dict[str, bytes] = {
    **{f"the index {value}": with_value("index", value) for value in ("NaN", '"first"', "[]", "null")},
    **{f"the finish reason {value}": with_value("finish_reason", value) for value in ("NaN", "7", '{"type": "stop"}')},
    "a total of tokens": with_value("usage", '{"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": "nine"}'),
    "a key that nobody knows": with_value("odd", "NaN"),
}
"""Completions that say "Paris", with an odd value beside it that nothing hangs on."""

ODD_TEXTS: dict[str, tuple[bytes, str]] = {
    "no UTF-8": (b'{"choices": [{"message": {"content": "Par\xff"}}]}', "Par\ufffd"),
    "a line break as it is": (b'{"choices": [{"message": {"content": "Par\nis"}}]}', "Par\nis"),
}
"""Completions whose text is no JSON in all strictness."""

ENCODED: dict[str, Wrong] = {
    "chunked": chunked(PARIS),
    "bytewise": chunked(PARIS, 1),
    "gzip": send(gzip.compress(PARIS), Content_Encoding="gzip"),
    "byte-order mark": send(b"\xef\xbb\xbf" + PARIS),
    "UTF-16": send(PARIS.decode().encode("utf-16")),
    "UTF-8 called Latin-1": send(PARIS, Content_Type="application/json; charset=iso-8859-1"),
}
"""A completion in other coats."""

LATIN = '{"choices": [{"message": {"content": "Orléans"}}]}'.encode("latin-1")
DECLARED: dict[str, tuple[Wrong, str]] = {
    "Latin-1": (send(LATIN, Content_Type="application/json; charset=iso-8859-1"), "Orléans"),
    "an unknown encoding": (send(LATIN, Content_Type="application/json; charset=nonsense"), "Orl\ufffdans"),
    "none, which is no UTF-8": (send(LATIN), "Orl\ufffdans"),
}
"""Completions in an encoding that the endpoint declares, and what is read."""

ECHOES: dict[str, Callable[[str], Wrong]] = {
    "an error": lambda key: (400, fault(f"the key {key} may not do that")),
    "an error that ends the run": lambda key: (401, fault(f"Incorrect API key provided: {key}")),
    "an error without a message": lambda key: (400, {"detail": {"header": f"Bearer {key}"}}),
    "a page": lambda key: send(f"<html>{key}</html>".encode(), 400),
    "no completion": lambda key: send(f"<html>{key}</html>".encode()),
    "a cut": lambda key: send(b"x" * 188 + key.encode()),
    "a longer cut": lambda key: (400, fault("x" * 480 + key)),
    "no choices": lambda key: (200, {"choices": [], "key": key}),
}
"""Answers that hold a key, which all are errors."""
