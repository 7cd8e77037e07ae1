"""To say that there is nobody or nothing of a made-up name is to decline, whatever is asked about it."""

from __future__ import annotations

from functools import cache

from msgspec.structs import replace

from factprobe.records import Grade, Question
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded
from tests.tables import for_each_row

NAME = "Mckes"


@cache
def asked_about_nobody() -> tuple[Asked, ...]:
    """A question of each type about a person whose name is made up."""
    kinds = (
        w.ask_object(w.BORN, "Albert Einstein"),
        w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Paris"),
        w.true_or_false(w.BORN, "Albert Einstein", "Ulm"),
    )
    return tuple(asked._replace(question=with_made_up_name(asked.question)) for asked in kinds)


def with_made_up_name(question: Question) -> Question:
    assert question.statement is not None
    statement = question.statement
    shown = statement.with_ends(NAME, statement.at("object"), statement.blank)
    subject = f"made-up/{question.subject_uri}"
    answers = "incorrect" if isinstance(question.answers, str) else ()
    return replace(question, given="made_up", statement=shown, subject_uri=subject, answers=answers)


@for_each_row(
    "reply",
    [
        "There is no person named Mckes.",
        "There is nobody named Mckes.",
        "No person named Mckes exists.",
        "No one by the name of Mckes is known.",
        "No known person is called Mckes.",
        "Mckes is fictional.",
        "Mckes is a fictional person.",
        "The name Mckes does not correspond to any known person.",
        "The name doesn't refer to anyone.",
        "Es gibt niemanden namens Mckes.",
        "Mckes ist frei erfunden.",
    ],
)
def test_denied_existence_of_the_name_is_an_abstention(reply: str) -> None:
    assert {(found.verdict, found.rule) for found in said(reply)} == {("abstained", "response.no_such_entity")}


@for_each_row(
    "reply", ["Ulm", "Mckes was born in Ulm.", "The statement is fictitious.", "Mckes wrote fictional stories in Ulm."]
)
def test_answer_or_judgment_is_no_denied_existence(reply: str) -> None:
    assert "response.no_such_entity" not in {found.rule for found in said(reply)}


def test_of_a_name_that_somebody_bears_it_is_an_answer() -> None:
    real = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
    assert graded(real, "Albert Einstein is fictional.").rule != "response.no_such_entity"


def said(reply: str) -> list[Grade]:
    return [graded(asked, reply) for asked in asked_about_nobody()]
