"""Replies that give the wrong answer which the passage before their question states."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.evaluators import grade
from factprobe.evaluators.judge import decided
from factprobe.question_types import QuestionType
from factprobe.records import (
    Answer,
    Context,
    Grade,
    Message,
    NodeSummary,
    ObjectNode,
    Question,
    Relation,
    RelationSummary,
    Response,
    Statement,
    SubjectNode,
)
from tests.tables import for_each_row

FACTS = {"Ada": ["London"], "Max": ["Bonn", "Rome"], "Eva": ["Oslo"], "Tom": ["Turin"]}
PLACES = sorted({place for places in FACTS.values() for place in places})
PLANTED = Answer("Oslo", "Oslo", ("Kristiania",))
PASSAGE = "As Turin and London know, she was born in Oslo."
SUMMARY = RelationSummary(
    Relation("P19", "[X] was born in [Y]."),
    NodeSummary(
        {
            place: ObjectNode(
                place, place, [s for s in FACTS if place in FACTS[s]], ("Kristiania",) * (place == "Oslo")
            )
            for place in PLACES
        },
        {subject: SubjectNode(subject, subject, places) for subject, places in FACTS.items()},
    ),
)
BLANK = Statement("Ada was born in ____.", (0, 3), (16, 20), "object")
CHOICES = ("Turin", "Oslo", "London", "Bonn")


def asked(kind: QuestionType, planted: Answer | None = PLANTED, shown: str = "Oslo") -> Question:
    """A question about Ada (about Max, who has two places, where a set is asked for) with a passage before it."""
    subject = "Max" if kind == "multiple_answer" else "Ada"
    right = tuple(Answer(place, place) for place in FACTS[subject])
    question = Question(
        f"{subject}:{FACTS[subject][0]}:P19:{kind}:ask_object",
        kind,
        (Message("user", f"Passage: {PASSAGE}\n\nWhere was she born?"),),
        right,
        "P19",
        subject,
        FACTS[subject][0],
        statement=BLANK.with_ends(subject, "____", "object"),
        context=Context(PASSAGE, "antifactual", planted),
    )
    if kind == "multi_choices":
        return replace(question, choices=CHOICES)
    if kind == "binary_answer":
        side = "correct" if shown == "London" else "incorrect"
        return replace(question, answers=side, shown=shown, statement=BLANK.with_ends("Ada", shown))
    return question


def graded(question: Question, reply: str, **names: str) -> Grade:
    [found] = grade([(question, Response(question.question_id, reply, "stop", None, None))], SUMMARY, names)
    return found


@for_each_row(
    ("kind", "reply", "verdict", "planted"),
    [
        ("single_answer", "Oslo", "incorrect", True),
        ("single_answer", "kristiania", "incorrect", True),
        ("single_answer", "According to the passage, Ada was born in Oslo.", "incorrect", True),
        ("single_answer", "London", "correct", False),
        ("single_answer", "The passage says Oslo, but she was born in London.", "correct", False),
        ("single_answer", "Turin", "incorrect", False),
        ("single_answer", "Oslo or Turin", "incorrect", False),
        ("single_answer", "I don't know.", "abstained", False),
        ("multiple_answer", "Oslo", "incorrect", True),
        ("multiple_answer", "Bonn, Oslo", "incorrect", True),
        ("multiple_answer", "Bonn", "incorrect", False),
        ("multiple_answer", "Bonn, Rome", "correct", False),
        ("multi_choices", "B) Oslo", "incorrect", True),
        ("multi_choices", "B", "incorrect", True),
        ("multi_choices", "A) Turin", "incorrect", False),
        ("multi_choices", "C", "correct", False),
        ("binary_answer", "correct", "incorrect", True),
        ("binary_answer", "incorrect", "correct", False),
        ("binary_answer", "The statement is about Ada.", "unparsed", False),
    ],
)
def test_wrong_reply_with_the_planted_answer_is_marked(
    kind: QuestionType, reply: str, verdict: str, planted: bool
) -> None:
    found = graded(asked(kind), reply)
    assert (found.verdict, found.planted) == (verdict, planted)
    assert not graded(asked(kind, None), reply).planted


def test_the_answer_that_was_taken_from_the_passage_is_told() -> None:
    assert graded(asked("single_answer"), "She was born in Oslo.").answer == "Oslo"


def test_of_a_true_statement_the_passage_says_the_contrary() -> None:
    question = asked("binary_answer", shown="London")
    assert graded(question, "That is incorrect.").planted
    assert not graded(question, "correct").planted


@for_each_row(
    ("kind", "name", "reply"),
    [
        ("single_answer", "llm_facteval_short", "in oslo"),
        ("multi_choices", "llm_facteval_choices", "it is oslo"),
        ("binary_answer", "llm_facteval_binary", "correct"),
    ],
)
def test_other_evaluators_mark_planted_answers(kind: QuestionType, name: str, reply: str) -> None:
    found = graded(asked(kind), reply, **{kind: name})
    assert (found.verdict, found.planted) == ("incorrect", True)


@for_each_row(("scores", "planted"), [((1, 3, 2, 0), True), ((3, 2, 1, 0), False), ((0, 1, 2, 1), False)])
def test_ranking_with_the_planted_answer_first_is_marked(scores: tuple[float, ...], planted: bool) -> None:
    question = replace(asked("multi_choices"), cloze=("Ada was born in ", "."))
    response = Response(question.question_id, "", "stop", None, None, scores=scores)
    [found] = grade([(question, response)], SUMMARY)
    assert found.planted == planted


def test_what_a_judge_takes_for_right_is_not_planted() -> None:
    found = graded(asked("single_answer"), "Oslo")
    assert not decided(asked("single_answer"), ["correct"], found).planted
    assert decided(asked("single_answer"), ["incorrect"], found).planted
