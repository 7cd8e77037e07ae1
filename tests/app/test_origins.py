"""Who may open the app: its own pages, and nobody's from elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from email.message import Message
from importlib.util import find_spec
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from tests.app.serving import served

if find_spec("nicegui") is None and not os.environ.get("CI"):
    pytest.skip("NiceGUI is not installed (pip install 'factprobe[app]')", allow_module_level=True)

from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

SOCKET = "/_nicegui_ws/socket.io/?EIO=4&transport={}"
STRANGERS = [
    "http://evil.example",
    "http://127.0.0.1",
    "http://127.0.0.1:1",
    "https://{host}",
    "null",
    "http://{host}.evil.example",
]


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with served(tmp_path_factory.mktemp("app"), "model=scripted") as address:
        yield address.removeprefix("http://")


def in_small_letters(headers: Message) -> dict[str, str]:
    return {name.lower(): value for name, value in headers.items()}


def answer(host: str, path: str, **headers: str) -> tuple[int, dict[str, str], bytes]:
    try:
        with urlopen(Request(f"http://{host}{path}", headers=headers), timeout=30) as found:
            return found.status, in_small_letters(found.headers), found.read()
    except HTTPError as error:
        return error.code, in_small_letters(error.headers), error.read()


@pytest.mark.parametrize("origin", STRANGERS)
def test_a_page_from_elsewhere_opens_no_socket(host: str, origin: str) -> None:
    origin = origin.format(host=host)
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(f"ws://{host}{SOCKET.format('websocket')}", origin=Origin(origin)),
    ):
        pass
    assert refused.value.response.status_code in (400, 403)
    status, headers, _ = answer(host, SOCKET.format("polling"), Origin=origin)
    assert status == 400
    assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize("name", ["{host}", "localhost:{port}"])
def test_its_own_page_opens_one(host: str, name: str) -> None:
    name = name.format(host=host, port=host.rpartition(":")[2])
    with connect(f"ws://{name}{SOCKET.format('websocket')}", origin=Origin(f"http://{name}")) as socket:
        assert "sid" in json.loads(str(socket.recv(10))[1:])
    status, _, content = answer(name, SOCKET.format("polling"), Origin=f"http://{name}")
    assert (status, b'"sid"' in content) == (200, True)


@pytest.mark.parametrize("path", ["/", "/probe", "/nothing", SOCKET.format("polling")])
def test_no_page_can_be_framed(host: str, path: str) -> None:
    _, headers, _ = answer(host, path)
    assert (headers["x-frame-options"], headers["content-security-policy"]) == ("DENY", "frame-ancestors 'none'")


def until_it_closes(socket: ClientConnection) -> ConnectionClosed:
    try:
        while True:
            socket.recv(10)
    except ConnectionClosed as error:
        return error


def test_a_message_is_bounded(host: str) -> None:
    with connect(f"ws://{host}{SOCKET.format('websocket')}", origin=Origin(f"http://{host}")) as socket:
        socket.recv(10)
        socket.send("4" + "x" * 1_000_001)
        closed = until_it_closes(socket)
    assert closed.rcvd
    assert closed.rcvd.code == 1009
    assert answer(host, "/")[0] == 200
