"""Anybody's questions in the terms of a graph: whose names, and what else could be answered."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.config import Columns, EvaluatorConfig
from factprobe.evaluators.answered_questions import grade_answered
from factprobe.evaluators.question_linking import FactEnd, GraphNames, LinkedQuestion
from factprobe.inputs import AnsweredQuestion, as_records, read_answered
from factprobe.reading.names.index import answers_of
from factprobe.records import Grade, NodeSummary, ObjectNode, Relation, RelationSummary, Response, SubjectNode
from factprobe.storage import Problems
from tests.tables import for_each_row

RULES = EvaluatorConfig(name="rules")


def summary(relation: Relation, *facts: tuple[str, str], **aliases: tuple[str, ...]) -> RelationSummary:
    """A relation's facts; an entity's URI is its label in capitals."""
    objects: dict[str, ObjectNode] = {}
    subjects: dict[str, SubjectNode] = {}
    for subject, object_ in facts:
        s, o = subject.upper(), object_.upper()
        objects.setdefault(o, ObjectNode(object_, o, [], aliases.get(object_, ()))).subjects.append(s)
        subjects.setdefault(s, SubjectNode(subject, s, [], aliases.get(subject, ()))).objects.append(o)
    return RelationSummary(relation, NodeSummary(objects, subjects))


GRAPH = GraphNames(
    [
        summary(
            Relation("R1", "The capital of [X] is [Y].", label="capital"),
            ("Georgia", "Tbilisi"),
            ("Turkey", "Ankara"),
            ("Bolivia", "Sucre"),
            ("Bolivia", "La Paz"),
            Tbilisi=("Tiflis",),
            Ankara=("Angora",),
        ),
        summary(
            Relation("R2", "[X] died in [Y].", label="place of death"), ("Ataturk", "Istanbul"), ("Wagner", "Venice")
        ),
        summary(Relation("R3", "[X] is in [Y].", label="state"), ("Atlanta", "Georgia"), Georgia=("Peach State",)),
    ]
)


def reply(question: str, answers: Any, response: str = "", relation: str = "", **more: Any) -> AnsweredQuestion:
    record = {"question": question, "answers": answers, "response": response, "relation": relation, **more}
    [one] = read_answered(as_records([record]), Columns(), more.pop("match", "any"), Problems(strict=True), "here")
    return one


def linked(question: str, answers: Any, relation: str = "", **more: Any) -> LinkedQuestion:
    return GRAPH.link(reply(question, answers, relation=relation, **more).question)


def names(found: LinkedQuestion) -> list[tuple[str, ...]]:
    assert not isinstance(found.question.answers, str)
    return [answer.names() for answer in found.question.answers]


def graded(question: str, answers: Any, response: str, relation: str = "", **more: Any) -> Grade:
    [(_, grade)] = grade_answered([reply(question, answers, response, relation, **more)], RULES, GRAPH)
    return grade


@for_each_row(
    ("question", "answers", "relation", "sides"),
    [
        ("What is the capital of Turkey?", "Ankara", "", [FactEnd("R1", "object")]),
        ("Angora is the capital of what?", "Turkey", "", [FactEnd("R1", "subject")]),
        ("Which is its capital?", "Ankara", "R1", [FactEnd("R1", "object")]),
        ("Which is its capital?", "Ankara", "Capital", [FactEnd("R1", "object")]),
        ("Which country has it?", "Turkey", "R1", [FactEnd("R1", "subject")]),
        ("Which is its capital?", "Rome", "capital", [FactEnd("R1", "object")]),
        ("Which is its capital?", "Ankara", "", []),
        ("Which is its capital?", "Ankara", "cities", []),
        ("Where did Turkey play?", "Venice", "", []),
    ],
)
def test_what_a_question_is_about(question: str, answers: str, relation: str, sides: list[FactEnd]) -> None:
    assert linked(question, answers, relation).sides == tuple(sides)


@for_each_row(
    ("answers", "expected"),
    [
        ("Ankara", [("Ankara", "Angora")]),
        ("Angora", [("Angora", "Ankara")]),
        ("ANKARA", [("Ankara", "Angora")]),  # its URI
        ("ankara, Turkey", [("ankara, Turkey",)]),
        ("Sucre|La Paz", [("La Paz",), ("Sucre",)]),
        ("Sucre|the white city", [("Sucre", "the white city")]),
    ],
)
def test_answers_get_all_names_of_the_entity(answers: str, expected: list[tuple[str, ...]]) -> None:
    found = linked("Which city is it?", answers)
    assert [sorted(one) for one in names(found)] == [sorted(one) for one in expected]


@for_each_row(
    "uri", ["TBILISI", "wd:TBILISI", "http://www.wikidata.org/entity/TBILISI", "http://example.org/x#TBILISI"]
)
def test_answer_may_be_a_uri_in_any_notation(uri: str) -> None:
    [answer] = answers_of(linked("What is the capital of Georgia?", uri).question)
    assert answer.names() == ("Tbilisi", "Tiflis")


def test_each_of_several_answers_stays_one() -> None:
    found = linked("Which are the capitals of Bolivia?", ["Sucre", "La Paz"], question_type="multiple_answer")
    assert names(found) == [("Sucre",), ("La Paz",)]
    assert found.sides == (FactEnd("R1", "object"),)


@for_each_row("relation", ["n", "N"])
def test_relations_may_differ_in_case_alone(relation: str) -> None:
    facts = [summary(Relation(one, "[X] has [Y]."), ("Iron", "Ten")) for one in ("n", "N")]
    asked = reply("What does it have?", "Ten", relation=relation).question
    assert GraphNames(facts).link(asked).sides == (FactEnd(relation, "object"),)


def test_an_answer_that_two_entities_bear_is_the_one_that_the_question_is_about() -> None:
    graph = GraphNames(
        [
            summary(Relation("R1", "[X] lies in [Y]."), ("Dublin", "Ireland"), ("Cork", "Munster")),
            summary(Relation("R2", "[X] has the mayor [Y]."), ("Cork City", "Ann"), **{"Cork City": ("Cork",)}),
        ]
    )
    about = graph.link(reply("Who is mayor here? Ann.", "Cork").question)
    assert about.sides == (FactEnd("R2", "subject"),)
    assert "Cork City" in names(about)[0]
    plain = graph.link(reply("Which city is it?", "Cork").question)
    assert names(plain) == [("Cork",)], "it is the label of one only"


@for_each_row(
    ("response", "verdict", "rule"),
    [
        ("Ankara", "correct", "single.exact"),
        ("Angora.", "correct", "single.exact"),
        ("It is Ankara, not Istanbul.", "correct", "single.mention"),
        ("Ankara and Tbilisi are", "incorrect", "single.several"),
        ("It was Tbilisi and is Ankara, I believe: both.", "incorrect", "single.several"),
        ("Tiflis", "incorrect", "single.other_entity"),
        ("I don't know.", "abstained", "response.declines_only"),
    ],
)
def test_other_entities_of_the_relation_are_other_answers(response: str, verdict: str, rule: str) -> None:
    found = graded("What is the capital of Turkey?", "Ankara", response)
    assert (found.verdict, found.rule) == (verdict, rule), found.why
    assert found.matched == (("Ankara",) if verdict == "correct" else found.matched)
    assert found.true_positives + found.false_negatives == 1


def test_what_the_question_names_is_no_answer() -> None:
    found = graded("Tbilisi is the capital of which country?", "Georgia", "Tbilisi is in Georgia, I think.")
    assert (found.verdict, found.matched) == ("correct", ("Georgia",))


def test_an_id_that_tells_the_form_of_a_question_is_read_as_such() -> None:
    question = reply(
        "The capital of ____ is Ankara.", "Turkey", "Turkey", id="TURKEY:ANKARA:R1:single_answer:ask_subject"
    )
    assert question.question.sought == "subject"
    for response, verdict in (("Turkey", "correct"), ("Georgia", "incorrect"), ("Ankara", "unparsed")):
        [(_, found)] = grade_answered(
            [reply("The capital of ____ is Ankara.", "Turkey", response, id=question.id)], RULES, GRAPH
        )
        assert found.verdict == verdict, found


@for_each_row("more", [{"question_type": "binary_answer"}, {"choices": "true|false"}])
def test_questions_without_entity_answers_stay_unlinked(more: dict[str, str]) -> None:
    question = reply("The capital of Turkey is Ankara.", "true", **more).question
    assert GRAPH.link(question).question.answers == question.answers


def test_an_option_may_be_called_otherwise() -> None:
    found = graded("What is the capital of Turkey?", "Ankara", "Angora", choices="Tbilisi|Ankara")
    assert (found.verdict, found.rule, found.matched) == ("correct", "options.model", ("Ankara",))


@given(
    st.text(max_size=30), st.lists(st.sampled_from(["Ankara", "TBILISI", "x", "Georgia", "La Paz", "日本"]), min_size=1)
)
def test_any_question_is_graded_in_its_own_words(question: str, answers: list[str]) -> None:
    one = reply(question.strip() or "?", answers, answers[0])
    [(_, found)] = grade_answered([one], RULES, GRAPH)
    own = one.question.answers
    assert not isinstance(own, str)
    assert {*found.matched} <= {answer.uri for answer in own}


def test_questions_of_a_graph_are_graded_as_the_graph_grades_them() -> None:
    kg = factprobe.load_kg("trex")
    questions = factprobe.make_questions(kg, ask="both", question_types=["single_answer", "multiple_answer"])
    others = {
        q.relation: [a.label for b in questions if b.relation == q.relation for a in answers_of(b)] for q in questions
    }
    records, responses = [], []
    for number, question in enumerate(questions):
        rest = others[question.relation]
        label, other = answers_of(question)[0].names()[-1], rest[(7 * number) % len(rest)]
        text = [f"{label}.", f"It is {label} or {other}.", f"{other}.", f"{label}, which is not {other}"][number % 4]
        responses.append(Response(question.question_id, text, None, None, None))
        records.append(
            {
                "question": question.statement.text if question.statement else "",
                "answers": [[answer.label] for answer in answers_of(question)],
                "question_type": question.question_type,
                "response": text,
            }
        )
    theirs = factprobe.grade_responses(kg, questions, responses)
    known = factprobe.grade_answers(records, kg=kg)
    alone = factprobe.grade_answers(records)
    wanted = [grade.verdict for grade in theirs]
    assert [grade.verdict for grade in known] == wanted
    assert [grade.verdict for grade in alone] != wanted


@for_each_row(
    "response",
    [
        "Here is what I think of each:\n- Sucre: Incorrect.\n- Ankara: Correct.\n",
        "Sucre ❌\nAnkara ✅",
        "Myth: Sucre. Fact: Ankara.",
        "Wrong answer: Sucre. Right answer: Ankara.",
    ],
)
def test_rejected_name_is_no_second_answer(response: str) -> None:
    question = "What is the capital of Turkey?"
    assert graded(question, "Ankara", response).verdict == "correct"
    assert graded(question, "Sucre", response).verdict == "incorrect"
