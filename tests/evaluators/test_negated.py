"""Negated statements: the side that a careful person sees a reply take on the negation, not on what it denies."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from factprobe.generators.negation import negated
from factprobe.question_types import NEGATED
from factprobe.records import Question
from factprobe.templating import Template
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, World, graded

YEARS = World("[X] (born [Y]).", {"Albert Einstein": ["1879"], "Otto Hahn": ["1880"]})
"""A relation without a verb, whose negation is a clause before it."""


def not_so(world: World, subject: str, shown: str) -> Asked:
    """Is the negation of this statement correct?"""
    asked = w.true_or_false(world, subject, shown)
    plain = asked.question
    template = negated(Template(world.summary().relation_info, ""))
    assert template is not None
    question_id, _, form = plain.question_id.rpartition(":")
    question = replace(
        plain,
        question_id=f"{question_id}:{NEGATED[form]}",
        answers="incorrect" if plain.answers == "correct" else "correct",
        statement=template.fill(subject, shown),
        denied=plain.statement,
    )
    return asked._replace(question=question)


BORN = not_so(w.BORN, "Albert Einstein", "Ulm")
"""Albert Einstein was not born in Ulm: that is incorrect."""
ELSEWHERE = not_so(w.BORN, "Albert Einstein", "Paris")
"""Albert Einstein was not born in Paris: that is correct."""
YEAR = not_so(YEARS, "Albert Einstein", "1879")
"""It is not true that Albert Einstein (born 1879): that is incorrect."""

SAYS_CORRECT = [
    ("Correct.", "the label"),
    ("Yes.", "a mere yes"),
    ("The statement is true.", "a sentence"),
    ("He was not born in Ulm.", "the statement with a pronoun"),
    ("He wasn't born in Ulm.", "in its own words"),
    ("No, he was not born in Ulm.", "the no of who agrees with a negation"),
    ("No, he wasn't born in Ulm.", "the same, short"),
    ("Yes, he was not born in Ulm.", "a yes to the negation"),
    ("Yes, Albert Einstein was not born in Ulm.", "the same with the name"),
    ("It is not true that he was born in Ulm.", "judges what the statement denies"),
    ("It is incorrect that Albert Einstein was born in Ulm.", "the same with the name"),
    ("The claim that Albert Einstein was born in Ulm is false.", "the same behind"),
    ("It is true that he was not born in Ulm.", "judges the negation"),
    ("Correct. Albert Einstein was not born in Ulm.", "the label and the statement"),
    ("Correct, he was born in Munich.", "the label and what holds instead"),
    ("He was born in Munich.", "what holds instead"),
    ("No, he wasn't.", "short for the negation"),
    ("He was not.", "the same"),
    ("Albert Einstein was not born in Ulm, so the statement is correct.", "a conclusion"),
    ("The statement that he was not born in Ulm is correct.", "judges the negation, named"),
    ("No. He was born in Munich.", "a no to what is denied, and what holds instead"),
    ("Albert Einstein was born in Munich, not in Ulm.", "what holds instead, and not this"),
]
SAYS_INCORRECT = [
    ("incorrect", "the label"),
    ("No.", "a mere no"),
    ("The statement is false.", "a sentence"),
    ("He was born in Ulm.", "what is denied, with a pronoun"),
    ("Albert Einstein was born in Ulm.", "what is denied"),
    ("Yes, he was born in Ulm.", "the yes of who contradicts"),
    ("No, he was born in Ulm.", "a no to the negation"),
    ("That's not true, he was born in Ulm.", "the label and what holds"),
    ("Incorrect. Albert Einstein was born in Ulm.", "the label and what holds"),
    ("Yes, he was.", "short for what is denied"),
    ("He was.", "the same"),
    ("False. Einstein was, in fact, born in Ulm.", "the label and what holds"),
    ("Contrary to the statement, he was born in Ulm.", "what is denied, told against it"),
    ("The statement claims that he was not born in Ulm, which is false.", "judges the negation behind it"),
    ("It is true that he was born in Ulm.", "judges what the statement denies"),
    ("It is not true that he was not born in Ulm.", "judges the negation"),
    ("The statement that Albert Einstein was not born in Ulm is incorrect.", "judges the negation, named"),
]

CAPITAL = not_so(World("[Y] is the capital of [X].", {"France": ["Paris"], "Ukraine": ["Kyiv"]}), "France", "Paris")
"""Paris is not the capital of France: that is incorrect. Its first name is the one that is sought."""


@pytest.mark.parametrize(
    "reply",
    [
        "incorrect",
        "It is the capital of France.",
        "It's the capital of France.",
        "Yes, it is the capital of France.",
        "Yes, it is.",
        "It is.",
        "It is indeed.",
        "But it is!",
        "Of course it is.",
        "It certainly is.",
        "It is true that it is.",
        "It's true that it is.",
        "It is not true that it is not.",
    ],
)
def test_it_is(reply: str) -> None:
    assert graded(CAPITAL, reply).verdict == "correct"


@pytest.mark.parametrize(
    "reply",
    [
        "correct",
        "It is not the capital of France.",
        "It is not.",
        "It isn't.",
        "It's not.",
        "No, it's not.",
        "It really is not.",
        "It is true that it is not.",
        "It is true that it's not.",
        "It is not true that it is.",
        "It is false that it is.",
    ],
)
def test_it_is_not(reply: str) -> None:
    assert graded(CAPITAL, reply).verdict == "incorrect"


@pytest.mark.parametrize(("reply", "why"), SAYS_CORRECT)
def test_says_that_the_negation_holds(reply: str, why: str) -> None:
    assert graded(BORN, reply).verdict == "incorrect", why
    assert graded(ELSEWHERE, reply.replace("Ulm", "Paris")).verdict == "correct", why


@pytest.mark.parametrize(("reply", "why"), SAYS_INCORRECT)
def test_says_that_the_negation_does_not_hold(reply: str, why: str) -> None:
    assert graded(BORN, reply).verdict == "correct", why
    assert graded(ELSEWHERE, reply.replace("Ulm", "Paris")).verdict == "incorrect", why


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("Albert Einstein was not born in Ulm.", "unparsed"),
        ("Is that so?", "unparsed"),
        ("correct or incorrect", "unparsed"),
        ("I don't know.", "abstained"),
        ("I cannot say whether he was not born in Ulm.", "abstained"),
    ],
)
def test_takes_no_side(reply: str, verdict: str) -> None:
    assert graded(BORN, reply).verdict == verdict


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("incorrect", "correct"),
        ("It is not true that Albert Einstein (born 1879).", "unparsed"),
        ("He was born in 1879.", "correct"),
        ("He was born in 1880.", "incorrect"),
        ("Albert Einstein was not born in 1879.", "incorrect"),
    ],
)
def test_a_clause_before_the_statement(reply: str, verdict: str) -> None:
    assert graded(YEAR, reply).verdict == verdict


def test_the_words_that_decided_are_told() -> None:
    found = graded(BORN, "Well, he was born in Ulm.")
    assert (found.rule, found.answer) == ("restated", "he was born in Ulm")


def test_a_record_without_the_denied_statement_is_read_by_its_labels() -> None:
    question: Question = replace(BORN.question, denied=None)
    assert graded(BORN._replace(question=question), "incorrect").verdict == "correct"
