"""One option of several: the option that a careful person sees a reply choose."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.evaluators import grade
from factprobe.records import Response
from tests.evaluators import worlds as w
from tests.evaluators.worlds import graded
from tests.tables import for_each_row


@for_each_row(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_letter(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, "B").verdict == "correct"
    assert graded(asked, "A").verdict == "incorrect"


@for_each_row(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_text(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    for text in ("{}", "It is {}.", "I think it's {}, not the other."):
        assert graded(asked, text.format(right)).verdict == "correct"
        assert graded(asked, text.format(wrong)).verdict == "incorrect"


@for_each_row(
    ("reply", "verdict"),
    [
        ("1", "correct"),
        ("1.", "correct"),
        ("Option 1", "correct"),
        ("The answer is 1", "correct"),
        ("one", "correct"),
        ("the second option", "correct"),
        ("0", "incorrect"),
        ("the first option", "incorrect"),
        ("2", "unparsed"),
    ],
)
def test_numbers_from_0_count_options_from_there(reply: str, verdict: str) -> None:
    asked = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm")
    question = replace(asked.question, first_number=0)
    [found] = grade([(question, Response(question.question_id, reply, "stop", None, None))], asked.world.summary())
    assert found.verdict == verdict


LISTING = "Let us go through the options.\n\nA) Munich: This is a city in Bavaria.\n\nB) Ulm: It lies on the"


@for_each_row(
    ("reply", "finish_reason", "verdict", "rule"),
    [
        (LISTING, "length", "unparsed", "options.cut_in_list"),
        ("The answer is B.\n\n" + LISTING, "length", "correct", "options.model"),
        (LISTING + " Danube.\n\nThe answer is B.", "length", "correct", "options.model"),
    ],
)
def test_cut_list_of_options_chooses_none(reply: str, finish_reason: str, verdict: str, rule: str) -> None:
    asked = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm")
    response = Response(asked.question.question_id, reply, finish_reason, None, None)
    [found] = grade([(asked.question, response)], asked.world.summary())
    assert (found.verdict, found.rule) == (verdict, rule)


@for_each_row(
    ("reply", "verdict"),
    [
        ("Albert Einstein was born in a small village.", "incorrect"),
        ("Albert Einstein was born in", "unparsed"),
        ("Albert Einstein was born in ____.", "unparsed"),
        ("Albert Einstein was a physicist.", "unparsed"),
    ],
)
def test_sentence_with_blank_filled_by_unknown_words_is_wrong(reply: str, verdict: str) -> None:
    assert graded(w.ask_object(w.BORN, "Albert Einstein"), reply).verdict == verdict


LED_BY = w.World(
    "[X] is in [Y].", {"Beijing": ["People's Republic of China"], "Lyon": ["France"], "Seoul": ["Republic of Korea"]}
)


@for_each_row(("reply", "verdict"), [("China", "correct"), ("It is China.", "correct"), ("Korea", "incorrect")])
def test_a_word_of_one_option_alone_chooses_it(reply: str, verdict: str) -> None:
    asked = w.choose(LED_BY, "Beijing", "People's Republic of China", "France", "Republic of Korea")
    assert graded(asked, reply).verdict == verdict


def test_a_word_of_two_options_chooses_neither() -> None:
    asked = w.choose(LED_BY, "Beijing", "People's Republic of China", "France", "Republic of Korea")
    assert graded(asked, "the Republic").verdict == "unparsed"
