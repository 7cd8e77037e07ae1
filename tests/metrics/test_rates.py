"""The rates of the score table, worked out by hand."""

from __future__ import annotations

import pytest

from factprobe.metrics import Tally, metrics
from factprobe.metrics.rates import PenalisedScore
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Verdict
from tests.optional import not_none


def grade(
    verdict: Verdict, kind: QuestionType = "single_answer", counts: tuple[int, int, int] = (0, 0, 0), rank: int = 0
) -> Grade:
    return Grade("q", kind, verdict, (), *counts, "rule", rank)


# Six right, one wrong, one unparsed, two abstained, one failed; and of sets 3 of 5 named are right and 3 of 4 named.
GRADES = [
    *[grade("correct")] * 6,
    grade("incorrect"),
    grade("unparsed"),
    grade("abstained"),
    grade("failed"),
    grade("correct", "multiple_answer", (2, 0, 0)),
    grade("abstained", "multiple_answer", (0, 0, 0)),
    grade("incorrect", "multiple_answer", (1, 2, 1)),
    grade("correct", "multi_choices", rank=1),
    grade("incorrect", "multi_choices", rank=4),
]


def test_every_rate_by_hand() -> None:
    tally = Tally()
    for one in GRADES:
        tally.add(one)
    counted = tally.counted()
    sums = {metric.name: counted.sums(metric.share).sum(axis=0) for metric in metrics.every()}
    found = {name: part / whole for name, (part, whole) in sums.items()}
    assert found.pop("guess_corrected_accuracy") == found["accuracy"]  # before the chance is taken away
    assert found.pop("guess_corrected_precision") == found["precision"]
    assert found.pop("aurc") == pytest.approx(1 - found["precision"])  # in no order
    assert found.pop("expected_accuracy") == found.pop("corrected_accuracy") == found["accuracy"]  # without a model
    assert 2 * found.pop("penalised_score") - 1 == pytest.approx((8 - 3) / 14)
    assert found == {
        "hallucination_rate": 3 / 6,
        "accuracy": 8 / 14,
        "precision": 8 / 12,
        "recall": 8 / 14,
        "f1": pytest.approx(2 * 8 / (12 + 14)),
        "set_precision": 3 / 5,
        "set_recall": 3 / 4,
        "set_f1": pytest.approx(6 / 9),
        "exact_set_accuracy": 1 / 3,
        "mrr": pytest.approx((1 + 1 / 4) / 2),
        "precision_at_5": 1,
        "precision_at_10": 1,
        "abstention_rate": 2 / 14,
        "invalid_rate": 1 / 14,
        "coverage": 12 / 14,
    }


@pytest.mark.parametrize("name", metrics.names())
def test_nothing_is_counted_of_no_grades(name: str) -> None:
    metric, counted = metrics.get(name)(name), Tally().counted()
    assert counted.sums(metric.share).shape == (0, 2)
    assert metric.measure(counted) is None


def test_a_penalty_may_be_any() -> None:
    class Thrice(PenalisedScore):
        """With a penalty of 3."""

        penalty = 3.0
        least = -3.0

    tally = Tally()
    for number, one in enumerate(GRADES):
        tally.add(one, str(number))
    found = not_none(Thrice("thrice").measure(tally.counted()))
    assert found.estimate == pytest.approx((8 - 3 * 3) / 14)
    assert -3 <= found.low < found.estimate < found.high <= 1
