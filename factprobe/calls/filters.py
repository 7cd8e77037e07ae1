"""Detection of errors that report that a content filter stopped a prompt or an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from factprobe.endings import ending_of

_ERRORS = (
    "contentpolicyviolation contentpolicyviolationerror responsibleaipolicyviolation datainspectionfailed "
    "sensitivecontentdetected inputtextsensitivecontentdetected outputtextsensitivecontentdetected "
    "inputguardrailtriggered outputguardrailtriggered moderationblocked promptblocked contentblocked "
    "contentfiltererror contentfilterfinishreasonerror contentmoderationerror guardrailblocked "
    "usagepolicyviolation cyberpolicyviolation safetyviolation inputmoderation outputmoderation"
)
_NAMES = frozenset(_ERRORS.split())
"""Error names without separators between words; they may stand anywhere in a text, since no setting is called so."""
_NUMBERS = {"code": ("1301",), "status_code": (1026, 1027)}
"""Error numbers of Zhipu and MiniMax by their key."""
_NAMING = ("code", "type", "reason", "status", "error_type", "finish_reason", "block_reason", "blockReason")
"""Keys whose values are error names."""
_FLAGS = ("filtered", "flagged", "blocked", "input_sensitive", "output_sensitive", "flagged_input")
"""Keys that report a filter if their value is true."""
_SENTENCES = (
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
"""Lower-case parts of messages, for endpoints without error names and proxies that drop the names."""
_QUOTED = re.compile(rf"""['"](?:{"|".join(_NAMING)})['"]\s{{0,9}}:\s{{0,9}}['"](\w{{1,80}})['"]""")
"""Pattern of a key with an error name, in JSON or Python's notation, within a text."""
_WORD = re.compile(r"\w{10,80}")
_LOOKED_AT = 20_000
_DEEPEST = 8


def is_filtered(error: object) -> bool:
    """Return whether an endpoint's error, decoded or as text, reports a content filter."""
    return any(_reports_filter(key, value) for key, value in _iterate_values("", error, _DEEPEST))


def _iterate_values(key: str, found: object, depth: int) -> Iterator[tuple[str, object]]:
    """Yield the values in an error with their keys, down to a depth."""
    yield key, found
    if depth and isinstance(found, Mapping):
        for name, value in found.items():
            yield from _iterate_values(str(name), value, depth - 1)
    elif depth and isinstance(found, list):
        for value in found:
            yield from _iterate_values(key, value, depth - 1)


def _reports_filter(key: str, value: object) -> bool:
    if key in _FLAGS and value and not isinstance(value, Mapping):
        return True
    if value in _NUMBERS.get(key, ()):
        return True
    if not isinstance(value, str):
        return False
    if key in _NAMING and _names_filter(value):
        return True
    text = value[:_LOOKED_AT]
    return (
        any(_normalise_key(word) in _NAMES for word in _WORD.findall(text))
        or any(sentence in text.lower() for sentence in _SENTENCES)
        or any(map(_names_filter, _QUOTED.findall(text)))
    )


def _names_filter(name: str) -> bool:
    return _normalise_key(name) in _NAMES or ending_of(name) == "filtered"


def _normalise_key(name: str) -> str:
    return name.replace("_", "").replace("-", "").lower()
