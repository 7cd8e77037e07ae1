"""Conversion of errors of HTTP calls to `CallError`: one line without secrets, and whether to retry or give up."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import isnan
from time import time
from typing import Any

from factprobe.calls.environment import environment_hint
from factprobe.calls.filters import is_filtered
from factprobe.errors import CallError
from factprobe.secrecy import hide

_TRANSIENT_STATUSES = (408, 409, 429)
_CONGESTED_STATUSES = (408, 429, 503, 529)
_FATAL_STATUSES = (401, 402, 404)
_UNFILTERED_STATUSES = (401, 402, 404, 429)
"""Statuses that do not depend on the prompt, and so report no content filter."""
_NO_QUOTA_CODE = "insufficient_quota"
_REQUEST_HINT = "check the settings in a request: model.model, max_tokens, temperature and the like"
_KEY_HINT = "check that {key} holds a valid key of the endpoint"
_QUOTA_HINT = "check the credit and limits of the account of the key in {key}"
HINTS = {
    400: _REQUEST_HINT,
    401: _KEY_HINT,
    402: _QUOTA_HINT,
    403: _KEY_HINT + ", also for this model",
    404: "check that model.model is a model of the endpoint, and {address} its address",
    413: "shorten generator.prompts: the request is too long",
    422: _REQUEST_HINT,
}
"""Hints for errors of a model's endpoint, by HTTP status."""
_MAX_REASON_LENGTH = 500
_DEFAULT_SSL = " ssl:default"
"""Text in aiohttp's message on a missing connection, also for addresses without TLS."""
_SEARCHED_CHARACTERS = 100_000
_PAGE_TITLE = re.compile(r"<title[^<>]{0,200}>\s{0,200}([^<]{1,300})</title", re.IGNORECASE)


def call_error(error: Exception, *, key: str, address: str, hints: Mapping[int, str] = HINTS) -> CallError:
    """Convert an exception of openai's client, of its transport, or of a library with the same exceptions.

    A missing connection, an invalid HTTP response, a timeout and the statuses 408, 409, 429 and 5xx are transient.

    Args:
        error: Exception to convert.
        key: Source of the API key, such as the name of its environment variable.
        address: Setting with the address of the endpoint.
        hints: Hints by status, which may have `{key}` and `{address}` as placeholders.
    """
    import aiohttp
    import openai

    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        cause = error.__cause__ or error.__context__ or error  # the client's own message is just "Connection error."
        unreached = isinstance(getattr(cause, "__cause__", None), aiohttp.ClientConnectorError)
        return CallError(
            reason_line(f"no connection: {str(cause).replace(_DEFAULT_SSL, '') or type(cause).__name__}"),
            transient=isinstance(error, openai.APIConnectionError) or not isinstance(error, openai.OpenAIError),
            congested=isinstance(error, openai.APITimeoutError),
            charged=not unreached,
            unreached=unreached,
            hint=environment_hint(error, _request_url(error))
            or f"check that the server runs and {address} is its address",
        )
    body = getattr(error, "body", None)
    fields = body if isinstance(body, dict) else {}
    spent = _NO_QUOTA_CODE in (fields.get("code"), fields.get("type"))  # a 429 that waiting does not help
    response = getattr(error, "response", None)
    reason = fields.get("message") or (page_title(body) if isinstance(body, str) else body) or error
    is_redirect = 300 <= status < 400
    if is_redirect and response is not None:
        reason = f"it redirects calls to {response.headers.get('location')}; set this address"
    return CallError(
        reason_line(f"{status}: {reason}"),
        transient=(status in _TRANSIENT_STATUSES or status >= 500) and not spent,
        congested=status in _CONGESTED_STATUSES,
        retry_after=None if spent or response is None else retry_after(response.headers),
        hopeless=status in _FATAL_STATUSES or spent or is_redirect,
        hint=(_QUOTA_HINT if spent else hints.get(status, "")).format(key=key, address=address) or None,
        filtered=status not in _UNFILTERED_STATUSES and is_filtered([body, type(error).__name__, str(error)]),
    )


def _request_url(error: Any) -> str:
    """Return the URL of a failed call; empty if no request was made."""
    try:
        return str(error.request.url)
    except (AttributeError, RuntimeError):
        return ""


def retry_after(headers: Any) -> float | None:
    """Return the seconds to wait according to `retry-after-ms` or `Retry-After` (RFC 9110, 10.2.3); None without."""
    for name, factor in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * factor
        except ValueError:
            seconds = _seconds_until(value)
        if not isnan(seconds):
            return max(0.0, seconds)
    return None


def _seconds_until(date: str) -> float:
    """Parse an HTTP date into seconds from now; NaN if it is invalid."""
    try:
        moment = parsedate_to_datetime(date)
    except (ValueError, OverflowError):
        return float("nan")
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - time()


def page_title(text: str) -> str:
    """Return the title of an HTML page; any other text is returned unchanged."""
    title = _PAGE_TITLE.search(text[:_SEARCHED_CHARACTERS])
    return html.unescape(title[1]) if title else text


def reason_line(reason: str) -> str:
    """Return a reason as one short line, without secrets, which some endpoints repeat."""
    return " ".join(hide(reason).split())[:_MAX_REASON_LENGTH]
