"""Environment variables about proxies and certificates: one that is wrong is named, not the endpoint's address."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from factprobe.api import ask_model
from factprobe.calls import bounded_client
from factprobe.errors import ConfigError, FactprobeError
from tests.models.questions import question
from tests.models.server import closed_port, completion, endpoint, model_at

VARIABLES = ["SSL_CERT_FILE", "SSL_CERT_DIR", "ALL_PROXY", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"]


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    bounded_client._tls_context.cache_clear()
    yield
    bounded_client._tls_context.cache_clear()


def ask() -> tuple[str, int]:
    """Return the error of a run at an endpoint that works, and how many calls it got."""
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        with pytest.raises(FactprobeError) as found:
            ask_model(model_at(server, max_retries=0), [question()])
        return str(found.value), len(server.requests)


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("SSL_CERT_FILE", "/nowhere/at-all.pem"),
        ("ALL_PROXY", "ftp://127.0.0.1:1"),
        ("http_proxy", "socks4://127.0.0.1:1"),
        ("HTTPS_PROXY", "nonsense://x"),
    ],
)
def test_unusable_variable_is_named(variable: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, value)
    line, calls = ask()
    assert line.startswith(f"the environment variable {variable}: its value {value} cannot be used: ")
    assert line.endswith(", or unset it")
    assert "base_url" not in line
    assert calls == 0


def test_file_without_certificates_is_named(
    write: Callable[[str, str | bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(write("empty.pem", "no certificate")))
    line, _ = ask()
    assert line.startswith("the environment variable SSL_CERT_FILE: ")
    assert "set it to a readable file of certificates" in line


def test_valid_variable_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTPS_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "ftp://127.0.0.1:1")
    line, _ = ask()
    assert line.startswith("the environment variable ALL_PROXY: ")


@pytest.mark.parametrize(
    ("variables", "named"),
    [
        ({"https_proxy": "nonsense://x", "HTTPS_PROXY": "nonsense://x"}, ["https_proxy", "HTTPS_PROXY"]),
        ({"https_proxy": "socks4://h:1", "all_proxy": "socks4://h:2"}, ["https_proxy", "all_proxy"]),
        (
            {"http_proxy": "nonsense://x", "HTTP_PROXY": "http://h:1", "all_proxy": "ftp://h"},
            ["http_proxy", "all_proxy"],
        ),
    ],
    ids=str,
)
def test_all_unusable_variables_are_named(
    variables: dict[str, str], named: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    line, calls = ask()
    where = line.partition(":")[0]
    assert where.startswith("the environment variables ")
    assert {word for word in where.split() if "proxy" in word.lower()} == {*named}
    assert calls == 0


def test_certificates_and_a_proxy_may_both_be_unusable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at-all.pem")
    monkeypatch.setenv("HTTPS_PROXY", "nonsense://x")
    assert ask()[0].startswith("the environment variable SSL_CERT_FILE: ")
    monkeypatch.delenv("SSL_CERT_FILE")
    assert ask()[0].startswith("the environment variable HTTPS_PROXY: ")


@pytest.mark.parametrize("variable", ["ALL_PROXY", "all_proxy", "HTTP_PROXY"])
def test_proxy_that_cannot_be_reached_is_named(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, f"http://127.0.0.1:{closed_port()}")
    line, calls = ask()
    assert "no connection: Cannot connect to host" in line
    assert "ssl" not in line
    assert f"check the proxy in the environment variable {variable}, or unset it" in line
    assert "base_url" not in line
    assert calls == 0


def test_bypassed_proxy_is_not_blamed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", f"http://127.0.0.1:{closed_port()}")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with endpoint(lambda body: (200, completion("Paris"))) as server:
        [response] = ask_model(model_at(server), [question()])
        gone = model_at(server, base_url=f"http://127.0.0.1:{closed_port()}/v1", max_retries=0)
    assert response.response == "Paris"
    with pytest.raises(FactprobeError, match=r"model\.base_url is its address"):
        ask_model(gone, [question()])


def test_client_without_a_fault_of_the_environment_raises_its_own_error() -> None:
    with pytest.raises(TypeError, match="nothing"):
        bounded_client.BoundedClient(nothing=1)


def test_other_services_name_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", "/nowhere/at-all.pem")

    async def main() -> None:
        bounded_client.BoundedClient(headers={"X": "y"})

    with pytest.raises(ConfigError, match=r"^the environment variable SSL_CERT_FILE: "):
        asyncio.run(main())
