"""The consistency of facts over the forms of questions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.metrics.consistency import Consistency, consistency
from factprobe.metrics.intervals import Interval


def estimate(interval: Interval | None) -> float | None:
    return interval and interval.estimate


def of(questions: list[tuple[str, str, bool]], clusters: list[str] | None = None) -> Consistency:
    facts, forms, known = ([question[at] for question in questions] for at in range(3))
    return consistency(facts, forms, known, clusters)  # type: ignore[arg-type]


# Four facts: one known in both forms, one in one of two, one in none, one asked in one form alone.
QUESTIONS = [
    ("f1", "ask", True),
    ("f1", "choice", True),
    ("f2", "ask", False),
    ("f2", "choice", True),
    ("f3", "ask", False),
    ("f3", "choice", False),
    ("f4", "ask", True),
]


def test_by_hand() -> None:
    found = of(QUESTIONS)
    assert {form: interval.estimate for form, interval in found.by_form.items()} == {
        "ask": 2 / 4,
        "choice": pytest.approx(2 / 3),
    }
    assert found.facts == 3
    assert estimate(found.mean) == pytest.approx((1 + 0.5 + 0) / 3)
    assert estimate(found.some) == pytest.approx(2 / 3)
    assert estimate(found.every) == pytest.approx(1 / 3)


def test_asked_again_a_fact_must_be_known_again() -> None:
    found = of([("f1", "ask", True), ("f1", "ask", False), ("f1", "choice", True)])
    assert found.by_form["ask"].estimate == 0
    assert (estimate(found.some), estimate(found.every)) == (1, 0)


def test_one_form_says_nothing_of_consistency() -> None:
    found = of([("f1", "ask", True), ("f2", "ask", False)])
    assert (found.facts, found.mean, found.some, found.every) == (0, None, None, None)
    assert found.by_form["ask"].estimate == 0.5


def test_nothing_asked() -> None:
    assert of([]) == Consistency({}, 0, None, None, None)


def test_facts_of_an_entity_share_its_luck() -> None:
    questions = [(f"f{at}", form, at % 8 < 4) for at in range(80) for form in ("ask", "choice")]
    alone, together = of(questions).every, of(questions, [f"Q{int(fact[1:]) // 4}" for fact, _, _ in questions]).every
    assert alone is not None
    assert together is not None
    assert together.high - together.low > 1.7 * (alone.high - alone.low)


def test_lengths_that_differ() -> None:
    with pytest.raises(ValueError, match="argument"):
        consistency(["f1"], ["ask", "choice"], [True])


@given(st.lists(st.tuples(st.sampled_from("abcde"), st.sampled_from("xyz"), st.booleans()), max_size=30))
def test_every_form_is_rarer_than_the_mean_and_some_form_is_not(questions: list[tuple[str, str, bool]]) -> None:
    found = of(questions)
    if found.mean and found.some and found.every:
        assert found.every.estimate <= found.mean.estimate + 1e-12
        assert found.mean.estimate <= found.some.estimate + 1e-12
    assert set(found.by_form) == {form for _, form, _ in questions}
