"""Detection of endpoint errors which say that a content filter has stopped a prompt or an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from factprobe.endings import ending_of

_ERROR_NAME_LIST = (
    "contentpolicyviolation contentpolicyviolationerror responsibleaipolicyviolation datainspectionfailed "
    "sensitivecontentdetected inputtextsensitivecontentdetected outputtextsensitivecontentdetected "
    "inputguardrailtriggered outputguardrailtriggered moderationblocked promptblocked contentblocked "
    "contentfiltererror contentfilterfinishreasonerror contentmoderationerror guardrailblocked "
    "usagepolicyviolation cyberpolicyviolation safetyviolation inputmoderation outputmoderation"
)
_ERROR_NAMES = frozenset(_ERROR_NAME_LIST.split())
"""Names of filter errors, without separators between words; they are looked for anywhere in a text."""
_ERROR_NUMBERS = {"code": ("1301",), "status_code": (1026, 1027)}
"""Numbers of filter errors of Zhipu and MiniMax, by the key that holds the number."""
_NAME_KEYS = ("code", "type", "reason", "status", "error_type", "finish_reason", "block_reason", "blockReason")
"""Keys whose values are names of errors."""
_FLAG_KEYS = ("filtered", "flagged", "blocked", "input_sensitive", "output_sensitive", "flagged_input")
"""Keys that report a filter if their value is truthy and not a mapping."""
_MESSAGE_PARTS = (
    "content management policy",  # Azure, also through proxies that pass on only the message
    "content exists risk",  # DeepSeek
    "input was flagged",  # OpenRouter
    "content filtering policy",  # Anthropic
    "considered high risk",  # Moonshot
    "violates usage guidelines",  # xAI
    "violating our usage policy",  # OpenAI
    "blocked by our content filters",  # Bedrock
    "contain inappropriate content",  # DashScope
    "contain sensitive information",  # Volcengine
    "violated guardrail policy",  # LiteLLM
    "blocked due to security configurations",  # Cloudflare
)
"""Lower-case parts of messages, for endpoints without names of errors, and proxies that drop them."""
_QUOTED_ERROR = re.compile(rf"""['"](?:{"|".join(_NAME_KEYS)})['"]\s{{0,9}}:\s{{0,9}}['"](\w{{1,80}})['"]""")
"""Pattern of a key and a name of an error in a text, in JSON or Python notation."""
_WORD = re.compile(r"\w{10,80}")
_SEARCHED_CHARACTERS = 20_000
_MAX_DEPTH = 8


def is_filtered(error: object) -> bool:
    """Return whether the error of an endpoint, as decoded JSON or as text, reports a content filter."""
    return any(_reports_filter(key, value) for key, value in _iterate_values("", error, _MAX_DEPTH))


def _iterate_values(key: str, decoded: object, depth: int) -> Iterator[tuple[str, object]]:
    """Yield each value in a decoded error with its key, down to a depth."""
    yield key, decoded
    if depth and isinstance(decoded, Mapping):
        for name, value in decoded.items():
            yield from _iterate_values(str(name), value, depth - 1)
    elif depth and isinstance(decoded, list):
        for value in decoded:
            yield from _iterate_values(key, value, depth - 1)


def _reports_filter(key: str, value: object) -> bool:
    if key in _FLAG_KEYS and value and not isinstance(value, Mapping):
        return True
    if value in _ERROR_NUMBERS.get(key, ()):
        return True
    if not isinstance(value, str):
        return False
    if key in _NAME_KEYS and _names_filter(value):
        return True
    text = value[:_SEARCHED_CHARACTERS]
    return (
        any(_normalise_key(word) in _ERROR_NAMES for word in _WORD.findall(text))
        or any(sentence in text.lower() for sentence in _MESSAGE_PARTS)
        or any(map(_names_filter, _QUOTED_ERROR.findall(text)))
    )


def _names_filter(name: str) -> bool:
    return _normalise_key(name) in _ERROR_NAMES or ending_of(name) == "filtered"


def _normalise_key(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
