"""HTTP client that limits the size of response bodies, since a small compressed body may expand to gigabytes."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx2
import openai

from factprobe.calls.environment import with_environment
from factprobe.errors import CallError

LONGEST_BODY = 32 << 20
"""Maximum number of bytes of a decompressed body; the longest responses with log-probabilities have a few million."""


class BoundedClient(openai.DefaultAioHttpClient):
    """HTTP client that reads a response body in chunks, up to `LONGEST_BODY`."""

    def __init__(self, **settings: Any) -> None:
        """Open the client.

        Raises:
            ConfigError: An environment variable for proxies or certificates is invalid.
        """
        with_environment(lambda: super(BoundedClient, self).__init__(verify=_tls_context(), **settings))

    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        """Send a request and read the whole body.

        Raises:
            CallError: The body is too long.
        """
        response = await super().send(request, **{**settings, "stream": True})
        parts, size = [], 0
        try:
            async for part in response.aiter_bytes():
                parts.append(part)
                size += len(part)
                if size > LONGEST_BODY:
                    raise CallError(f"the endpoint sent more than {LONGEST_BODY >> 20} MB for one call", charged=True)
        finally:
            await response.aclose()
        headers = response.headers.copy()
        headers.pop("content-encoding", None)
        return httpx2.Response(response.status_code, headers=headers, content=b"".join(parts), request=request)


@cache
def _tls_context() -> ssl.SSLContext:
    """Return the TLS context of all clients, loaded once, since loading takes 20 ms."""
    return httpx2.create_ssl_context()
