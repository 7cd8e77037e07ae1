"""Each question type is whole: its wording, its forms, its evaluator and its chance level are there and fit."""

from __future__ import annotations

import pytest

from factprobe.config import resource
from factprobe.errors import NameClashError, UnknownNameError
from factprobe.evaluators.base import evaluators
from factprobe.question_types import (
    KINDS,
    QUESTION_TYPES,
    QuestionKind,
    get_kind,
    get_kind_or_default,
    question_types,
    register,
    sought_end,
)
from factprobe.records import Message, Question


def question(question_type: str, form: str, cloze: tuple[str, str] | None = None) -> Question:
    name = f"s:o:P1:{question_type}:{form}"
    choices = ("a", "b", "c") if question_type == "multi_choices" else ()
    return Question(name, question_type, (Message("user", "?"),), (), "P1", "s", "o", choices, cloze)


def test_every_type_has_its_entry_and_every_form_its_end() -> None:
    assert question_types() == list(QUESTION_TYPES)
    ends = {form: end for kind in KINDS.values() for form, end in kind.forms.items()}
    assert ends == {form: sought_end(form) for form in ends}
    assert {form for form, end in ends.items() if end == "subject"} == {
        "ask_subject",
        "binary_negated_sub_correct",
        "binary_sub_incorrect",
        "multi_choices_sub",
    }


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_what_an_entry_names_is_there(kind: QuestionKind) -> None:
    assert kind.evaluator in evaluators.names()
    if kind.placeholders:
        wording = (resource("conf") / "prompts" / f"{kind.question_type}.yaml").read_text(encoding="utf-8")
        assert all(f"{{{placeholder}}}" in wording for placeholder in kind.placeholders)


@pytest.mark.parametrize("kind", KINDS.values(), ids=list(KINDS))
def test_a_question_knows_which_end_is_sought(kind: QuestionKind) -> None:
    cloze = None if kind.placeholders else ("", "")
    for form, end in kind.forms.items():
        asked = question(kind.question_type, form, cloze)
        assert asked.sought == end


def test_the_chance_level_follows_from_the_options() -> None:
    options = {name: kind.count_options(3) for name, kind in KINDS.items()}
    assert options == {
        "binary_answer": 2,
        "multi_choices": 3,
        "single_answer": 0,
        "multiple_answer": 0,
        "ranked": 3,
    }


def test_an_unknown_type_is_told_in_a_line() -> None:
    with pytest.raises(UnknownNameError, match="unknown question type 'multi_choice'; did you mean 'multi_choices'"):
        get_kind("multi_choice")


def test_a_type_that_is_not_there_any_more_has_nothing_particular() -> None:
    gone = get_kind_or_default("gone")
    assert (gone.question_type, gone.count_options(4), gone.has_named_answer, gone.is_set) == ("gone", 0, False, False)
    assert get_kind_or_default("multiple_answer") is KINDS["multiple_answer"]


def test_two_kinds_of_one_name_clash() -> None:
    with pytest.raises(NameClashError, match="'ranked'"):
        register(KINDS["single_answer"], "ranked")
    assert register(KINDS["single_answer"]) is KINDS["single_answer"]


def test_a_form_that_asks_for_another_end_elsewhere_clashes() -> None:
    before = dict(KINDS)
    with pytest.raises(NameClashError, match="'ask_object'"):
        register(
            QuestionKind(
                question_type="mine", placeholders=(), forms={"ask_object": "subject"}, evaluator="single_answer"
            )
        )
    assert before == KINDS
    assert sought_end("ask_object") == "object"
