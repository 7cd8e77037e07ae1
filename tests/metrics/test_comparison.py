"""Paired comparison: by hand, against statsmodels and scipy, and by what must hold of any."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.comparison import Comparison, compare, comparisons
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Verdict


def answers(both: int, only_first: int, only_second: int, neither: int) -> dict[str, list[bool | None]]:
    first = [True] * both + [True] * only_first + [False] * only_second + [False] * neither
    second = [True] * both + [False] * only_first + [True] * only_second + [False] * neither
    return {"a": [*first], "b": [*second]}


def pair(
    outcomes: dict[str, list[bool | None]], clusters: list[str] | None = None, alpha: float = 0.05, seed: int = 0
) -> Comparison:
    (found,) = compare(outcomes, np.random.default_rng(seed), clusters, alpha=alpha, resamples=500)
    return found


def test_a_pair_by_hand() -> None:
    found = pair(answers(50, 25, 5, 20))
    assert (found.first, found.second, found.questions, found.clusters) == ("a", "b", 100, 100)
    assert (found.both, found.only_first, found.only_second, found.neither) == (50, 25, 5, 20)
    assert found.difference.estimate == found.bootstrap.estimate == 0.2
    assert found.verdict == "first"
    # the variance is that around the difference, 0.3 - 0.04, and each question a cluster: 100 / 99
    assert found.design_effect == pytest.approx(100 / 99)
    assert found.p_clustered == found.p_corrected == pytest.approx(2 * 0.00013, abs=2e-5)  # z = 20 / sqrt(30.3)


def test_models_that_never_differ_are_tied_and_may_differ_a_little() -> None:
    found = pair(answers(30, 0, 0, 70))
    assert (found.p_exact, found.p_mid, found.p_clustered, found.verdict) == (1, 1, 1, "tied")
    assert found.difference.estimate == 0
    assert found.difference.high == -found.difference.low == pytest.approx(3.8415 / 103.8415, abs=1e-4)


def test_clustered_wins_count_less() -> None:
    outcomes, clusters = answers(40, 24, 8, 48), [f"Q{at // 8}" for at in range(120)]
    alone, together = pair(outcomes), pair(outcomes, clusters)
    assert (together.p_exact, together.p_mid) == (alone.p_exact, alone.p_mid)
    assert alone.verdict == "first"
    assert together.verdict == "tied"  # 3 entities to 1
    assert together.clusters == 15
    assert together.design_effect > 5
    assert together.difference.low < 0 < together.difference.high
    assert together.bootstrap.high - together.bootstrap.low > 2 * (alone.bootstrap.high - alone.bootstrap.low)
    assert together.needed.questions > 5 * alone.needed.questions
    assert together.needed.clusters == pytest.approx(together.needed.questions / 8, abs=1)


def test_what_either_failed_to_answer_is_left_out() -> None:
    outcomes = answers(5, 4, 1, 5)
    more = {"a": [*outcomes["a"], None, True], "b": [*outcomes["b"], True, None]}
    clusters = [f"Q{at}" for at in range(17)]
    assert pair(more, clusters) == pair(outcomes, clusters[:15])


def test_every_pair_with_a_question_in_common() -> None:
    outcomes: dict[str, list[bool | None]] = {"a": [True, None], "b": [False, True], "c": [None, True]}
    found = compare(outcomes, np.random.default_rng(0), resamples=50)
    assert [(one.first, one.second) for one in found] == [("a", "b"), ("b", "c")]
    assert compare({"a": [True]}, np.random.default_rng(0)) == []


COUNTS = st.tuples(*[st.integers(0, 30)] * 4).filter(any)


@given(COUNTS, st.integers(1, 5), st.sampled_from([0.01, 0.05, 0.2]))
def test_the_interval_leaves_out_0_when_the_test_rejects(
    counts: tuple[int, int, int, int], size: int, alpha: float
) -> None:
    outcomes = answers(*counts)
    found = pair(outcomes, [f"Q{at // size}" for at in range(sum(counts))], alpha)
    interval = found.difference
    assert -1 <= interval.low <= interval.estimate <= interval.high <= 1
    if abs(found.p_clustered - alpha) > 1e-6:
        assert (interval.low > 0 or interval.high < 0) == (found.p_clustered < alpha)
    assert (found.verdict == "tied") == (found.p_corrected >= alpha)
    assert found.both + found.only_first + found.only_second + found.neither == found.questions


@given(COUNTS, st.integers(1, 5), st.randoms(use_true_random=False))
def test_models_and_questions_in_any_order(counts: tuple[int, int, int, int], size: int, random: object) -> None:
    outcomes, clusters = answers(*counts), [f"Q{at % size}" for at in range(sum(counts))]
    found, turned = pair(outcomes, clusters), pair({"b": outcomes["b"], "a": outcomes["a"]}, clusters)
    ends = found.difference.estimate, found.difference.low, found.difference.high
    mirrored = -turned.difference.estimate, -turned.difference.high, -turned.difference.low
    assert ends == pytest.approx(mirrored, abs=1e-6)
    assert found.p_clustered == pytest.approx(turned.p_clustered)
    rows = list(zip(outcomes["a"], outcomes["b"], clusters, strict=True))
    random.shuffle(rows)  # type: ignore[attr-defined]
    first, second, groups = (list(column) for column in zip(*rows, strict=True))
    shuffled = pair({"a": first, "b": second}, groups)
    assert shuffled.bootstrap == found.bootstrap
    assert shuffled.p_clustered == pytest.approx(found.p_clustered)


def grades(kind: QuestionType, **verdicts: Verdict) -> dict[str, Grade]:
    """Grades by question id; the keyword is the subject."""
    ids = {f"{subject}:o:P36:{kind}:ask_object": verdict for subject, verdict in verdicts.items()}
    return {name: Grade(name, kind, verdict, (), 0, 0, 0, "rule") for name, verdict in ids.items()}


def row(rows: list[Comparison], question_type: str) -> Comparison:
    [found] = [row for row in rows if row.question_type == question_type]
    return found


ONE = grades("single_answer", a="correct", b="correct", c="abstained", d="failed", e="correct")
OTHER = grades("single_answer", a="correct", b="incorrect", c="unparsed", d="correct", f="correct")


def test_a_pair_is_compared_on_what_both_answered() -> None:
    found = row(comparisons({"one": ONE, "other": OTHER}), "single_answer")
    assert (found.questions, found.failed, found.one_only) == (3, 1, 2)
    assert (found.accuracy_first, found.accuracy_second) == (2 / 3, 1 / 3)
    assert found.difference.estimate == 1 / 3
    assert (found.both, found.only_first, found.only_second, found.neither) == (1, 1, 0, 1)
    assert found.verdict == "tied"


def test_each_question_type_and_all_of_them() -> None:
    graded = {"one": {**ONE, **grades("binary_answer", a="correct")}, "other": OTHER}
    graded["other"] = {**OTHER, **grades("binary_answer", a="incorrect")}
    rows = comparisons(graded)
    assert [found.question_type for found in rows] == ["binary_answer", "single_answer", "all"]
    assert row(rows, "all").questions == 4
    assert row(rows, "all").only_first == 2
    assert row(rows, "all").clusters == 3  # both questions about a are one cluster


def test_holms_correction_is_over_the_pairs_of_a_table() -> None:
    right: dict[str, Verdict] = {f"s{i}": "correct" for i in range(40)}
    wrong: dict[str, Verdict] = dict.fromkeys(right, "incorrect")
    good, bad = grades("single_answer", **right), grades("single_answer", **wrong)
    alone = row(comparisons({"good": good, "bad": bad}), "all")
    three = [found for found in comparisons({"good": good, "bad": bad, "same": good}) if found.question_type == "all"]
    assert [(found.first, found.second, found.verdict) for found in three] == [
        ("good", "bad", "first"),
        ("good", "same", "tied"),
        ("bad", "same", "second"),
    ]
    assert three[0].p_corrected == 3 * alone.p_corrected


def test_pairs_without_a_common_question_have_no_row() -> None:
    assert (
        comparisons({"one": grades("single_answer", a="correct"), "other": grades("single_answer", b="correct")}) == []
    )
    assert (
        comparisons({"one": grades("single_answer", a="failed"), "other": grades("single_answer", a="correct")}) == []
    )
