"""How sure a model was of an answer, by hand."""

from __future__ import annotations

from math import log

import pytest

import factprobe
from factprobe.metrics.calibration import confidence
from factprobe.records import Response


def response(scores: tuple[float, ...] = (), logprobs: tuple[float, ...] = ()) -> Response:
    return Response("q", "Paris", "stop", None, None, scores=scores, logprobs=logprobs)


@pytest.mark.parametrize(
    ("given", "probability"),
    [
        (response(logprobs=(log(0.5), log(0.4))), 0.2),
        (response(logprobs=(0.0, 1e-9)), 1),
        (response(logprobs=(-1e9,)), 0),
        (response(scores=(log(0.1), log(0.3), log(0.1))), 0.6),
        (response(scores=(-5000.0, -5000.0)), 0.5),
        (response(scores=(-2.0,), logprobs=(-9.0,)), 1),
        (response(), None),
    ],
)
def test_confidence_by_hand(given: Response, probability: float | None) -> None:
    assert confidence(given) == pytest.approx(probability)


@pytest.mark.parametrize(
    ("reply", "stated"),
    [
        ("Paris\nConfidence: 80%", 0.8),
        ("Paris (confidence: 0.9)", 0.9),
        ("**Answer:** Paris\n**Confidence:** 95", 0.95),
        ("Paris. Certainty = 7/10", 0.7),
        ('{"answer": "Paris", "confidence": 0.85}', 0.85),
        ('{"answer": "Paris", "confidence_score": 1}', 1),
        ("Paris\nWahrscheinlichkeit: 60 %", 0.6),
        ("Confidence: 20%. On reflection, Paris. Confidence: 90%", 0.9),
        ("Confidence: 4 out of 5", 0.8),
        ("Confidence: 1 out of 5", 0.2),
        ("Confidence: **9** (of 10).", 0.9),
        ("Sicherheit: 4 von 5", 0.8),
        ("Confidence: 0,9", 0.9),
        ("Confidence: 80,5 %.", 0.805),
        ("Confidence: 0.9.", 0.9),
        ("Confidence: 80. Of 5 sources, 4 agree.", 0.8),
        ('{"confidence":80,"answer":5}', 0.8),
        ("Confidence: 12.5", 0.125),
        ("Confidence: 1.0", 1),
        ("Confidence: 4", None),
        ("Confidence: 10", None),
        ("Confidence: 4%", 0.04),
        ("Confidence: 12.5.2020", None),
        ("Confidence: 6 out of 5", None),
        ("Confidence: 180%", None),
        ("Confidence: 11/10", None),
        ("Confidence: high", None),
        ("The probability of rain was 0.3", None),
        ("Paris", None),
    ],
)
def test_a_stated_confidence_is_read(reply: str, stated: float | None) -> None:
    assert confidence(Response("q", reply, "stop", None, None)) == pytest.approx(stated)


def test_a_stated_confidence_is_no_part_of_the_answer() -> None:
    replies = ["Paris\nConfidence: 80%", "Paris (confidence: 0.9)", '{"answer": "Paris", "confidence": 0.85}']
    rows = [{"question": "What is the capital of France?", "answers": "Paris", "response": one} for one in replies]
    graded = factprobe.grade_answers([*rows, {**rows[0], "response": "Lyon\nConfidence: 80%"}])
    assert [grade.verdict for grade in graded] == ["correct", "correct", "correct", "incorrect"]
    assert graded.scores[-1].aurc is not None


@pytest.mark.parametrize(("given", "first"), [((5, 1, 2, 1, 0, 4), "5"), ((0, 56.9, 1, 100), "56.9"), ((-1, 0), "-1")])
def test_confidences_on_another_scale_are_left_out(
    given: tuple[float, ...], first: str, caplog: pytest.LogCaptureFixture
) -> None:
    rows = [{"question": f"What is {n}?", "answers": f"{n}", "response": "7", "confidence": n} for n in given]
    assert factprobe.grade_answers(rows).scores[-1].aurc is None
    [line] = caplog.messages
    assert f"numbers on a scale, such as {first}, " in line
    assert "none is counted; " in line


def test_confidences_that_are_no_numbers_are_named_once(caplog: pytest.LogCaptureFixture) -> None:
    row = {"question": "What is the capital of France?", "answers": "Paris", "response": "Paris"}
    given = ("80%", "high", 1.0000001, 0.5, "")
    graded = factprobe.grade_answers([{**row, "confidence": one} for one in given])
    [line] = caplog.messages
    assert "the column 'confidence' holds values that are no numbers; left out" in line
    assert graded.scores[-1].aurc == 0
