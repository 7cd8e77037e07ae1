"""What is a phrase of abstention, and what only looks like one."""

from __future__ import annotations

import pytest

from factprobe.reading import abstention
from factprobe.reading.abstention import declines, may_decline, only_declines, without_abstentions
from factprobe.reading.cleaning import with_bullets
from factprobe.reading.families import Families
from factprobe.reading.words import Text
from factprobe.text import normalise
from tests.evaluators.replies import load
from tests.tables import for_each_row


@for_each_row(
    "text",
    [
        "He died in Rome, unfortunately.",
        "There is no doubt that it is Ulm.",
        "It was known to everybody.",
        "She could answer all questions.",
        "He knew no rest.",
        "The records are complete.",
        "I know it: Ulm.",
        "I can say that it was Ulm.",
        "My memory serves me well: Ulm.",
        "The search results say that it was Ulm.",
        "The sources give Ulm.",
        "None of the other towns had a source like it.",
        "His parents did not name him Max but Moritz.",
        "He did not mention Ulm.",
        "Its source is not in Ulm.",
        "She is a doctor.",
    ],
)
def test_does_not_decline(text: str) -> None:
    assert not declines(normalise(text))
    assert not only_declines(normalise(text))


@for_each_row(
    "text",
    [
        "I found several pages about him, but the results don't give his birth name.",
        "The search results do not mention his first name.",
        "The web results I found only describe hares and do not mention what their young are called.",
        "None of the results mention it.",
        "None of the sources I found gives his first name.",
        "The documents you gave me don't answer this.",
        "The passage does not seem to mention his name.",
        "The articles I found contain no name.",
        "His name is not mentioned in the provided text.",
        "His name could not be found in the search results.",
        "My search did not turn up his name.",
        "My searches haven't found anything on it.",
        "I'm not a doctor and I can't diagnose rashes.",
        "I am not a licensed attorney.",
        "I can't prescribe anything.",
    ],
)
def test_declines(text: str) -> None:
    assert declines(normalise(text))


def test_what_only_declines_has_a_word_that_begins_a_phrase() -> None:
    forms = (
        "{}",
        "- {}",
        "1. {}",
        "# {}",
        '"{}"',
        "({})",
        "Sorry, {}",
        "{}, sorry.",
        "A. {}",
        "the-{}",
        "1,000'{}",
        "{} & no",
    )
    replies = [form.format(case.reply.strip()) for case in load() for form in forms]
    declining = [one for one in replies if one.isascii() and "|" not in one and only_declines(normalise(one))]
    assert len(declining) > 1_000
    assert [one for one in declining if not may_decline(Text(with_bullets(one)).words)] == []


def test_names_begin_no_phrase() -> None:
    assert not may_decline(Text("Ulm, Munich and Georgetown").words)


def test_the_no_of_a_phrase_is_taken_out() -> None:
    assert without_abstentions("i have no idea if it is correct").split() == ["if", "it", "is", "correct"]


FAMILIES = Families(["not := not|never", "[he|she] (really|quite)* not knows (it|that)", "pass", "知らない"])


@for_each_row("text", ["he not knows", "she never knows it", "so he really quite not knows that now", "pass it"])
def test_a_line_is_many_phrases(text: str) -> None:
    assert FAMILIES.within(text)


@for_each_row("text", ["they never knows", "he knows", "passes", "he really", "ashe not knows", ""])
def test_words_are_whole_and_all_there(text: str) -> None:
    assert not FAMILIES.within(text)


def test_a_phrase_is_all_of_a_text_or_a_part() -> None:
    assert FAMILIES.are_all_of("he never knows that")
    assert not FAMILIES.are_all_of("he never knows that man")
    assert FAMILIES.taken_out("yes he never knows that man").split() == ["yes", "man"]


def test_scripts_without_spaces() -> None:
    assert FAMILIES.within("私は知らないです")
    assert FAMILIES.are_all_of("知らない")


def test_no_reply_is_lost_whose_first_word_begins_no_phrase() -> None:
    texts = {normalise(f"{before}{case.reply}") for case in load() for before in ("", "Sorry, ", "Um, ", "Leider ")}
    found = {text for text in texts if only_declines(text)}
    leads = {text.partition(" ")[0] for text in texts}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(abstention, "_leads", lambda: leads)
        assert {text for text in texts if only_declines(text)} == found != set()
