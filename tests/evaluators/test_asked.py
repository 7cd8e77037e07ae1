"""Questions are read from their data, not from a passage before them or the first template of their relation."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from msgspec.structs import replace

from factprobe import api
from factprobe.kgs import Graph
from factprobe.reading.names.index import answers_of
from factprobe.records import Context, Question, Response
from factprobe.templating import Template
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, World
from tests.tables import for_each_row

LIVED = World(
    "[X] lived in [Y].",
    {
        "Albert Einstein": ["Ulm", "Princeton"],
        "Paul Klee": ["Bern"],
        "Max Born": ["Göttingen"],
        "James Joyce": ["Trieste"],
    },
)
PASSAGE = "In Zurich and Prague, Albert Einstein taught for some years; in Trieste he never was. Many say Zurich."


def after_passage(asked: Asked) -> Asked:
    """Return the question behind a passage."""
    *before, last = asked.question.prompts
    told = replace(last, content=f"{PASSAGE}\n\n{last.content}")
    return asked._replace(question=replace(asked.question, prompts=(*before, told), context=Context(PASSAGE)))


SET = w.ask_object(LIVED, "Albert Einstein")
ONE = w.ask_object(LIVED, "Paul Klee")
WHO = w.ask_subject(LIVED, "Bern")
REPLIES = [
    (SET, "Ulm, Princeton, Zurich", "set.partial"),
    (SET, "Ulm, Princeton and Prague", "set.partial"),
    (SET, "Zurich", "set.no_match"),
    (SET, "Zurich, Prague", "set.no_match"),
    (SET, "Princeton and Ulm", "set.exact"),
    (SET, "He lived in Ulm and Princeton.", "set.exact"),
    (ONE, "Zurich", "single.no_known_name"),
    (ONE, "Prague or Zurich", "single.no_known_name"),
    (ONE, "Bern or Zurich", "single.several"),
    (ONE, "Trieste", "single.other_entity"),
    (ONE, "Bern", "single.exact"),
    (ONE, "He lived in Bern.", "single.mention"),
    (WHO, "Albert Einstein", "single.other_entity"),
    (WHO, "Paul Klee", "single.exact"),
    (w.true_or_false(LIVED, "Paul Klee", "Bern"), "He lived in Bern.", "true_false.model"),
    (w.true_or_false(LIVED, "Paul Klee", "Trieste"), "He lived in Zurich.", "true_false.model"),
    (w.choose(LIVED, "Paul Klee", "Bern", "Trieste", "Ulm"), "Bern", "options.text"),
    (w.choose(LIVED, "Paul Klee", "Bern", "Trieste", "Ulm"), "Trieste is right.", "options.model"),
]


@for_each_row(("asked", "reply", "rule"), REPLIES)
def test_context_passage_is_no_part_of_the_question(asked: Asked, reply: str, rule: str) -> None:
    plain, behind = w.graded(asked, reply), w.graded(after_passage(asked), reply)
    assert plain.rule == rule
    assert behind == plain


@cache
def bear(template: int) -> tuple[Graph, list[Question]]:
    """BEAR and the questions on its facts, in one of the wordings of each relation."""
    kg = api.load_kg("bear")
    return kg, api.make_questions(kg, template=template, ask="both")


def told(question: Question, wording: Template, labels: Iterable[str]) -> str:
    """Return a wording of the relation about the end that a question gives and some names."""
    kg, _ = bear(0)
    nodes = api.summarise(kg, question.relation).node_summary
    names = " and ".join(labels)
    if question.sought == "object":
        return wording.fill(nodes.subjects[question.subject_uri].subject_label, names).text
    return wording.fill(names, nodes.objects[question.object_uri].object_label).text


def verdicts(asked_in: int, told_in: int, *, right: bool) -> set[str]:
    """The verdicts on sentences in one wording of a relation that answer questions in another."""
    kg, every = bear(asked_in)
    questions = [question for question in every if question.question_type in ("single_answer", "multiple_answer")]
    relations = {one.relation: one for one in kg.load_relations()}
    labels: dict[tuple[str, str], list[str]] = {}
    for question in questions:
        labels.setdefault((question.relation, question.form), []).extend(a.label for a in answers_of(question))
    responses = []
    for question in questions:
        own = [answer.label for answer in answers_of(question)]
        others = [label for label in labels[question.relation, question.form] if label not in own]
        relation = relations[question.relation]
        wording = Template(relation, "", relation.templates[told_in])
        text = told(question, wording, own if right else others[:1])
        responses.append(Response(question.question_id, text, "stop", None, None))
    return {found.verdict for found in api.grade_responses(kg, questions, responses)}


@for_each_row(("asked_in", "told_in"), [(0, 0), (1, 1), (2, 2), (1, 0), (2, 0)])
def test_sentence_in_own_or_first_template_answers_the_question(asked_in: int, told_in: int) -> None:
    assert verdicts(asked_in, told_in, right=True) == {"correct"}
    assert verdicts(asked_in, told_in, right=False) == {"incorrect"}


@for_each_row("asked_in", [1, 2])
@for_each_row(
    "reply",
    [
        "{other} is the largest city; the government sits in {right}.",
        "{other} was once important, the seat of government is in {right}.",
        "{other} is a big port. It is governed from {right}.",
        "{other} is the commercial centre. Government: {right}.",
        "In {other} there is a famous harbour, in {right} the seat of government.",
        "{other} is a big port. Its capital is {right}.",
    ],
)
def test_key_words_come_from_own_and_first_template(reply: str, asked_in: int) -> None:
    kg, every = bear(asked_in)
    question, beside = [q for q in every if (q.relation, q.form) == ("P36", "ask_object")][:2]
    (right,), (other,) = answers_of(question), answers_of(beside)
    text = reply.format(right=right.label, other=other.label)
    (found,) = api.grade_responses(kg, [question], [Response(question.question_id, text, "stop", None, None)])
    assert (found.verdict, found.answer) == ("correct", right.label)


def test_a_question_that_is_asked_twice_has_the_grade_of_each_reply() -> None:
    kg = api.load_kg([("France", "capital", "Paris"), ("Italy", "capital", "Rome")], name="capitals")
    france, italy = (question for question in api.make_questions(kg) if question.question_type == "single_answer")
    paris, rome, none = (Response(france.question_id, text, "stop", None, None) for text in ("Paris", "Rome", ""))
    other = Response(italy.question_id, "Rome", "stop", None, None)

    def verdicts(questions: list[Question], responses: list[Response]) -> list[str]:
        return [found.verdict for found in api.grade_responses(kg, questions, responses)]

    assert verdicts([france, france], [paris, rome]) == ["correct", "incorrect"]
    assert verdicts([france, italy, france], [rome, other, paris]) == ["incorrect", "correct", "correct"]
    assert verdicts([france, italy], [paris, rome, none, other]) == ["correct", "incorrect", "unparsed", "correct"]
    assert verdicts([france, france], [rome]) == ["incorrect"]
