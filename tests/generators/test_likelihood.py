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


def choices(question: Question) -> tuple[str, ...]:
    """The choices in alphabetical order."""
    return tuple(sorted(question.choices))


def test_every_object_of_the_relation_is_a_choice_in_one_order() -> None:
    questions, report = make([("France", "Paris"), ("Italy", "Rome"), ("Spain", "Madrid")])
    assert [choices(question) for question in questions] == [("Madrid", "Paris", "Rome")] * 3
    assert len({question.choices for question in questions}) == 1
    assert questions[1] == Question(
        "Italy:Rome:P36:multi_choices:multi_choices_obj",
        "multi_choices",
        (Message("user", "The capital of Italy is ____."),),
        (Answer("Rome", "Rome"),),
        "P36",
        "Italy",
        "Rome",
        questions[1].choices,
        ("The capital of Italy is ", "."),
        Statement("The capital of Italy is ____.", (15, 20), (24, 28), "object"),
    )
    assert report.made == {"multi_choices": 3}


@pytest.mark.parametrize(
    ("settings", "cloze", "options"),
    [
        ({"ask": "subject"}, ("The capital of ", " is Rome."), ("France", "Italy")),
        ({"template": 1}, ("", " rules Italy."), ("Paris", "Rome")),
        ({"template": 1, "ask": "subject"}, ("Rome rules ", "."), ("France", "Italy")),
        ({"template": 7}, ("The capital of Italy is ", "."), ("Paris", "Rome")),
    ],
)
def test_the_gap_is_where_the_template_has_what_is_asked_for(
    settings: dict[str, Any], cloze: tuple[str, str], options: tuple[str, ...]
) -> None:
    questions, _ = make([("France", "Paris"), ("Italy", "Rome")], **settings)
    assert (questions[1].cloze, choices(questions[1])) == (cloze, options)


def test_other_right_answers_and_their_namesakes_are_no_choices() -> None:
    facts = [("Bolivia", "Sucre"), ("Bolivia", "La Paz"), ("Italy", "Rome"), ("Peru", "La  paz"), ("Chile", "Nuestra")]
    other = Entity("Nuestra", "Nuestra Señora", ("La Paz",))
    sucre, la_paz, rome, peru, _ = make(facts, other)[0]
    assert choices(sucre) == ("Rome", "Sucre")
    assert choices(la_paz) == ("La Paz", "Rome")
    assert choices(rome) == ("La Paz", "Nuestra Señora", "Rome", "Sucre")
    assert choices(peru) == ("La  paz", "Rome", "Sucre")


def test_what_is_right_for_a_namesake_of_the_subject_is_no_choice() -> None:
    facts = [("a", "Ulm"), ("b", "Bonn"), ("c", "Kiel")]
    questions, _ = make(facts, Entity("a", "Springfield"), Entity("b", "Springfield"))
    options = [choices(question) for question in questions]
    assert options == [("Kiel", "Ulm"), ("Bonn", "Kiel"), ("Bonn", "Kiel", "Ulm")]


def test_the_subject_itself_may_be_a_choice() -> None:
    assert choices(make([("Singapore", "Singapore"), ("Italy", "Rome")])[0][0]) == ("Rome", "Singapore")


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


def test_right_choice_of_the_first_fact_is_seldom_first() -> None:
    """Of equal scores the first ranks highest, so that a model with equal scores would know all facts asked first."""
    firsts = 0
    for seed in range(200):
        facts = [(f"s{i}", f"o{i}") for i in range(10)]
        graph = Graph({name: Entity(name, name) for fact in facts for name in fact}, tuple(facts), CAPITAL)
        generator = build_generator({"name": "likelihood"}, seed=seed)
        assert isinstance(generator, FactGenerator)
        [question] = generator.questions(graph.summary(), [Fact("s0", "o0")])
        firsts += question.choices[0] == "o0"
    assert 8 <= firsts <= 35
