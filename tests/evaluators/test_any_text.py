"""Invariants of any reply, and the replies of the scripted model on the graphs that come with factprobe."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe import api
from factprobe.config import resource
from factprobe.evaluators import grade
from factprobe.factories import build_model
from factprobe.question_types import QUESTION_TYPES
from factprobe.records import VERDICTS, Grade, Question, Response
from tests.evaluators import worlds as w
from tests.evaluators.replies import grades_digest
from tests.evaluators.worlds import Asked, graded
from tests.growth import grows_linearly

ASKED = [
    w.ask_object(w.BORN, "Albert Einstein"),
    w.ask_subject(w.BORN, "Ulm"),
    w.ask_object(w.LIVED, "Abraham Lincoln"),
    w.ask_object(w.SPEAKS, "Switzerland"),
    w.ask_subject(w.SPEAKS, "French"),
    w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "Washington, D.C.", "Paris"),
    w.choose_subject(w.BORN, "Ulm", "Marie Curie", "Albert Einstein"),
    w.true_or_false(w.BORN, "Albert Einstein", "Ulm"),
    w.true_or_false(w.BORN, "Albert Einstein", "Paris"),
]
ONE_OF_EACH = [ASKED[7], ASKED[5], ASKED[0], ASKED[3]]
IDS = [asked.question.question_id for asked in ASKED]
NAMES = ["Ulm", "Munich", "Albert Einstein", "Springfield", "Washington, D.C.", "German", "Deutsch", "Dutch", "Belgium"]
LABELS = ["correct", "incorrect", "true", "not", "no", "yes", "A", "B)", "(C)", "D.", "Option", "answer is", "Answer:"]
OTHERS = [
    "I don't know",
    "unknown",
    "and",
    "or",
    "but",
    "the",
    "in",
    "- ",
    "1. ",
    "\r\n",
    "\0",
    "🤷",
    "\u0301",
    "ﬁ",
    "İ",
]
MARKS = [*",;./|\"'`{}[]•\n", "**", "__", "```", "\\boxed{", "<think>", "</think>", '{"answer":']
WORDS = NAMES + LABELS + OTHERS + MARKS
REPLIES = (
    st.text(st.characters(), max_size=60)
    | st.lists(st.sampled_from(WORDS), max_size=14).map(" ".join)
    | st.lists(st.sampled_from(WORDS) | st.text(max_size=3), max_size=14).map("".join)
)
FAILED = [
    Response("", None, None, None, "the endpoint gave up"),
    Response("", None, None, None, None),
    Response("", "Ulm", "stop", None, "cut off"),
]


def holds(asked: Asked, found: Grade) -> None:
    """Check the invariants of a grade."""
    answers = asked.question.answers
    right = () if isinstance(answers, str) else tuple(answer.uri for answer in answers)
    assert found.verdict in VERDICTS
    assert found.verdict != "failed"
    assert set(found.matched) <= set(right)
    assert len(set(found.matched)) == len(found.matched)
    assert found.true_positives + found.false_negatives == (len(right) or 1)
    assert min(found.true_positives, found.false_positives, found.false_negatives) >= 0
    if found.verdict == "correct":
        assert (found.false_positives, found.false_negatives) == (0, 0)
    if found.verdict == "abstained":
        assert (found.true_positives, found.false_positives) == (0, 0)
    if asked.question.question_type == "multiple_answer":
        assert found.true_positives == len(found.matched)


@given(st.sampled_from(ASKED), REPLIES)
def test_any_text_is_graded(asked: Asked, reply: str) -> None:
    found = graded(asked, reply)
    holds(asked, found)
    assert graded(asked, reply) == found


ODD = ["[" * 100_000, '{"answer":' * 100_000, "\ud800", "\\boxed{" * 1000, "<think>" * 1000, "'" * 1000]
ODD += ["!A", "(?A)", "hundred " * 1000, "9" * 5000]


@pytest.mark.parametrize("asked", ONE_OF_EACH, ids=QUESTION_TYPES)
@pytest.mark.parametrize("text", ["x", "Ulm ", "no ", "B) ", "\n", "German, ", "not ", "**a"])
@pytest.mark.slow
def test_a_megabyte_is_graded(asked: Asked, text: str) -> None:
    holds(asked, graded(asked, text * (1_000_000 // len(text))))


@pytest.mark.parametrize("asked", ONE_OF_EACH, ids=QUESTION_TYPES)
@pytest.mark.parametrize("text", ODD, ids=[ascii(text[:8]) for text in ODD])
def test_an_odd_text_is_graded(asked: Asked, text: str) -> None:
    holds(asked, graded(asked, text))


LONG = {
    "lines of signs": (ASKED[0], ("", "\n- ", "")),
    "empty lines": (ASKED[0], ("Ulm", "\n", "x")),
    "tokens": (ASKED[0], ("", "<s>", "")),
    "full stops": (ASKED[7], ("A,", ".", "x")),
    "adjectives in lines": (ASKED[0], ("", "correct \n", "")),
    "signs without a blank": (ASKED[7], ("", "&.🤷", "")),
    "one option": (ASKED[5], ("", "a: ", "")),
    "figures without a blank": (w.true_or_false(w.YEAR, "Isaac Stern", "1882"), ("", "20%31.12.99", "")),
    "emphasis that is not closed": (ASKED[0], ("", "__a ", "")),
}
"""Questions, each with a reply as its beginning, what is repeated, and its end."""


@pytest.mark.parametrize("name", LONG)
def test_the_time_of_a_reply_grows_with_its_length(name: str) -> None:
    asked, (start, repeated, end) = LONG[name]

    def grade_reply(length: int) -> None:
        holds(asked, graded(asked, f"{start}{repeated * (length // len(repeated))}{end}"))

    assert grows_linearly(grade_reply, 5_000)


def test_what_is_read_of_a_long_reply_is_said() -> None:
    asked, ends = ASKED[0], "; read: the first and the last 20,000 characters"
    for reply, said in ((f"Ulm{' or' * 30_000}", True), ("\ufdfa" * 4000, True), (f"Ulm{' or' * 10_000}", False)):
        assert graded(asked, reply).why.endswith(ends) == said


def test_mixed_numbers_of_long_replies_are_read() -> None:
    record = {"question": "How long is the flight?", "answers": ["2.5 hours"], "response": f"2½ hours. {'… ' * 20_000}"}
    (grade,) = api.grade_answers([record])
    assert grade.verdict == "correct"


def test_labels_as_long_as_books_are_graded() -> None:
    def grade_books(length: int) -> None:
        books = [f"{word} 7 {'7 s ' * (length // 4)}end" for word in ("Ann", "Bob", "Carl")]
        world = w.World("[X] wrote [Y].", {f"{book[:3]} Author": [book] for book in books})
        for author, right in world.facts.items():
            for asked in (w.ask_object(world, author), w.true_or_false(world, author, books[0])):
                holds(asked, graded(asked, "7 s " * 500))
            asked = w.choose(world, author, *books)
            assert graded(asked, "B").verdict == ("correct" if right[0] == books[1] else "incorrect")

    assert grows_linearly(grade_books, 10_000)


VALUED = [w.ask_object(w.YEAR, "Isaac Stern"), w.true_or_false(w.YEAR, "Isaac Stern", "1882")]
VALUED += [w.ask_object(w.World("[X] has [Y] parts.", {"a bike": ["7"], "a car": ["8"]}), "a bike")]
VALUED += [
    w.ask_object(w.World("[X] died on [Y].", {"Max Born": ["5 January 1970"], "Bach": ["28 July 1750"]}), "Bach")
]
FIGURES = [
    "7",
    "8",
    "52",
    "1920",
    "1950",
    "1951",
    "1,920",
    "1.5",
    "10.100.200.1",
    "44 BC",
    "5 May 1950",
    "1950-01-02",
    "1950s",
    "twenty",
]


@given(st.sampled_from(VALUED), st.lists(st.sampled_from(FIGURES), min_size=1, max_size=5), st.data())
def test_values_joined_in_any_way_are_graded(asked: Asked, figures: list[str], data: st.DataObject) -> None:
    joint = st.sampled_from(["-", "–", "—", "−", " - ", " – ", "/", ".", ", ", " ", "", " to ", " or ", " (", "\n"])
    holds(asked, graded(asked, "".join(figure + data.draw(joint) for figure in figures)))


@pytest.mark.slow
def test_the_same_reply_gets_the_same_grade_under_any_hash_seed() -> None:
    another = "77" if os.environ.get("PYTHONHASHSEED") != "77" else "0"
    done = subprocess.run(
        [sys.executable, "-c", "from tests.evaluators.replies import grades_digest; print(grades_digest())"],
        check=True,
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
        env={**os.environ, "PYTHONHASHSEED": another},
    )
    assert done.stdout.strip() == grades_digest()


@pytest.mark.parametrize("asked", ASKED, ids=IDS)
@pytest.mark.parametrize("response", FAILED, ids=["error", "nothing", "error beside text"])
def test_a_failed_response_counts_nothing(asked: Asked, response: Response) -> None:
    found = graded(asked, response.response, response.error)
    assert found.verdict == "failed"
    assert found.matched == ()
    assert (found.true_positives, found.false_positives, found.false_negatives) == (0, 0, 0)


def test_a_question_without_a_response_has_no_grade() -> None:
    name = ASKED[0].question.question_id
    response = Response(name, "Ulm", "stop", None, None)
    answered = [(ASKED[0].question, response), *((asked.question, None) for asked in ASKED[1:3])]
    found = list(grade(answered, w.BORN.summary()))
    assert [one.question_id for one in found] == [name]


def test_a_relation_without_a_summary_is_graded_by_its_own_answers() -> None:
    question = ASKED[0].question
    for reply, verdict in (("Ulm", "correct"), ("He was born in Ulm.", "correct"), ("Munich", "incorrect")):
        response = Response(question.question_id, reply, "stop", None, None)
        (found,) = grade([(question, response)], None)
        assert found.verdict == verdict


@cache
def bundled(kg_name: str) -> tuple[object, list[Question]]:
    kg = api.load_kg(kg_name)
    return kg, api.make_questions(kg, ask="both")


@pytest.mark.parametrize("kg_name", sorted(path.name for path in resource("kgs").iterdir() if path.is_dir()))
@pytest.mark.parametrize(("rule", "verdict"), [("gold", "correct"), ("wrong", "incorrect"), ("abstain", "abstained")])
def test_scripted_replies_get_their_verdict_on_every_bundled_graph(kg_name: str, rule: str, verdict: str) -> None:
    kg, questions = bundled(kg_name)
    model = build_model({"backend": "scripted", "rule": rule})

    async def replies() -> list[Response]:
        return [
            Response(question.question_id, (await model.reply(question)).text, "stop", None, None)
            for question in questions
        ]

    responses = asyncio.run(replies())
    grades = api.grade_responses(kg, questions, responses)  # type: ignore[arg-type]
    said = {response.question_id: response.response for response in responses}
    assert {found.question_id: said[found.question_id] for found in grades if found.verdict != verdict} == {}
    assert len(grades) == len(questions)
    assert set(Counter(question.question_type for question in questions)) == set(QUESTION_TYPES)
