"""One option of several: the option that a careful person sees a reply choose."""

from __future__ import annotations

import pytest

from tests.evaluators import worlds as w
from tests.evaluators.worlds import Asked, graded

ULM = w.choose(w.BORN, "Albert Einstein", "Munich", "Ulm", "New York", "Paris")
WHO = w.choose_subject(w.BORN, "Ulm", "Marie Curie", "Edith Piaf", "Albert Einstein")
WASHINGTON = w.choose(w.BORN, "Duke Ellington", "Washington, D.C.", "Paris", "Munich")
GUINEA = w.choose(w.FLAG, "Sierra Leone", "Papua New Guinea", "Fiji", "Guinea", "Samoa")
PAPUA = w.choose(w.FLAG, "Indonesia", "Papua New Guinea", "Fiji", "Guinea", "Samoa")
PARIS = w.choose(w.BASED, "Paris Saint-Germain", "London", "Paris")
TEN_CITIES = ["Munich", "Ulm", "Paris", "Sofia", "Moscow", "Warsaw", "Rome", "Oslo", "Bonn", "Kiel"]
TEN = w.choose(w.BORN, "Albert Einstein", *TEN_CITIES)
TWO = w.choose(w.BORN, "Albert Einstein", "Ulm", "Munich")

SIGNED = w.World(
    "The law [X] was signed by [Y].",
    {"USA PATRIOT Act": ["George W. Bush"], "ADA": ["George H. W. Bush"], "Brady Act": ["Bill Clinton"]},
    {"George W. Bush": ["Bush", "Bush junior"]},
)
PRESIDENTS = ("George W. Bush", "George H. W. Bush", "Bill Clinton")
PATRIOT = w.choose(SIGNED, "USA PATRIOT Act", *PRESIDENTS)
ADA = w.choose(SIGNED, "ADA", *PRESIDENTS)

CORRECT = [
    (ULM, "B", "the letter"),
    (ULM, "A) Munich, B) Ulm, C) New York und D) Paris. B", "a German list of all options"),
    (ULM, "b", "case"),
    (ULM, "B.", "a full stop"),
    (ULM, "B)", "a bracket"),
    (ULM, "b)", "a bracket"),
    (ULM, "(B)", "brackets"),
    (ULM, "[B]", "square brackets"),
    (ULM, "B:", "a colon"),
    (ULM, " B \n", "white space"),
    (ULM, "**B**", "bold"),
    (ULM, "`B`", "code"),
    (ULM, '"B"', "quotes"),
    (ULM, "\\boxed{B}", "LaTeX"),
    (ULM, '{"answer": "B"}', "JSON"),
    (ULM, "B) Ulm", "letter and text"),
    (ULM, "B. Ulm", "letter and text"),
    (ULM, "(b) ulm", "letter and text"),
    (ULM, "B: Ulm", "letter and text"),
    (ULM, "B - Ulm", "letter and text"),
    (ULM, "B Ulm", "letter and text"),
    (ULM, "B\nUlm", "letter and text"),
    (ULM, "B)Ulm", "letter and text"),
    (ULM, "Ulm (B)", "text and letter"),
    (ULM, "**B) Ulm**", "bold"),
    (ULM, "Ulm", "the text"),
    (ULM, "ulm.", "the text"),
    (ULM, "ULM", "the text"),
    (ULM, "Albert Einstein was born in Ulm.", "the text in a sentence"),
    (ULM, "Albert Einstein was born in a city called Ulm.", "an article and the text"),
    (ULM, "The answer is B", "a lead"),
    (ULM, "The answer is B.", "a lead"),
    (ULM, "The answer is (B) Ulm.", "a lead"),
    (ULM, "The correct answer is B) Ulm.", "a lead"),
    (ULM, "Answer: B", "a lead"),
    (ULM, "answer: b", "a lead"),
    (ULM, "Option B", "a lead"),
    (ULM, "option b", "a lead"),
    (ULM, "The correct option is B.", "a lead"),
    (ULM, "I would pick option B.", "a lead"),
    (ULM, "I choose B.", "a sentence"),
    (ULM, "It's B.", "a sentence"),
    (ULM, "B is correct.", "a sentence"),
    (ULM, "I am not sure, but I think it is B.", "an answer follows the doubt"),
    (ULM, "I think it is Ulm.", "'I' is no letter here"),
    (ULM, "<think>A? No.</think>B", "what is thought is not said"),
    (ULM, "B\n\nExplanation: Ulm is where he was born.", "an explanation"),
    (ULM, "B) Ulm is the city where he was born.", "an explanation"),
    (ULM, "B. Ulm\n\nHe later lived in Munich.", "another option in the explanation"),
    (ULM, "B. " + "And so on. " * 90_000, "a megabyte after the letter"),
    (WHO, "C", "the letter"),
    (WHO, "C) Albert Einstein", "letter and text"),
    (WHO, "Albert Einstein was born in Ulm.", "the text in a sentence"),
    (WASHINGTON, "Washington, D.C.", "a comma in the text"),
    (WASHINGTON, "A) Washington, D.C.", "a comma in the text, with the letter"),
    (WASHINGTON, "The answer is Washington, D.C.", "a comma in the text"),
    (WASHINGTON, "Washington DC", "without comma and full stops"),
    (GUINEA, "Guinea", "a text that another holds"),
    (GUINEA, "C) Guinea", "a text that another holds, with the letter"),
    (PAPUA, "Papua New Guinea", "a text that holds another"),
    (PAPUA, "A. Papua New Guinea", "a text that holds another, with the letter"),
    (PARIS, "Paris Saint-Germain is based in Paris.", "the subject holds the text"),
    (TEN, "I think it is Ulm.", "'I' is no letter here, even of ten options"),
    (TEN, "B", "the letter, of ten"),
    (TWO, "A", "'A' alone is the letter"),
    (TWO, "A.", "'A' alone is the letter"),
]

INCORRECT = [
    (ULM, "A", "the letter of another"),
    (ULM, "a)", "the letter of another"),
    (ULM, "(C)", "the letter of another"),
    (ULM, "The answer is D.", "the letter of another"),
    (ULM, "Munich", "the text of another"),
    (ULM, "A) Munich", "letter and text of another"),
    (ULM, "Albert Einstein was born in New York.", "the text of another in a sentence"),
    (ULM, "B) Munich", "letter and text disagree"),
    (ULM, "A) Ulm", "letter and text disagree"),
    (ULM, "The answer is A, Ulm.", "letter and text disagree"),
    (ULM, "Ulm or Munich", "two options"),
    (ULM, "A or B", "two options"),
    (ULM, "Both A and B", "two options"),
    (ULM, "A, B", "two options"),
    (ULM, "B) Ulm\nC) New York", "two options"),
    (ULM, "\\boxed{A}", "LaTeX"),
    (WHO, "Marie Curie", "the text of another"),
    (WHO, "A", "the letter of another"),
    (GUINEA, "Papua New Guinea", "a text that holds the right one"),
    (GUINEA, "A) Papua New Guinea", "a text that holds the right one, with the letter"),
    (PAPUA, "Guinea", "a text that the right one holds"),
    (WASHINGTON, "Paris", "the text of another"),
    (PARIS, "London", "the text of another"),
]

ABSTAINED = [
    (ULM, "I don't know", "as the prompt asks"),
    (ULM, "I don't know.", "a full stop"),
    (ULM, "I'm not sure.", "doubt alone"),
    (ULM, "Unknown", "the word alone"),
    (ULM, "I cannot answer that.", "a refusal"),
    (WHO, "I do not know who was born in Ulm.", "with the object"),
    (TEN, "I don't know", "'I' is no letter here, even of ten options"),
    (PARIS, "I don't know where Paris Saint-Germain is based.", "the subject holds the text"),
]

UNPARSED = [
    (ULM, "", "nothing"),
    (ULM, " \t", "white space"),
    (ULM, "()", "punctuation"),
    (ULM, "🤷", "an emoji"),
    (ULM, "Albert Einstein", "the subject"),
    (ULM, "A city in Germany", "'A' is an article"),
    (ULM, "<think>B", "the reasoning does not end"),
    (WHO, "Ulm", "the object that is given"),
    (PARIS, "Paris Saint-Germain", "the subject, which holds the text"),
]

NOT_CORRECT = [
    (ULM, "E", "a letter beyond the options"),
    (ULM, "E) Berlin", "a letter beyond the options"),
    (ULM, "Berlin", "a text that is no option"),
    (ULM, "Ulmer", "a longer word"),
    (ULM, "None of the above", "no option"),
    (PARIS, "Paris Saint-Germain is a club.", "the subject holds the text"),
]


def _cases(table: list[tuple[Asked, str, str]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize(("asked", "reply", "reason"), table, ids=[repr(reply[:50]) for _, reply, _ in table])


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


@pytest.mark.parametrize(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_letter(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, "B").verdict == "correct"
    assert graded(asked, "A").verdict == "incorrect"


@pytest.mark.parametrize(("right", "wrong"), [("Polish", "polish"), ("resume", "résumé"), ("ULM", "Ulm")])
def test_options_that_differ_in_case_or_diacritics_are_told_apart_by_text(right: str, wrong: str) -> None:
    asked = w.choose(w.World("[X] means [Y].", {"it": [right]}), "it", wrong, right)
    assert graded(asked, right).verdict == "correct"
    assert graded(asked, wrong).verdict == "incorrect"
