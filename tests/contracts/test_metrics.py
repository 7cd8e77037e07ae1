"""What every registered metric keeps to."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.inputs.labels import HumanJudgment
from factprobe.metrics import Metric, Tally, metrics
from factprobe.metrics.base import PLACES
from factprobe.metrics.corrected import MIN_LABELS
from factprobe.metrics.score_table import score_type
from factprobe.metrics.statistics.intervals import Interval
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import VERDICTS, Grade, Score

NAMES = metrics.names()
GRADES = st.builds(
    Grade,
    st.sampled_from(["Q1", "Q2", "Q3"]).map("{}:b:c:d:e".format),
    st.sampled_from(QUESTION_TYPES),
    st.sampled_from(VERDICTS),
    st.just(()),
    *[st.integers(0, 3)] * 3,
    st.just("rule"),
    st.integers(0, 12),
    probability=st.none() | st.floats(0, 1),
    confidence=st.none() | st.floats(0, 1),
)


def measured(metric: Metric, grades: list[Grade]) -> list[float]:
    """What the metric is of these grades, between the ends of its interval; empty where nothing is counted."""
    tally = Tally()
    for grade in grades:
        judgment = None if grade.verdict == "failed" else HumanJudgment(grade.verdict == "correct", 0.5)
        tally.add(grade, None, {"binary_answer": 2, "multi_choices": 4}.get(grade.question_type, 0), judgment)
    found = metric.measure(tally.counted())
    if isinstance(found, Interval):
        assert metric.has_interval
        return [found.low, found.estimate, found.high]
    assert found is None or not metric.has_interval
    return [] if found is None else [found]


@pytest.mark.parametrize("name", NAMES)
class TestMetric:
    def test_says_what_it_is(self, name: str) -> None:
        metric = metrics.get(name)(name)
        own = type(metric).__doc__
        assert own
        assert metric.what[1:] in " ".join(own.split())
        assert all(metric.head(place) for place in PLACES)
        assert set(metric.places) <= set(PLACES)
        assert set(metric.replaces) <= set(NAMES) - {name}
        assert metric.sentence.count("{}") == bool(metric.sentence)

    @given(grades=st.lists(GRADES, max_size=8))
    def test_lies_in_its_range_and_in_its_interval(self, name: str, grades: list[Grade]) -> None:
        metric = metrics.get(name)(name)
        found = measured(metric, grades)
        assert found == sorted(found)
        assert all(metric.least <= value <= metric.most for value in found)

    @given(grades=st.lists(GRADES, max_size=8))
    def test_a_failed_question_counts_nowhere(self, name: str, grades: list[Grade]) -> None:
        metric = metrics.get(name)(name)
        failed = [Grade("Q1:b:c:d:e", kind, "failed", (), 0, 0, 0, "response.failed") for kind in QUESTION_TYPES]
        assert measured(metric, [*grades, *failed]) == pytest.approx(measured(metric, grades))

    def test_higher_or_lower_is_better(self, name: str) -> None:
        metric = metrics.get(name)(name)
        right = Grade("q", "multi_choices", "correct", (), 1, 0, 0, "rule", 1, probability=0.9, confidence=0.5)
        wrong = Grade("q", "multi_choices", "unparsed", (), 0, 1, 1, "rule", 40, probability=0.1, confidence=0.5)
        silent = Grade("q", "multi_choices", "abstained", (), 0, 0, 1, "rule", 40, probability=0.1)
        if not measured(metric, [right] * MIN_LABELS):
            right, wrong, silent = (_as_a_set(grade) for grade in (right, wrong, silent))
        if not measured(metric, [right] * MIN_LABELS):  # one of the replies that are not right
            right, wrong = silent, replace(wrong, question_type="multi_choices", verdict="incorrect")
        good, *bad = (measured(metric, [right, grade] * MIN_LABELS) for grade in (right, wrong, silent))
        better = max if metric.higher_is_better else min
        middle = [found[len(found) // 2] for found in (good, *bad)]
        assert better(middle) == middle[0]
        assert len(set(middle)) > 1


def _as_a_set(grade: Grade) -> Grade:
    return replace(grade, question_type="multiple_answer")


def test_the_columns_stand_in_the_record_in_their_order() -> None:
    table = metrics.every()
    columns = [column for metric in table for column in metric.columns]
    assert list(score_type(table).__struct_fields__) == [*Score.__struct_fields__, *columns]
