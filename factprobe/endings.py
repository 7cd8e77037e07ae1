"""Finish reasons of endpoints, and warnings about replies that did not end normally."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

from factprobe.text import format_count

Ending = Literal["", "cut", "filtered", "refused", "broken"]
"""Ending of a reply; empty if it is normal or unknown.

A reply with the ending `broken` was interrupted by an error and does not count as a reply.
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
"""By ending: finish reasons of OpenAI, Anthropic, Gemini, Bedrock, Cohere, Mistral, DeepSeek, Zhipu, OpenRouter, vLLM
and others, separated by spaces.
"""
_ENDINGS = {word.replace("_", ""): ending for ending, words in _REASONS.items() for word in words.split()}
_NO_LETTERS = re.compile(r"[\W\d_]+")
_MAX_LENGTH = 200
REFUSAL, FILTERED = "refusal", "content_filter"
"""Finish reasons that are recorded if an endpoint reports a refusal or a filter in another way."""


def ending_of(reason: object) -> Ending:
    """Classify a finish reason such as `MAX_TOKENS`, `FinishReason.SAFETY` or `content_filter: RECITATION`.

    An unknown finish reason gives the empty ending, even if a known one is part of it.
    """
    if reason == "stop" or not isinstance(reason, str):
        return ""
    word = reason[:_MAX_LENGTH].partition(":")[0].strip().rstrip(".").rpartition(".")[2]
    return _ENDINGS.get(_NO_LETTERS.sub("", word).lower(), "")


def notes(
    endings: Mapping[str, int], empty: int, replies: int, silent: int = 0, *, is_asked: bool = True
) -> Iterator[str]:
    """Yield notes, with hints, on replies that were cut off, filtered or refused, and on empty ones if they are many.

    Args:
        endings: Number of replies with each ending.
        empty: Number of replies that were cut off before any answer.
        replies: Number of all replies.
        silent: Number of replies that ended normally but are empty; they give a note if they are more than half.
        is_asked: True if factprobe asked the model; False for replies from a file, which get another hint.
    """
    number = format_count(replies, "reply", "replies")
    without_answer = f", {empty:,} of them before any answer" if empty else ""
    causes = {
        "cut": f"cut off by max_tokens{without_answer}; set it higher, to thousands for a model that reasons first",
        "filtered": "stopped by a content filter; change the filter, or use another provider",
        "refused": "refused; read some of them, or use another provider",
    }
    for ending, what in causes.items():
        if count := endings.get(ending, 0):
            yield f"of {number} {count:,} ({100 * count / replies:.1f} %) were {what}"
    if 2 * silent > replies:
        hint = "check whether the endpoint answers in another field, such as tool calls, and check model.extra_body"
        hint = hint if is_asked else "check that columns.response= names the right column"
        hint = f"raise max_tokens for a model that reasons, or {hint}"
        verb = "was" if silent == 1 else "were"
        yield f"of {number} {silent:,} ({100 * silent / replies:.1f} %) {verb} empty or reasoning alone; {hint}"
