"""How far passages move a model, by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.metrics.breakdowns.contexts import ByContext, ContextEffect, context_effect
from factprobe.metrics.statistics.intervals import rate_interval
from factprobe.metrics.statistics.paired import score_interval
from factprobe.records import Answer, Context, Grade, Message, Question
from tests.optional import estimate

PLANTS = Context("Ada was born in Bonn.", "antifactual", Answer("Bonn", "Bonn"))
ASKED = Question(
    "a:b:r:single_answer:ask_object", "single_answer", (Message("user", "?"),), (Answer("b", "b"),), "r", "a", "b"
)


def graded(right: bool) -> Grade:
    return Grade(ASKED.question_id, "single_answer", "correct" if right else "incorrect", (), 0, 0, 0, "rule")


# Without the passage, with it, and whether the planted answer is given: of five that are known two stay right.
QUESTIONS = [
    (True, True, False),
    (True, True, False),
    (True, False, True),
    (True, False, True),
    (True, False, False),
    (False, True, False),
    (False, False, True),
    (False, False, False),
]


def of(questions: list[tuple[bool, bool, bool]], clusters: list[str] | None = None) -> ContextEffect:
    without, moved, planted = ([question[at] for question in questions] for at in range(3))
    return context_effect(without, moved, planted, clusters)


def test_the_shares_are_of_what_is_known_and_of_the_rest() -> None:
    found = of(QUESTIONS)
    assert (found.questions, found.known) == (8, 5)
    assert (estimate(found.accuracy_without), estimate(found.accuracy_with)) == (5 / 8, 3 / 8)
    assert [estimate(share) for share in (found.robust, found.misled, found.changed)] == [2 / 5, 2 / 5, 1 / 5]
    assert (estimate(found.helped), estimate(found.planted)) == (1 / 3, 3 / 8)
    assert found.robust == rate_interval([1, 1, 0, 0, 0], [1] * 5)


def test_the_difference_has_the_paired_score_interval() -> None:
    found = of(QUESTIONS).difference
    effect = 8 / 7  # of eight clusters of one question
    assert found == score_interval(1 / effect, 3 / effect, 8 / effect)
    assert estimate(found) == -2 / 8


def test_questions_about_one_entity_widen_the_intervals() -> None:
    alone, together = of(QUESTIONS * 4), of(QUESTIONS * 4, [str(number % 8) for number in range(32)])
    for one, other in zip(
        (alone.difference, alone.accuracy_with, alone.misled),
        (together.difference, together.accuracy_with, together.misled),
        strict=True,
    ):
        assert one is not None
        assert other is not None
        assert other.estimate == pytest.approx(one.estimate)
        assert other.high - other.low > one.high - one.low


def test_what_plants_nothing_misleads_nobody() -> None:
    found = context_effect([True, False], [False, True])
    assert (found.misled, found.planted) == (None, None)
    assert (estimate(found.robust), estimate(found.changed), estimate(found.helped)) == (0, 1, 1)


def test_a_share_of_nothing_is_none() -> None:
    assert of([(True, True, False)]).helped is None
    nothing_known = of([(False, False, True)])
    assert (nothing_known.robust, nothing_known.misled, nothing_known.changed) == (None, None, None)


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_what_is_known_is_robust_misled_or_changed(questions: list[tuple[bool, bool, bool]]) -> None:
    found = of(questions)
    parts = [estimate(share) for share in (found.robust, found.misled, found.changed)]
    assert (parts == [None] * 3) == (found.known == 0)
    if found.known:
        assert sum(part or 0 for part in parts) == pytest.approx(1)
    rates = estimate(found.accuracy_with), estimate(found.accuracy_without), estimate(found.difference)
    moved, before, difference = (rate for rate in rates if rate is not None)
    assert difference == pytest.approx(moved - before)


def test_without_the_other_questions_there_is_nothing_beside() -> None:
    found = context_effect(None, [True, False], [False, True])
    assert (estimate(found.accuracy_with), estimate(found.planted)) == (0.5, 0.5)
    assert {found.accuracy_without, found.difference, found.robust, found.misled, found.changed, found.helped} == {None}


def test_each_is_held_against_the_generator_with_most_of_the_same_questions() -> None:
    told = ByContext("g")
    other = replace(ASKED, choices=("a", "b"))
    for generator, question, right in (
        ("few", other, True),
        ("many", ASKED, False),
        ("many", replace(ASKED, bare="?"), True),
    ):
        told.add(generator, "m", graded(right), question)
    told.add("few", "other model", graded(True), ASKED)
    told.add("many", "m", replace(graded(True), verdict="failed"), ASKED)
    assert told.rows() == []
    told.add("x", "m", replace(graded(False), planted=True), replace(ASKED, context=PLANTS, prompts=()))
    told.add("x", "m", graded(True), replace(ASKED, question_id="a:b:r:single_answer:other", context=PLANTS))
    rows = told.rows()
    assert [(row.against, row.question_type, row.questions, row.kind) for row in rows] == [
        ("many", "all", 1, "antifactual"),
        ("many", "single_answer", 1, "antifactual"),
    ]
    assert [(estimate(row.accuracy_without), estimate(row.helped), estimate(row.planted)) for row in rows] == [
        (0, 0, 1)
    ] * 2
