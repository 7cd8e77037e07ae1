"""The likelihood generator by hand: where the gap is, and what stands to be chosen."""

from __future__ import annotations

from typing import Any

import pytest

from factprobe.factories import build_generator
from factprobe.generators import GenerationReport
from factprobe.generators.base import Fact
from factprobe.generators.fact_generator import FactGenerator
from factprobe.generators.questioner import NO_CANDIDATE, NO_LABEL
from factprobe.records import Answer, Entity, Message, Question, Relation, Statement
from tests.generators.graphs import Graph

CAPITAL = Relation("P36", "The capital of [X] is [Y] .", templates=("The capital of [X] is [Y] .", "[Y] rules [X]."))


def make(facts: list[tuple[str, str]], *entities: Entity, **settings: Any) -> tuple[list[Question], GenerationReport]:
    named = {name: Entity(name, name) for fact in facts for name in fact}
    graph = Graph({**named, **{entity.uri: entity for entity in entities}}, tuple(facts), CAPITAL)
    generator = build_generator({"name": "likelihood", **settings})
    assert isinstance(generator, FactGenerator)
    report = GenerationReport()
    return list(generator.questions(graph.summary(), [Fact(*fact) for fact in facts], report)), report


def test_every_object_of_the_relation_is_a_choice_in_the_order_of_the_source() -> None:
    questions, report = make([("France", "Paris"), ("Italy", "Rome"), ("Spain", "Madrid")])
    assert [question.choices for question in questions] == [("Paris", "Rome", "Madrid")] * 3
    assert questions[1] == Question(
        "Italy:Rome:P36:multi_choices:multi_choices_obj",
        "multi_choices",
        (Message("user", "The capital of Italy is ____."),),
        (Answer("Rome", "Rome"),),
        "P36",
        "Italy",
        "Rome",
        ("Paris", "Rome", "Madrid"),
        ("The capital of Italy is ", "."),
        Statement("The capital of Italy is ____.", (15, 20), (24, 28), "object"),
    )
    assert report.made == {"multi_choices": 3}


@pytest.mark.parametrize(
    ("settings", "cloze", "choices"),
    [
        ({"ask": "subject"}, ("The capital of ", " is Rome."), ("France", "Italy")),
        ({"template": 1}, ("", " rules Italy."), ("Paris", "Rome")),
        ({"template": 1, "ask": "subject"}, ("Rome rules ", "."), ("France", "Italy")),
        ({"template": 7}, ("The capital of Italy is ", "."), ("Paris", "Rome")),
    ],
)
def test_the_gap_is_where_the_template_has_what_is_asked_for(
    settings: dict[str, Any], cloze: tuple[str, str], choices: tuple[str, ...]
) -> None:
    questions, _ = make([("France", "Paris"), ("Italy", "Rome")], **settings)
    assert (questions[1].cloze, questions[1].choices) == (cloze, choices)


def test_other_right_answers_and_their_namesakes_are_no_choices() -> None:
    facts = [("Bolivia", "Sucre"), ("Bolivia", "La Paz"), ("Italy", "Rome"), ("Peru", "La  paz"), ("Chile", "Nuestra")]
    other = Entity("Nuestra", "Nuestra Señora", ("La Paz",))
    sucre, la_paz, rome, peru, _ = make(facts, other)[0]
    assert sucre.choices == ("Sucre", "Rome")
    assert la_paz.choices == ("La Paz", "Rome")
    assert rome.choices == ("Sucre", "La Paz", "Rome", "Nuestra Señora")
    assert peru.choices == ("Sucre", "La  paz", "Rome")


def test_what_is_right_for_a_namesake_of_the_subject_is_no_choice() -> None:
    facts = [("a", "Ulm"), ("b", "Bonn"), ("c", "Kiel")]
    questions, _ = make(facts, Entity("a", "Springfield"), Entity("b", "Springfield"))
    assert [question.choices for question in questions] == [("Ulm", "Kiel"), ("Bonn", "Kiel"), ("Ulm", "Bonn", "Kiel")]


def test_the_subject_itself_may_be_a_choice() -> None:
    assert make([("Singapore", "Singapore"), ("Italy", "Rome")])[0][0].choices == ("Singapore", "Rome")


def test_what_cannot_be_asked_is_reported() -> None:
    questions, report = make([("France", "Paris")])
    assert (questions, list(report.refused)) == ([], [NO_CANDIDATE])
    questions, report = make([("France", "Paris"), ("Italy", "Q1")], Entity("Q1", " "))
    assert [question.answers for question in questions] == []
    assert sorted(report.refused) == sorted([NO_CANDIDATE, NO_LABEL])


def test_the_model_sees_a_name_as_it_is_and_people_see_it_on_one_line() -> None:
    [first, _] = make([("a", "Paris"), ("b", "Rome")], Entity("a", "New\u00a0 France"))[0]
    assert first.cloze == ("The capital of New\u00a0 France is ", ".")
    assert first.prompts[0].content == "The capital of New France is ____."
