"""HTTP calls to services without a client library."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from factprobe.calls.call_errors import HINTS, call_error
from factprobe.errors import CallError

if TYPE_CHECKING:
    import httpx2

    from factprobe.calls.bounded_client import BoundedClient


async def post(
    client: BoundedClient,
    url: str,
    *,
    key: str,
    address: str,
    hints: Mapping[int, str] = HINTS,
    reason: Callable[[bytes], object | None],
    **content: Any,
) -> httpx2.Response:
    """Send a POST and return the response of status 200.

    Args:
        client: an open client.
        url: the address.
        key: the source of the key, e.g. the name of its variable.
        address: the setting with the service's address.
        hints: hints by status.
        reason: extracts the reason from the body of another status, None if it has none.
        content: the body, as the client takes it.

    Raises:
        CallError: there is no such response.
    """
    import openai

    try:
        answer = await client.post(url, **content)
    except CallError:
        raise
    except Exception as error:  # for example the transport's errors for invalid names or headers
        raise call_error(error, key=key, address=address, hints=hints) from error
    if answer.status_code != 200:
        status = openai.APIStatusError(answer.reason_phrase, response=answer, body=reason(answer.content))
        raise call_error(status, key=key, address=address, hints=hints)
    return answer
