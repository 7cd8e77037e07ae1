"""The consistency of facts over the forms of questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.breakdowns.consistency import Consistency, FormBreakdown, consistency
from factprobe.metrics.statistics.intervals import Interval
from factprobe.question_types import End, QuestionKind, register
from factprobe.records import Grade, Question, Verdict
from tests.metrics.test_scores import question
from tests.optional import estimate, not_none

Facts = dict[tuple[str, ...], dict[str, bool]]

# Three facts: one known in both forms, one in one of two, one in none; a fourth is asked in one form alone.
FACTS: Facts = {
    ("s1", "f1"): {"ask": True, "choice": True},
    ("s2", "f2"): {"ask": False, "choice": True},
    ("s3", "f3"): {"ask": False, "choice": False},
    ("s4", "f4"): {"ask": True},
}


def test_by_hand() -> None:
    found = consistency(FACTS)
    by_form = {form: interval.estimate for form, interval in found.by_form.items()}
    assert by_form == pytest.approx({"ask": 2 / 4, "choice": 2 / 3})
    assert found.facts == 3
    assert estimate(found.mean) == pytest.approx((1 + 0.5 + 0) / 3)
    assert estimate(found.some) == pytest.approx(2 / 3)
    assert estimate(found.every) == pytest.approx(1 / 3)


def test_one_form_says_nothing_of_consistency() -> None:
    found = consistency({("s1", "f1"): {"ask": True}, ("s2", "f2"): {"ask": False}})
    assert (found.facts, found.mean, found.some, found.every) == (0, None, None, None)
    assert found.by_form["ask"].estimate == 0.5
    assert consistency({}) == Consistency({}, 0, None, None, None)


def test_facts_of_an_entity_share_its_luck() -> None:
    def every(facts_of_subject: int) -> Interval:
        known = {(f"s{at // facts_of_subject}", f"f{at}"): at % 8 < 4 for at in range(80)}
        return not_none(consistency({fact: {"ask": right, "choice": right} for fact, right in known.items()}).every)

    alone, together = every(1), every(4)
    assert together.high - together.low > 1.7 * (alone.high - alone.low)


@given(st.dictionaries(st.tuples(st.sampled_from("abcde")), st.dictionaries(st.sampled_from("xyz"), st.booleans())))
def test_every_form_is_rarer_than_the_mean_and_some_form_is_not(facts: Facts) -> None:
    found = consistency(facts)
    if found.mean and found.some and found.every:
        assert found.every.estimate <= found.mean.estimate + 1e-12
        assert found.mean.estimate <= found.some.estimate + 1e-12
    assert set(found.by_form) == {form for forms in facts.values() for form in forms}


def grade(asked: Question, verdict: Verdict, matched: tuple[str, ...] = ()) -> Grade:
    return Grade(asked.question_id, asked.question_type, verdict, matched, len(matched), 0, 0, "by hand")


def test_a_fact_is_consistent_where_it_is_known_in_every_form() -> None:
    """Of Q2 one of two answers is named; Q3 is asked in one form, and there is no reply."""
    by_form = FormBreakdown("x")
    graded: tuple[tuple[Question, Verdict, tuple[str, ...]], ...] = (
        (question("Q1", "single_answer", "ask_object"), "correct", ("Q90",)),
        (question("Q1", "binary_answer", "binary_correct"), "incorrect", ()),
        (question("Q2", "multiple_answer", "ask_object", ("Q90", "Q64")), "incorrect", ("Q64",)),
        (question("Q2", "multi_choices", "multi_choices_obj", ("Q64",)), "correct", ("Q64",)),
        (question("Q3", "single_answer", "ask_object"), "failed", ()),
    )
    for asked, verdict, matched in graded:
        by_form.add("g", "m", grade(asked, verdict, matched), asked)
    [found] = by_form.rows()
    assert (found.kg, found.generator, found.model, found.facts) == ("x", "g", "m", 2)
    assert estimate(found.mean) == (1 / 2 + 1) / 2  # Q1 by one of two forms, Q2 and Q64 by both
    assert estimate(found.every) == 1 / 2
    assert found.by_form["ask_object"].estimate == 2 / 3  # and Q2 with Q90, which is not named


def test_a_set_of_a_type_of_ones_own_is_about_each_of_its_facts() -> None:
    forms: dict[str, End] = {"list_obj": "object"}
    register(QuestionKind(question_type="list", placeholders=(), forms=forms, evaluator="", is_set=True))
    by_form = FormBreakdown("x")
    for kind, form in (("list", "list_obj"), ("multiple_answer", "ask_object")):
        asked = question("Q1", kind, form, ("Q90", "Q64"))
        by_form.add("g", "m", grade(asked, "incorrect", ("Q90",)), asked)
    [found] = by_form.rows()
    assert found.facts == 2  # the same two facts in both forms
    assert estimate(found.every) == 1 / 2


def test_facts_asked_in_one_form_are_not_told_of_and_asked_again_must_be_known_again() -> None:
    by_form = FormBreakdown("x")
    asked = question("Q1", "single_answer", "ask_object")
    for verdict in ("correct", "incorrect"):
        by_form.add("g", "m", grade(asked, verdict, ("Q90",)), asked)
    [row] = by_form.rows()
    assert FormBreakdown.sentence(row) == ""
    assert row.by_form["ask_object"].estimate == 0
