"""A chat endpoint on loopback, for tests: answers or fails by a function, and counts what it was asked."""

from __future__ import annotations

import json
import socket
import struct
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from factprobe.factories import build_model
from factprobe.models import Model

Behaviour = Callable[["Endpoint", BaseHTTPRequestHandler], object]
"""What the server does instead of sending a status and a JSON document."""

Sent = tuple[int, dict[str, Any]] | Behaviour
"""What the server does with a request."""

Answer = Callable[[dict[str, Any]], Sent]


def completion(text: Any, finish_reason: str | None = "stop", **message: Any) -> dict[str, Any]:
    """A chat completion as an OpenAI-compatible endpoint sends it."""
    message = {"role": "assistant", "content": text, **message}
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [{"index": 0, "message": message, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }


def fault(message: str, code: str | None = None) -> dict[str, Any]:
    """The body of an error as an OpenAI-compatible endpoint sends it."""
    return {"error": {"message": message, "type": "error", "code": code}}


class Endpoint:
    """A running server: its address, the requests that came in, and how often each prompt did."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str | None] = set()
        self.asked: Counter[str] = Counter()
        self.at_once = self.most_at_once = 0
        self.closing = threading.Event()
        self._lock = threading.Lock()

    def note(self, body: dict[str, Any], key: str | None) -> None:
        """Counts a request."""
        with self._lock:
            self.requests.append(body)
            self.keys.add(key)
            self.asked[str(body["messages"][-1]["content"] if "messages" in body else body.get("prompt"))] += 1

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Counts how many requests are under way."""
        with self._lock:
            self.at_once += 1
            self.most_at_once = max(self.most_at_once, self.at_once)
        try:
            yield
        finally:
            with self._lock:
                self.at_once -= 1


def model_at(server: Endpoint, **settings: Any) -> Model:
    """The model that the server offers, asked without waiting between tries."""
    return build_model({"backend": "openai", "model": "m", "base_url": server.base_url, "retry_wait": 0.0, **settings})


@contextmanager
def endpoint(
    answer: Answer, delay: float = 0.0, read: Callable[[bytes], dict[str, Any]] = json.loads
) -> Iterator[Endpoint]:
    """Serves `answer` on a free port of 127.0.0.1 until the block ends; `read` makes a mapping of a body."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True  # which holds a body back for 40 ms behind its head

        def do_GET(self) -> None:
            here.note({}, self.headers["Authorization"])
            send(b"", 405)(here, self)

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            if not sent:  # a client that was killed before it sent the body
                return
            body = read(sent)
            here.note(body, self.headers["Authorization"])
            with here.busy(), suppress(BrokenPipeError, ConnectionResetError):  # a client that was killed
                time.sleep(delay)
                found = answer(body)
                behave = found if callable(found) else send(json.dumps(found[1]).encode(), found[0])
                behave(here, self)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    class Server(ThreadingHTTPServer):
        daemon_threads = True
        request_queue_size = 128

        def handle_error(self, *_: object) -> None:
            """A client that was killed in the middle of a request is no error of the server."""

    server = Server(("127.0.0.1", 0), Handler)
    here = Endpoint(server)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield here
    finally:
        here.closing.set()
        server.shutdown()
        server.server_close()
        thread.join()


def send(data: bytes, status: int = 200, **headers: str) -> Behaviour:
    """Sends just these bytes; an underscore in a header's name stands for a hyphen."""

    def behave(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        handler.send_response(status)
        for name, value in {"Content-Type": "application/json", "Content-Length": str(len(data)), **named}.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(data)

    return behave


def raw(data: bytes) -> Behaviour:
    """Sends what need be no HTTP, and closes the connection."""

    def behave(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
        handler.wfile.write(data)
        handler.close_connection = True

    return behave


def chunked(data: bytes, size: int = 7) -> Behaviour:
    """Sends bytes in chunks (RFC 9112, 7.1)."""

    def behave(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("Transfer-Encoding", "chunked")
        handler.end_headers()
        for start in range(0, len(data), size):
            part = data[start : start + size]
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
        handler.wfile.write(b"0\r\n\r\n")

    return behave


def reset(data: bytes = b"") -> Behaviour:
    """Resets the connection, after the head and the first bytes of a longer answer where there are any."""

    def behave(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
        if data:
            send(data, Content_Length="100000")(here, handler)
            handler.wfile.flush()
        handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        handler.close_connection = True
        handler.connection.close()

    return behave


def hang_up(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
    """Closes the connection in order, in the middle of the answer."""
    send(b'{"choices": [', Content_Length="1000")(here, handler)
    handler.close_connection = True


def silence(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
    """Never answers."""
    here.closing.wait()
    handler.close_connection = True


def drip(here: Endpoint, handler: BaseHTTPRequestHandler) -> None:
    """Sends a byte now and then, without an end."""
    send(b"", Content_Length="100000")(here, handler)
    while not here.closing.wait(0.01):
        handler.wfile.write(b" ")


def closed_port() -> int:
    """A port of 127.0.0.1 where nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
