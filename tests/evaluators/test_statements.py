"""True or false: a reply that says the statement again, whatever names and template it is made of."""

from __future__ import annotations

from functools import cache
from typing import Literal

from hypothesis import assume, given
from hypothesis import strategies as st
from msgspec.structs import replace

from factprobe import api
from factprobe.evaluators import grade
from factprobe.generators.ids import question_id
from factprobe.question_types import Form
from factprobe.reading.structure.cleaning import clean
from factprobe.records import Message, Question, RelationSummary, Response
from factprobe.templating import Template
from factprobe.text import one_line
from tests.evaluators import worlds as w
from tests.evaluators.worlds import World, uri, wording
from tests.tables import for_each_row

FORMS: tuple[Form, ...] = ("binary_correct", "binary_obj_incorrect", "binary_sub_incorrect")
ODD = [
    "Washington, D.C.",
    "St. Petersburg",
    "U.S. State: A (The First)",
    "Who's Afraid of Virginia Woolf?",
    "Why? Because!",
    "Munich; Bavaria",
    "Ulm (Danube). And more",
    "“Heroes”",
    "[X]",
    "The [Y] of [X]",
    "a town in which he was born in",
    "Born in Ulm",
    "Dr. J. R. Smith Jr.",
    "New\n  York",
    "12.5",
    "No Doubt",
    "Statement: it is correct.",
]
"""Names with what parts sentences and clauses, with the sentence's own words and signs, and with labels."""


def asked(
    template: str, subject: str, object_: str, form: Form, pronoun: str = "He"
) -> tuple[Question, RelationSummary, str]:
    """A true/false question on a statement, its relation, and the statement with a pronoun for the name that is given.

    Where it is false, the right name is Bonn, or Max Born.
    """
    right, others = {
        "binary_correct": ((subject, object_), {"Otto Hahn": ["Rome"]}),
        "binary_obj_incorrect": ((subject, "Bonn"), {"Otto Hahn": [object_]}),
        "binary_sub_incorrect": (("Max Born", object_), {subject: ["Rome"]}),
    }[form]
    summary = World(template, {right[0]: [right[1]], **others}).summary()
    statement = Template(summary.relation_info, "").fill(subject, object_)
    text = statement.text
    prompts = tuple(Message(m.role, m.content.replace("{statement}", text)) for m in wording("binary_answer"))
    ends = uri(right[0]), uri(right[1])
    name = question_id(*ends, "P1", "binary_answer", form)
    ask_subject = form == "binary_sub_incorrect"
    shown = uri(subject if ask_subject else object_)
    question = Question(name, "binary_answer", prompts, side(form), "P1", *ends, statement=statement, shown=shown)
    again = statement.with_ends(subject, pronoun) if ask_subject else statement.with_ends(pronoun, object_)
    return question, summary, one_line(again.text)


def side(form: Form) -> Literal["correct", "incorrect"]:
    """Return the verdict on a reply that affirms a statement of this form."""
    return "correct" if form == "binary_correct" else "incorrect"


def verdict(question: Question, summary: RelationSummary | None, reply: str) -> str:
    (found,) = grade([(question, Response(question.question_id, reply, "stop", None, None))], summary)
    return found.verdict


@for_each_row(
    ("subject", "object_", "form", "reply"),
    [
        ("Duke Ellington", "Washington, D.C.", "binary_correct", "He was born in Washington, D.C."),
        ("Igor Stravinsky", "St. Petersburg", "binary_correct", "He was born in St. Petersburg."),
        ("Albert Einstein", "St. Petersburg", "binary_obj_incorrect", "He was born in St. Petersburg."),
        ("Albert Einstein", "St. Petersburg", "binary_obj_incorrect", "Yes, he was born in St. Petersburg."),
        ("Albert Einstein", "Washington, D.C.", "binary_obj_incorrect", "I believe he was born in Washington, D.C."),
    ],
)
def test_a_name_with_full_stops_is_affirmed(subject: str, object_: str, form: Form, reply: str) -> None:
    question, summary, _ = asked("[X] was born in [Y].", subject, object_, form)
    assert verdict(question, summary, reply) == side(form)


@for_each_row("shown", ["Washington, D.C.", "St. Petersburg"])
def test_a_name_with_full_stops_is_denied(shown: str) -> None:
    for reply in ("He was born in Bonn.", f"He was born in Bonn, not in {shown}", f"He was not born in {shown}"):
        question, summary, _ = asked("[X] was born in [Y].", "Albert Einstein", shown, "binary_obj_incorrect")
        assert verdict(question, summary, reply) == "correct"


@for_each_row("form", FORMS)
@for_each_row("template", ["[X] was born in [Y].", "[Y] is the birthplace of [X].", "In [Y] [X] was born"])
@for_each_row("odd", ODD)
def test_restated_statement_with_an_odd_name_is_affirmed(odd: str, template: str, form: Form) -> None:
    for ends in (("Albert Einstein", odd), (odd, "Ulm")):
        question, summary, again = asked(template, *ends, form)
        assert verdict(question, summary, again) == side(form), again


@cache
def templates() -> list[str]:
    """Every template of the graphs that come with factprobe."""
    found: dict[str, None] = {}
    for name in ("bear", "google_re", "trex", "umls"):
        for relation in api.load_kg(name).load_relations():
            for text in relation.templates or (relation.template,):
                found[text.replace(relation.subject_symbol, "[X]").replace(relation.object_symbol, "[Y]")] = None
    return list(found)


NAMES = st.sampled_from(ODD) | st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=12
)


@given(
    st.sampled_from(templates()),
    NAMES,
    NAMES,
    st.sampled_from(FORMS),
    st.sampled_from(["He", "She", "It", "They", "it", "him"]),
)
def test_the_statement_said_again_takes_its_side(
    template: str, subject: str, object_: str, form: Form, pronoun: str
) -> None:
    question, summary, again = asked(template, subject, object_, form, pronoun)
    assume(clean(again) == again)  # what is taken off a reply is no part of it
    assert verdict(question, summary, again) == side(form)


@cache
def put_by(number: int) -> list[tuple[Question, RelationSummary]]:
    """The true/false questions of a graph with several templates of each relation, put by one of these."""
    kg = api.load_kg("bear")
    questions = api.make_questions(kg, ask="both", question_types=["binary_answer"], template=number, limit=4)
    summaries = {relation: api.summarise(kg, relation) for relation in {question.relation for question in questions}}
    return [(question, summaries[question.relation]) for question in questions]


def test_a_graph_has_several_templates_of_a_relation() -> None:
    shown = [{question.statement.text for question, _ in put_by(number) if question.statement} for number in range(3)]
    assert not shown[0] & shown[1] | shown[0] & shown[2] | shown[1] & shown[2]


@for_each_row("number", range(3))
def test_a_statement_by_another_template_of_its_relation_is_read(number: int) -> None:
    for question, summary in put_by(number):
        statement = question.statement
        assert statement is not None
        ends = ("It", statement.at("object")) if question.sought == "object" else (statement.at("subject"), "it")
        right = "correct" if question.answers == "correct" else "incorrect"
        again = statement.with_ends(*ends).text
        assert verdict(question, summary, again) == right, again


@for_each_row("template", ["[X] was born in [Y].", "[Y] is the birthplace of [X]."])
def test_a_reply_in_the_words_of_another_template_is_read(template: str) -> None:
    question, summary, _ = asked(template, "Albert Einstein", "Ulm", "binary_correct")
    several = ("[X] was born in [Y].", "[Y] is the birthplace of [X].")
    summary = replace(summary, relation_info=replace(summary.relation_info, template=several[0], templates=several))
    assert verdict(question, summary, "He was born in Ulm.") == "correct"
    assert verdict(question, summary, "He was born in Rome.") == "incorrect"
    assert verdict(question, summary, "He was not born in Ulm.") == "incorrect"


@for_each_row(
    ("before", "side"),
    [
        ("It would be wrong to say that", "incorrect"),
        ("There is no evidence that", "incorrect"),
        ("There is no doubt that", "correct"),
        ("I have no reason to doubt that", "correct"),
    ],
)
def test_statement_within_a_judgment(before: str, side: str) -> None:
    for shown in ("Ulm", "Munich"):
        asked = w.true_or_false(w.BORN, "Albert Einstein", shown)
        found = w.graded(asked, f"{before} Albert Einstein was born in {shown}.")
        assert (found.verdict == "correct") == (side == asked.question.answers)


@for_each_row(
    "reply",
    [
        "I don't know the correct answer.",
        "I would not want to give you a wrong answer.",
    ],
)
def test_refusal_with_words_for_a_side(reply: str) -> None:
    assert w.graded(w.true_or_false(w.BORN, "Albert Einstein", "Ulm"), reply).verdict == "abstained"


def test_side_beside_a_refusal_counts() -> None:
    asked = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
    assert w.graded(asked, "I have no access to more information. The statement is correct.").verdict == "correct"


@for_each_row(
    ("behind", "side"), [("is unfounded", "incorrect"), ("is well founded", "correct"), ("is not true", "incorrect")]
)
def test_claim_that_is_judged_behind_the_statement(behind: str, side: str) -> None:
    for shown in ("Ulm", "Munich"):
        asked = w.true_or_false(w.BORN, "Albert Einstein", shown)
        found = w.graded(asked, f"The claim that Albert Einstein was born in {shown} {behind}.")
        assert (found.verdict == "correct") == (side == asked.question.answers)
