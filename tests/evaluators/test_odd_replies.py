"""A third set of replies set down before they were tried: short, chatty and oddly marked."""

from __future__ import annotations

import pytest

from tests.evaluators import test_hard_replies as hard
from tests.evaluators.hard_worlds import ASK
from tests.evaluators.worlds import graded

NAMES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("ulm", "Ulm 🎉", "emoji"),
        ("ulm", "→ Ulm", "arrow"),
        ("ulm", "ulm, germany (1879)", "year"),
        ("ulm", 'The answer is: "Ulm"', "the question, or a part of it"),
        ("ulm", "A: Ulm", "a:"),
        (
            "ulm",
            "Albert Einstein was born in Ulm, a city in the state of Baden-Württemberg, Germany, on March 14, 1879.",
            "long",
        ),
        ("ulm", "I'm going to say Ulm", "hedge"),
        ("ulm", "It has to be Ulm", "hedge"),
        ("ulm", "Answer - Ulm", "dash"),
        ("ulm", "city: Ulm", "key"),
        ("ulm", "Birthplace: Ulm; Country: Germany", "keys"),
        ("ulm", "<answer>\nUlm\n</answer>", "tag"),
        (
            "ulm",
            "Based on my knowledge, he was born in Ulm. "
            "However, please verify this information with a reliable source.",
            "disclaimer",
        ),
        (
            "ulm",
            "Albert Einstein, the physicist, was born not in Munich, as is often claimed, but in Ulm.",
            "contrast with aside",
        ),
        ("ulm", "Ulm is correct; Munich is where he grew up.", "other event"),
        (
            "ulm",
            "He was born in Ulm, then part of the Kingdom of Württemberg, "
            "before the family relocated to Munich in 1880.",
            "other event",
        ),
        (
            "ulm",
            "Contrary to what many believe, Einstein wasn't born in Munich or Paris - he was born in Ulm.",
            "denied list",
        ),
        ("ulm", "Einstein nació en Ulm, Alemania.", "spanish"),
        ("ulm", "アインシュタインはUlmで生まれました。", "japanese"),
        ("ulm", "Ulm?", "unsure"),
        ("ulm", "ulm\nulm\nulm\nulm\nulm", "repeats"),
        ("ulm", "Ulm Ulm Ulm Ulm Ulm", "repeats"),
        ("ulm", '"born in Ulm"', "quoted"),
        (
            "ulm",
            "Wait, I need to think about this. Munich is where he spent his childhood. His birthplace was Ulm.",
            "thinking",
        ),
        ("ulm", "Either way, Ulm.", "either"),
        ("ulm", "No other city than Ulm", "no other"),
        (
            "vienna",
            "Vienna has been Austria's capital for centuries; no other city, such as Graz, ever held the title.",
            "long",
        ),
        ("vienna", "The answer isn't Berlin. It isn't Bern either. It's Vienna.", "denials"),
        ("vienna", "Vienna - and definitely not Berlin", "denial"),
        ("kyiv", "Київ", "script"),
        ("kyiv", "Kyiv, formerly spelled Kiev", "former"),
        ("canberra", "Canberra, located between Sydney and Melbourne.", "landmark"),
        ("tolkien", "Professor J. R. R. Tolkien", "title"),
        ("tolkien", "The Hobbit was written by J.R.R. Tolkien.", "as it stands"),
        ("tolstoy", "L. Tolstoy? Leo Tolstoy.", "the question, or a part of it"),
        ("orwell", "George Orwell's real name was Eric Arthur Blair.", "real name"),
        ("shakespeare", "Wm. Shakespeare - William Shakespeare", "abbr"),
        ("elizabeth ii", "Elizabeth II of the United Kingdom", "of"),
        ("brca1", "BRCA1 (or, less often, its mutations are inherited)", "or aside"),
        ("hypertension", "Hypertension.", "as it stands"),
        ("1920", "Born: 1920", "key"),
        ("1920", "1920.", "dot"),
        ("1920", "He was born in 1920, so he would be 104 today.", "age"),
        ("1920", "July 21st 1920", "full"),
        ("1879", "It was on 14 March 1879", "full"),
        ("everest", "It is about 8,849 metres high, or 29,032 feet.", "two units"),
        ("people", "The population is 126,000.", "num"),
        ("mars", "2 (Phobos and Deimos)", "paren"),
        ("germany", "German (Germany)", "demonym"),
        ("usa", "the USA", "article"),
        ("portugal", "🇵🇹 Portugal", "flag"),
        ("black sea", "Into the Black Sea.", "prep"),
        ("guitar", "Guitar, vocals", "another unknown"),
        ("c", "C programming language", "kind"),
        ("c", "It's written mainly in C, with some shell and Perl.", "some"),
        ("keats", "Rome — he died there of tuberculosis in 1821.", "dash"),
        ("yen", "¥ (Japanese yen)", "sign"),
        ("obama", "Michelle Obama.", "dot"),
        ("google", "on September 4th, 1998", "ord"),
    ],
    "incorrect": [
        ("ulm", "Munich, Germany", "other"),
        ("ulm", "Stuttgart, not far from Ulm", "near"),
        ("ulm", "University of Ulm", "institution"),
        ("ulm", "Neu-Ulm", "longer"),
        ("ulm", "Ulm or Munich? I'd go with Munich.", "conclusion"),
        ("ulm", "He was born in Munich, Germany. His parents met in Ulm.", "other event"),
        ("ulm", "It wasn't Ulm but Munich.", "contrast"),
        ("ulm", "It's certainly not Ulm!", "denied"),
        ("ulm", "Ulm is incorrect.", "denied"),
        ("ulm", "Possibly Ulm, possibly Munich.", "two"),
        ("ulm", "Ulm, Munich", "two"),
        ("ulm", "Ulm and/or Munich", "two"),
        ("vienna", "Venice", "unknown"),
        ("austria", "Austria-Hungary", "longer"),
        ("canberra", "Not Canberra - Sydney!", "denied"),
        ("tolstoy", "Ivan Turgenev", "unknown"),
        ("mary shelley", "Shelley Winters", "unknown"),
        ("elizabeth i", "Elizabeth III", "numeral"),
        ("danish", "Dutch", "unknown"),
        ("brca1", "BRCA10", "figure"),
        ("1920", "1820s", "decade"),
        ("1920", "19200", "longer"),
        ("1920", "1920s", "decade"),
        ("war", "1939 and 1945", "no span"),
        ("mars", "2 or 3", "two"),
        ("everest", "88,490", "ten times"),
        ("guitar", "bass guitars", "plural of longer"),
        ("c", "C, C++ and Java", "several"),
        ("helium", "H", "another"),
        ("obama", "Malia Obama", "surname"),
    ],
    "abstained": [
        ("ulm", "I am unable to recall where he was born.", "recall"),
        ("ulm", "Sorry, that's beyond my knowledge.", "beyond"),
        ("ulm", "Honestly, I don't know.", "as it stands"),
        ("ulm", "I'm sorry, but I can't say where Albert Einstein was born without more information.", "as it stands"),
        ("ulm", "Unknown.", "as it stands"),
        ("ulm", "[I don't know]", "brackets"),
        ("ulm", "<I don't know>", "tag"),
        ("1920", "Not known.", "as it stands"),
    ],
    "unparsed": [
        ("ulm", "Albert Einstein was born in the city of", "cut off"),
        ("ulm", "Question: Albert Einstein was born in ____.", "the question, or a part of it"),
    ],
}
SETS: list[tuple[str, str, str, int, str]] = [
    ("neighbours", "France\n\nPoland\n\nAustria\n\nDenmark", "all", 0, "blank lines"),
    ("neighbours", "(1) France (2) Poland (3) Austria (4) Denmark", "all", 0, "numbers in brackets"),
    ("neighbours", "France - Poland - Austria - Denmark", "all", 0, "dashes between"),
    ("neighbours", "France + Poland + Austria + Denmark", "all", 0, "plus"),
    ("neighbours", "The answer: France, Poland, Austria, Denmark.", "all", 0, "lead"),
    ("neighbours", "France, Poland, Austria, and Denmark (plus others).", "all", 0, "plus others"),
    ("neighbours", "France, Poland (since 1945), Austria, Denmark", "all", 0, "remark"),
    ("neighbours", "West: France; East: Poland; South: Austria; North: Denmark", "all", 0, "keys"),
    ("neighbours", "Well, there's France, there's Poland, and I think Austria and Denmark too.", "all", 0, "chatty"),
    (
        "neighbours",
        "France, Poland, Austria, Denmark, Belgium, Luxembourg, Netherlands, Switzerland, and the Czech Republic",
        "all",
        5,
        "the real ones",
    ),
    ("neighbours", "All of them: France, Poland.", "France|Poland", 0, "as it stands"),
    ("beatles", "john lennon, paul mccartney, george harrison, ringo starr", "all", 0, "small"),
    (
        "beatles",
        "John Lennon and Paul McCartney (the songwriters), plus George Harrison and Ringo Starr",
        "all",
        0,
        "plus",
    ),
    ("beatles", "Lennon, McCartney, Harrison, Starr", "all", 0, "surnames"),
    ("police", "Sting; Copeland; Summers", "all", 0, "surnames"),
    ("acme", "Paris; Washington, D.C.; New York", "all", 0, "semicolons"),
    ("acme", "- Paris\n- New York\n- Washington, D.C.\n- (possibly) Boston", "all", 1, "possibly"),
    ("flu", "headache, Cough & fever", "all", 0, "amp"),
    ("flu", "Symptoms: fever, cough, headache, fatigue.", "all", 1, "fatigue is known"),
    ("borg", "In 1976, 1977, 1978, 1979 and 1980", "all", 2, "two more"),
    (
        "swiss",
        "The four are German, French, Italian and Romansh, with German being the most common.",
        "all",
        0,
        "being",
    ),
    ("swiss", "German, French, Italian, Romansh; not English", "all", 0, "denied"),
    ("austen's", '"Emma", "Persuasion"', "Emma", 1, "quotes"),
    ("ann", "Trinidad and Tobago and Barbados", "Trinidad and Tobago", 1, "and"),
    ("eve", "Côte d'Ivoire", "Côte d'Ivoire", 0, "one"),
]
SETS_OF_NOTHING = [
    ("beatles", "I do not know who the members are.", "abstained", "as it stands"),
    ("borg", "No idea.", "abstained", "as it stands"),
]
CHOICES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("mc ulm", "b", "as it stands"),
        ("mc ulm", "b.", "as it stands"),
        ("mc ulm", "B) ulm.", "as it stands"),
        ("mc ulm", "The answer is Ulm, option B.", "as it stands"),
        ("mc ulm", "Correct answer: B", "as it stands"),
        ("mc ulm", "Ulm!", "as it stands"),
        ("mc ulm", "B, because he was born in Ulm.", "as it stands"),
        ("mc ulm", "I'm fairly confident it's (B) Ulm.", "as it stands"),
        ("mc ulm", "Answer is b", "as it stands"),
        ("mc ulm", "#2", "as it stands"),
        ("mc ulm", "Option two", "as it stands"),
        ("mc ulm", "The correct choice is B: Ulm. Munich (A) is where he went to school.", "as it stands"),
        ("mc author", "B. Leo Tolstoy", "as it stands"),
        ("mc guinea", "C: Guinea", "as it stands"),
        ("mc keats", "D", "as it stands"),
        ("mc year", "The year was 1920.", "as it stands"),
    ],
    "incorrect": [
        ("mc ulm", "C", "as it stands"),
        ("mc ulm", "I think it's A, maybe B.", "as it stands"),
        ("mc ulm", "A/B", "as it stands"),
        ("mc ulm", "Paris", "as it stands"),
        ("mc keats", "London (A)", "as it stands"),
        ("mc ulm", "It's not B.", "as it stands"),
    ],
    "abstained": [("mc ulm", "I have no idea which.", "as it stands")],
    "unparsed": [("mc ulm", "Hmm.", "as it stands")],
}
STATEMENTS: dict[str, list[tuple[str, str]]] = {
    "correct": [
        ("correct!", "as it stands"),
        ("Yup", "as it stands"),
        ("Yes, he was.", "as it stands"),
        ("Correct (he was born there in 1879)", "as it stands"),
        ("I'd say that's true.", "as it stands"),
        ("This is accurate information.", "as it stands"),
        ("Right!", "as it stands"),
        ("Statement: correct", "as it stands"),
    ],
    "incorrect": [
        ("No, he wasn't.", "as it stands"),
        ("incorrect!", "as it stands"),
        ("That's not the case; the statement is false.", "as it stands"),
        ("This is untrue.", "as it stands"),
        ("The statement's wrong.", "as it stands"),
        ("It's definitely not correct.", "as it stands"),
        ("Not correct: Munich", "as it stands"),
        ("I disagree.", "as it stands"),
    ],
    "abstained": [("I really don't know.", "as it stands"), ("Impossible to say.", "as it stands")],
    "unparsed": [("Hmm.", "as it stands"), ("correct incorrect", "as it stands")],
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
