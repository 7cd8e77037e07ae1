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
    """Send a POST request and return the response, which has the status 200.

    Args:
        client: HTTP client.
        url: Address of the service.
        key: Source of the API key, for errors, such as the name of its environment variable.
        address: Setting with the address of the service, for errors.
        hints: Hints of errors by status, which may have `{key}` and `{address}` as placeholders.
        reason: Function that extracts the reason of an error from a response body; None if there is none.
        content: Content and headers of the request, passed to the client.

    Raises:
        CallError: The call fails, or its status is not 200.
    """
    import openai

    try:
        answer = await client.post(url, **content)
    except CallError:
        raise
    except Exception as error:  # the transport also raises errors for invalid names or headers
        raise call_error(error, key=key, address=address, hints=hints) from error
    if answer.status_code != 200:
        status = openai.APIStatusError(answer.reason_phrase, response=answer, body=reason(answer.content))
        raise call_error(status, key=key, address=address, hints=hints)
    return answer
