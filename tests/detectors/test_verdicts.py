"""Which replies of a judge are a verdict: one JSON object, and nothing that only looks like one."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.detectors.verdicts import read_verdict
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION

GOOD = '{"verdict": "hallucinated", "reason": ["The year is wrong.", "Nobody is called so."]}'


@pytest.mark.parametrize(
    "reply",
    [
        GOOD,
        f"\n {GOOD}\n",
        f"\ufeff{GOOD}",
        f"```json\n{GOOD}\n```",
        f"```\n{GOOD}\n```",
        f'<think>It may be {{"verdict": "factual", "reason": []}}.</think>{GOOD}',
        json.dumps(json.loads(GOOD), indent=2),
    ],
)
def test_an_object_alone_is_a_verdict(reply: str) -> None:
    assert read_verdict(reply) == (HALLUCINATION, ("The year is wrong.", "Nobody is called so."), "")


def test_a_factual_text_needs_no_reason() -> None:
    assert read_verdict('{"reason": [], "verdict": "factual"}') == (NOT_HALLUCINATION, (), "")
    assert read_verdict('{"reason": [" a\\nb ", " "], "verdict": "factual"}') == (NOT_HALLUCINATION, ("a b",), "")


@pytest.mark.parametrize(
    ("reply", "fault"),
    [
        ("", "the reply is empty"),
        ("```\n \n```", "the reply is empty"),
        ("<think>" + GOOD, "the reply is"),
        ("factual", "not one JSON object"),
        (f"{GOOD} {GOOD}", "not one JSON object"),
        (f"My verdict: {GOOD}", "not one JSON object"),
        (f"```json\n{GOOD}\n```\n```json\n{GOOD}\n```", "not one JSON object"),
        (GOOD[:-1], "not one JSON object"),
        ("{'verdict': 'factual', 'reason': []}", "not one JSON object"),
        (f"[{GOOD}]", "Expected `object`"),
        ('"factual"', "Expected `object`"),
        ('{"verdict": "Factual", "reason": []}', "Invalid enum value 'Factual'"),
        ('{"verdict": "factual or hallucinated", "reason": []}', "Invalid enum value"),
        ('{"verdict": ["factual"], "reason": []}', "$.verdict"),
        ('{"verdict": 0, "reason": []}', "$.verdict"),
        ('{"verdict": null, "reason": []}', "$.verdict"),
        ('{"verdict": "factual"}', "missing required field `reason`"),
        ('{"reason": []}', "missing required field `verdict`"),
        ('{"verdict": "factual", "reason": "fine"}', "$.reason"),
        ('{"verdict": "factual", "reason": [1]}', "$.reason"),
        ('{"verdict": "factual", "reason": [], "score": 0}', "unknown field `score`"),
        ('{"verdict": "factual", "verdict": "hallucinated", "reason": []}', "names a key twice"),
        ('{"verdict": "factual", "reason": NaN}', "$.reason"),
        ("[" * 100_000, "not one JSON object"),
        ('{"verdict":' * 50_000, "not one JSON object"),
    ],
)
def test_anything_else_is_none(reply: str, fault: str) -> None:
    label, reasons, why = read_verdict(reply)
    assert (label, reasons) == (None, ())
    assert fault in why
    assert "\n" not in why


PARTS = ["{", "}", '"verdict"', '"reason"', ":", ",", "[", "]", '"factual"', '"hallucinated"', "\\u0000", "```", "\n"]


@given(st.text() | st.lists(st.sampled_from(PARTS)).map("".join))
def test_any_reply_is_read(reply: str) -> None:
    label, _, why = read_verdict(reply)
    assert (label is None) is bool(why)


def test_half_a_character_in_a_reason_becomes_one_that_a_file_can_hold() -> None:
    found = read_verdict('{"verdict": "factual", "reason": ["a \\ud800 b"]}')
    assert found == (NOT_HALLUCINATION, ("a \ufffd b",), "")


def test_what_is_wrong_with_a_huge_reply_is_told_in_short() -> None:
    for reply in ({"verdict": "x" * 1_000_000, "reason": []}, {"verdict": "factual", "reason": [], "y" * 100_000: 1}):
        label, _, fault = read_verdict(json.dumps(reply))
        assert label is None
        assert fault.startswith("the reply is no verdict: ")
        assert len(fault) < 250
