"""HTTP client with a limit on the size of bodies, since a small compressed body may expand to gigabytes."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx2
import openai

from factprobe.calls.environment import with_environment
from factprobe.errors import CallError

LONGEST_BODY = 32 << 20
"""Maximum bytes of a decompressed body; the longest answers with log-probabilities have a few million."""


class BoundedClient(openai.DefaultAioHttpClient):
    """Client that reads a body piece by piece, up to the maximum length of an answer."""

    def __init__(self, **settings: Any) -> None:
        """Open the client.

        Raises:
            ConfigError: an environment variable about proxies or certificates cannot be used.
        """
        with_environment(lambda: super(BoundedClient, self).__init__(verify=_trusted(), **settings))

    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        """Send a request and read the whole body.

        Raises:
            CallError: it is longer than any answer.
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
def _trusted() -> ssl.SSLContext:
    """Return the trusted authorities, loaded once for all clients, since this takes 20 ms."""
    return httpx2.create_ssl_context()
