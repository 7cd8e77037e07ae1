"""Hints for a setting of the request that an endpoint refuses."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_NO_SETTINGS = ("model", "messages", "prompt", "input")
_LIMITS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_SETTINGS = {
    "temperature": "model.temperature=null",
    "logprobs": "model.logprobs=false",
    "response_format": "model.json_schema=null",
}


def suggest_setting_fix(error: object, sent: Mapping[str, Any], extra: Mapping[str, Any]) -> str | None:
    """Return the hint for a setting that an error names; None if it names none.

    Args:
        error: the body of a 400 or 422.
        sent: the request.
        extra: the keys of the request that the user has set.
    """
    texts = list(_texts(error))
    names = [name for name in sent if name not in _NO_SETTINGS]
    said = next((name for name in names if name in texts), None)  # a field of the error that is just the name
    said = said or next((name for name in names for text in texts if re.search(rf"\b{re.escape(name)}\b", text)), None)
    if said is None:
        return None
    value = sent[said]
    if said in _LIMITS:
        if any(re.search(rf"\b{value}\b", text) for text in texts):
            return "set model.max_tokens to a number that the endpoint takes"
        return f"set 'model.extra_body={{{said}: null, {_LIMITS[said]}: {json.dumps(value)}}}'"
    if said in extra:
        return f"leave {said} out of model.extra_body, or set another value"
    left_out = f"'model.extra_body={{{said}: null}}'"
    return f"set {_SETTINGS.get(said, left_out)}"


def _texts(found: object, depth: int = 5) -> Iterator[str]:
    if isinstance(found, str):
        yield found[:5_000]
    elif depth and isinstance(found, Mapping | list):
        for value in found.values() if isinstance(found, Mapping) else found:
            yield from _texts(value, depth - 1)
