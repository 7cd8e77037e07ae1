"""One answer in words: replies with the verdict that a careful person gives, and why."""

from __future__ import annotations

import unicodedata

import pytest

from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

ULM = w.ask_object(w.BORN, "Albert Einstein")
EINSTEIN = w.ask_subject(w.BORN, "Ulm")
GEORGY = w.ask_subject(w.BORN, "Moscow")
PHILADELPHIA = w.ask_object(w.BORN, "Benjamin Franklin")
WARSAW = w.ask_object(w.BORN, "Marie Curie")
WASHINGTON = w.ask_object(w.BORN, "Duke Ellington")
NEW_YORK = w.ask_object(w.BORN, "Herman Melville")
PETERSBURG = w.ask_object(w.BORN, "Igor Stravinsky")
SAO_PAULO = w.ask_object(w.BORN, "Pelé")
LODZ = w.ask_object(w.BORN, "Artur Rubinstein")
HAGUE = w.ask_object(w.BORN, "Baruch Spinoza")
AQUILA = w.ask_object(w.BORN, "Bartolo")
DENIS = w.ask_object(w.BORN, "Jean Cocteau")
WEISSENBURG = w.ask_object(w.BORN, "Hans Krafft")
PARIS = w.ask_object(w.BASED, "Paris Saint-Germain")
CLUB = w.ask_subject(w.BASED, "Paris")
GUINEA = w.ask_object(w.FLAG, "Sierra Leone")
PAPUA = w.ask_object(w.FLAG, "Indonesia")
GUITAR = w.ask_object(w.PLAYS, "Brian May")
BASS = w.ask_object(w.PLAYS, "Paul McCartney")
OR = w.ask_object(w.MADE, "the crown")
ALBUM = w.ask_object(w.ALBUM, "Joy Division")
LEISURE = w.ask_object(w.ALBUM, "Blur")
C = w.ask_object(w.WROTE, "git")
CPP = w.ask_object(w.WROTE, "Clang")
YEAR = w.ask_object(w.YEAR, "Isaac Stern")

CORRECT = [
    (ULM, "Ulm", "the label"),
    (ULM, "ulm", "case"),
    (ULM, "ULM", "case"),
    (ULM, "Ulm.", "a full stop"),
    (ULM, "Ulm!", "punctuation"),
    (ULM, "  Ulm \n", "white space"),
    (ULM, "Ulm an der Donau", "an alias"),
    (ULM, "Ｕｌｍ", "full-width letters"),
    (ULM, "Albert Einstein was born in Ulm.", "a full sentence"),
    (ULM, "He was born in Ulm, Germany.", "with the country, which the graph does not know"),
    (ULM, "Ulm, Germany", "with the country"),
    (ULM, "Ulm (Germany)", "with the country in brackets"),
    (ULM, "In Ulm", "with a preposition"),
    (ULM, "He was born in the city of Ulm in 1879.", "with a date"),
    (ULM, "It was definitely Ulm.", "a sentence"),
    (ULM, "I think it's Ulm", "a hedge is an answer"),
    (ULM, "I am not sure, but Ulm", "an answer follows the doubt"),
    (ULM, "I don't know, maybe Ulm?", "an answer follows the doubt"),
    (ULM, "**Ulm**", "bold"),
    (ULM, "*Ulm*", "italics"),
    (ULM, "_Ulm_", "italics"),
    (ULM, "`Ulm`", "code"),
    (ULM, "Albert Einstein was born in **Ulm**.", "bold in a sentence"),
    (ULM, "# Ulm", "a heading"),
    (ULM, "- Ulm", "a bullet"),
    (ULM, "1. Ulm", "a number"),
    (ULM, "[Ulm](https://en.wikipedia.org/wiki/Ulm)", "a link"),
    (ULM, '"Ulm"', "straight quotes"),
    (ULM, "“Ulm”", "curly quotes"),
    (ULM, "'Ulm'.", "quotes and a full stop"),
    (ULM, "Answer: Ulm", "a lead"),
    (ULM, "answer: ulm", "a lead"),
    (ULM, "The answer is Ulm.", "a lead"),
    (ULM, "Final answer: Ulm", "a lead"),
    (ULM, "**Answer:** Ulm", "a bold lead"),
    (ULM, "**Answer: Ulm**", "a bold lead"),
    (ULM, "A: Ulm", "a lead"),
    (ULM, "Sure! Here is the answer: Ulm", "a polite lead"),
    (ULM, "\\boxed{Ulm}", "LaTeX"),
    (ULM, "The answer is $\\boxed{\\text{Ulm}}$.", "LaTeX in a sentence"),
    (ULM, '{"answer": "Ulm"}', "JSON"),
    (ULM, '{"answer": ["Ulm"]}', "JSON with a list"),
    (ULM, '["Ulm"]', "a JSON list"),
    (ULM, '```json\n{"answer": "Ulm"}\n```', "JSON in a fence"),
    (ULM, "```\nUlm\n```", "a fence"),
    (ULM, "<answer>Ulm</answer>", "tags"),
    (ULM, "Ulm</s>", "an end token"),
    (ULM, "<think>Maybe Munich? No, Ulm.</think>Ulm", "only what follows the reasoning counts"),
    (ULM, "<think>\nMunich\n</think>\n\nUlm", "only what follows the reasoning counts"),
    (
        ULM,
        "It could be Munich.\n</think>\n\nUlm",
        "the chat template opened the block",
    ),
    (ULM, "Ulm. He later lived in Munich.", "the first sentence answers"),
    (ULM, "Ulm\n\nHe grew up in Munich.", "the first line answers"),
    (ULM, "Ulm\n\nExplanation: Ulm is a city in Germany.", "named twice"),
    (ULM, "Fill the blank: Albert Einstein was born in Ulm.", "the question filled in"),
    (ULM, "Albert Einstein was born in ____. Ulm", "the question, then the answer"),
    (ULM, "not in Munich but in Ulm", "the wrong one is ruled out"),
    (ULM, "Ulm, not Munich", "the wrong one is ruled out"),
    (EINSTEIN, "Albert Einstein", "the label"),
    (EINSTEIN, "Einstein", "an alias"),
    (EINSTEIN, "albert einstein.", "case"),
    (EINSTEIN, "Albert Einstein was born in Ulm.", "a full sentence; the object is given"),
    (EINSTEIN, "The person born in Ulm is Albert Einstein.", "a full sentence"),
    (EINSTEIN, "Albert Eisntein", "a typo"),
    (EINSTEIN, "Answer: **Albert Einstein**", "a lead and bold"),
    (GEORGY, "Georgy Ivanov", "the label, with another near it"),
    (PHILADELPHIA, "Philadelpha", "a typo"),
    (PHILADELPHIA, "Philadelphia, Pennsylvania", "with the state"),
    (WARSAW, "Warszawa", "an alias"),
    (WARSAW, "She was born in Warszawa.", "an alias in a sentence"),
    (WASHINGTON, "Washington, D.C.", "a comma and full stops in the name"),
    (WASHINGTON, "Washington D.C.", "without the comma"),
    (WASHINGTON, "He was born in Washington, D.C., in 1899.", "a comma in the name, in a sentence"),
    (NEW_YORK, "New York City", "an alias that the label begins"),
    (NEW_YORK, "NYC", "an abbreviation"),
    (NEW_YORK, "new york, usa", "with the country"),
    (PETERSBURG, "St. Petersburg", "a full stop in the name"),
    (PETERSBURG, "He was born in St. Petersburg.", "a full stop in the name, in a sentence"),
    (SAO_PAULO, "Sao Paulo", "diacritics"),
    (SAO_PAULO, unicodedata.normalize("NFD", "são paulo"), "combining diacritics"),
    (SAO_PAULO, "He was born in Sao Paulo, Brazil", "diacritics in a sentence"),
    (LODZ, "Lodz", "diacritics, a stroke among them"),
    (HAGUE, "The Hague", "an article in the name"),
    (HAGUE, "He was born in the Hague.", "an article in the name"),
    (AQUILA, "L’Aquila", "a curly apostrophe"),
    (DENIS, "Saint Denis", "a hyphen"),
    (WEISSENBURG, "Weissenburg", "sharp s"),
    (PARIS, "Paris", "the name is part of the subject's"),
    (PARIS, "Paris Saint-Germain is based in Paris.", "the subject and the answer"),
    (PARIS, "Lutetia", "an alias"),
    (CLUB, "Paris Saint-Germain", "the given object is part of the answer"),
    (CLUB, "Paris Saint-Germain is based in Paris.", "a full sentence"),
    (GUINEA, "Guinea", "the shorter name"),
    (PAPUA, "Papua New Guinea", "the longer name"),
    (PAPUA, "It is a neighbour of Papua New Guinea.", "the longer name in a sentence"),
    (GUITAR, "the guitar", "the shorter name"),
    (GUITAR, "Brian May plays the guitar.", "a full sentence"),
    (BASS, "Bass guitar", "the longer name"),
    (OR, "or", "a name that is a word"),
    (ALBUM, "Unknown Pleasures", "a name with a word of abstention"),
    (ALBUM, "The first album of Joy Division is Unknown Pleasures.", "a name with a word of abstention"),
    (C, "C", "one letter"),
    (CPP, "C++", "a sign in the name"),
    (CPP, "Clang is written in C++.", "a sign before the full stop"),
    (YEAR, "1920", "a year"),
    (YEAR, "He was born in 1920.", "a year"),
    (YEAR, "21 July 1920", "a year with more"),
    (ULM, "Ulm. " + "And so on. " * 90_000, "a megabyte after the answer"),
    (ULM, "u\n" * 400_000 + "Ulm", "a megabyte before it"),
]

INCORRECT = [
    (ULM, "Munich", "another entity of the relation"),
    (ULM, "München", "an alias of another entity"),
    (ULM, "Albert Einstein was born in Munich.", "another entity in a sentence"),
    (ULM, "Berlin", "a place that the graph does not know"),
    (ULM, "I'm not sure, but I think it was Munich.", "a wrong answer follows the doubt"),
    (ULM, "<think>Ulm?</think>Munich", "what is thought is not said"),
    (ULM, "not in Ulm but in Munich", "the right one is ruled out"),
    (ULM, "It is not Ulm.", "the right one is ruled out"),
    (ULM, "Not Ulm", "the right one is ruled out"),
    (ULM, "He was not born in Ulm.", "the right one is ruled out"),
    (ULM, "Albert Einstein wasn't born in Ulm.", "the right one is ruled out"),
    (ULM, "Munich, not Ulm", "the right one is ruled out"),
    (ULM, "Ulm or Munich", "two answers"),
    (ULM, "Ulm/Munich", "two answers"),
    (ULM, "Either Ulm or Munich.", "two answers"),
    (ULM, "Ulm, Munich and Paris", "three answers"),
    (ULM, "Munich. His family came from Ulm.", "the first sentence answers"),
    (ULM, "Ulmer", "a longer word"),
    (ULM, "UlmMunich", "a longer word"),
    (ULM, "\\boxed{Munich}", "LaTeX"),
    (ULM, '{"answer": "Munich"}', "JSON"),
    (ULM, "lorem ipsum " * 80_000, "a megabyte of something else"),
    (EINSTEIN, "Marie Curie", "another entity of the relation"),
    (EINSTEIN, "Marie Curie was born in Ulm.", "another entity in a sentence"),
    (GEORGY, "Georgi Ivanov", "another entity whose name is one letter off"),
    (PHILADELPHIA, "Paris", "another entity of the relation"),
    (NEW_YORK, "York", "a part of the name"),
    (NEW_YORK, "New Orleans", "a part of the name"),
    (GUINEA, "Papua New Guinea", "another entity whose name ends alike"),
    (GUINEA, "It is a neighbour of Papua New Guinea.", "another entity whose name ends alike"),
    (PAPUA, "Guinea", "another entity whose name is a part"),
    (GUITAR, "bass guitar", "another entity whose name ends alike"),
    (GUITAR, "He plays the bass guitar.", "another entity whose name ends alike"),
    (BASS, "guitar", "another entity whose name is a part"),
    (OR, "New York", "a part of a word"),
    (LEISURE, "Unknown Pleasures", "another entity with a word of abstention"),
    (LEISURE, "Unknown Territory", "a name that the graph does not know, with a word of abstention"),
    (C, "C++", "a sign tells names apart"),
    (C, "C#", "a sign tells names apart"),
    (CPP, "C", "a sign tells names apart"),
    (YEAR, "1921", "a digit tells years apart"),
    (YEAR, "1882", "another entity of the relation"),
    (YEAR, "19201", "a longer number"),
]

ABSTAINED = [
    (ULM, "I don't know", "as the prompt asks"),
    (ULM, "I don’t know.", "a curly apostrophe"),
    (ULM, "I do not know the answer.", "in full"),
    (ULM, "I'm not sure.", "doubt alone"),
    (ULM, "I have no idea.", "no idea"),
    (ULM, "Unknown", "the word alone"),
    (ULM, "It is unknown.", "a sentence"),
    (ULM, "N/A", "not available"),
    (ULM, "**I don't know**", "bold"),
    (ULM, '"I don\'t know"', "quotes"),
    (ULM, "Answer: I don't know", "a lead"),
    (ULM, '{"answer": "I don\'t know"}', "JSON"),
    (ULM, "<think>Ulm? Munich?</think>I don't know.", "what is thought is not said"),
    (ULM, "Sorry, I can't answer that.", "a refusal"),
    (ULM, "I'm sorry, but I can't help with that.", "a refusal"),
    (ULM, "I cannot provide that information.", "a refusal"),
    (ULM, "As an AI language model, I have no information about that.", "a refusal"),
    (ULM, "I don't know where Albert Einstein was born.", "with the subject"),
    (ULM, "There is not enough information to say.", "a reason"),
    (PARIS, "I don't know where Paris Saint-Germain is based.", "with a subject that holds the answer's name"),
    (ALBUM, "Unknown", "a part of the answer's name, yet the word alone"),
    (EINSTEIN, "I don't know who was born in Ulm.", "with the object"),
    (CLUB, "Unknown.", "the word alone"),
]

UNPARSED = [
    (ULM, "", "nothing"),
    (ULM, " \n\t ", "white space"),
    (ULM, "...", "punctuation"),
    (ULM, "?!", "punctuation"),
    (ULM, "**", "markdown of nothing"),
    (ULM, '""', "quotes of nothing"),
    (ULM, "____", "the blank"),
    (ULM, "🤷", "an emoji"),
    (ULM, "\u200b", "an invisible character"),
    (ULM, "<think>It is Ulm</think>", "nothing follows the reasoning"),
    (ULM, "<think>It may be Ulm or", "the reasoning does not end"),
    (ULM, '{"answer": ""}', "an empty answer"),
    (ULM, "\\boxed{}", "an empty box"),
    (ULM, "Answer:", "a lead alone"),
    (ULM, "Albert Einstein", "the subject"),
    (ULM, "Albert Einstein was born in ____.", "the question"),
    (ULM, "Albert Einstein was born in", "the question's beginning"),
    (EINSTEIN, "Ulm", "the object that is given"),
    (EINSTEIN, "____ was born in Ulm.", "the question"),
    (PARIS, "Paris Saint-Germain", "the subject, which holds the answer's name"),
    (CLUB, "Paris", "the object that is given"),
]

NOT_CORRECT = [
    (PARIS, "Paris Saint-Germain is a club.", "the answer's name is a part of the subject's"),
    (ULM, "Germany", "less exact than the question"),
    (OR, "for sure", "a part of a word"),
    (ULM, "The city where he was born", "no name"),
    (ULM, "Sure, I can help with that.", "no answer"),
]


def _cases(table: list[tuple[Asked, str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("asked", "reply", "reason"), table, ids=[repr(reply[:40]) for _, reply, _ in table])


@_cases(CORRECT)
def test_correct(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "correct", reason
    assert found.matched == tuple(w.uri(label) for label in asked.labels)
    assert (found.true_positives, found.false_positives, found.false_negatives) == (1, 0, 0)


@_cases(INCORRECT)
def test_incorrect(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "incorrect", reason
    assert found.false_positives >= 1


@_cases(ABSTAINED)
def test_abstained(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "abstained", reason
    assert (found.matched, found.true_positives, found.false_positives, found.false_negatives) == ((), 0, 0, 1)


@_cases(UNPARSED)
def test_unparsed(asked: Asked, reply: str, reason: str) -> None:
    found = graded(asked, reply)
    assert found.verdict == "unparsed", reason
    assert (found.matched, found.true_positives, found.false_negatives) == ((), 0, 1)


@_cases(NOT_CORRECT)
def test_not_correct(asked: Asked, reply: str, reason: str) -> None:
    assert graded(asked, reply).verdict in ("incorrect", "unparsed"), reason


@pytest.mark.parametrize("reply", ["incorrect", "The statement is incorrect.", "correct incorrect"])
def test_words_of_another_types_instruction_are_no_echo(reply: str) -> None:
    assert graded(ULM, reply).rule == "no_match"
