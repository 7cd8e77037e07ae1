"""The consistency of answers over the wordings of a question."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe.metrics.breakdowns.paraphrases import ByWording, WordingConsistency, answer_of, consistency
from factprobe.metrics.breakdowns.question_pairs import question_hash
from factprobe.records import Answer, Context, Grade, Hop, Message, Question, Statement
from tests.optional import not_none

NAMES = {"Q1": "Paris", "Q2": "Rome"}


def asked(number: int = 0, wording: str = "a", kind: str = "single_answer", right: str = "Q1", **more: Any) -> Question:
    prompts = (Message("user", f"{wording} {number}?"),)
    choices = ("Paris", "Rome", "Bonn") if kind == "multi_choices" else ()
    answers: Any = "correct" if kind == "binary_answer" else (Answer(right, NAMES[right]),)
    return Question(f"s{number}:Q1:P36:{kind}:x", kind, prompts, answers, "P36", f"s{number}", "Q1", choices, **more)


def graded(question: Question, verdict: Any, answer: str = "", matched: tuple[str, ...] = ()) -> Grade:
    matched = ("Q1",) if verdict == "correct" and not matched else matched
    return Grade(question.question_id, question.question_type, verdict, matched, 0, 0, 0, "r", answer=answer)


def of(*rows: tuple[str, Question, Grade]) -> dict[str, WordingConsistency]:
    table = ByWording("trex")
    for generator, question, grade in rows:
        table.add(generator, "m", grade, question)
    return {row.question_type: row for row in table.rows()}


def rates(row: WordingConsistency) -> list[float | None]:
    return [None if share is None else share.estimate for share in (row.mean, row.some, row.every, row.same)]


def test_by_hand() -> None:
    """Three wordings of three questions: right in all, right in one of three, wrong in the same way in two of three."""
    said = [("correct", "correct", "correct"), ("correct", "Bonn", "Rome"), ("Bonn", "bonn", "Rome")]
    rows = []
    for number, verdicts in enumerate(said):
        for wording, word in zip("abc", verdicts, strict=True):
            question = asked(number, wording)
            verdict = "correct" if word == "correct" else "incorrect"
            rows.append((wording, question, graded(question, verdict, word)))
    found = of(*rows)
    assert list(found) == ["all", "single_answer"]
    row = found["all"]
    assert (row.kg, row.generator, row.model, row.wordings, row.questions) == ("trex", "a", "m", "a, b, c", 3)
    assert rates(row) == pytest.approx([(1 + 1 / 3 + 0) / 3, 2 / 3, 1 / 3, (1 + 0 + 1 / 3) / 3])
    assert rates(found["single_answer"]) == rates(row)


@pytest.mark.parametrize(
    ("first", "second", "alike"),
    [
        (("abstained", "I do not know"), ("abstained", "No idea"), True),
        (("unparsed", "blah"), ("unparsed", "blah"), False),
        (("incorrect", "The Bonn"), ("incorrect", "bonn."), True),
        (("incorrect", ""), ("incorrect", ""), False),
        (("correct", "Paris"), ("abstained", "?"), False),
        (("correct", "Paris"), ("correct", "in Paris"), True),
    ],
)
def test_answers_that_are_alike(first: tuple[str, str], second: tuple[str, str], alike: bool) -> None:
    questions = asked(0, "a"), asked(0, "b")
    grades = [graded(question, *said) for question, said in zip(questions, (first, second), strict=True)]
    [row, _] = of(("a", questions[0], grades[0]), ("b", questions[1], grades[1])).values()
    assert row.same
    assert row.same.estimate == float(alike)


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        ("B", "Rome", True),
        ("b) Rome", "Rome", True),
        ("C", "Rome", False),
        ("C.", "Bonn", True),
        ("Z", "Z", True),
        ("**B**", "B) Rome", True),
        ("A small town", "A) Paris", False),
        ("B. Lugosi", "Rome", False),
        ("B) Rome, of course", "B", True),
    ],
)
def test_an_option_is_the_same_by_its_letter_and_by_its_text(one: str, other: str, alike: bool) -> None:
    question = asked(kind="multi_choices")
    said = [answer_of(graded(question, "incorrect", text), question) for text in (one, other)]
    assert (said[0] == said[1]) is alike


@pytest.mark.parametrize("letter", ["İ", "ı", "ſ", "\u212a", "é", "Ж", "ａ"])
def test_a_letter_beyond_ascii_names_no_option(letter: str) -> None:
    """With IGNORECASE the pattern `[a-z]` takes the first four for letters from a to z."""
    question = asked(kind="multi_choices")
    said = not_none(answer_of(graded(question, "incorrect", f"{letter}. İnönü"), question))
    assert "inonu" in said


def test_of_a_statement_the_verdict_is_the_answer() -> None:
    question = asked(kind="binary_answer")
    assert answer_of(graded(question, "incorrect", "no"), question) == answer_of(
        graded(question, "incorrect"), question
    )


OTHER = asked(0, "b", "multi_choices")


@pytest.mark.parametrize(
    ("question", "verdict", "is_pair"),
    [
        (OTHER, "correct", True),
        (OTHER, "failed", False),
        (asked(0, "a", "multi_choices"), "correct", False),  # the same words
        (replace(OTHER, choices=("Paris", "Oslo", "Bonn")), "correct", False),
        (replace(OTHER, context=Context("Paris is in France.")), "correct", False),
        (replace(OTHER, cloze=("a", "b")), "correct", False),
        (replace(OTHER, given="none"), "correct", False),
        (replace(OTHER, answers=(Answer("Q2", "Rome"),)), "correct", False),
    ],
)
def test_only_other_words_for_the_same_question_make_a_pair(question: Question, verdict: str, is_pair: bool) -> None:
    usual = asked(0, "a", "multi_choices")
    assert bool(of(("a", usual, graded(usual, "correct")), ("b", question, graded(question, verdict)))) is is_pair


def test_nothing_asked() -> None:
    assert ByWording("trex").rows() == []
    nothing = np.zeros(0, np.intp)
    found = consistency(nothing, nothing, [], nothing)
    assert (found.questions, found.mean, found.some, found.every, found.same) == (0, None, None, None, None)


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(-1, 2)), max_size=30))
def test_as_counted_pair_by_pair(replies: list[tuple[int, int]]) -> None:
    numbers = sorted({question for question, _ in replies})
    questions = np.array([numbers.index(question) for question, _ in replies], np.intp)
    answers = np.array([answer for _, answer in replies], np.intp)
    found = consistency(questions, answers, answers == 0, questions)
    shares, known = [], []
    for number in range(len(numbers)):
        said = [answer for question, answer in zip(questions, answers, strict=True) if question == number]
        if len(said) > 1:
            pairs = [(a, b) for at, a in enumerate(said) for b in said[at + 1 :]]
            shares.append(sum(a == b >= 0 for a, b in pairs) / len(pairs))
            known.append(said.count(0) / len(said))
    assert found.questions == len(shares)
    if shares:
        assert found.same
        assert found.mean
        assert found.every
        assert found.same.estimate == pytest.approx(sum(shares) / len(shares))
        assert found.mean.estimate == pytest.approx(sum(known) / len(known))
        assert found.every.estimate == pytest.approx(known.count(1) / len(known))


ASKED = Question(
    "a:b:r:multi_choices:obj",
    "multi_choices",
    (Message("user", "?"),),
    (Answer("b", "B"),),
    "r",
    "a",
    "b",
    choices=("B", "C"),
)


@pytest.mark.parametrize(
    "change",
    [
        {"prompts": (Message("user", "!"),)},
        {"choices": ("C", "B")},
        {"answers": (Answer("b", "B", ("Bee",)),)},
        {"statement": Statement("A, B", (0, 1), (3, 4))},
        {"bare": "?"},
        {"context": Context("A is B.")},
        {"given": "none"},
    ],
)
def test_other_words_ask_the_same(change: dict[str, Any]) -> None:
    assert question_hash(replace(ASKED, **change)) == question_hash(ASKED)


@pytest.mark.parametrize(
    "change",
    [
        {"question_id": "c:b:r:multi_choices:obj"},
        {"choices": ("B", "D")},
        {"choices": ("B", "C", "D")},
        {"answers": (Answer("d", "B"),)},
        {"answers": "correct"},
        {"shown": "b"},
        {"path": (Hop("p"), Hop("q"))},
    ],
)
def test_another_question_is_not_the_same(change: dict[str, Any]) -> None:
    assert question_hash(replace(ASKED, **change)) != question_hash(ASKED)


def test_the_order_of_questions_is_the_same_in_every_process() -> None:
    """Sums over questions are added in this order: Python's own hashes of texts would make other last digits."""
    assert question_hash(ASKED) == 2119198573872947035
