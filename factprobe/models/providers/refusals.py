"""Hints on which setting to change if an endpoint rejects a request."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

_REQUIRED_KEYS = ("model", "messages", "prompt", "input")
_LIMIT_SYNONYMS = {"max_tokens": "max_completion_tokens", "max_completion_tokens": "max_tokens"}
_SETTING_HINTS = {
    "temperature": "model.temperature=null",
    "logprobs": "model.logprobs=false",
    "response_format": "model.json_schema=null",
}


def suggest_setting_fix(error: object, sent: Mapping[str, Any], extra: Mapping[str, Any]) -> str | None:
    """Return a hint on the key of the request that an error names; None if it names none.

    `error` is the body of a response with status 400 or 422, and `sent` that of the request. `extra` has the keys of
    `sent` that come from the setting `extra_body`.
    """
    texts = list(_iterate_texts(error))
    names = [name for name in sent if name not in _REQUIRED_KEYS]
    setting = next((name for name in names if name in texts), None)  # some errors have a field with just the name
    within = (name for name in names for text in texts if re.search(rf"\b{re.escape(name)}\b", text))
    setting = setting or next(within, None)
    if setting is None:
        return None
    value = sent[setting]
    if setting in _LIMIT_SYNONYMS:
        if any(re.search(rf"\b{value}\b", text) for text in texts):
            return "set model.max_tokens to a number that the endpoint accepts"
        return f"set 'model.extra_body={{{setting}: null, {_LIMIT_SYNONYMS[setting]}: {json.dumps(value)}}}'"
    if setting in extra:
        return f"remove {setting} from model.extra_body, or set another value"
    removed = f"'model.extra_body={{{setting}: null}}'"
    return f"set {_SETTING_HINTS.get(setting, removed)}"


def _iterate_texts(node: object, depth: int = 5) -> Iterator[str]:
    if isinstance(node, str):
        yield node[:5_000]
    elif depth and isinstance(node, Mapping | list):
        for value in node.values() if isinstance(node, Mapping) else node:
            yield from _iterate_texts(value, depth - 1)
