"""HTTP client that limits the size of response bodies, since a small compressed body may expand to gigabytes."""

from __future__ import annotations

import os
import ssl
from functools import cache
from typing import Any

import httpx2
import openai

from factprobe.calls.environment import with_environment
from factprobe.errors import CallError

MAX_BODY_BYTES = 32 << 20
"""Maximum size of a decompressed body in bytes; the largest known, with log-probabilities, have a few million."""


class BoundedClient(openai.DefaultAioHttpClient):
    """HTTP client that reads a response body in chunks, and raises an error above `MAX_BODY_BYTES`."""

    def __init__(self, **settings: Any) -> None:
        """Open the client; raise a `ConfigError` if an environment variable for proxies or certificates is invalid."""
        with_environment(lambda: super(BoundedClient, self).__init__(verify=_tls_context(*_authorities()), **settings))

    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        """Send a request and read the whole body; raise a `CallError` if it is too long."""
        response = await super().send(request, **{**settings, "stream": True})
        chunks, size = [], 0
        try:
            async for chunk in response.aiter_bytes():
                chunks.append(chunk)
                size += len(chunk)
                if size > MAX_BODY_BYTES:
                    raise CallError(f"the endpoint sent more than {MAX_BODY_BYTES >> 20} MB for one call", charged=True)
        finally:
            await response.aclose()
        headers = response.headers.copy()
        headers.pop("content-encoding", None)
        return httpx2.Response(response.status_code, headers=headers, content=b"".join(chunks), request=request)


def _authorities() -> tuple[str | None, str | None]:
    return os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR")


@cache
def _tls_context(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    """Return the TLS context that all clients with these authorities share, since loading it takes 20 ms."""
    return httpx2.create_ssl_context()
