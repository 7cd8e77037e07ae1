"""The template generator by hand: what comes of a few facts under each setting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import factprobe
from factprobe.errors import ConfigError
from factprobe.generators.ids import question_id
from factprobe.generators.questioner import NO_CANDIDATE, NO_LABEL, UNNAMED_ANSWER
from factprobe.generators.template import TOO_MANY
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import Entity, Question, Relation, Response
from tests.generators.graphs import Graph, folded, generator, graph, make

PEOPLE = graph([("Ada", "London"), ("Max", "Kiel"), ("Eva", "Bonn"), ("Tom", "Kiel"), ("Joe", "Rome"), ("Liv", "Oslo")])
SPEAKS = graph(
    [("Ada", "French"), ("Ada", "Dutch"), ("Max", "Dutch"), ("Ada", "Latin")],
    Relation("P1412", "[X] speaks [Y].", "languages spoken"),
)
ASKS = ["single_answer", "multiple_answer"]


def answer_uris(question: Question) -> list[str]:
    return [answer.uri for answer in question.answers if not isinstance(answer, str)]


def forms(of: Graph, **settings: Any) -> list[str]:
    return [question.question_id for question in make(of, **settings).questions]


def test_one_fact_gives_a_question_of_each_kind() -> None:
    made = make(PEOPLE, limit=1)
    true, false, choices, single = made.questions
    assert [question.question_id for question in made.questions] == [
        "Ada:London:P19:binary_answer:binary_correct",
        "Ada:London:P19:binary_answer:binary_obj_incorrect",
        "Ada:London:P19:multi_choices:multi_choices_obj",
        "Ada:London:P19:single_answer:ask_object",
    ]
    assert made.report.made == {"binary_answer": 2, "multi_choices": 1, "single_answer": 1}
    assert true.prompts[0].content == "Right or wrong? Ada was born in London."
    assert (true.answers, false.answers) == ("correct", "incorrect")
    false_statements = {f"Right or wrong? Ada was born in {city}." for city in ("Kiel", "Bonn", "Rome", "Oslo")}
    assert false.prompts[0].content in false_statements
    assert "London" in choices.choices
    assert len(choices.choices) == 4
    assert single.prompts[0].content == "Fill: Ada was born in ____."


def test_asking_for_the_subject_turns_the_question_round() -> None:
    true, false, choices, single = make(PEOPLE, limit=1, ask="subject").questions
    assert [q.form for q in (true, false, choices, single)] == [
        "binary_correct",
        "binary_sub_incorrect",
        "multi_choices_sub",
        "ask_subject",
    ]
    assert true.prompts[0].content == "Right or wrong? Ada was born in London."
    assert false.prompts[0].content.endswith(" was born in London.")
    assert "Ada" not in false.prompts[0].content
    assert choices.prompts[0].content.startswith("Choose: ____ was born in London.\nA) ")
    assert single.prompts[0].content == "Fill: ____ was born in London."


def test_asking_for_both_makes_the_true_statement_once() -> None:
    both = forms(PEOPLE, ask="both")
    assert len(both) == len(set(both))
    assert sorted(both) == sorted({*forms(PEOPLE, ask="object"), *forms(PEOPLE, ask="subject")})


def test_several_answers_are_asked_for_together_once_with_all_of_them() -> None:
    made = make(SPEAKS, ask="both", question_types=ASKS)
    assert {question.question_id: answer_uris(question) for question in made.questions} == {
        "Ada:French:P1412:multiple_answer:ask_object": ["French", "Dutch", "Latin"],
        "Ada:French:P1412:single_answer:ask_subject": ["Ada"],
        "Ada:Dutch:P1412:multiple_answer:ask_subject": ["Ada", "Max"],
        "Max:Dutch:P1412:single_answer:ask_object": ["Dutch"],
        "Ada:Latin:P1412:single_answer:ask_subject": ["Ada"],
    }


def test_limit_leaves_the_answer_set_whole() -> None:
    (question,) = make(SPEAKS, limit=1, question_types=ASKS).questions
    assert answer_uris(question) == ["French", "Dutch", "Latin"]


@pytest.mark.parametrize("kind", QUESTION_TYPES)
def test_only_the_question_types_that_are_set_are_made(kind: str) -> None:
    chosen = [question.question_id for question in make(SPEAKS, ask="both").questions if question.question_type == kind]
    assert chosen
    assert forms(SPEAKS, ask="both", question_types=[kind]) == chosen


def test_no_question_types_are_refused() -> None:
    with pytest.raises(ConfigError, match=r"generator\.question_types: is empty"):
        make(PEOPLE, question_types=[])


@pytest.mark.parametrize(("options", "shown"), [(2, 2), (3, 3), (5, 5), (26, 5)])
def test_options_are_as_many_as_set_or_as_there_are(options: int, shown: int) -> None:
    questions = make(PEOPLE, question_types=["multi_choices"], options=options).questions
    assert [len(question.choices) for question in questions] == [shown] * 6


@pytest.mark.parametrize("options", [1, 27, 0, -1])
def test_a_number_of_options_without_letters_is_refused(options: int) -> None:
    with pytest.raises(ConfigError, match=r"generator\.options"):
        generator(options=options)


def test_the_right_option_stands_at_every_place() -> None:
    places = {
        question.choices.index("London")
        for seed in range(40)
        for question in make(PEOPLE, seed, limit=1, question_types=["multi_choices"]).questions
    }
    assert places == {0, 1, 2, 3}


def test_every_false_candidate_is_drawn_by_some_seed() -> None:
    drawn = {make(PEOPLE, seed, limit=1).of("binary_obj_incorrect")[0].prompts[0].content for seed in range(60)}
    assert drawn == {f"Right or wrong? Ada was born in {city}." for city in ("Kiel", "Bonn", "Rome", "Oslo")}


def test_another_seed_makes_other_choices() -> None:
    assert make(PEOPLE, 0).questions != make(PEOPLE, 1).questions
    assert [q.question_id for q in make(PEOPLE, 0).questions] == [q.question_id for q in make(PEOPLE, 1).questions]


@pytest.mark.parametrize("blank", ["____", "[MASK]", "{statement}", "\\1", "…"])
def test_the_blank_is_as_set(blank: str) -> None:
    made = make(PEOPLE, limit=1, blank=blank, ask="both")
    assert [q.prompts[0].content for q in made.questions if q.question_type == "single_answer"] == [
        f"Fill: Ada was born in {blank}.",
        f"Fill: {blank} was born in London.",
    ]
    assert made.of("multi_choices_obj")[0].prompts[0].content.startswith(f"Choose: Ada was born in {blank}.\nA) ")


@pytest.mark.parametrize(("number", "expected"), [(0, "A comes from B."), (1, "B bore A."), (2, "A comes from B.")])
def test_template_picks_one_of_the_wordings_or_the_first(number: int, expected: str) -> None:
    worded = Relation("P19", "[X] comes from [Y].", templates=("[X] comes from [Y].", "[Y] bore [X]."))
    (true,) = make(graph([("A", "B")], worded), question_types=["binary_answer"], template=number).questions
    assert true.prompts[0].content == f"Right or wrong? {expected}"


def test_an_only_object_leaves_no_false_candidate() -> None:
    made = make(graph([("Ada", "Rome"), ("Max", "Rome")]))
    assert [question.form for question in made.questions] == ["binary_correct", "ask_object"] * 2
    assert made.report.refused == {
        NO_CANDIDATE: [
            f"{subject}:Rome:P19:{form}"
            for subject in ("Ada", "Max")
            for form in ("binary_answer:binary_obj_incorrect", "multi_choices:multi_choices_obj")
        ]
    }


def test_a_fact_without_labels_is_reported() -> None:
    made = make(graph([("Ada", "Rome"), ("Q5", "Kiel")], Q5=" "))
    assert {question.subject_uri for question in made.questions} == {"Ada"}
    assert made.report.refused == {
        NO_LABEL: [
            "Q5:Kiel:P19:binary_answer:binary_correct",
            "Q5:Kiel:P19:binary_answer:binary_obj_incorrect",
            "Q5:Kiel:P19:multi_choices:multi_choices_obj",
            "Q5:Kiel:P19:single_answer:ask_object",
        ]
    }


def test_a_list_with_an_answer_without_a_label_is_not_asked_for() -> None:
    facts = [("Ada", "Rome"), ("Ada", "Bonn"), ("Ada", "Q7"), ("Max", "Kiel"), ("Eva", "Oslo"), ("Eva", "Ulm")]
    made = make(graph(facts, Q7=""))
    assert [question.subject_uri for question in made.of("ask_object")] == ["Max", "Eva"]
    assert made.report.refused[UNNAMED_ANSWER] == ["Ada:Rome:P19:multiple_answer:ask_object"]
    options = [{*question.choices} for question in made.of("multi_choices_obj") if question.subject_uri == "Ada"]
    assert [shown & {"Rome", "Bonn"} for shown in options] == [{"Rome"}, {"Bonn"}]
    assert all("" not in shown for shown in options)


def test_a_namesake_of_the_answer_is_no_false_option() -> None:
    twins = graph([("Ada", "Q1"), ("Max", "Q2"), ("Eva", "Bonn")], Q1="Cafe\u0301 The", Q2="café the")
    for seed in range(10):
        made = make(twins, seed, limit=1)
        assert made.of("binary_obj_incorrect")[0].prompts[0].content.endswith("in Bonn.")
        assert sorted(made.of("multi_choices_obj")[0].choices) == ["Bonn", "Cafe\u0301 The"]


@pytest.mark.parametrize("bearer", ["Kiel", "Rome"])
def test_an_alias_makes_a_namesake_too(bearer: str) -> None:
    named = graph([("Ada", "Kiel"), ("Max", "Rome"), ("Eva", "Bonn")])
    other = "Rome" if bearer == "Kiel" else "Kiel"
    entities = {**named.entities, bearer: Entity(bearer, bearer, ("x", other.upper()))}
    for seed in range(10):
        made = make(named._replace(entities=entities), seed, limit=1)
        assert sorted(made.of("multi_choices_obj")[0].choices) == ["Bonn", "Kiel"]


def test_what_is_true_of_a_namesake_of_the_subject_is_no_false_statement() -> None:
    # "Springfield is in Oregon." is a true sentence about the second town: nobody can tell that the first one is meant.
    relation = Relation("P131", "[X] is in [Y].")
    towns = graph([("Q1", "Illinois"), ("Q2", "Oregon"), ("Q3", "Ohio")], relation, Q1="Springfield", Q2="Springfield")
    for seed in range(10):
        made = make(towns, seed, limit=2)
        false = {question.prompts[0].content for question in made.of("binary_obj_incorrect")}
        assert false == {"Right or wrong? Springfield is in Ohio."}


def test_an_answer_known_by_an_alias_alone_belongs_to_the_answer_set() -> None:
    entities = {**SPEAKS.entities, "Dutch": Entity("Dutch", "", ("Nederlands",))}
    (question,) = make(SPEAKS._replace(entities=entities), limit=1, question_types=ASKS).questions
    assert answer_uris(question) == ["French", "Dutch", "Latin"]


def test_a_label_is_not_expanded_again() -> None:
    of = graph([("Q1", "Q2"), ("Q3", "Q4")], Q1="[Y] {choices}\n{statement}", Q2="[X] \\g<0>", Q3="{0} %s", Q4="$1")
    made = make(of, limit=1)
    known = "[Y] {choices} {statement}"
    assert made.of("binary_correct")[0].prompts[0].content == f"Right or wrong? {known} was born in [X] \\g<0>."
    assert made.of("binary_obj_incorrect")[0].prompts[0].content == f"Right or wrong? {known} was born in $1."
    (choices,) = made.of("multi_choices_obj")
    lines = "\n".join(f"{letter}) {choice}" for letter, choice in zip("AB", choices.choices, strict=True))
    assert choices.prompts[0].content == f"Choose: {known} was born in ____.\n{lines}"
    assert choices.choices in [("[X] \\g<0>", "$1"), ("$1", "[X] \\g<0>")]


def test_labels_of_a_megabyte() -> None:
    long = "Lorem ipsum\n" * 90_000
    made = make(graph([("Q1", "Q2"), ("Q3", "Q4")], Q1=long, Q2=long + "2", Q4=long + "4"), limit=1, ask="both")
    assert len(made.questions) == 7
    assert made.of("binary_correct")[0].prompts[0].content == (
        f"Right or wrong? {folded(long)} was born in {folded(long + '2')}."
    )


@pytest.mark.parametrize(
    ("subject", "object_", "relation", "expected"),
    [
        ("Q1", "Q2", "P19", "Q1:Q2:P19"),
        ("a:b", "c%d", "p:1", "a%3Ab:c%25d:p%3A1"),
        ("a%3Ab", "c", "p", "a%253Ab:c:p"),
        ("http://x.org/é?", "", " ", "http%3A//x.org/é?:: "),
    ],
)
def test_question_id_encodes_colon_and_percent_only(subject: str, object_: str, relation: str, expected: str) -> None:
    made = question_id(subject, object_, relation, "single_answer", "ask_object")
    assert made == f"{expected}:single_answer:ask_object"


def test_the_file_holds_the_questions_in_order(write: Callable[[str, str | bytes], Path], tmp_path: Path) -> None:
    triplets = write("P19.jsonl", b"\n".join(msgspec.json.encode(pair) for pair in PEOPLE.pairs()))
    summary = write("P19.summary.json", msgspec.json.encode(PEOPLE.summary()))
    output = tmp_path / "new folder" / "P19.jsonl"
    report = generator(3).generate_questions(triplets, summary, output)
    lines = output.read_bytes().splitlines()
    expected = make(PEOPLE, 3)
    assert [msgspec.json.decode(line, type=Question) for line in lines] == expected.questions
    assert report == expected.report
    keys = {"question_id", "question_type", "prompts", "answers", "relation", "subject_uri", "object_uri"}
    assert all(keys <= msgspec.json.decode(line).keys() for line in lines)


def test_namesakes_are_asked_in_the_same_words_and_the_answers_of_both_are_right() -> None:
    """One whose name is only an alias of the other is told apart by the question."""
    rows = [
        {"subject_id": uri, "subject": name, "subject_aliases": alias, "relation": "capital", "object": capital}
        for uri, name, alias, capital in [
            ("Q230", "Georgia", [], "Tbilisi"),
            ("Q1428", "GEORGIA", [], "Atlanta"),
            ("Q3", "Sakartvelo", ["Georgia"], "Kutaisi"),
        ]
    ]
    kg = factprobe.load_kg(rows)
    made = factprobe.make_questions(kg, question_types=["single_answer"])
    answers = [[answer.label for answer in question.answers] for question in made]  # type: ignore[union-attr]
    assert answers == [["Tbilisi", "Atlanta"], ["Atlanta", "Tbilisi"], ["Kutaisi"]]
    responses = [Response(question.question_id, "Atlanta", None, None, None) for question in made]
    grades = factprobe.grade_responses(kg, made, responses)
    assert [grade.verdict for grade in grades] == ["correct", "correct", "incorrect"]


@pytest.mark.parametrize("ask", ["object", "subject"])
def test_what_a_symmetric_relation_holds_the_other_way_round_is_no_wrong_answer(ask: str) -> None:
    both = list(zip("ABCDEF", "BADCFE", strict=True))
    siblings = graph(
        [*both, ("G", "H"), ("H", "A"), ("B", "G")], Relation("P3373", "[X] is a sibling of [Y].", "sibling")
    )
    held = {frozenset(fact) for fact in siblings.facts}
    for question in make(siblings, ask=ask).questions:
        known = question.subject_uri if ask == "object" else question.object_uri
        if question.question_type == "multi_choices":
            assert sum(frozenset((known, option)) in held for option in question.choices) == 1
        if question.form.endswith("incorrect"):
            words = question.statement.text.strip(".").split() if question.statement else []
            assert frozenset((words[0], words[-1])) not in held


@pytest.mark.parametrize("ask", ["object", "subject"])
def test_what_a_symmetric_relation_holds_the_other_way_round_is_right(ask: str) -> None:
    facts = [*zip("ABCDEF", "BADCFE", strict=True), ("G", "H"), ("H", "A"), ("I", "H"), ("K", "E")]
    siblings = graph(facts, Relation("P3373", "[X] is a sibling of [Y].", "sibling"))
    given = "subject_uri" if ask == "object" else "object_uri"
    made = make(siblings, ask=ask, question_types=["single_answer", "multiple_answer"]).questions
    right = {getattr(one, given): {answer.label for answer in one.answers} for one in made if one.answers}  # type: ignore[union-attr]
    every = {"A": {"B", "H"}, "B": {"A"}, "C": {"D"}, "D": {"C"}, "E": {"F", "K"}, "F": {"E"}}
    every |= {"H": {"A", "G", "I"}} | ({"G": {"H"}, "I": {"H"}, "K": {"E"}} if ask == "object" else {})
    assert right == every
    assert {one.question_type for one in made if getattr(one, given) in "AEH"} == {"multiple_answer"}


@pytest.mark.parametrize(("end", "right"), [("2020", {"C"}), ("", {"B", "C"})])
def test_a_fact_stored_the_other_way_round_has_its_own_period(end: str, right: set[str]) -> None:
    facts = [*zip("ABCDEFAC", "BADCFECA", strict=True)][1:]
    rows = [
        {"subject": one, "relation": "sibling", "object": other, "start": "2000", "end": end if one == "B" else ""}
        for one, other in facts
    ]
    made = factprobe.make_questions(
        factprobe.load_kg(rows), as_of="2024-01-31", question_types=["single_answer", "multiple_answer"]
    )
    assert {answer.label for one in made if one.subject_uri == "A" for answer in one.answers} == right  # type: ignore[union-attr]


def test_nobody_is_asked_for_more_answers_than_can_be_named() -> None:
    of = graph([("Ada", f"town {n}") for n in range(4)] + [("Max", f"town {n}") for n in range(3)])
    made = make(of, most_answers=3, question_types=["multiple_answer"])
    assert [question.subject_uri for question in made.questions] == ["Max"]
    assert made.report.refused == {TOO_MANY: ["Ada:town 0:P19:multiple_answer:ask_object"]}


def test_a_template_with_an_end_in_brackets_is_asked_as_a_sentence() -> None:
    of = graph([("Ada", "1815"), ("Max", "1882")], Relation("born", "[X] (born [Y]).", "date of birth"))
    assert {q.statement.text for q in make(of).of("ask_object") if q.statement} == {
        *("Ada was born in ____.", "Max was born in ____.")
    }


def test_in_a_relation_that_is_not_symmetric_the_other_way_round_is_wrong() -> None:
    follows = graph(
        [("A", "B"), ("B", "A"), ("B", "C"), ("C", "D"), ("D", "E")], Relation("P155", "[X] is before [Y].", "")
    )
    asked = [one for one in make(follows).questions if one.subject_uri == "C" and one.choices]
    assert "B" in asked[0].choices
