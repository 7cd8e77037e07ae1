"""What finish reasons mean, and what is told of replies that did not end by themselves."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.endings import Ending, ending_of, notes

MEANINGS: dict[Ending, list[object]] = {
    "": [
        *(
            "stop",
            "STOP",
            "end_turn",
            "stop_sequence",
            "tool_calls",
            "eos_token",
            "COMPLETE",
            "FinishReason.STOP",
            None,
        ),
        *("", "something else", "stop: no error", 3, 1.5, True, ["length"], {"type": "length"}, "nonlength"),
        *(
            "model stopped: no error",
            "no error",
            "finished without error",
            "not an error: stop",
            "error-free",
            "no_error",
        ),
        *("stopped (error: none)", "stop, error and length are possible", "neither refused nor filtered", "a.b", "."),
        "x" * 10_000,
    ],
    "cut": [
        *("length", "LENGTH", "max_tokens", "MAX_TOKENS", "FinishReason.MAX_TOKENS", "max-tokens", "maxTokens"),
        *("model_length", "model_context_window_exceeded", " length\n", "\x1blength"),
        *("types.FinishReason.MAX_TOKENS", "max tokens", "length.", "MAX_TOKENS: no error"),
    ],
    "filtered": [
        *("content_filter", "content-filter", "contentFilter", "SAFETY", "RECITATION", "PROHIBITED_CONTENT"),
        *("content_filter: RECITATION", "guardrail_intervened", "ERROR_TOXIC", "sensitive"),
    ],
    "refused": ["refusal", "REFUSAL"],
    "broken": [
        *("error", "ERROR", "error: upstream is gone: length", "abort", "network_error"),
        "insufficient_system_resource",
    ],
}


@pytest.mark.parametrize(("ending", "reason"), [(ending, one) for ending, all_ in MEANINGS.items() for one in all_])
def test_meaning_of_finish_reasons(ending: Ending, reason: object) -> None:
    assert ending_of(reason) == ending


@given(st.text() | st.binary() | st.none() | st.integers() | st.dictionaries(st.text(), st.text()))
def test_anything_is_a_finish_reason(reason: object) -> None:
    assert ending_of(reason) in MEANINGS


def test_endings_are_reported_with_share_and_hint() -> None:
    assert list(notes({"cut": 12, "filtered": 3, "refused": 1, "": 4}, 5, 2000)) == [
        "of 2,000 replies 12 (0.6 %) were cut off by max_tokens, 5 of them before any answer; "
        "set it higher, to thousands for a model that reasons first",
        "of 2,000 replies 3 (0.1 %) were stopped by a content filter; change the filter, or use another provider",
        "of 2,000 replies 1 (0.1 %) were refused; read some of them, or use another provider",
    ]
    [cut] = notes({"cut": 20}, 0, 20)
    assert cut.startswith("of 20 replies 20 (100.0 %) were cut off by max_tokens; set it higher")
    assert list(notes({"": 20}, 0, 20)) == []
    assert list(notes({}, 0, 0)) == []
    [empty] = notes({}, 0, 40, 21)
    assert empty.startswith(
        "of 40 replies 21 (52.5 %) were empty or reasoning alone; raise max_tokens for a model that "
    )
    assert "reasons, or check whether the endpoint answers in another field" in empty
    assert list(notes({}, 0, 40, 20)) == []
    assert list(notes({}, 0, 1, 1, is_asked=False)) == [
        "of 1 reply 1 (100.0 %) was empty or reasoning alone; "
        "raise max_tokens for a model that reasons, or check that columns.response= names the right column"
    ]
