"""A chat endpoint on loopback, for tests: answers by a function, and counts what it was asked."""

from __future__ import annotations

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = Callable[[dict[str, Any]], tuple[int, dict[str, Any]]]


def completion(text: str | None, finish_reason: str = "stop") -> dict[str, Any]:
    """A chat completion as an OpenAI-compatible endpoint sends it."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 0,
        "model": "stub",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": finish_reason}],
        "usage": {"prompt_tokens": 7, "completion_tokens": 2, "total_tokens": 9},
    }


class Endpoint:
    """A running server: its address, the requests that came in, and how often each prompt did."""

    def __init__(self, server: ThreadingHTTPServer) -> None:
        self.base_url = f"http://127.0.0.1:{server.server_port}/v1"
        self.requests: list[dict[str, Any]] = []
        self.keys: set[str] = set()
        self.asked: Counter[str] = Counter()


@contextmanager
def endpoint(answer: Answer, delay: float = 0.0) -> Iterator[Endpoint]:
    """Serves `answer` on a free port of 127.0.0.1 until the block ends."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"]))
            if not sent:  # a client that was killed before it sent the body
                return
            body = json.loads(sent)
            here.requests.append(body)
            here.keys.add(self.headers["Authorization"])
            here.asked[str(body["messages"][-1]["content"])] += 1
            time.sleep(delay)
            status, reply = answer(body)
            data = json.dumps(reply).encode()
            with suppress(BrokenPipeError, ConnectionResetError):  # a client that was killed
                self.send_response(status)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Says nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    here = Endpoint(server)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
