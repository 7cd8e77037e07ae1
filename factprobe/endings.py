"""How answers end: what the many finish reasons of endpoints mean, and what people are told of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Literal

Ending = Literal["", "cut", "filtered", "refused", "broken"]
"""Empty where an answer ended by itself, or nobody knows; broken off by a fault it is no answer."""

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
"""In the words of OpenAI, Anthropic, Gemini, Bedrock, Cohere, Mistral, DeepSeek, Zhipu, OpenRouter, vLLM and others."""
_ENDINGS = {word.replace("_", ""): ending for ending, words in _REASONS.items() for word in words.split()}
_NO_LETTERS = re.compile(r"[\W\d_]+")
_LOOKED_AT = 200
REFUSAL, FILTERED = "refusal", "content_filter"
"""What is written where the endpoint says it otherwise than by a finish reason."""


def ending_of(reason: object) -> Ending:
    """What a known word means, as `MAX_TOKENS`, `FinishReason.SAFETY` or `content_filter: RECITATION`.

    Of any other text nobody knows, whatever words it has.
    """
    if reason == "stop" or not isinstance(reason, str):
        return ""
    word = reason[:_LOOKED_AT].partition(":")[0].strip().rstrip(".").rpartition(".")[2]
    return _ENDINGS.get(_NO_LETTERS.sub("", word).lower(), "")


def notes(endings: Mapping[str, int], empty: int, replies: int, silent: int = 0) -> Iterator[str]:
    """Yield what people are told of replies that did not end by themselves or are mostly empty, and what to do.

    Args:
        endings: how many replies ended in each way.
        empty: how many of those cut hold no answer.
        replies: how many there are in all.
        silent: how many ended by themselves and hold no text; a few of many are answers that say nothing.
    """
    before = f", {empty:,} of them before any answer" if empty else ""
    told = {
        "cut": f"cut off by max_tokens{before}; set it higher, to thousands for a model that reasons first",
        "filtered": "stopped by a content filter; change the filter, or ask another provider",
        "refused": "refused; see what they say, or ask another provider",
    }
    for ending, what in told.items():
        if count := endings.get(ending, 0):
            yield f"of {replies:,} replies {count:,} ({100 * count / replies:.1f} %) were {what}"
    if 2 * silent > replies:
        hint = "see whether the endpoint answers in another field, as by tool calls, and what model.extra_body holds"
        yield f"of {replies:,} replies {silent:,} ({100 * silent / replies:.1f} %) were empty; {hint}"
