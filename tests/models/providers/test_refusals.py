"""What an endpoint's refusal says: which setting to write otherwise, and the title of a page."""

from __future__ import annotations

import pytest

from factprobe.api import ask_model
from factprobe.errors import ModelError
from tests.models.faults import Wrong
from tests.models.questions import question
from tests.models.server import endpoint, fault, model_at, send

REFUSED: dict[str, tuple[Wrong, str]] = {
    "OpenAI's limit": (
        (400, {"error": {"message": "Unsupported parameter: 'max_tokens'.", "param": "max_tokens", "code": "no"}}),
        "set 'model.extra_body={max_tokens: null, max_completion_tokens: 500}'",
    ),
    "a limit in the message": (
        (400, fault("Unrecognized request argument supplied: max_tokens")),
        "set 'model.extra_body={max_tokens: null, max_completion_tokens: 500}'",
    ),
    "a limit that is too high": ((400, fault("max_tokens is too large: 500")), "set model.max_tokens to a number"),
    "a temperature": (
        (400, {"error": {"message": "Only the default is supported.", "param": "temperature"}}),
        "set model.temperature=null",
    ),
    "a form that is checked": (
        (422, {"detail": [{"loc": ["body", "logprobs"], "msg": "no"}]}),
        "set model.logprobs=false",
    ),
    "a key of the user's": ((400, fault("no such argument: top_k")), "remove top_k from model.extra_body"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_refused_setting_has_a_hint(name: str) -> None:
    wrong, hint = REFUSED[name]
    with endpoint(lambda body: wrong) as server:
        model = model_at(server, max_tokens=500, logprobs=True, extra_body={"top_k": 3})
        with pytest.raises(ModelError) as found:
            ask_model(model, [question()])
    assert f"; {hint}" in str(found.value)


@pytest.mark.parametrize("status", [200, 400, 502])
def test_page_is_shown_by_its_title(status: int) -> None:
    page = b"<!DOCTYPE html><html><head><title>\n502 Bad Gateway &amp; more</title></head><h1>x</h1></html>"
    with endpoint(lambda body: send(page, status, Content_Type="text/html")) as server:
        model = model_at(server, max_retries=0)
        with pytest.raises(ModelError) as found:
            ask_model(model, [question()])
    assert "502 Bad Gateway & more" in str(found.value)
    assert "<" not in str(found.value)
