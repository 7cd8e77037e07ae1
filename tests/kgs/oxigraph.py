"""Oxigraph's server on loopback, and a server before it that fails on purpose."""

from __future__ import annotations

import http.client
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.models.server import Behaviour, Endpoint, closed_port, endpoint, send

Fault = Callable[[str], Behaviour | None]
"""What becomes of a query in the place of its answer, None where it is answered."""


def program() -> str:
    """The server's program, which comes with the package."""
    found = shutil.which("oxigraph", path=str(Path(sys.executable).parent)) or shutil.which("oxigraph")
    if found is None:
        pytest.skip("the package oxigraph is not installed")
    return found


@contextmanager
def serving(arguments: Sequence[str], port: int, folder: Path | None = None) -> Iterator[None]:
    """The program with these arguments, once it listens, until the block ends."""
    quiet = subprocess.DEVNULL
    server = subprocess.Popen([program(), *arguments], cwd=folder, stdout=quiet, stderr=quiet)
    try:
        _wait_for(port)
        yield
    finally:
        server.kill()
        server.wait()


@contextmanager
def oxigraph(data: Path | str, media_type: str = "text/turtle") -> Iterator[str]:
    """The address for queries of a server that holds a file, or a text."""
    port = closed_port()
    here = f"127.0.0.1:{port}"
    with serving(["serve", "--bind", here], port):
        url = f"http://{here}/query"
        load(url, data, media_type)
        yield url


def load(url: str, data: Path | str, media_type: str = "text/turtle") -> None:
    """Adds a file, or a text, to what the server at an address for queries holds."""
    body = data.read_bytes() if isinstance(data, Path) else data.encode()
    sent = _post(f"{url.removesuffix('query')}store?default", body, {"Content-Type": media_type})
    assert sent[0] in (201, 204), sent


def _wait_for(port: int) -> None:
    end = time.monotonic() + 30
    while True:
        try:
            with socket.create_connection(("127.0.0.1", port), timeout=1):
                return
        except OSError:
            assert time.monotonic() < end, "oxigraph does not start"
            time.sleep(0.005)


def _post(url: str, body: bytes, headers: dict[str, str]) -> tuple[int, bytes, str]:
    address = urlsplit(url)
    connection = http.client.HTTPConnection(str(address.hostname), address.port, timeout=30)
    try:
        connection.request("POST", f"{address.path}?{address.query}", body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read(), answer.headers.get("Content-Type", "")
    finally:
        connection.close()


def forward(url: str, query: str) -> Behaviour:
    """The answer of the server behind."""
    headers = {"Content-Type": "application/sparql-query", "Accept": "application/sparql-results+json"}
    status, body, kind = _post(url, query.encode(), headers)
    return send(body, status, Content_Type=kind)


@contextmanager
def before(url: str, fault: Fault = lambda query: None) -> Iterator[Endpoint]:
    """A server before another, which answers or fails; `asked` of it counts the queries."""

    def answer(body: dict[str, Any]) -> Behaviour:
        query = str(body["query"])
        return fault(query) or forward(url, query)

    with endpoint(answer, read=_form) as server:
        yield server


def _form(body: bytes) -> dict[str, Any]:
    return {"prompt": parse_qs(body.decode())["query"][0], "query": parse_qs(body.decode())["query"][0]}
