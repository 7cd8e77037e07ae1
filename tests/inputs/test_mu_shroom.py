"""Mu-SHROOM's format: what is read of a record, what is refused, and what a detection becomes."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from factprobe.inputs.base import UnusableError
from factprobe.inputs.mu_shroom import mu_shroom_detection, mu_shroom_item, mu_shroom_label, span_fields
from factprobe.inputs.shroom import detection_record
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection

RECORD: dict[str, Any] = {
    "id": "val-en-0",
    "lang": "en",
    "model_input": "Where?",
    "model_output_text": "In Lyon.",
    "model_output_tokens": ["In", "ĠLyon", "."],
    "model_output_logits": [1, 2.5, 3],
    "hard_labels": [[3, 7]],
    "soft_labels": [{"start": 3, "prob": 0.75, "end": 7}],
}


def test_record_is_an_item_with_human_marks() -> None:
    item, human = mu_shroom_item(RECORD, "1"), mu_shroom_label(RECORD)
    assert (item.output, item.input, item.language, item.wants_spans) == ("In Lyon.", "Where?", "EN", True)
    assert (item.tokens, item.logits) == (("In", "ĠLyon", "."), (1.0, 2.5, 3.0))
    assert (human.label, human.spans, human.soft_spans) == (HALLUCINATION, ((3, 7),), ((3, 7, 0.75),))


def test_tokens_without_logits_are_left_out() -> None:
    assert mu_shroom_item({**RECORD, "model_output_logits": None}, "1").tokens == ()


def test_hard_labels_follow_from_soft_ones() -> None:
    soft = [*RECORD["soft_labels"], {"start": 0, "end": 2, "prob": 0.5}]
    assert mu_shroom_detection({"id": 1, "soft_labels": soft}).spans == ((3, 7),)
    assert mu_shroom_detection({"id": 1, "hard_labels": []}).label == NOT_HALLUCINATION
    assert mu_shroom_detection({"id": 1, "hard_labels": None}).label is None


@pytest.mark.parametrize(
    ("change", "fault"),
    [
        ({"model_output_text": None}, "has no text under model_output_text"),
        ({"model_output_logits": [1.0]}, "has 3 tokens and 1 logits"),
        ({"model_output_logits": ["a"]}, "is not a list of numbers"),
        ({"model_output_tokens": "In"}, "is not a list of strings"),
        ({"hard_labels": [[3, 9]]}, "the span 3 to 9, which does not lie in its output"),
        ({"hard_labels": [[3]]}, "not two whole numbers"),
        ({"hard_labels": {}}, "is not a list"),
        ({"soft_labels": [{"start": 3, "end": 7, "prob": 2}]}, "with start, end and prob"),
        ({"hard_labels": None, "soft_labels": None}, "has neither hard_labels nor soft_labels"),
    ],
)
def test_broken_records_are_reported(change: dict[str, Any], fault: str) -> None:
    record = {**RECORD, **change}
    read = mu_shroom_label if any("labels" in key for key in change) else partial(mu_shroom_item, name="1")
    with pytest.raises(UnusableError, match=fault):
        read(record)


def test_detection_is_written_in_the_same_format() -> None:
    found = Detection(HALLUCINATION, 0.5, spans=((3, 7),), soft_spans=((3, 7, 0.5),))
    written = detection_record(RECORD, found, "me")
    assert written == {
        **RECORD,
        "soft_labels": [{"start": 3, "end": 7, "prob": 0.5}],
        "detection": written["detection"],
    }
    assert mu_shroom_detection(written).soft_spans == found.soft_spans
    assert detection_record(RECORD, found, "me", is_submission=True).keys() == {"id", "hard_labels", "soft_labels"}


def test_detector_of_whole_texts_marks_all_or_nothing() -> None:
    assert span_fields(Detection(HALLUCINATION, 0.75), "abc") == {
        "hard_labels": [[0, 3]],
        "soft_labels": [{"start": 0, "end": 3, "prob": 0.75}],
    }
    assert span_fields(Detection(NOT_HALLUCINATION, 0.0), "abc") == {"hard_labels": [], "soft_labels": []}
    assert span_fields(Detection(None, None), "abc") == {"hard_labels": None, "soft_labels": None}
