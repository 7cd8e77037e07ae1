"""The client's fastest transport, with an end to what is read of an answer: a small body may unpack to gigabytes."""

from __future__ import annotations

import ssl
from functools import cache
from typing import Any

import httpx2
import openai

from factprobe.calls.environment import with_environment
from factprobe.errors import CallError

LONGEST_BODY = 32 << 20
"""Bytes of an unpacked body that are read; the longest answers with all their log-probabilities have a few million."""


class BoundedClient(openai.DefaultAioHttpClient):
    """Reads a body piece by piece, and no further than an answer can reach."""

    def __init__(self, **settings: Any) -> None:
        """Open the client.

        Raises:
            ConfigError: an environment variable about proxies or certificates cannot be used.
        """
        with_environment(lambda: super(BoundedClient, self).__init__(verify=_trusted(), **settings))

    async def send(self, request: httpx2.Request, **settings: Any) -> httpx2.Response:
        """See the base class; the body is always read.

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
    """The authorities that this machine trusts, which take 20 ms to read: once for all clients."""
    return httpx2.create_ssl_context()
