"""Verdicts by rank, worked out by hand."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.evaluators import evaluators, grade
from factprobe.reading.names.index import EntityIndex
from factprobe.records import Answer, Grade, Question, Response
from tests.models.questions import choices
from tests.tables import for_each_row

ASKED = replace(choices(), choices=("Rome", "Paris", "Oslo", "Bonn"), cloze=("The capital of France is ", "."))


def response(*scores: float, text: str | None = "Paris", error: str | None = None) -> Response:
    return Response(ASKED.question_id, text, None, None, error, scores=scores)


def graded(question: Question, given: Response) -> Grade:
    (found,) = grade([(question, given)], None)
    return found


@for_each_row(
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
    found = graded(ASKED, response(*scores))
    right = rank == 1
    assert replace(found, answer="", why="", confidence=None) == Grade(
        ASKED.question_id,
        "multi_choices",
        "correct" if right else "incorrect",
        ("Q90",) if right else (),
        int(right),
        int(not right),
        int(not right),
        "ranked.rank",
        rank,
    )
    assert found.answer == ASKED.choices[scores.index(max(scores))]
    assert found.why == f"the right answer is number {rank} of 4 by likelihood"


@for_each_row(
    ("given", "rule"),
    [
        (response(), "options.text"),
        (response(-1.0, -2.0), "options.text"),
        (response(-1.0, float("nan"), -3.0, -4.0), "options.text"),
        (response(-1.0, -2.0, -3.0, -4.0, error="cut off", text=None), "response.failed"),
        (replace(response(-1.0, -2.0, -3.0, -4.0), finish_reason="error"), "response.failed"),
        (replace(response(text=""), finish_reason="content_filter"), "response.filtered"),
    ],
)
def test_what_is_no_ranking_is_left_to_the_text(given: Response, rule: str) -> None:
    found = graded(ASKED, given)
    assert (found.rule, found.rank) == (rule, 0)


def test_a_right_answer_that_is_no_choice_has_no_rank() -> None:
    found = graded(replace(ASKED, choices=("Rome", "Oslo")), response(-1.0, -2.0))
    assert (found.rule, found.rank) == ("options.no_choice", 0)


def test_settings_are_for_the_evaluators_of_replies() -> None:
    names = {"multi_choices": "llm_facteval_choices"}
    answered = [(ASKED, response(-1.0, -2.0, -3.0, -4.0)), (ASKED, response())]
    assert [found.rule for found in grade(answered, None, names, {"delimiter": "-"})] == [
        "ranked.rank",
        "facteval_choice",
    ]


def test_the_evaluator_of_ranked_questions_ranks_and_reads_a_reply_in_words() -> None:
    evaluator = evaluators.get("ranked")(EntityIndex())
    assert evaluator.grade(ASKED, response(-1.0, -2.0, -3.0, -4.0)).rank == 2
    assert evaluator.grade(ASKED, response(text="B) Paris")).verdict == "correct"


@given(st.lists(st.sampled_from([-1.0, -2.0, -3.0]), min_size=4, max_size=4))
def test_exactly_one_choice_has_rank_1_and_it_is_the_argmax(scores: list[float]) -> None:
    ranks = []
    for label in ASKED.choices:
        ranks.append(graded(replace(ASKED, answers=(Answer("Q90", label),)), response(*scores)).rank)
    assert sorted(ranks) == [1, 2, 3, 4]
    assert ranks.index(1) == scores.index(max(scores))
