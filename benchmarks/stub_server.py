"""An OpenAI-compatible endpoint that gives every call the same answer after a delay, too light ever to be the limit.

    python benchmarks/stub_server.py --delay 0.2        prints its base URL and serves until it is killed

`GET /stats` tells how many calls came, and when the first came and the last answer went out (seconds since the epoch).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

MODEL = "stub"
_LENGTH = re.compile(rb"\r\ncontent-length: *(\d+)", re.IGNORECASE)


def _http(body: dict[str, Any]) -> bytes:
    content = json.dumps(body).encode()
    return b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: %d\r\n\r\n%s" % (
        len(content),
        content,
    )


def _completion(kind: str, said: dict[str, Any]) -> bytes:
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, **said}
    usage = {"prompt_tokens": 40, "completion_tokens": 3, "total_tokens": 43}
    return _http({"id": "stub", "object": kind, "created": 0, "model": MODEL, "choices": [choice], "usage": usage})


TEXT = "Object 7"
CHAT = _completion("chat.completion", {"message": {"role": "assistant", "content": TEXT}})
PLAIN = _completion("text_completion", {"text": TEXT})


class Stats:
    """What came and went."""

    def __init__(self) -> None:
        self.requests = self.responses = self.connections = 0
        self.first = self.last = 0.0


class Stub(asyncio.Protocol):
    """One connection; the head of a request is looked at for its path and length only."""

    def __init__(self, loop: asyncio.AbstractEventLoop, delay: float, stats: Stats) -> None:
        self.loop, self.delay, self.stats = loop, delay, stats
        self.buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport: Any = transport
        self.stats.connections += 1

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        while (end := self.buffer.find(b"\r\n\r\n")) >= 0:
            length = _LENGTH.search(self.buffer, 0, end)
            size = end + 4 + (int(length[1]) if length else 0)
            if len(self.buffer) < size:
                return
            line = self.buffer[: self.buffer.find(b"\r\n")]
            self.buffer = self.buffer[size:]
            self.request(line)

    def request(self, line: bytes) -> None:
        if line.startswith(b"GET "):
            self.transport.write(_http(vars(self.stats)))
            return
        if not self.stats.requests:
            self.stats.first = time.time()
        self.stats.requests += 1
        content = CHAT if b"/chat/" in line else PLAIN
        if self.delay:
            self.loop.call_later(self.delay, self.respond, content)
        else:
            self.respond(content)

    def respond(self, content: bytes) -> None:
        if self.transport.is_closing():
            return
        self.transport.write(content)
        self.stats.responses += 1
        self.stats.last = time.time()


async def serve(delay: float, port: int) -> None:
    """Serves on loopback, prints its base URL, and goes on until it is killed."""
    loop, stats = asyncio.get_running_loop(), Stats()
    server = await loop.create_server(lambda: Stub(loop, delay, stats), "127.0.0.1", port, backlog=2048)
    print(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1", flush=True)
    await server.serve_forever()


class Endpoint(NamedTuple):
    """A stub that runs as a process of its own."""

    url: str
    process: subprocess.Popen[str]

    def stats(self) -> Stats:
        """What came and went so far."""
        found = Stats()
        with urllib.request.urlopen(self.url.removesuffix("/v1") + "/stats") as response:
            vars(found).update(json.load(response))
        return found


@contextmanager
def endpoint(delay: float, port: int = 0) -> Iterator[Endpoint]:
    """A stub for as long as the block runs."""
    command = [sys.executable, __file__, "--delay", str(delay), "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield Endpoint(process.stdout.readline().strip(), process)
        finally:
            process.terminate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--delay", type=float, default=0.2, help="seconds from the call to its answer")
    parser.add_argument("--port", type=int, default=0, help="by default a free one")
    options = parser.parse_args()
    asyncio.run(serve(options.delay, options.port))


if __name__ == "__main__":
    main()
