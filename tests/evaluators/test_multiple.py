"""All answers in words: replies with the answers that a careful person finds in them, and why."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from factprobe.records import Answer, Message
from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

SWISS = w.ask_object(w.SPEAKS, "Switzerland")
FRENCH = w.ask_subject(w.SPEAKS, "French")
ISLANDS = w.ask_subject(w.ISLANDS, "Caribbean")
LINCOLN = w.ask_object(w.LIVED, "Abraham Lincoln")
AUSTRALIA = w.ask_object(w.BORDERS, "Australia")
SENEGAL = w.ask_object(w.BORDERS, "Senegal")

EXACT = [
    (SWISS, "German, French, Italian, Romansh", "the list"),
    (SWISS, "Romansh, Italian, German, French", "any order"),
    (SWISS, "german, FRENCH, italian, romansh", "case"),
    (SWISS, "German, French, Italian, Romansh.", "a full stop"),
    (SWISS, "German,French,Italian,Romansh", "no spaces"),
    (SWISS, "German\nFrench\nItalian\nRomansh", "lines"),
    (SWISS, "German\r\nFrench\r\nItalian\r\nRomansh\r\n", "lines of another system"),
    (SWISS, "- German\n- French\n- Italian\n- Romansh", "bullets"),
    (SWISS, "* German\n* French\n* Italian\n* Romansh", "bullets"),
    (SWISS, "• German\n• French\n• Italian\n• Romansh", "bullets"),
    (SWISS, "1. German\n2. French\n3. Italian\n4. Romansh", "numbers"),
    (SWISS, "1) German\n2) French\n3) Italian\n4) Romansh", "numbers"),
    (SWISS, "1. German 2. French 3. Italian 4. Romansh", "numbers on one line"),
    (SWISS, "First, German. Second, French. Third, Italian. Fourth, Romansh.", "numbers in words"),
    (SWISS, "German, French, Italian as well as Romansh", "what joins the last"),
    (SWISS, "German + French + Italian + Romansh", "signs that join"),
    (SWISS, "German, French, Italian and Romansh", "and"),
    (SWISS, "German, French, Italian, and Romansh", "a comma before and"),
    (SWISS, "German and French and Italian and Romansh", "and throughout"),
    (SWISS, "German & French & Italian & Romansh", "the sign for and"),
    (SWISS, "German; French; Italian; Romansh", "semicolons"),
    (SWISS, "German / French / Italian / Romansh", "slashes"),
    (SWISS, "German/French/Italian/Romansh", "slashes without spaces"),
    (SWISS, "German | French | Italian | Romansh", "bars"),
    (SWISS, "Deutsch, French, Italian, Romansh", "an alias"),
    (SWISS, "German, German, French, Italian, Romansh", "a repeat counts once"),
    (SWISS, "German, Deutsch, French, Italian, Romansh", "a repeat by an alias counts once"),
    (SWISS, "**German**, **French**, **Italian**, **Romansh**", "bold"),
    (SWISS, '"German", "French", "Italian", "Romansh"', "quotes"),
    (SWISS, '["German", "French", "Italian", "Romansh"]', "a JSON list"),
    (SWISS, '{"answers": ["German", "French", "Italian", "Romansh"]}', "JSON"),
    (SWISS, '{"answer": "German, French, Italian, Romansh"}', "JSON"),
    (SWISS, "```\nGerman\nFrench\nItalian\nRomansh\n```", "a fence"),
    (SWISS, "Answer: German, French, Italian, Romansh", "a lead"),
    (SWISS, "The answers are: German, French, Italian, Romansh", "a lead"),
    (SWISS, "\\boxed{German, French, Italian, Romansh}", "LaTeX"),
    (SWISS, "<think>Also Dutch?</think>German, French, Italian, Romansh", "what is thought is not said"),
    (SWISS, "French (official), German (official), Italian (official), Romansh (official)", "remarks in brackets"),
    (SWISS, "The official languages of Switzerland are German, French, Italian and Romansh.", "a full sentence"),
    (SWISS, "Switzerland has four official languages: German, French, Italian, and Romansh.", "an intro"),
    (SWISS, "Here are the answers:\n- German\n- French\n- Italian\n- Romansh", "an intro"),
    (SWISS, "Sure! Here is the list:\n1. German\n2. French\n3. Italian\n4. Romansh", "a polite intro"),
    (SWISS, "Switzerland: German, French, Italian, Romansh", "the subject before the list"),
    (
        SWISS,
        "German, French, Italian and Romansh are the official languages of Switzerland.",
        "the list begins the sentence",
    ),
    (SWISS, "German, French, Italian, Romansh. These are the official languages.", "a sentence after the list"),
    (FRENCH, "Switzerland, Belgium", "the other end is asked for"),
    (FRENCH, "Belgium and the Swiss Confederation", "an alias"),
    (FRENCH, "French is an official language of Switzerland and Belgium.", "the given object is no answer"),
    (ISLANDS, "Trinidad and Tobago, Jamaica, Cuba", "'and' in a name"),
    (ISLANDS, "Cuba, Jamaica, and Trinidad and Tobago", "'and' in a name"),
    (ISLANDS, "Cuba and Trinidad and Tobago and Jamaica", "'and' in a name and beside it"),
    (ISLANDS, "- Jamaica\n- Trinidad and Tobago\n- Cuba", "'and' in a name"),
    (LINCOLN, "Washington, D.C., Springfield", "a comma in a name"),
    (LINCOLN, "Springfield, Washington, D.C.", "a comma in a name at the end"),
    (LINCOLN, "Springfield\nWashington, D.C.", "a comma in a name, lines"),
    (LINCOLN, "Springfield and Washington D.C.", "without its comma"),
    (LINCOLN, "1. Washington, D.C.\n2. Springfield", "a comma in a name, numbers"),
    (AUSTRALIA, "Papua New Guinea, Fiji", "a name that holds another"),
    (SENEGAL, "Mali, Guinea", "a name that another holds"),
]

PARTIAL: list[tuple[Asked, str, list[str], int, str]] = [
    (SWISS, "German, French, Italian", ["German", "French", "Italian"], 0, "one is missing"),
    (SWISS, "German", ["German"], 0, "three are missing"),
    (SWISS, "Deutsch", ["German"], 0, "one, by its alias"),
    (SWISS, "German, French, Italian, Romansh, Dutch", list(SWISS.labels), 1, "one more that the graph knows"),
    (SWISS, "German, French, Italian, Romansh, Klingon", list(SWISS.labels), 1, "one more that it does not know"),
    (SWISS, "German, French, Italian, Romansh, Dutch, Klingon", list(SWISS.labels), 2, "two more"),
    (SWISS, "German, Dutch, Dutch", ["German"], 1, "a wrong one counts once"),
    (SWISS, "German, Klingon, klingon", ["German"], 1, "an unknown one counts once"),
    (SWISS, "- German\n- Klingon\n- Elvish", ["German"], 2, "bullets"),
    (SWISS, "German, French and Klingon", ["German", "French"], 1, "and"),
    (SWISS, "The official languages of Switzerland are German and Dutch.", ["German"], 1, "a full sentence"),
    (SWISS, "I'm not sure, but German and French.", ["German", "French"], 0, "the doubt is no item"),
    (SWISS, "English", [], 1, "one that the graph does not know"),
    (SWISS, "Dutch", [], 1, "one that it knows"),
    (SWISS, "Spanish, Dutch", [], 2, "two that it knows"),
    (FRENCH, "Switzerland", ["Switzerland"], 0, "one is missing"),
    (FRENCH, "Switzerland, Belgium, Spain", ["Switzerland", "Belgium"], 1, "one more"),
    (FRENCH, "Switzerland, France", ["Switzerland"], 1, "one that the graph does not know"),
    (ISLANDS, "Trinidad and Tobago", ["Trinidad and Tobago"], 0, "one name, not two"),
    (ISLANDS, "Jamaica, Cuba, Malta", ["Jamaica", "Cuba"], 1, "one more"),
    (LINCOLN, "Washington, D.C.", ["Washington, D.C."], 0, "one name, not two"),
    (LINCOLN, "Springfield, Hartford", ["Springfield"], 1, "one that the graph knows"),
    (AUSTRALIA, "Guinea, Fiji", ["Fiji"], 1, "a part of a name is another entity"),
    (AUSTRALIA, "Papua New Guinea", ["Papua New Guinea"], 0, "one name, not two"),
    (SENEGAL, "Papua New Guinea, Mali", ["Mali"], 1, "a longer name is another entity"),
]

ABSTAINED = [
    (SWISS, "I don't know", "as the prompt asks"),
    (SWISS, "I don't know.", "a full stop"),
    (SWISS, "Unknown", "the word alone"),
    (SWISS, "I am not sure.", "doubt alone"),
    (SWISS, "I'm sorry, but I cannot answer that.", "a refusal"),
    (SWISS, "I do not know the official languages of Switzerland.", "with the subject"),
    (FRENCH, "I don't know.", "the other end is asked for"),
]

UNPARSED = [
    (SWISS, "", "nothing"),
    (SWISS, "\n\n", "white space"),
    (SWISS, ", , ,", "separators"),
    (SWISS, "- \n- \n", "bullets of nothing"),
    (SWISS, "[]", "an empty JSON list"),
    (SWISS, '{"answers": []}', "JSON of nothing"),
    (SWISS, "🤷", "an emoji"),
    (SWISS, "Switzerland", "the subject"),
    (SWISS, "An official language of Switzerland is ____.", "the question"),
    (SWISS, "<think>German, French", "the reasoning does not end"),
    (FRENCH, "French", "the object that is given"),
]


@pytest.mark.parametrize(("asked", "reply", "reason"), EXACT, ids=[repr(reply[:50]) for _, reply, _ in EXACT])
def test_the_whole_set_and_nothing_else_is_correct(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert set(found.matched) == {w.uri(label) for label in asked.labels}, reason
    assert (found.true_positives, found.false_positives, found.false_negatives) == (len(asked.labels), 0, 0), reason
    assert found.verdict == "correct"
    assert len(set(found.matched)) == len(found.matched)


@pytest.mark.parametrize(
    ("asked", "reply", "named", "wrong", "reason"), PARTIAL, ids=[repr(reply[:50]) for _, reply, *_ in PARTIAL]
)
def test_any_other_set_is_incorrect(asked: Asked, reply: str, named: list[str], wrong: int, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "incorrect", reason
    assert set(found.matched) == {w.uri(label) for label in named}, reason
    hits = len(named)
    assert (found.true_positives, found.false_positives) == (hits, wrong), reason
    assert found.false_negatives == len(asked.labels) - hits


@pytest.mark.parametrize(("asked", "reply", "reason"), ABSTAINED, ids=[repr(reply) for _, reply, _ in ABSTAINED])
def test_abstained(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "abstained", reason
    assert (found.matched, found.true_positives, found.false_positives) == ((), 0, 0)
    assert found.false_negatives == len(asked.labels)


@pytest.mark.parametrize(("asked", "reply", "reason"), UNPARSED, ids=[repr(reply) for _, reply, _ in UNPARSED])
def test_unparsed(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "unparsed", reason
    assert (found.matched, found.true_positives) == ((), 0)
    assert found.false_negatives == len(asked.labels)


def test_a_megabyte_of_answers_is_read() -> None:
    found = graded(SWISS, "German, Dutch, French, Klingon\n" * 33_000)
    assert (found.true_positives, found.false_positives, found.false_negatives) == (2, 2, 2)


def test_one_name_names_every_answer_that_bears_it() -> None:
    # Two towns are called Springfield and both are answers: a list of labels cannot name them one by one.
    towns = (Answer("Q1", "Springfield"), Answer("Q2", "Springfield"), Answer("Q3", "Boston"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=towns))
    found = graded(asked, "Springfield, Boston")
    assert found.verdict == "correct"
    assert set(found.matched) == {"Q1", "Q2", "Q3"}
    assert (found.true_positives, found.false_positives, found.false_negatives) == (3, 0, 0)


def test_a_tag_before_a_name_is_a_part_of_it_and_answers_below_each_other_are_no_echo() -> None:
    tagged = (Answer("Q1", "[X]Other cyst"), Answer("Q2", "Cyst of bursa"), Answer("Q3", "[EDTA] Membranous disease"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=tagged))
    assert graded(asked, "Cyst of bursa\n[X]Other cyst\n[EDTA] Membranous disease").verdict == "correct"
    prompts = (Message("user", "List every answer: Cologne Bonn Airport is named after ____."),)
    cities = (Answer("Q1", "Cologne"), Answer("Q2", "Bonn"))
    asked = SWISS._replace(question=replace(SWISS.question, answers=cities, prompts=prompts))
    assert graded(asked, "Cologne\nBonn").verdict == "correct"


@pytest.mark.parametrize("joined", ["as well as", "along with", "+"])
def test_what_is_joined_to_a_list_is_an_item(joined: str) -> None:
    assert graded(SWISS, f"German, French, Italian and Romansh {joined} Klingon").rule == "partial_set"
