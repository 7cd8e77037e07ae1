"""Questions that name their own answers."""

from __future__ import annotations

from factprobe.reading.answer_leak import giveaway, named_by, own_text
from factprobe.records import Answer, Message, Question, Relation
from factprobe.templating import Template
from tests.tables import for_each_row

TEMPLATE = Template(Relation("P138", "[X] takes its name from [Y]."), "here")


def asked(subject: str, names: str, bare: str = "") -> Question:
    """Return a question what a thing is named after; a slash divides the answer's names."""
    label, *aliases = names.split("/")
    return Question(
        "s:o:P138:single_answer:ask_object",
        "single_answer",
        (Message("user", f"Complete: Paris {subject}"),),
        (Answer("o", label, tuple(aliases)),),
        "P138",
        "s",
        "o",
        statement=None if bare else TEMPLATE.fill(subject, "____", "object"),
        bare=bare,
    )


@for_each_row(
    ("question", "where"),
    [
        (asked("Mount Cook", "James Cook"), ""),
        (asked("Mount Cook", "James Cook/Cook"), "subject"),
        (asked("Mount Cook", "mount cook"), "subject"),
        (asked("Cooktown", "Cook"), ""),  # whole words alone
        (asked("the Name", "name/Its name"), "words"),  # it stands in the template, too
        (asked("x", "Cook", bare="What was named after Cook, x or y?"), "words"),
        (asked("x", "Cook", bare="What does x take its name from?"), ""),
        (asked("Cook Sea", "Cook", bare="What do the Cook Islands take their name from?"), "words"),
        (asked("x", "from"), "words"),
        (asked("x", "Israel/ITS"), ""),  # not as it is written
    ],
)
def test_an_answer_that_stands_in_the_question(question: Question, where: str) -> None:
    assert giveaway(question) == where


def test_a_statement_to_be_judged_gives_nothing_away() -> None:
    shown = TEMPLATE.fill("Mount Cook", "Cook")
    question = Question("id", "binary_answer", (), "correct", "P138", "s", "o", statement=shown)
    assert giveaway(question) == ""


def test_the_own_words_of_a_question() -> None:
    assert own_text(asked("x", "y")) == "x takes its name from ____."
    assert own_text(asked("x", "y", bare="Why x?")) == "Why x?"
    assert own_text(Question("id", "single_answer", (Message("user", "Why?"),), (), "P138", "s", "o")) == "Why?"


def test_the_blank_is_no_answer_that_is_named() -> None:
    statement = Template(Relation("P36", "[X]: [Y]"), "here").fill("Peru", "____", "object")
    assert named_by(statement, "object", (Answer("o", "____"),)) == ""
