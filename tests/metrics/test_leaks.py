"""How well questions can be guessed, on questions that can be counted through by hand."""

from __future__ import annotations

import pytest

from factprobe.metrics.heuristics import GUESSES
from factprobe.metrics.leaks import MAX_SAMPLED_FACTS, Leak, Leaks, leak_summary
from factprobe.metrics.statistics.intervals import Interval
from factprobe.question_types import QuestionType
from factprobe.records import Answer, NodeSummary, ObjectNode, Question, Relation, RelationSummary, SubjectNode

SPEAKS = Relation("P", "[X] speaks [Y].")


def summary(facts: list[tuple[str, str]]) -> RelationSummary:
    objects: dict[str, ObjectNode] = {}
    subjects: dict[str, SubjectNode] = {}
    for s, o in facts:
        objects.setdefault(o, ObjectNode(o, o, [])).subjects.append(s)
        subjects.setdefault(s, SubjectNode(s, s, [])).objects.append(o)
    return RelationSummary(SPEAKS, NodeSummary(objects, subjects))


def question(kind: QuestionType, form: str, subject: str, object_: str, **more: object) -> Question:
    answers = more.pop("answers", (Answer(object_, object_),))
    name = f"{subject}:{object_}:P:{kind}:{form}"
    return Question(name, kind, (), answers, "P", subject, object_, **more)  # type: ignore[arg-type]


def choice(subject: str, object_: str, *choices: str) -> Question:
    return question("multi_choices", "multi_choices_obj", subject, object_, choices=choices)


def statements(subject: str, object_: str, false: str, form: str = "binary_obj_incorrect") -> list[Question]:
    true = question("binary_answer", "binary_correct", subject, object_, answers="correct", shown=object_)
    return [true, question("binary_answer", form, subject, object_, answers="incorrect", shown=false)]


def leaks(facts: list[tuple[str, str]], *questions: Question) -> dict[tuple[str, str], Leak]:
    found = Leaks()
    assert list(found.watch(questions, summary(facts))) == list(questions)
    return {(leak.question_type, leak.guess): leak for leak in found.rows()}


FACTS = [("Spain", "Spanish"), ("Chile", "Spanish"), ("Peru", "Spanish"), ("Oman", "Arabic"), ("Iran", "Persian")]
OPTIONS = ("Spanish", "Arabic", "Persian")


def test_options_by_hand() -> None:
    asked = [choice(subject, object_, *OPTIONS) for subject, object_ in FACTS]
    found = leaks(FACTS, *asked)
    assert [leak.chance for leak in found.values()] == pytest.approx([1 / 3] * 5)
    rates = {guess: leak.accuracy.estimate for (_, guess), leak in found.items()}
    assert rates["popularity"] == pytest.approx(3 / 5)
    assert rates["constant"] == pytest.approx(3 / 5)
    # "spa" is in Spanish, "per" in Persian and so is the "an" that Oman and Iran end in; Chile has nothing of any.
    assert rates["overlap"] == pytest.approx((1 + 1 / 3 + 0 + 0 + 1) / 5)
    # Both have seven letters.
    assert rates["length"] == pytest.approx((3 / 2 + 0 + 1 / 2) / 5)


def test_names_that_are_alike_are_told() -> None:
    facts = [("Renault Clio", "Renault"), ("Opel Astra", "Opel"), ("Fiat Uno", "Fiat")]
    asked = [choice(subject, object_, "Renault", "Opel", "Fiat") for subject, object_ in facts]
    assert leaks(facts, *asked)["multi_choices", "overlap"].accuracy.estimate == 1


def test_the_option_that_is_like_the_others() -> None:
    facts = [("a", "North Bay"), ("b", "South Bay"), ("c", "North Sea"), ("d", "Ulm")]
    found = leaks(facts, choice("a", "North Bay", "South Bay", "North Bay", "North Sea"))
    assert found["multi_choices", "likeness"].accuracy.estimate == 1


def test_statements_by_hand() -> None:
    asked = [one for subject, object_ in FACTS for one in statements(subject, object_, "Arabic")]
    found = leaks(FACTS, *asked)
    assert {kind for kind, _ in found} == {"binary_answer"}
    popularity = found["binary_answer", "popularity"]
    # Spanish has three facts, Arabic and Persian one.
    assert (popularity.accuracy.estimate, popularity.chance, popularity.questions) == ((3 + 0.5 + 0.5) / 5, 0.5, 5)
    assert found["binary_answer", "constant"].accuracy.estimate == 0.5
    assert found["binary_answer", "constant"].questions == 10
    subjects = [one for s, o in FACTS for one in statements(s, o, "Oman", "binary_sub_incorrect")]
    assert leaks(FACTS, *subjects)["binary_answer", "popularity"].accuracy.estimate == 0.5


def test_what_is_neither_is_passed_over() -> None:
    many = choice("Oman", "Arabic", *(f"tongue {i}" for i in range(30)), "Arabic")
    short = question("single_answer", "ask_object", "Oman", "Arabic")
    assert leaks(FACTS, many, short) == {}


def test_of_many_facts_some_are_looked_at_evenly() -> None:
    facts = [(f"s{i}", f"o{i % 50}") for i in range(20 * MAX_SAMPLED_FACTS + 7)]
    asked = [one for s, o in facts for one in (*statements(s, o, "o7"), choice(s, o, "o7", o))]
    found = leaks(facts, *(one for one in asked if one.question_type == "binary_answer" or one.object_uri != "o7"))
    assert found["binary_answer", "constant"].accuracy.estimate == 0.5
    assert MAX_SAMPLED_FACTS <= found["binary_answer", "popularity"].questions <= 2 * MAX_SAMPLED_FACTS
    assert found["multi_choices", "constant"].accuracy.estimate == 1


@pytest.mark.parametrize("options", [("Spanish", "Arabic"), ("Arabic", "Spanish")])
def test_the_summary_is_that_of_all_rows(options: tuple[str, ...]) -> None:
    found = Leaks()
    facts = [(f"s{i}", "Spanish" if options[0] == "Arabic" else options[i % 2]) for i in range(200)]
    list(found.watch([choice(*fact, *options) for fact in facts], summary(facts)))
    assert found.summary() == leak_summary(found.rows())
    assert bool(found.summary()) == (options[0] == "Arabic")


def test_several_relations_are_summed() -> None:
    found = Leaks()
    for facts in (FACTS, FACTS):
        list(found.watch([choice("Oman", "Arabic", *OPTIONS)], summary(facts)))
    assert {leak.questions for leak in found.rows()} == {2}
    assert found.rows() == found.rows()
    assert Leaks().rows() == []


def test_only_what_is_far_from_chance_is_told() -> None:
    def leak(kind: str, low: float) -> Leak:
        return Leak(kind, "popularity", 100, Interval(0.5, low, 0.6), 0.25)

    assert leak_summary([leak("multi_choices", 0.36), leak("binary_answer", 0.34)]) == (
        "Multiple choice by popularity 50.0% (chance 25.0%)"
    )
    assert leak_summary([]) == ""
    assert {*GUESSES} == {"popularity", "overlap", "length", "likeness", "constant"}
