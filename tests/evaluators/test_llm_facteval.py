"""LLM-facteval's rules, each with a reply on which it differs from a careful reading, and on which it does not."""

from __future__ import annotations

import logging
import os
from pathlib import Path

import pytest

from factprobe.errors import ConfigError
from factprobe.evaluators import grade
from factprobe.evaluators.llm_facteval import _own_list
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Message, Response
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

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
    (TRUE, "**correct**", "unparsed", "asterisks belong to the word"),
    (TRUE, "incorrect", "incorrect", "the other label"),
    (FALSE, "The statement is incorrect.", "correct", "the label in a sentence"),
    (FALSE, "true", "unparsed", "no label"),
]


@pytest.mark.parametrize(("asked", "reply", "verdict", "reason"), CASES)
def test_follows_its_rules(asked: Asked, reply: str, verdict: str, reason: str) -> None:
    assert compared(asked, reply).verdict == verdict, reason


def test_an_alias_counts_where_it_is_asked_to() -> None:
    assert compared(NEW_YORK, "NYC", aliases=True).verdict == "correct"


@pytest.mark.parametrize(("delimiter", "verdict"), [(",", "incorrect"), ("-", "correct")])
def test_choices_are_read_from_a_prompt_that_lists_them(delimiter: str, verdict: str) -> None:
    question = CHOICE.question
    fields = {name: getattr(question, name) for name in question.__struct_fields__}
    prompt = Message("user", "Where?\nChoices: Ulm, Ulm an der Donau\n\nAnswer:")
    asked = CHOICE._replace(question=type(question)(**{**fields, "prompts": (prompt,)}))
    assert compared(asked, "Ulm, Ulm an der Donau", delimiter=delimiter).verdict == verdict


def test_phrases_of_abstention_come_from_the_users_file(tmp_path: Path) -> None:
    file = tmp_path / "phrases.txt"
    file.write_text("No Clue\n\n")
    assert compared(ULM, "Ulm? I have no clue!", phrases=str(file)).verdict == "abstained"
    assert compared(ULM, "I don't know, Ulm", phrases=str(file)).verdict == "correct"


def test_a_missing_file_of_phrases_is_named() -> None:
    with pytest.raises(ConfigError, match="nowhere"):
        compared(ULM, "Ulm", phrases="nowhere.txt")


def test_an_unknown_setting_is_named() -> None:
    with pytest.raises(ConfigError, match="phrase"):
        compared(ULM, "Ulm", phrase="x")


def test_without_a_file_its_own_phrases_are_used_and_it_says_so(caplog: pytest.LogCaptureFixture) -> None:
    _own_list.cache_clear()
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
