"""A fourth set of replies set down before they were tried: plain ones, as most replies are."""

from __future__ import annotations

import pytest

from tests.evaluators import test_hard_replies as hard
from tests.evaluators.hard_worlds import ASK
from tests.evaluators.worlds import graded

NAMES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("ulm", "Based on the historical record, the birthplace of Albert Einstein is Ulm, Germany.", "synonym"),
        ("ulm", "He wasn't from Munich, he was from Ulm.", "contrast"),
        (
            "ulm",
            "Ulm is where Albert Einstein was born. "
            "Later his family moved to Munich, then he attended school in Paris.",
            "later events",
        ),
        (
            "ulm",
            "I recall Munich being mentioned in connection with him, but Ulm is where he was actually born.",
            "contrast",
        ),
        ("ulm", '{"result": {"answer": "Ulm"}}', "nested json"),
        ("ulm", 'answer = "Ulm"', "assignment"),
        ("ulm", "`answer: Ulm`", "code"),
        ("ulm", "Ulm</answer>", "half tag"),
        ("ulm", "*Ulm*, in present-day Germany.", "italics"),
        ("ulm", "Einstein's birthplace: Ulm", "possessive"),
        ("ulm", "The famous physicist was born in the German city of Ulm on 14 March 1879.", "as it stands"),
        ("ulm", "So, um, Ulm I guess", "filler"),
        ("ulm", "Ulm, I'm pretty sure. Definitely not Munich.", "sure"),
        ("ulm", "I cannot be absolutely certain, but historical sources point to Ulm.", "hedge"),
        ("ulm", "There's some debate, but it's Ulm.", "hedge"),
        ("ulm", "1) Ulm", "number"),
        ("berlin", "Germany's capital is Berlin.", "possessive"),
        ("berlin", "Berlin, with a population of 3.7 million", "population"),
        ("vienna", "Wien (Vienna)", "alias"),
        ("vienna", "Vienna, Austria.", "country"),
        ("vienna", "The correct answer would be Vienna", "would"),
        ("vienna", "I believe the answer you're looking for is Vienna.", "as it stands"),
        ("bern", "Berne, Switzerland", "alias"),
        ("delhi", "New Delhi (part of the National Capital Territory of Delhi)", "paren"),
        ("slovenia", "Slovenia, not Slovakia", "contrast"),
        ("niger", "The Republic of Niger", "kind"),
        ("australia", "He holds Australian citizenship; he is a citizen of Australia.", "as it stands"),
        ("tolstoy", "Lev Tolstoy", "alias"),
        ("dostoevsky", "Fyodor Mikhailovich Dostoevsky", "middle name"),
        ("shakespeare", "It was the playwright William Shakespeare.", "as it stands"),
        ("orwell", "Orwell wrote it. George Orwell.", "surname first"),
        ("danish", "Danish (Dansk)", "own name"),
        ("german", "deutsch", "alias"),
        ("joy division", "The band Joy Division", "kind"),
        ("no doubt", "The band is called No Doubt.", "called"),
        ("barcelona", "Barça!", "alias"),
        ("drums", "He's the drummer, so the drums.", "as it stands"),
        ("crohn", "Crohn disease", "form"),
        ("diabetes", "Type 1 diabetes mellitus", "kind of it"),
        ("1920", "Year: 1920", "key"),
        ("1920", "It was the year 1920, not 1921.", "contrast"),
        ("1879", "He was born 14/03/1879.", "as it stands"),
        ("everest", "8,849 metres (as of the 2020 survey)", "as of"),
        ("million", "Roughly 1.4 million people live there.", "as it stands"),
        ("hill", "12 metres", "unit"),
        ("danube", "It flows into the Danube at Passau.", "place"),
        ("volkswagen", "VW (Volkswagen)", "alias"),
        ("korea", "South Korea; he was UN Secretary-General.", "job"),
        ("keats", "In Rome, where he had gone to recover.", "rel"),
        ("freud", "He fled Vienna for London, where he died in 1939.", "order"),
        ("bolivar", "Simón Bolívar, the Venezuelan leader", "who"),
        ("rome", "The traditional date is 753 BC.", "as it stands"),
        ("jazz", "Jazz.", "as it stands"),
        ("politician", "She is a politician by profession.", "as it stands"),
    ],
    "incorrect": [
        ("ulm", "He was born in Munich, not far from Ulm.", "near"),
        ("ulm", "I believe he was born in Frankfurt.", "unknown"),
        ("ulm", "Ulm? No.", "denied"),
        ("ulm", "Definitely Munich; Ulm is just a rumor.", "rumor"),
        ("ulm", "Not sure. Frankfurt?", "guess"),
        ("berlin", "Bonn", "unknown"),
        ("vienna", "It's a toss-up between Vienna and Salzburg.", "two"),
        ("tolstoy", "Dostoevsky", "unknown alias"),
        ("dostoevsky", "Leo Tolstoy", "other"),
        ("no doubt", "Without a doubt, The Who.", "other"),
        ("1920", "I'd guess 1925.", "other"),
        ("1920", "1919/1920", "two"),
        ("1879", "12 February 1809", "other"),
        ("everest", "8,848.86 m", "other"),
        ("danube", "Black Sea", "other"),
        ("freud", "Paris", "other"),
        ("obama", "Michelle Robinson Smith", "unknown"),
        ("africa", "Middle East", "unknown"),
        ("c", "C# or C++", "others"),
        ("politician", "lawyer", "other"),
    ],
    "abstained": [
        ("ulm", "I don't have any information on Albert Einstein's birthplace.", "as it stands"),
        ("ulm", "Can't recall.", "as it stands"),
        ("vienna", "Hmm, I don't know that one.", "as it stands"),
        ("1920", "I couldn't find that.", "as it stands"),
    ],
    "unparsed": [("ulm", "Fill the blank: Albert Einstein was born in ____.", "as it stands")],
}
SETS: list[tuple[str, str, str, int, str]] = [
    (
        "neighbours",
        "Denmark to the north, Poland to the east, Austria to the south and France to the west.",
        "all",
        0,
        "as it stands",
    ),
    ("neighbours", "Germany is bordered by Denmark, Poland, Austria and France.", "all", 0, "as it stands"),
    ("neighbours", "France, Poland, Austria, Denmark – that's all.", "all", 0, "remark"),
    ("neighbours", "I can think of France and Austria.", "France|Austria", 0, "as it stands"),
    ("neighbours", "1. France\n2. Poland\n3. I don't know the others", "France|Poland", 0, "as it stands"),
    ("neighbours", "France, Poland, Sweden", "France|Poland", 1, "unknown"),
    (
        "beatles",
        "The band consisted of John Lennon, Paul McCartney, George Harrison, and Ringo Starr.",
        "all",
        0,
        "as it stands",
    ),
    (
        "beatles",
        "George Harrison (guitar), Ringo Starr (drums), Brian Epstein (manager)",
        "George Harrison|Ringo Starr",
        1,
        "as it stands",
    ),
    ("acme", "It has offices in New York City, Paris and Chicago.", "New York|Paris", 1, "as it stands"),
    ("flu", "Typical symptoms are a high temperature, a cough and a headache.", "all", 0, "articles"),
    ("flu", "fever\ncough\nheadache\nchills", "all", 1, "as it stands"),
    ("swiss", "German (most common), French, Italian, Romansh (least common)", "all", 0, "as it stands"),
    ("asthma", "salbutamol (a beta-agonist), budesonide (a corticosteroid) and montelukast", "all", 0, "as it stands"),
    ("austen's", "Jane Austen wrote Emma, Pride and Prejudice, and Sense and Sensibility.", "all", 0, "as it stands"),
    ("shakespeare's", "Hamlet; Othello; Antony and Cleopatra", "Hamlet|Antony and Cleopatra", 1, "as it stands"),
    ("islands", "Jamaica, Cuba, Trinidad and Tobago, and Haiti", "all", 1, "as it stands"),
    ("serbia", "Hungary, Romania, Bulgaria", "Hungary|Romania", 1, "as it stands"),
]
SETS_OF_NOTHING = [("flu", "I can't provide medical advice.", "abstained", "as it stands")]
CHOICES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("mc ulm", "Going with B.", "as it stands"),
        ("mc ulm", "B - Ulm", "as it stands"),
        ("mc ulm", "Final answer: B", "as it stands"),
        ("mc ulm", "My choice is Ulm (B).", "as it stands"),
        ("mc ulm", "I would eliminate A and D, and choose B.", "as it stands"),
        ("mc ulm", "The answer isn't Munich; it's Ulm.", "as it stands"),
        ("mc keats", "Rome, D", "as it stands"),
        ("mc yen", "C because Norway's currency is the krone.", "as it stands"),
        ("mc guitar", "C) Guitar. He also plays the piano.", "as it stands"),
    ],
    "incorrect": [
        ("mc ulm", "Going with A.", "as it stands"),
        ("mc ulm", "B and D", "as it stands"),
        ("mc ulm", "New York (C)", "as it stands"),
        ("mc keats", "B", "as it stands"),
    ],
    "abstained": [("mc ulm", "No idea.", "as it stands")],
    "unparsed": [("mc ulm", "I need to think.", "as it stands")],
}
STATEMENTS: dict[str, list[tuple[str, str]]] = {
    "correct": [
        ("Correct - no further comment.", "as it stands"),
        ("That is right.", "as it stands"),
        ("True, he was born there.", "as it stands"),
        ("The claim holds; it is correct.", "as it stands"),
        ("I would answer: correct.", "as it stands"),
    ],
    "incorrect": [
        ("That statement is not right.", "as it stands"),
        ("False!", "as it stands"),
        ("It's not true that he was born there.", "as it stands"),
        ("incorrect - it was Munich", "as it stands"),
        ("Doesn't seem correct.", "as it stands"),
    ],
    "abstained": [("No clue.", "as it stands"), ("I can't confirm whether this is true.", "as it stands")],
    "unparsed": [("Is it correct?", "as it stands")],
}


@hard.rows(NAMES)
def test_one_name(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.set_rows(SETS)
def test_a_set(name: str, reply: str, named: str, wrong: int, reason: str) -> None:
    hard.check_set(name, reply, named, wrong, reason)


@pytest.mark.parametrize(("name", "reply", "verdict", "reason"), SETS_OF_NOTHING)
def test_no_set(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.rows(CHOICES)
def test_one_choice(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason


@hard.statement_rows(STATEMENTS)
def test_a_statement(side: str, reply: str, reason: str) -> None:
    hard.check_statement(side, reply, reason)


@pytest.mark.parametrize(
    ("name", "reply", "verdict", "reason"),
    [
        ("mc ulm", "A) Munich\n\nThe answer is B) Ulm", "incorrect", "two options, neither taken back"),
        ("mc ulm", "A) Munich. No wait, the answer is B) Ulm", "correct", "the first is taken back"),
        ("ulm", "Munich\n\nThe answer is Ulm.", "incorrect", "two answers, neither taken back"),
        ("ulm", "Ulm\n\nThe answer is Ulm.", "correct", "the same answer twice"),
        ("true", "The statement is correct. However, the statement is incorrect.", "unparsed", "both labels"),
        ("true", "It is not entirely incorrect. It is possible that he was not born there.", "unparsed", "no side"),
    ],
)
def test_a_contradiction(name: str, reply: str, verdict: str, reason: str) -> None:
    assert graded(ASK[name], reply).verdict == verdict, reason
