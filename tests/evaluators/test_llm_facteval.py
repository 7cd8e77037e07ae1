"""LLM-facteval's rules, each with a reply on which it differs from a careful reading, and on which it does not."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest
from msgspec.structs import replace

from factprobe.errors import ConfigError
from factprobe.evaluators import grade
from factprobe.evaluators.llm_facteval import _warn_of_own_phrases
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Message, Response
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded
from tests.tables import for_each_row

SHARED = Path(os.environ.get("FACTPROBE_DATA", Path(__file__).parents[3] / "shared" / "data")) / "llm_facteval"
ULM = w.ask_object(w.BORN, "Albert Einstein")
NEW_YORK = w.ask_object(w.BORN, "Herman Melville")
OR = w.ask_object(w.MADE, "the crown")
SWISS = w.ask_object(w.SPEAKS, "Switzerland")
CHOICE = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "New York", "Paris")
GUINEA = w.choose(w.FLAG, "Sierra Leone", "Papua New Guinea", "Fiji", "Guinea")
TRUE = w.true_or_false(w.BORN, "Albert Einstein", "Ulm")
FALSE = w.true_or_false(w.BORN, "Albert Einstein", "Paris")
NAMES: dict[QuestionType, str] = {
    "binary_answer": "llm_facteval_binary",
    "multi_choices": "llm_facteval_choices",
    "single_answer": "llm_facteval_short",
    "multiple_answer": "llm_facteval_short",
}


def compared(asked: Asked, reply: str, **settings: object) -> Grade:
    response = Response(asked.question.question_id, reply, "stop", None, None)
    (found,) = grade([(asked.question, response)], asked.world.summary(), NAMES, settings)
    assert found.rule.startswith("facteval_")
    return found


CASES = [
    (ULM, "Ulm", "correct", "the label"),
    (ULM, "It is not Ulm.", "correct", "a negation is not read"),
    (ULM, "Ulmer", "correct", "a part of a word counts"),
    (ULM, "U", "correct", "a part of the answer counts"),
    (ULM, "the", "incorrect", "empty without the article"),
    (ULM, "Well,\nUlm", "incorrect", "the first line alone is read"),
    (ULM, "\nUlm", "correct", "what is stripped first is no line"),
    (ULM, " \n\t\n Ulm\nWell", "correct", "nor are several"),
    (ULM, "Ulm-Munich", "correct", "punctuation goes without a space"),
    (ULM, "Munich", "incorrect", "another name"),
    (ULM, "", "incorrect", "nothing"),
    (OR, "New York", "correct", "a part of a word counts"),
    (NEW_YORK, "York", "correct", "a part of the answer counts"),
    (NEW_YORK, "NYC", "incorrect", "an alias does not count"),
    (SWISS, "French", "correct", "one of several is enough"),
    (SWISS, "Klingon, Elvish", "incorrect", "none"),
    (CHOICE, "Ulm", "correct", "the text"),
    (CHOICE, "B", "incorrect", "the letter does not count"),
    (CHOICE, "not Ulm", "correct", "a negation is not read"),
    (CHOICE, "Ulm or Paris", "incorrect", "two texts"),
    (GUINEA, "Guinea", "correct", "the text"),
    (GUINEA, "Papua New Guinea", "incorrect", "two texts, one within the other"),
    (TRUE, "correct", "correct", "the label"),
    (TRUE, "Correct.", "correct", "case and a full stop"),
    (TRUE, "not correct", "correct", "a negation is not read"),
    (TRUE, "incorrect or correct", "correct", "correct goes before incorrect"),
    (TRUE, "yes", "unparsed", "no label"),
    (TRUE, "CORRECT", "correct", "capitals"),
    (TRUE, "\nIncorrect\n", "incorrect", "stripped"),
    (TRUE, "right\nincorrect", "incorrect", "all lines are read"),
    (TRUE, "**Correct**", "correct", "asterisks are split off"),
    (TRUE, "**Correct.**", "correct", "so is a full stop before them"),
    (TRUE, "`incorrect`", "incorrect", "backticks are split off"),
    (TRUE, "“correct”", "correct", "double curly quotes are split off"),
    (TRUE, "‘incorrect’", "incorrect", "single ones too"),
    (TRUE, 'That is "correct."', "correct", "straight quotes"),
    (TRUE, "'correct'", "correct", "apostrophes around a word"),
    (TRUE, "It's correct'.", "correct", "an apostrophe behind it"),
    (TRUE, "correct: it is", "correct", "a colon"),
    (TRUE, "[correct](x)", "correct", "brackets"),
    (TRUE, "incorrect...", "incorrect", "three dots"),
    (TRUE, "incorrect -- Paris", "incorrect", "a double dash"),
    (TRUE, "incorrect—Paris", "incorrect", "a dash"),
    (TRUE, "correctly", "unparsed", "a longer word"),
    (TRUE, "correct/incorrect", "unparsed", "a slash is part of a word"),
    (TRUE, "_correct_", "unparsed", "so is an underscore"),
    (TRUE, "correct-ish", "unparsed", "so is a hyphen"),
    (TRUE, "correct,1", "unparsed", "so is a comma before a digit"),
    (TRUE, "", "unparsed", "no word"),
    (TRUE, "incorrect", "incorrect", "the other label"),
    (FALSE, "The statement is incorrect.", "correct", "the label in a sentence"),
    (FALSE, "true", "unparsed", "no label"),
]


@for_each_row(("asked", "reply", "verdict", "reason"), CASES)
def test_follows_its_rules(asked: Asked, reply: str, verdict: str, reason: str) -> None:
    assert compared(asked, reply).verdict == verdict, reason


def test_an_alias_counts_where_it_is_asked_to() -> None:
    assert compared(NEW_YORK, "NYC", aliases=True).verdict == "correct"


def test_the_objects_aliases_do_not_count_where_the_subject_is_asked_for() -> None:
    asked = w.ask_subject(w.BORN, "New York")
    assert compared(asked, "Herman Melville", aliases=True).verdict == "correct"
    assert compared(asked, "NYC", aliases=True).verdict == "incorrect"


def prompted(*contents: str) -> Asked:
    """The question with options in other words."""
    prompts = tuple(Message("user", content) for content in contents)
    return CHOICE._replace(question=replace(CHOICE.question, prompts=prompts))


@for_each_row(("delimiter", "verdict"), [(",", "incorrect"), ("-", "correct")])
def test_choices_are_read_from_a_prompt_that_lists_them(delimiter: str, verdict: str) -> None:
    asked = prompted("Where?\nChoices: Ulm, Ulm an der Donau\n\nAnswer:")
    assert compared(asked, "Ulm, Ulm an der Donau", delimiter=delimiter).verdict == verdict


@for_each_row("heading", ["Choices:", "CHOICES:", "choices:", "Answer Choices:"])
@for_each_row(
    ("listed", "delimiter"),
    [("\n- Munich\n- Ulm\n- Paris", "-"), (" Munich, Ulm,, Paris,", ","), (" - Munich - - Ulm - Paris - ", "-")],
)
def test_empty_pieces_of_the_menu_are_no_choices(heading: str, listed: str, delimiter: str) -> None:
    asked = prompted(f"Where?\n{heading}{listed}\n\nAnswer - one of them:")
    said = {
        reply: compared(asked, reply, delimiter=delimiter) for reply in ("\nUlm", "Ulm or Paris", "Paris", "New York")
    }
    assert [(found.verdict, found.rule) for found in said.values()] == [
        ("correct", "facteval_choice"),
        ("incorrect", "facteval_several_choices"),
        ("incorrect", "facteval_choice"),
        ("incorrect", "facteval_no_choice"),
    ]


def test_the_menu_ends_with_its_paragraph() -> None:
    asked = prompted("Where?\nChoices: Ulm, Munich\n \nUlm an der Donau, born, Answer:")
    assert compared(asked, "born in Ulm").verdict == "correct"


def test_a_question_without_prompts_has_its_own_choices() -> None:
    assert compared(prompted(), "Ulm").verdict == "correct"
    assert compared(prompted(), "Ulm, Paris").verdict == "incorrect"


def test_what_is_right_is_normalised_as_the_reply_is() -> None:
    world = w.World("[X] is called [Y].", {"one": ["\n the Ulm-Donau \nCity"], "two": ["the"]})
    assert compared(w.ask_object(world, "one"), "An ulmdonau.").verdict == "correct"
    assert compared(w.ask_object(world, "two"), "...").verdict == "correct", "both are empty"
    assert compared(w.ask_object(world, "two"), "Ulm").verdict == "incorrect"


def test_phrases_of_abstention_come_from_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("No Clue\n\n")
    for asked in (ULM, TRUE, CHOICE, SWISS):
        assert compared(asked, "\nUlm? I have NO CLUEs!\n", phrases=str(file)).verdict == "abstained"
    assert compared(ULM, "I don't know, Ulm", phrases=str(file)).verdict == "correct"


def test_a_missing_file_of_phrases_is_named() -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        compared(ULM, "Ulm", phrases="nowhere.txt")


@for_each_row(("name", "value"), [("phrase", "x"), ("delimiter", "")])
def test_a_setting_that_cannot_be_is_named(name: str, value: str) -> None:
    with pytest.raises(ConfigError, match=name):
        compared(ULM, "Ulm", **{name: value})


def test_without_a_file_its_own_phrases_are_used_and_it_says_so(caplog: pytest.LogCaptureFixture) -> None:
    _warn_of_own_phrases.cache_clear()
    with caplog.at_level(logging.WARNING):
        assert compared(ULM, "I don't know").verdict == "abstained"
    assert "evaluator.settings.phrases" in caplog.text


@pytest.mark.shared
@pytest.mark.skipif(not SHARED.is_dir(), reason="the published phrases are not here")
def test_its_published_phrases_abstain_anywhere() -> None:
    file = SHARED / "unknown_response.txt"
    phrases = file.read_text(encoding="utf-8").split("\n")
    assert len([phrase for phrase in phrases if phrase.strip()]) == 40
    for phrase in filter(str.strip, phrases):
        assert compared(ULM, f"Well, {phrase.upper()}: Ulm", phrases=str(file)).verdict == "abstained"
    assert compared(ULM, "Unfortunately, he was born in Ulm", phrases=str(file)).verdict == "abstained"
    assert graded(ULM, "Unfortunately, he was born in Ulm").verdict == "correct"
