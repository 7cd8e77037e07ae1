"""A key travels to its endpoint and nowhere else."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.api import ask_model
from factprobe.errors import ConfigError, ModelError
from factprobe.factories import build_model
from tests.models.faults import ECHOES
from tests.models.questions import question
from tests.models.server import Endpoint, completion, endpoint, model_at, send

KEY = "sk-secret-4f9a1c"


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)


def asked(server: Endpoint, **settings: Any) -> Any:
    settings = {"max_retries": 0, "max_concurrency": 1, **settings}
    return ask_model(model_at(server, **settings), [question(1, "first"), question(2)])


@pytest.mark.parametrize("name", ECHOES)
def test_key_that_comes_back_in_an_error_is_not_shown(name: str) -> None:
    with endpoint(lambda body: (200, completion("x")) if "first" in str(body) else ECHOES[name](KEY)) as server:
        response = asked(server)[1]
    assert server.keys == {f"Bearer {KEY}"}
    assert response.error
    assert KEY[:6] not in response.error.replace("***", "")


def test_run_error_hides_the_key() -> None:
    expected = pytest.raises(ModelError, match=r"Incorrect API key provided: \*\*\*;")
    with endpoint(lambda body: ECHOES["an error that ends the run"](KEY)) as server, expected as caught:
        asked(server)
    assert caught.value.__cause__ is None  # which a traceback would print
    assert caught.value.__context__ is None


def test_key_in_the_text_of_a_reply_is_hidden() -> None:
    with endpoint(lambda body: (200, completion(f"My key is {KEY}."))) as server:
        assert asked(server)[0].response == "My key is ***."


def test_placeholder_key_is_not_hidden_in_replies(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with endpoint(lambda body: (200, completion("none of them"))) as server:
        assert asked(server)[0].response == "none of them"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_neither_key_nor_questions_follow_a_redirect(status: int) -> None:
    with endpoint(lambda body: (200, completion("Paris"))) as other:
        moved = send(b"", status, Location=f"{other.base_url}/chat/completions")
        with endpoint(lambda body: moved) as server, pytest.raises(ModelError, match=rf"{status}: .*{other.base_url}"):
            asked(server)
        assert len(server.requests) == 1
        assert other.keys == set()


@pytest.mark.parametrize("ending", ["\n", " ", "\r\n"])
def test_white_space_around_a_key_is_no_part_of_it(monkeypatch: pytest.MonkeyPatch, ending: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY + ending)
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        assert asked(server)[0].response == "Paris"
    assert server.keys == {f"Bearer {KEY}"}


@pytest.mark.parametrize("wrong", ["sk-gehe\u00efm-0123", "sk-one\nsk-two", "sk-\x7f-0123456"])
def test_invalid_key(monkeypatch: pytest.MonkeyPatch, wrong: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", wrong)
    with pytest.raises(ConfigError, match="OPENAI_API_KEY has characters that no key has") as caught:
        build_model({"backend": "openai", "model": "m"}).check()
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize("name", [KEY, "gsk_0123456789abcdef", "", "A B", "KEY=x"])
def test_key_in_place_of_its_variable(name: str) -> None:
    with pytest.raises(ConfigError, match=r"^model.api_key_env: is not the name") as caught:
        build_model({"backend": "openai", "model": "m", "base_url": "http://127.0.0.1:1/v1", "api_key_env": name})
    assert len(name) < 8 or name not in str(caught.value)


@pytest.mark.parametrize(
    "settings",
    [{"model": KEY}, {"name": f"my {KEY}"}, {"extra_body": {"user": {"key": KEY}}}, {"json_schema": {"title": KEY}}],
    ids=lambda settings: next(iter(settings)),
)
def test_settings_that_hold_the_key(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="contain the key in OPENAI_API_KEY") as caught:
        build_model({"backend": "openai", "model": "m", **settings})
    assert KEY not in str(caught.value)


@pytest.mark.parametrize(
    "address",
    [
        "http://me:hunter22@host/v1",
        "http://hunter22@host/v1",
        "https://:hunter22@host/v1",
        "http://host/v1?key=hunter22",
        "http://host/v1?page=1&Token=hunt",
        "http://host/v1#hunter22",
        "me:hunter22@host/v1",
        "hunter22",
        "ftp://host/hunter22",
        "http://",
        "http:///hunter22",
        "http://[::hunter22/v1",
        "http://host:hunter22/v1",
        "http://host:99999/hunter22",
        "",
    ],
)
def test_address_that_is_none_or_holds_a_secret(address: str) -> None:
    with pytest.raises(ConfigError, match=r"^model.base_url: ") as caught:
        build_model({"backend": "openai", "model": "m", "base_url": address})
    assert "hunter22" not in str(caught.value)


def test_address_is_that_of_the_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    with (
        endpoint(lambda body: (200, completion("Paris"))) as other,
        endpoint(lambda body: (200, completion("x"))) as server,
    ):
        monkeypatch.setenv("OPENAI_BASE_URL", other.base_url)
        monkeypatch.setattr("factprobe.models.providers.openai._OPENAI", server.base_url)
        asked(server, base_url=None)
    assert (len(other.requests), len(server.requests)) == (0, 2)
