"""Which type of question a record asks."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe import grade_answers
from factprobe.errors import DataError
from factprobe.reading.language import vocabulary
from factprobe.text import normalise
from tests.inputs.one_record import ASKED, one, read


@pytest.mark.parametrize(
    ("given", "side"),
    [
        ("True", "correct"),
        (True, "correct"),
        ("no", "incorrect"),
        (0, "incorrect"),
        ("Yes.", "correct"),
        ("F", "incorrect"),
        ("Oui", "correct"),
        ("Nej.", "incorrect"),
        ("Nu", "incorrect"),
        ("对", "correct"),
        ("falsch", "incorrect"),
    ],
)
def test_side_has_many_words(given: Any, side: str) -> None:
    assert one({"question_type": "binary_answer", "answers": given}).question.answers == side


@pytest.mark.parametrize(
    ("question", "given", "answers"),
    [
        ("Is a tomato a fruit?", "yes", "correct"),
        ("Did Bach write it?", ["No", "Nope"], "incorrect"),
        ("was it so", "nein", "incorrect"),
        ("Is it red or green?", "red", None),
        ("Which band wrote Roundabout?", "Yes", None),
        ("Can you name the language code of Denmark?", "da", None),
        ("Is it so?", ["yes", "the first"], None),
        ("is the sky green", False, "incorrect"),
        ("Do they speak it?", "TRUE", "correct"),
        ("does it", "No.", "incorrect"),
        ("Isn't it so?", "yes", "correct"),
        ("Can’t they fly?", "no", "incorrect"),
        ("Can birds fly?", 1, "correct"),
        ("Is Pluto a planet?", "incorrect", "incorrect"),
        ("Did she pass?", "y", "correct"),
        ("Zero is an odd number. True or false?", "false", "incorrect"),
        ("True/False: zero is odd", False, "incorrect"),
        ("Judge it and answer yes or no: zero is odd", "no", "incorrect"),
        ("Null ist gerade. Wahr oder falsch?", True, "correct"),
        ("Zero is an odd number. Is that right?", "no", "incorrect"),
        ("In Python, is 1 == True?", "yes", "correct"),
        ("The sky is blue all day.\nQuestion: is the sky blue", True, "correct"),
        ("Zero is an odd number.", "false", "incorrect"),
        ("Which band, is it said, made Fragile?", "Yes", None),
        ("Name the band that made Fragile.", "Yes", None),
        ("Name the first villain of James Bond: Dr. ...", "No", None),
        ("What does bool([]) return in Python?", "False", None),
        ("Is it left or right?", "right", None),
        ("Is its smallest digit 0 or 1?", 0, None),
        ("Can you tell me how many moons Earth has?", 1, None),
        ("How many moons has Earth?", "1", None),
        ("Was it true or false alarm?", "alarm", None),
    ],
)
def test_question_for_yes_or_no_is_one_of_true_or_false(question: str, given: Any, answers: str | None) -> None:
    asked = one({"question": question, "answers": given}).question
    assert (asked.question_type == "binary_answer") == (answers is not None)
    assert answers is None or asked.answers == answers


def test_question_type_from_settings() -> None:
    asked = {**ASKED, "question": "Zero is odd", "answers": "false"}
    [first, second] = read(asked, {**asked, "answers": True}, question_type="binary_answer")
    assert (first.question.question_type, first.question.answers) == ("binary_answer", "incorrect")
    assert second.question.answers == "correct"
    [own] = read({**asked, "binary_answer": "single_answer"}, question_type="binary_answer")
    assert own.question.question_type == "single_answer", "a column of that name comes first"
    with pytest.raises(DataError, match="has no 'binary_answers'"):
        read(asked, question_type="binary_answers")


def test_no_word_is_for_both_sides() -> None:
    yes = vocabulary("judgment_true", "judgment_yes", "judgment_alone_true", "binary_answers_yes")
    no = vocabulary("judgment_false", "judgment_no", "judgment_alone_false", "binary_answers_no")
    assert {*map(normalise, yes)}.isdisjoint(map(normalise, no))


@pytest.mark.parametrize("answers", ["A|C", ["Whale", "Bat"]])
def test_several_right_options_are_refused_where_all_are_asked_for(answers: Any) -> None:
    record = {"question": "Which?", "answers": answers, "choices": ["Whale", "Shark", "Bat"], "response": "A, C"}
    with pytest.raises(DataError, match=r"several right options, .* match=any "):
        grade_answers([record], match="all")
    assert grade_answers([{**record, "answers": "A|Whale"}, record], match="all", name="x")[0].verdict == "incorrect"
    assert grade_answers([{**record, "response": "C"}])[0].verdict == "correct"


def test_several_right_options_may_be_named_together() -> None:
    record = {"question": "Which are primes?", "choices": "Two|Four|Three|Nine", "answers": "A|C"}
    grades = grade_answers([{**record, "response": reply} for reply in ("A", "A, C", "A and C", "A, B", "A, B, C")])
    assert [grade.verdict for grade in grades] == ["correct"] * 3 + ["incorrect"] * 2
