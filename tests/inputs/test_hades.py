"""HaDes' format: the published sample, what is read of a record, what is refused, and the way there and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import DataError
from factprobe.inputs.hades import hades_item, hades_record
from factprobe.inputs.shroom import read_human_labels, read_items
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION

Write = Callable[[str, str | bytes], Path]
RECORD = {"replaced": "he ===made it=== his 100th test cap .", "replaced_ids": [1, 2], "hallucination": 0}


@pytest.mark.shared
def test_published_sample(data: Path) -> None:
    found = {
        name: [text.item for text in read_items(data / f"hades/{name}.txt")] for name in ("train", "valid", "test")
    }
    spans = [item.output[slice(*item.span or ())] for item in found["train"]]
    assert spans == ["dorset", "directed", "current", "contains"]
    assert not any("===" in item.output for items in found.values() for item in items)
    labels = [human.label for _, human in read_human_labels(data / "hades/train.txt").values()]
    assert labels == [HALLUCINATION] + [NOT_HALLUCINATION] * 3
    with pytest.raises(DataError, match="has the label -1, which is withheld"):
        read_human_labels(data / "hades/test.txt")


@pytest.mark.parametrize("left_out", ["replaced_ids", "marks"])
def test_span_is_given_by_marks_or_word_numbers(left_out: str) -> None:
    record: dict[str, Any] = {**RECORD}
    if left_out == "marks":
        record["replaced"] = record["replaced"].replace("===", "")
    else:
        del record["replaced_ids"]
    item = hades_item(record, "1")
    assert (item.output, item.span) == ("he made it his 100th test cap .", (3, 10))


@pytest.mark.parametrize(
    ("change", "what"),
    [
        ({"replaced": 3}, "has a replaced that is not text"),
        ({"replaced": "he ===made it"}, "has 1 signs === in its text"),
        ({"replaced": "===he=== ===made=== it"}, "has 4 signs"),
        ({"replaced": "he ===made=== it"}, "has === around other words than those of replaced_ids"),
        ({"replaced_ids": [1, 99]}, "has replaced_ids that are not the first and last word"),
        ({"replaced_ids": [2, 1]}, "has replaced_ids that are not the first and last word"),
        ({"replaced_ids": [True, 2]}, "has replaced_ids that are not the first and last word"),
        ({"replaced": "he made it", "replaced_ids": None}, "has no span"),
        ({"replaced": "he ====== it", "replaced_ids": None}, "has no span"),
        ({"hallucination": 2}, "has the label 2, where 1 is Hallucination"),
        ({"hallucination": True}, "has the label True"),
        ({"hallucination": None}, "has the label None"),
    ],
)
def test_unusable_record_is_named(write: Write, change: dict[str, Any], what: str) -> None:
    path = write("in.txt", "\n".join(json.dumps(record) for record in (RECORD, {**RECORD, **change})))
    with pytest.raises(DataError) as caught:
        read_human_labels(path)
    assert what in str(caught.value)
    assert "in.txt:2" in str(caught.value)


_WORDS = st.lists(st.text(st.characters(exclude_characters="=", exclude_categories=("Z", "C")), min_size=1), min_size=1)


@given(_WORDS, st.data())
def test_written_records_are_read_back(words: list[str], draw: st.DataObject) -> None:
    first = draw.draw(st.integers(0, len(words) - 1))
    last = draw.draw(st.integers(first, len(words) - 1))
    text = " ".join(words)
    start = len(" ".join(words[:first])) + bool(first)
    span = (start, start + len(" ".join(words[first : last + 1])))
    record = hades_record(text, span, 1)
    assert record["replaced_ids"] == [first, last]
    item = hades_item(record, "1")
    assert (item.output, item.span) == (text, span)
