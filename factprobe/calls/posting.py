"""One call by HTTP to a service that no client library knows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from factprobe.calls.faults import HINTS, call_error
from factprobe.errors import CallError

if TYPE_CHECKING:
    import httpx2

    from factprobe.calls.bounded import BoundedClient


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
    """The response of status 200 to a POST.

    Args:
        client: that is open.
        url: where to.
        key: where the key is looked for, e.g. the name of its variable.
        address: the setting that says where the service is.
        hints: what to look at, by status.
        reason: what the body of another status says of it, None where it says nothing.
        content: the body, as the client takes it.

    Raises:
        CallError: there is no such response.
    """
    import openai

    try:
        answer = await client.post(url, **content)
    except CallError:
        raise
    except Exception as error:  # whatever the transport makes of a name or a header
        raise call_error(error, key=key, address=address, hints=hints) from error
    if answer.status_code != 200:
        status = openai.APIStatusError(answer.reason_phrase, response=answer, body=reason(answer.content))
        raise call_error(status, key=key, address=address, hints=hints)
    return answer
