"""SHROOM's formats: what is read of a record, what is refused, and how predictions find their items."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError
from factprobe.inputs.shroom import detection_record, match_predictions, read_detections, read_human_labels, read_items
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, Detection, DetectorItem, HumanLabel

Write = Callable[[str, str | bytes], Path]
RECORD = {"hyp": "h", "src": "s", "tgt": "t", "task": "DM", "ref": "tgt", "model": ""}


@pytest.fixture
def file(write: Write) -> Callable[..., Path]:
    return lambda *records: write("in.json", json.dumps(records))


@pytest.mark.shared
@pytest.mark.parametrize(("track", "count"), [("agnostic", 499), ("aware", 501)])
def test_published_files(data: Path, track: str, count: int) -> None:
    path = data / f"shroom/val.model-{track}.json"
    assert len(read_items(path)) == count
    labels = read_human_labels(path)
    assert Counter(len(human.annotators) for _, human in labels.values()) == {5: count}
    assert {item.task for item, _ in labels.values()} == {"DM", "MT", "PG"}
    for _, human in labels.values():
        assert human.probability == human.annotators.count(HALLUCINATION) / 5
        assert (human.label == HALLUCINATION) is (human.probability > 0.5)


def test_item_of_shroom_and_of_others(file: Callable[..., Path]) -> None:
    found = read_items(
        file(RECORD, {"id": 7, "output": "o", "input": "i", "context": ["a", " ", "b"]}, {"response": "r"})
    )
    assert [text.item for text in found] == [
        DetectorItem("#1", "h", "s", "t", task="DM"),
        DetectorItem("7", "o", "i", context=("a", "b")),
        DetectorItem("#3", "r"),
    ]


def test_human_labels(file: Callable[..., Path]) -> None:
    five = [HALLUCINATION] * 2 + [NOT_HALLUCINATION] * 3
    path = file(
        {**RECORD, "labels": five},
        {**RECORD, "label": "hallucination "},
        {**RECORD, "p(Hallucination)": 0.6},
        {**RECORD, "label": NOT_HALLUCINATION, "p(Hallucination)": 0.8},
    )
    assert [human for _, human in read_human_labels(path).values()] == [
        HumanLabel(NOT_HALLUCINATION, 0.4, tuple(five)),
        HumanLabel(HALLUCINATION),
        HumanLabel(HALLUCINATION, 0.6),
        HumanLabel(NOT_HALLUCINATION, 0.8),
    ]


def test_prediction_has_a_label_or_a_probability(file: Callable[..., Path]) -> None:
    said = [
        {"label": HALLUCINATION, "p(Hallucination)": 1.0000000000000002},
        {"p(Hallucination)": 0.5},
        {"label": None},
    ]
    assert [*read_detections(file(*said)).values()] == [
        Detection(HALLUCINATION, 1.0),
        Detection(NOT_HALLUCINATION, 0.5),
        Detection(None, None),
    ]


@pytest.mark.parametrize(
    ("record", "what"),
    [
        ({}, "has no text under hyp, output or response"),
        ({"hyp": 3}, "has a hyp that is not text"),
        ({"hyp": "h", "task": ["DM"]}, "has a task that is not text"),
        ({"hyp": "h", "context": 3}, "has under context what is neither"),
        ({"hyp": "h", "id": True}, "has an id that is neither"),
        ({"hyp": "h", "labels": "no"}, "labels that are not a list"),
        ({"hyp": "h", "label": "Maybe"}, "has the label 'Maybe'"),
        ({"hyp": "h", "p(Hallucination)": True}, "has the probability True"),
        ({"hyp": "h", "p(Hallucination)": 1.1}, "has the probability 1.1"),
        ({"hyp": "h"}, "has neither label nor p(Hallucination) nor labels"),
        ([1], "not an object"),
    ],
)
def test_unusable_record_is_named(file: Callable[..., Path], record: Any, what: str) -> None:
    with pytest.raises(DataError) as caught:
        read_human_labels(file({**RECORD, "label": HALLUCINATION}, record))
    assert what in str(caught.value)
    assert "in.json, record 2" in str(caught.value)


def test_duplicate_ids_and_empty_files_are_errors(file: Callable[..., Path]) -> None:
    with pytest.raises(DataError, match="has the id '1' of an earlier record"):
        read_items(file({"id": 1, **RECORD}, {"id": "1", **RECORD}))
    with pytest.raises(DataError, match="holds no records"):
        read_items(file())


def test_predictions_are_matched_by_id_or_by_order() -> None:
    one, two = Detection(HALLUCINATION, 1.0), Detection(NOT_HALLUCINATION, 0.0)
    human = (DetectorItem("", ""), HumanLabel(HALLUCINATION))
    assert match_predictions({"a": human, "b": human}, {"b": two, "a": one}, Path("p")) == [one, two]
    assert match_predictions({"a": human, "b": human}, {"b": two}, Path("p")) == [None, two]
    assert match_predictions({"#1": human, "#2": human}, {"#1": one, "#2": two}, Path("p")) == [one, two]
    assert match_predictions({"a": human, "b": human}, {"#1": one, "#2": two}, Path("p")) == [one, two]
    with pytest.raises(DataError, match="do not match 2 labelled items"):
        match_predictions({"a": human, "b": human}, {"#1": one}, Path("p"))
    for predictions in ({"#1": one}, {"1": one, "2": two}, {"#1": one, "#2": one, "#3": one}):
        with pytest.raises(DataError, match="do not match 2 labelled items"):
            match_predictions({"#1": human, "#2": human}, predictions, Path("p"))


def test_predictions_without_ids_have_the_texts_of_the_items_in_their_places(file: Callable[..., Path]) -> None:
    labels = {
        name: (DetectorItem(name, text), HumanLabel(HALLUCINATION)) for name, text in (("a", "Ulm"), ("b", "Bonn"))
    }
    first, second = ({"hyp": text, "label": HALLUCINATION, "p(Hallucination)": 1} for text in ("Ulm", "Bonn"))
    assert list(read_detections(file(first, second), labels)) == ["#1", "#2"]
    with pytest.raises(DataError, match="has the text 'Bonn' where the labelled item has 'Ulm'"):
        read_detections(file(second, first), labels)


def test_only_a_number_after_the_sign_stands_for_a_position(file: Callable[..., Path]) -> None:
    texts = (
        {"id": name, "hyp": f"text {name}", "label": HALLUCINATION} for name in ("#x", "#0", "#", "#" + 5000 * "1")
    )
    path = file(*texts)
    labels = read_human_labels(path)
    predictions = read_detections(path, labels)
    assert match_predictions(labels, predictions, path) == [*predictions.values()]
    others = {f"{name}c": label for name, label in labels.items()}
    predictions = read_detections(path, others)
    with pytest.raises(DataError, match="do not match 4 labelled items"):
        match_predictions(others, predictions, path)
    first = dict(list(predictions.items())[:1])
    assert match_predictions(labels, first, path) == [*first.values(), None, None, None]


def test_blank_sample_counts_and_blank_passage_is_dropped(file: Callable[..., Path]) -> None:
    [read] = read_items(file({**RECORD, "samples": ["", " "], "context": ["", "x"]}))
    assert (read.item.samples, read.item.context) == (("", " "), ("x",))


@pytest.mark.parametrize("stored", [[], None])
def test_empty_list_of_samples_is_none_stored(file: Callable[[Any], Path], stored: Any) -> None:
    [read] = read_items(file({**RECORD, "samples": stored}))
    assert read.item.samples == ()


def test_predictions_with_the_ids_of_other_items_are_refused(file: Callable[..., Path]) -> None:
    texts = [{"hyp": f"out {i}", "src": "in", "label": HALLUCINATION} for i in range(3)]
    labels = read_human_labels(file(*({"id": i, **text} for i, text in enumerate(texts))))
    assert len(read_detections(file(*({"id": i, "label": HALLUCINATION} for i in (1, 2, 3))), labels)) == 3
    with pytest.raises(DataError, match="has the text 'out 0' where the labelled item has 'out 1'"):
        read_detections(file(*({"id": i + 1, **text} for i, text in enumerate(texts))), labels)


def test_predictions_without_ids_follow_item_order(file: Callable[..., Path]) -> None:
    texts = [{"hyp": "out 1", "src": "in"}, {"hyp": "out 2", "src": "in"}]
    labels = read_human_labels(file(*({**text, "label": HALLUCINATION} for text in texts)))
    said = {"label": NOT_HALLUCINATION}
    assert len(read_detections(file(*({**text, **said} for text in texts)), labels)) == 2
    assert len(read_detections(file(said, said), labels)) == 2
    with pytest.raises(DataError, match="has the text 'out 2' where the labelled item has 'out 1'"):
        read_detections(file(*({**text, **said} for text in reversed(texts))), labels)


def test_written_records_are_read_back(file: Callable[..., Path]) -> None:
    found = Detection(HALLUCINATION, 0.75, votes=3, samples=4, unparsed=1, reasons=("the reply is empty",))
    record = {**RECORD, "id": 3, "labels": [NOT_HALLUCINATION]}
    written = detection_record(record, found, "shroom (m)")
    assert written == {
        **record,
        "label": HALLUCINATION,
        "p(Hallucination)": 0.75,
        "detection": {
            "detector": "shroom (m)",
            "votes": 3,
            "samples": 4,
            "unparsed": 1,
            "reasons": ["the reply is empty"],
        },
    }
    short = detection_record(record, found, "shroom (m)", is_submission=True)
    assert short == {"id": 3, "label": HALLUCINATION, "p(Hallucination)": 0.75}
    assert "id" not in detection_record(RECORD, found, "shroom (m)", is_submission=True)
    assert read_detections(file(written)) == {"3": Detection(HALLUCINATION, 0.75, votes=3, samples=4, unparsed=1)}
