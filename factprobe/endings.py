"""Finish reasons of endpoints, and their meaning for answers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from factprobe.text import format_count

Ending = Literal["", "cut", "filtered", "refused", "broken"]
"""End of a reply: empty if it ended by itself or its end is unknown. A reply that is `broken` by an error does not
count as a reply.
"""

_REASONS: dict[Ending, str] = {
    "": "stop stop_sequence end_turn eos eos_token complete completed finished tool_call tool_calls tool_use "
    "function_call",
    "cut": "length max_length max_tokens max_output_tokens max_completion_tokens max_new_tokens token_limit "
    "error_limit model_length context_length context_length_exceeded model_context_window_exceeded",
    "filtered": "content_filter content_filtered content_policy_violation safety recitation language blocklist spii "
    "prohibited_content image_safety image_recitation image_prohibited_content model_armor guardrail_intervened "
    "error_toxic sensitive",
    "refused": "refusal refused",
    "broken": "error abort aborted cancelled canceled timeout network_error server_error insufficient_system_resource",
}
"""Finish reasons of OpenAI, Anthropic, Gemini, Bedrock, Cohere, Mistral, DeepSeek, Zhipu, OpenRouter, vLLM and others,
by ending.
"""
_ENDINGS = {word.replace("_", ""): ending for ending, words in _REASONS.items() for word in words.split()}
_NO_LETTERS = re.compile(r"[\W\d_]+")
_LOOKED_AT = 200
REFUSAL, FILTERED = "refusal", "content_filter"
"""Finish reasons recorded for endpoints that report a refusal or a filter in another way."""


def ending_of(reason: object) -> Ending:
    """Classify a finish reason such as `MAX_TOKENS`, `FinishReason.SAFETY` or `content_filter: RECITATION`.

    Unknown finish reasons give the empty ending, whatever words they contain.
    """
    if reason == "stop" or not isinstance(reason, str):
        return ""
    word = reason[:_LOOKED_AT].partition(":")[0].strip().rstrip(".").rpartition(".")[2]
    return _ENDINGS.get(_NO_LETTERS.sub("", word).lower(), "")


def notes(
    endings: Mapping[str, int], empty: int, replies: int, silent: int = 0, *, is_asked: bool = True
) -> Iterator[str]:
    """Yield notes on replies that did not end by themselves or are mostly empty, with hints.

    Args:
        endings: Number of replies with each ending.
        empty: Number of cut replies without an answer.
        replies: Number of all replies.
        silent: Number of replies without an answer that ended by themselves; a small share is normal and gives no note.
        is_asked: False for replies from a file, whose endpoint is unknown.
    """
    of = format_count(replies, "reply", "replies")
    before = f", {empty:,} of them before any answer" if empty else ""
    causes = {
        "cut": f"cut off by max_tokens{before}; set it higher, to thousands for a model that reasons first",
        "filtered": "stopped by a content filter; change the filter, or use another provider",
        "refused": "refused; read some of them, or use another provider",
    }
    for ending, what in causes.items():
        if count := endings.get(ending, 0):
            yield f"of {of} {count:,} ({100 * count / replies:.1f} %) were {what}"
    if 2 * silent > replies:
        hint = "check whether the endpoint answers in another field, such as tool calls, and check model.extra_body"
        hint = hint if is_asked else "check that columns.response= names the right column"
        hint = f"raise max_tokens for a model that reasons, or {hint}"
        verb = "was" if silent == 1 else "were"
        yield f"of {of} {silent:,} ({100 * silent / replies:.1f} %) {verb} empty or reasoning alone; {hint}"
