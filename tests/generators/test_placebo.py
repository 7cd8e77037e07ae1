"""Questions about made-up subjects, and about none."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.errors import ConfigError
from factprobe.factories import build_generator
from factprobe.generators import GenerationReport, Survey
from factprobe.generators.fact_generator import FactGenerator
from factprobe.generators.placebo import NO_NAME
from factprobe.generators.wording.made_up import MadeUpNames
from factprobe.models.base import request_hash
from factprobe.question_types import End
from factprobe.records import Entity, Grade, Question, Response
from factprobe.text import normalise
from tests.generators.graphs import PROMPTS, Graph, Made, graph, graphs, make

ENDS: tuple[End, ...] = ("subject", "object")
PEOPLE = ["Ada Lovelace", "Alan Turing", "Grace Hopper", "Kurt Gödel", "Emmy Noether", "Ada Yonath", "Ada Wong"]


def made_by(method: str, of: Graph, taken: tuple[str, ...] = (), **settings: Any) -> Made:
    generator = build_generator({"name": method, "prompts": PROMPTS, **settings})
    assert isinstance(generator, FactGenerator)
    if taken:
        generator.survey(Survey([], [], [Entity(name, name) for name in taken]))
    report = GenerationReport()
    return Made(list(generator.questions(of.summary(), of.pairs(), report)), report)


def people() -> Graph:
    facts = [(f"Q{at}", f"C{at % 3}") for at in range(len(PEOPLE))]
    names = {f"Q{at}": name for at, name in enumerate(PEOPLE)}
    return graph(facts, **names, C0="London", C1="Ulm", C2="Brno")


def test_a_made_up_name_is_like_the_labels_and_none_of_them() -> None:
    names = MadeUpNames(PEOPLE, {*map(normalise, PEOPLE)}, Random(1))
    made = [names.make(Random(seed)) for seed in range(100)]
    assert None not in made
    assert {len(name.split()) for name in made if name} == {2}
    assert all(word[0].isupper() for name in made if name for word in name.split())
    words = {word for name in PEOPLE for word in name.split()}
    # Ada is the first name of three, and stays; no other word does
    assert {word for name in made if name for word in name.split()} & words == {"Ada"}


def test_made_up_name_shares_no_long_part_with_a_real_one() -> None:
    """Chilippine or Northerland would be read as a typing error."""
    countries = ["Philippines", "Netherlands", "Portugal", "Switzerland", "Singapore", "Chile", "Norway", "Hungary"]
    names = MadeUpNames(countries, set(), Random(1))
    made = [names.make(Random(seed)) or "" for seed in range(300)]
    real = " ".join(countries).lower()
    assert sum(len(name) >= 8 for name in made) > 100
    for name in made:
        size = max(5, round(0.7 * len(name)))
        assert not any(name.lower()[at : at + size] in real for at in range(len(name) - size + 1)), name


@pytest.mark.parametrize("method", ["placebo", "prior"])
def test_there_is_no_passage_about_nobody(method: str) -> None:
    with pytest.raises(ConfigError, match=r"^generator\.context: .*; set it to none$"):
        made_by(method, people(), context="relevance", prompts={**PROMPTS, "context": PROMPTS["single_answer"]})


def test_a_name_is_not_one_of_another_relation() -> None:
    free = [question.statement for question in made_by("placebo", people()).of("ask_object")]
    taken = tuple(statement.at("subject") for statement in free if statement)
    others = [question.statement for question in made_by("placebo", people(), taken).of("ask_object")]
    assert {statement.at("subject") for statement in others if statement}.isdisjoint(taken)


@pytest.mark.parametrize("labels", [[], [" "], ["7", "8"], ["{}"], ["a"]])
def test_labels_without_words_make_no_name(labels: list[str]) -> None:
    assert MadeUpNames(labels, set(), Random(1)).make(Random(1)) is None


@given(st.lists(st.text(max_size=8), max_size=8), st.integers())
def test_a_name_of_any_labels_is_free(labels: list[str], seed: int) -> None:
    taken = {*map(normalise, labels)}
    name = MadeUpNames(labels, taken, Random(0)).make(Random(seed))
    assert name is None or (name.strip() and normalise(name) not in taken)


@given(graphs(), st.sampled_from(["object", "subject", "both"]))
def test_nothing_is_right_about_a_made_up_entity(of: Graph, ask: str) -> None:
    found = made_by("placebo", of, ask=ask)
    known = {norm for entity in of.entities.values() for norm in map(normalise, entity.names())}
    for question in found.questions:
        assert question.given == "made_up"
        assert question.answers in ((), "incorrect")
        given_end: End = "subject" if question.sought == "object" else "object"
        uris = {"subject": question.subject_uri, "object": question.object_uri}
        assert uris[given_end].startswith("made-up/")
        assert question.statement
        assert normalise(question.statement.at(given_end)) not in known
        assert question.statement.text in question.prompts[-1].content
    ids = [question.question_id for question in found.questions]
    assert len(ids) == len(set(ids))
    assert {*found.report.refused} <= {NO_NAME, *make(of, ask=ask).report.refused}


def test_options_are_those_of_the_fact_that_is_replaced() -> None:
    real, placebo = make(people()).of("multi_choices_obj"), made_by("placebo", people()).of("multi_choices_obj")
    assert [question.choices for question in placebo] == [question.choices for question in real]
    assert [f"made-up/{question.subject_uri}" for question in real] == [question.subject_uri for question in placebo]


@given(graphs(), st.sampled_from(["object", "subject", "both"]), st.integers(0, 9))
def test_without_its_subject_a_question_is_the_same_but_for_the_subject(of: Graph, ask: str, seed: int) -> None:
    real = make(of, seed, ask=ask).questions
    generator = build_generator({"name": "prior", "prompts": PROMPTS, "ask": ask, "stand_in": "Somebody"}, seed)
    bare = list(generator.questions(of.summary(), of.pairs()))  # type: ignore[arg-type]
    assert [question.question_id for question in bare] == [question.question_id for question in real]
    for one, other in zip(bare, real, strict=True):
        assert one.given == "none"
        assert (one.answers, one.choices, one.shown) == (other.answers, other.choices, other.shown)
        assert one.statement
        assert other.statement
        # a true statement asks for the object by its form, whichever end the questions ask for
        stood = [end for end in ENDS if one.statement.at(end) != other.statement.at(end)]
        assert [one.statement.at(end) for end in stood] in ([], ["Somebody"])
        assert "Somebody" in {one.statement.at(end) for end in ENDS}


def grades(questions: list[Question], reply: str) -> list[Grade]:
    kg = factprobe.load_kg("trex")
    said = [Response(question.question_id, reply, "stop", None, None, request_hash(question)) for question in questions]
    return factprobe.grade_responses(kg, questions, said)


def test_any_answer_about_a_made_up_subject_is_wrong_and_to_decline_is_not() -> None:
    questions = factprobe.make_questions(factprobe.load_kg("trex"), ["P36", "P37"], generator="placebo", ask="both")
    assert {question.question_type for question in questions} == {
        "binary_answer",
        "multi_choices",
        "single_answer",
        "multiple_answer",
    }
    assert {grade.verdict for grade in grades(questions, "I don't know.")} == {"abstained"}
    named = [question for question in questions if question.question_type in ("single_answer", "multiple_answer")]
    assert {grade.verdict for grade in grades(named, "Paris")} == {"incorrect"}
    assert {grade.verdict for grade in grades(named, "")} == {"unparsed"}
    choices = [question for question in questions if question.choices]
    assert {(grade.verdict, grade.option) for grade in grades(choices, "B)")} == {("incorrect", 2)}
    statements = [question for question in questions if question.question_type == "binary_answer"]
    assert {grade.verdict for grade in grades(statements, "correct")} == {"incorrect"}
    assert {grade.verdict for grade in grades(statements, "incorrect")} == {"correct"}


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("There is no such person.", "abstained"),
        ("No such country exists.", "abstained"),
        ("That country doesn't exist.", "abstained"),
        ("This may be a fictional country, I have no record of it.", "abstained"),
        ("It is not a real city.", "abstained"),
        ("Das Land gibt es nicht.", "abstained"),
        ("There is no doubt: Paris.", "incorrect"),
        ("Gondor, a fictional city", "incorrect"),
    ],
)
def test_to_say_that_there_is_nobody_of_the_name_is_to_decline(reply: str, verdict: str) -> None:
    kg = factprobe.load_kg("trex")
    for generator, expected in (("placebo", verdict), ("template", None)):
        settings: dict[str, Any] = {"generator": generator, "question_types": ("single_answer",)}
        [found] = grades(factprobe.make_questions(kg, ["P36"], limit=1, **settings), reply)
        assert found.verdict == expected or (expected is None and found.rule != "response.no_such_entity")
