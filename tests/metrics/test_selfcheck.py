"""How well self-consistency tells wrong answers from right ones, against scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, roc_auc_score

from factprobe.metrics.agreement.selfcheck import ScoredAnswer, SelfCheckScore, self_check_scores
from factprobe.records import SelfCheck, Verdict
from tests.optional import estimate, not_none


def checked(count: int = 60) -> list[ScoredAnswer]:
    rng = np.random.default_rng(3)
    rows = []
    for number in range(count):
        verdict: Verdict = "incorrect" if rng.random() < 0.4 else "correct"
        score = float(rng.integers(0, 6)) / 5
        said = SelfCheck(f"q{number}", verdict, 5, score, score / 2)
        kind = "single_answer" if number % 2 else "binary_answer"
        rows.append(ScoredAnswer(said, kind, "head" if number < 20 else "tail", f"s{number // 2}"))
    return rows


def scores(rows: list[ScoredAnswer]) -> dict[tuple[str, str, str], SelfCheckScore]:
    return {(row.level, row.name, row.measure): row for row in self_check_scores("kg", "g", "m", rows, 0)}


def test_the_areas_are_those_of_scikit_learn() -> None:
    rows = checked()
    found = scores(rows)
    assert {key[:2] for key in found} == {
        ("all", "all"),
        ("popularity", "head"),
        ("popularity", "tail"),
        ("question_type", "binary_answer"),
        ("question_type", "single_answer"),
    }
    one, chosen = found["popularity", "head", "disagreement"], rows[:20]
    wrong = [row.check.verdict == "incorrect" for row in chosen]
    given = [row.check.disagreement for row in chosen]
    assert estimate(one.roc_auc) == pytest.approx(roc_auc_score(wrong, given))
    assert estimate(one.pr_auc) == pytest.approx(average_precision_score(wrong, given))
    assert estimate(one.wrong) == pytest.approx(np.mean(wrong))


def test_the_area_under_risk_and_coverage_is_the_mean_risk_of_the_lowest_scores() -> None:
    answers: list[tuple[Verdict, float]] = [("correct", 0.1), ("incorrect", 0.9), ("correct", 0.5)]
    rows = [
        ScoredAnswer(SelfCheck(str(number), verdict, 1, score, score), "single_answer", "", str(number))
        for number, (verdict, score) in enumerate(answers)
    ]
    one = scores(rows)["all", "all", "disagreement"]
    assert estimate(one.risk_coverage) == pytest.approx((0 + 0 + 1 / 3) / 3)
    assert not_none(one.curve).accuracy == pytest.approx((1, 1, 2 / 3))


def test_what_has_no_score_or_is_neither_right_nor_wrong_is_left_out() -> None:
    rows = [
        ScoredAnswer(said, "single_answer", "", said.question_id)
        for said in (
            SelfCheck("a", "correct", 2, 0.0, 0.0),
            SelfCheck("b", "incorrect", 2, 1.0, 1.0),
            SelfCheck("c", "abstained", 2, 0.5, 0.5),
            SelfCheck("d", "incorrect", 2, fault="the evaluator fails on a reply"),
        )
    ]
    one = scores(rows)["all", "all", "entropy"]
    assert (one.questions, one.left_out) == (2, 2)
    assert estimate(one.roc_auc) == 1


def test_where_all_answers_are_right_there_is_no_area() -> None:
    rows = [ScoredAnswer(SelfCheck("a", "correct", 2, 0.0, 0.0), "single_answer", "head", "s")]
    one = scores(rows)["popularity", "head", "entropy"]
    assert (one.roc_auc, one.pr_auc) == (None, None)
    assert estimate(one.wrong) == 0
