"""Verdicts by rank, worked out by hand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.evaluators.ranking import by_rank
from factprobe.records import Answer, Grade, Response
from tests.models.questions import choices

ASKED = replace(choices(), choices=("Rome", "Paris", "Oslo", "Bonn"), cloze=("The capital of France is ", "."))


def response(*scores: float, text: str | None = "Paris", error: str | None = None) -> Response:
    return Response(ASKED.question_id, text, None, None, error, scores=scores)


@pytest.mark.parametrize(
    ("scores", "rank"),
    [
        ((-3.0, -1.0, -2.0, -4.0), 1),
        ((-1.0, -2.0, -3.0, -4.0), 2),
        ((-1.0, -9.0, -3.0, -4.0), 4),
        # of equal scores the choice that stands earlier is the likelier one
        ((-1.0, -1.0, -3.0, -4.0), 2),
        ((-3.0, -1.0, -1.0, -1.0), 1),
        ((-2.0, -2.0, -2.0, -2.0), 2),
    ],
)
def test_the_rank_of_the_right_answer_decides(scores: tuple[float, ...], rank: int) -> None:
    found = by_rank(ASKED, response(*scores))
    right = rank == 1
    assert found == Grade(
        ASKED.question_id,
        "multi_choices",
        "correct" if right else "incorrect",
        ("Q90",) if right else (),
        int(right),
        int(not right),
        int(not right),
        "rank",
        rank,
    )


@pytest.mark.parametrize(
    "given",
    [response(), response(-1.0, -2.0), response(-1.0, -2.0, -3.0, -4.0, error="cut off", text=None)],
    ids=["no scores", "scores of other choices", "an error"],
)
def test_what_is_no_ranking_is_left_to_the_text(given: Response) -> None:
    assert by_rank(ASKED, given) is None


def test_a_right_answer_that_is_no_choice_has_no_rank() -> None:
    assert by_rank(replace(ASKED, choices=("Rome", "Oslo")), response(-1.0, -2.0)) is None


@given(st.lists(st.sampled_from([-1.0, -2.0, -3.0]), min_size=4, max_size=4))
def test_exactly_one_choice_has_rank_1_and_it_is_the_argmax(scores: list[float]) -> None:
    ranks = []
    for label in ASKED.choices:
        found = by_rank(replace(ASKED, answers=(Answer("Q90", label),)), response(*scores))
        assert found is not None
        ranks.append(found.rank)
    assert sorted(ranks) == [1, 2, 3, 4]
    assert ranks.index(1) == scores.index(max(scores))
