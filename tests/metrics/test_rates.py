"""The intervals of the score table's rates agree with its counts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics import Tally
from factprobe.metrics.rates import RATES, rate_intervals, rate_sums
from factprobe.metrics.scores import Rates
from factprobe.records import QUESTION_TYPES, VERDICTS, Grade, QuestionType, Verdict


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
    found = {name: interval and interval.estimate for name, interval in rate_intervals(GRADES).items()}
    assert found == {
        "accuracy": 8 / 14,
        "precision": 8 / 12,
        "recall": 8 / 14,
        "f1": pytest.approx(2 * 8 / (12 + 14)),
        "set_precision": 3 / 5,
        "set_recall": 3 / 4,
        "set_f1": pytest.approx(6 / 9),
        "mrr": pytest.approx((1 + 1 / 4) / 2),
        "precision_at_5": 1,
        "precision_at_10": 1,
        "abstention_rate": 2 / 14,
        "invalid_rate": 1 / 14,
        "coverage": 12 / 14,
    }


def test_every_rate_of_the_table_has_an_interval() -> None:
    assert set(RATES) == Rates.__required_keys__ | {"coverage"}


def test_macro_counts_every_relation_alike() -> None:
    grades = [grade("correct"), grade("correct"), grade("correct"), grade("incorrect"), grade("abstained")]
    found = rate_intervals(grades, None, ["P19"] * 3 + ["P20"] * 2)
    assert found["accuracy"] is not None
    assert found["accuracy"].estimate == (1 + 0) / 2
    assert found["coverage"] is not None
    assert found["coverage"].estimate == (1 + 1 / 2) / 2
    assert found["set_recall"] is None


def test_entities_asked_about_alike_are_less_sure() -> None:
    grades = [grade("correct")] * 40 + [grade("incorrect")] * 40
    alone = rate_intervals(grades)["f1"]
    together = rate_intervals(grades, [f"Q{at // 4}" for at in range(80)])["f1"]
    assert alone is not None
    assert together is not None
    assert together.high - together.low > 1.7 * (alone.high - alone.low)


def test_sums_of_no_grades() -> None:
    assert rate_sums("accuracy", []).shape == (0, 2)
    assert set(rate_intervals([]).values()) == {None}


GRADE = st.builds(
    grade,
    st.sampled_from(VERDICTS),
    st.sampled_from(QUESTION_TYPES),
    st.tuples(*[st.integers(0, 3)] * 3),
    st.integers(0, 12),
)


@given(st.lists(GRADE, max_size=20))
def test_the_estimates_are_the_rates_of_the_table(grades: list[Grade]) -> None:
    tally = Tally()
    for one in grades:
        tally.add(one)
    found = rate_intervals(grades)
    for name, expected in tally.rates().items():
        interval = found[name]
        if expected is None:  # but for an F1 of nothing attempted, which is 0
            assert interval is None or (name.endswith("f1") and interval.estimate == 0)
        else:
            assert interval is not None
            assert interval.estimate == pytest.approx(expected)
            assert 0 <= interval.low <= interval.estimate <= interval.high <= 1
