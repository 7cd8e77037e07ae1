"""Phrases of abstention, and others that only look like one."""

from __future__ import annotations

import re

from factprobe.reading.abstention import only_declines, refusals_in
from factprobe.reading.language import phrases
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.tokens import Words
from factprobe.text import normalise
from tests.growth import grows_linearly
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
        "His parents did not name him Max but Moritz.",
        "Its source is not in Ulm.",
        "She is a doctor.",
    ],
)
def test_does_not_decline(text: str) -> None:
    assert not refusals_in(Text(text), names_answer=True)
    assert not only_declines(Words(text).raw)


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
    assert refusals_in(Text(text))


@for_each_row(
    "text",
    ["I don't know.", "No idea", "Unknown", "N/A", "None", "Sorry", "Sorry, I'm not sure.", "Je ne sais pas", "不知道"],
)
def test_nothing_but_a_refusal(text: str) -> None:
    assert only_declines(Words(text).raw)


@for_each_row("text", ["Ulm", "No, Ulm", "The Guess Who", "I know", ""])
def test_more_or_less_than_a_refusal(text: str) -> None:
    assert not only_declines(Words(text).raw)


def test_sentence_of_the_refusal() -> None:
    text = Text("Let me think. I cannot tell you. Ask somebody else.")
    assert [text.words[slice(*span)] for span in refusals_in(text)] == [["i", "cannot", "tell", "you"]]


def test_time_in_long_texts_is_linear() -> None:
    assert grows_linearly(lambda size: refusals_in(Text("I don't know. Not the Foggiest Idea " * size)), 200)


@for_each_row(
    "text",
    [
        "En tiedä.",
        "Nu știu.",
        "Îmi pare rău, nu pot răspunde.",
        "죄송하지만 답변할 수 없습니다.",
        "죄송합니다. 답변할 수 없습니다.",
        "抱歉，我无法回答。",
        "对不起，我不能回答。",
        "ขออภัย ฉันไม่สามารถตอบได้",
        "আমি জানি না।",
        "نمی‌دانم.",
        "Λυπάμαι, δεν μπορώ να απαντήσω.",
        "Ég veit það ekki.",
        "[UNK]",
    ],
)
def test_refusal_as_a_whole_in_many_languages(text: str) -> None:
    assert only_declines(Words(text).raw)
    assert only_declines(Text(text).raw)
    assert not only_declines(Words(f"{text} Paris").raw)


def test_phrase_of_abstention_is_normalised() -> None:
    assert all(phrase == normalise(phrase) for phrase in re.findall(r"[^\W\d_]+", phrases("abstention_idiom")))
