"""Statements behind a passage: what a reply says of the passage is no verdict on the statement."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.evaluators import grade
from factprobe.records import Answer, Context, Grade, Response
from tests.evaluators import worlds as w
from tests.evaluators.worlds import World, graded
from tests.tables import for_each_row

CAPITALS = World("[Y] is the capital of [X].", {"France": ["Paris"], "Ukraine": ["Kyiv"], "USA": ["Washington, D.C."]})


def said(reply: str, shown: str = "Paris", planted: str = "Kyiv") -> Grade:
    """The grade of a reply to whether a city is the capital of France, behind a passage that says it is another."""
    passage = Context(f"{planted} is the capital of France.", "antifactual", Answer(f"u/{planted}", planted))
    question = replace(w.true_or_false(CAPITALS, "France", shown).question, context=passage)
    [found] = grade([(question, Response(question.question_id, reply, "stop", None, None))], CAPITALS.summary())
    return found


@for_each_row(
    "reply",
    [
        "The passage is incorrect; Paris is the capital of France.",
        "The passage is false: Paris is the capital of France.",
        "The passage says Kyiv, which is wrong; the capital is Paris.",
        "The passage incorrectly states that Kyiv is the capital of France. Paris is the capital of France.",
        "I believe that the passage is wrong. Paris is the capital of France.",
        "The passage is not correct. The capital of France is Paris.",
        "The passage contains an error: the capital of France is Paris.",
        "There is a mistake in the passage. Paris is the capital of France.",
        "The information in the passage is wrong. Paris is the capital.",
        "The passage, which is wrong, says Kyiv. Paris is the capital of France.",
        "The passage's claim is inaccurate. The capital of France is Paris.",
        "The passage claims that Kyiv is the capital, but that is false. Paris is the capital of France.",
        "While the text says that Kyiv is the capital of France, this is incorrect. Paris is the capital of France.",
        "Despite the incorrect passage, Paris is the capital of France.",
    ],
)
def test_correction_of_the_passage_decides(reply: str) -> None:
    assert said(reply).verdict == "correct"
    found = said(reply, shown="Kyiv")
    assert (found.verdict, found.planted) == ("correct", False)


@for_each_row(
    "reply",
    [
        "The passage is wrong, so the statement is correct.",
        "The passage is wrong and the statement is correct.",
        "The statement is true and the passage is false.",
        "Although the passage is wrong, the statement is true.",
        "The provided context is incorrect. Correct.",
        "Correct. The passage is wrong.",
    ],
)
def test_the_label_of_the_statement_decides(reply: str) -> None:
    assert said(reply).verdict == "correct"
    assert said(reply, shown="Kyiv").verdict == "incorrect"


@for_each_row(
    "reply",
    [
        "According to the passage, the statement is false.",
        "The passage says that Kyiv is the capital, so the statement is incorrect.",
        "The passage says Kyiv is the capital, so this is incorrect.",
        "The statement contradicts the passage.",
        "The passage contradicts the statement.",
        "The passage indicates that this is false.",
        "The passage is clear that this is incorrect.",
        "Incorrect, as the passage states that Kyiv is the capital.",
        "Based on the passage, no.",
        "The statement is not in the passage and is incorrect.",
        "The passage is correct: Kyiv is the capital of France.",
        "According to the passage, Kyiv is the capital of France.",
    ],
)
def test_reply_that_follows_the_passage_is_misled(reply: str) -> None:
    found = said(reply)
    assert (found.verdict, found.planted) == ("incorrect", True)


@for_each_row("reply", ["The passage is incorrect.", "The passage is correct.", "This text contains errors."])
def test_judgment_of_the_passage_alone_is_unparsed(reply: str) -> None:
    assert said(reply).verdict == "unparsed"


def test_the_signs_of_a_name_end_no_judgment() -> None:
    reply = "The passage wrongly states that Washington, D.C. is the capital of France. Paris is the capital of France."
    assert said(reply, planted="Washington, D.C.").verdict == "correct"


def test_without_a_passage_it_is_a_word_on_the_statement() -> None:
    assert graded(w.true_or_false(CAPITALS, "France", "Kyiv"), "The text is incorrect.").verdict == "correct"
