"""Answers given whatever is asked, counted by hand."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from factprobe.metrics.breakdowns.bias import AnswerBias, ByAnswer, answer_bias
from factprobe.metrics.statistics.paired import score_interval
from factprobe.records import Answer, Grade, Question, Verdict


def test_the_share_of_each_answer_and_what_is_given_too_much() -> None:
    rows = answer_bias("binary_answer", ("correct", "incorrect"), [1] * 9 + [0], [1] * 5 + [0] * 5)
    assert [(row.answer, row.given.estimate, row.right, row.questions) for row in rows] == [
        ("correct", 0.1, 0.5, 10),
        ("incorrect", 0.9, 0.5, 10),
    ]
    assert [row.excess.estimate for row in rows] == pytest.approx([-0.4, 0.4])


def test_a_model_that_is_always_right_leans_to_no_side() -> None:
    sides = [0, 1, 1] * 100  # two false statements to a true one
    rows = answer_bias("binary_answer", ("correct", "incorrect"), sides, sides)
    assert [row.excess.estimate for row in rows] == [0, 0]
    assert not any(row.excess.low > 0 for row in rows)


def test_a_lean_is_beyond_chance_once_there_is_enough_of_it() -> None:
    def found(times: int) -> bool:
        rows = answer_bias("multi_choices", "ABCD", [0, 0, 0, 1, 2] * times, [0, 1, 2, 3, 3] * times)
        assert [row.given.estimate for row in rows] == pytest.approx([0.6, 0.2, 0.2, 0])
        return rows[0].excess.low > 0

    assert not found(1)
    assert found(40)


def test_one_subject_asked_a_hundred_times_is_little_evidence() -> None:
    said, right = [1] * 100, [0, 1, 1, 1] * 25
    assert answer_bias("binary_answer", ("correct", "incorrect"), said, right)[0].excess.high < 0
    clusters = ["Q1", "Q2", "Q2", "Q2"] * 25  # only Q1 was ever false
    assert answer_bias("binary_answer", ("correct", "incorrect"), said, right, clusters)[0].excess.high > 0


def test_nothing_given_is_no_bias() -> None:
    assert answer_bias("binary_answer", ("correct", "incorrect"), [], []) == []


@pytest.mark.parametrize(("answers", "intervals"), [("AB", 1), ("ABC", 3), ("ABCD", 4)])
def test_the_intervals_hold_for_all_answers_together(answers: str, intervals: int) -> None:
    """Of two answers the one has too much of what the other lacks: that is one interval. More vary by themselves."""
    said = [*range(len(answers))] * 10 + [0] * 5
    right = [*range(len(answers))] * 10 + [1] * 5
    rows = answer_bias("multi_choices", answers, said, right)
    size, confidence = len(said), 1 - 0.05 / intervals
    effect = size / (size - 1)  # of clusters of one question
    expected = [score_interval(a, b, size / effect, confidence) for a, b in ((5 / effect, 0), (0, 5 / effect))]
    for row, interval in zip(rows, expected, strict=False):
        assert (row.excess.low, row.excess.high) == pytest.approx((interval.low, interval.high))


def question(answers: str | tuple[Answer, ...], choices: tuple[str, ...] = ()) -> Question:
    kind = "multi_choices" if choices else "binary_answer"
    return Question("q", kind, (), answers, "P1", "Q1", "Q2", choices)  # type: ignore[arg-type]


def rows_of(*graded: tuple[Question, Verdict, int]) -> list[AnswerBias]:
    breakdown = ByAnswer("kg")
    for asked, verdict, option in graded:
        found = Grade("q", asked.question_type, verdict, (), 0, 0, 0, "rule", option=option)
        breakdown.add("g", "m", found, asked)
    return list(breakdown.rows())


def test_the_side_of_a_statement_follows_from_the_verdict() -> None:
    true, false = question("correct"), question("incorrect")
    rows = rows_of(
        (true, "correct", 0),  # says correct
        (true, "incorrect", 0),  # says incorrect
        (false, "correct", 0),
        (false, "correct", 0),
        (false, "abstained", 0),
        (false, "unparsed", 0),
        (true, "failed", 0),
    )
    assert [(row.answer, row.given.estimate, row.right, row.questions) for row in rows] == [
        ("correct", 0.25, 0.5, 4),
        ("incorrect", 0.75, 0.5, 4),
    ]
    assert {(row.kg, row.generator, row.model) for row in rows} == {("kg", "g", "m")}


def test_the_place_of_an_option() -> None:
    asked = question((Answer("Q2", "Ulm"),), ("Bonn", "Ulm", "Jena"))
    rows = rows_of(*((asked, "incorrect", option) for option in (1, 1, 0)), (asked, "correct", 2))
    assert [(row.answer, row.right) for row in rows] == [("A", 0), ("B", 1)]
    assert [row.given.estimate for row in rows] == pytest.approx([2 / 3, 1 / 3])
    assert rows_of((Question("q", "single_answer", (), (Answer("Q2", "Ulm"),), "P1", "Q1", "Q2"), "correct", 0)) == []


def test_only_what_is_given_too_often_is_told() -> None:
    true, false = question("correct"), question("incorrect")
    leaning = rows_of(*((true, "incorrect", 0) for _ in range(50)), *((false, "correct", 0) for _ in range(50)))
    assert [ByAnswer.sentence(row) for row in leaning] == ["", ""]  # all of one subject
    apart = [replace(one, subject_uri=f"Q{at}") for at, one in enumerate([true, false] * 50)]
    told = [
        ByAnswer.sentence(row)
        for row in rows_of(*((one, "incorrect" if one.answers == "correct" else "correct", 0) for one in apart))
    ]
    assert told == ["", "says {answer} in {given} of the statements that it judges; {right} are"]
