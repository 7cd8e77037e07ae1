"""The rates of the score table, worked out by hand."""

from __future__ import annotations

import pytest

from factprobe.metrics.rates import RATES, rate_sums
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Score, Verdict


def grade(
    verdict: Verdict,
    kind: QuestionType = "single_answer",
    counts: tuple[int, int, int] = (0, 0, 0),
    rank: int = 0,
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
    sums = {name: rate_sums(name, GRADES).sum(axis=0) for name in RATES}
    found = {name: part / whole for name, (part, whole) in sums.items()}
    assert found == {
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


def test_every_rate_is_in_the_table() -> None:
    assert set(RATES) < set(Score.__struct_fields__)


def test_sums_of_no_grades() -> None:
    assert rate_sums("accuracy", []).shape == (0, 2)
