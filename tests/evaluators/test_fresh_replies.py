"""Replies as real models write them, set down before they were tried, each with its verdict and why."""

from __future__ import annotations

import pytest

from tests.evaluators import test_hard_replies as hard
from tests.evaluators.hard_worlds import ASK
from tests.evaluators.worlds import graded

NAMES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        # long-winded
        (
            "vienna",
            "The capital of Austria is **Vienna** (German: *Wien*), which is also the country's largest city.",
            "markdown",
        ),
        ("vienna", 'Great question! The missing word is "Vienna".', "praise, quotes"),
        (
            "vienna",
            'Certainly! Here\'s the completed sentence:\n\n"The capital of Austria is Vienna."',
            "the sentence completed",
        ),
        (
            "canberra",
            "The capital of Australia is Canberra. Many people think it's Sydney, but that's a common misconception.",
            "a misconception behind",
        ),
        ("canberra", "While many assume Sydney or Melbourne, the correct answer is Canberra.", "what many assume"),
        ("canberra", "It is often assumed to be Sydney, but Canberra is the actual capital.", "what is assumed"),
        (
            "berlin",
            "Berlin has been the capital of Germany since 1990; before that, Bonn was the capital of West Germany.",
            "what was before",
        ),
        ("berlin", "Berlin (since reunification; formerly Bonn for West Germany)", "what was before, in brackets"),
        ("bern", "Bern (de facto capital)", "a remark in brackets"),
        ("bern", "Officially Switzerland has no capital, but Bern is the de facto one.", "a doubt about the question"),
        ("kyiv", "Kyiv (also spelled Kiev)", "two spellings"),
        ("kyiv", "Kiev, also known as Kyiv.", "two names"),
        ("delhi", "New Delhi is the capital of India, not Mumbai.", "contrast"),
        ("austria", "Vienna is the capital of Austria.", "the sentence turned round"),
        ("austria", "The country whose capital is Vienna is Austria.", "the sentence turned round"),
        (
            "ljubljana",
            "The capital of Slovenia (not to be confused with Slovakia, whose capital is Bratislava) is Ljubljana.",
            "what it is not to be confused with",
        ),
        (
            "tolstoy",
            '"War and Peace" was written by Leo Tolstoy, a Russian novelist who also wrote Anna Karenina.',
            "what else he wrote",
        ),
        ("tolstoy", "Author: Leo Tolstoy (1828–1910)", "the years of his life"),
        (
            "shakespeare",
            "It's attributed to William Shakespeare, though some have proposed Christopher Marlowe.",
            "what some proposed",
        ),
        (
            "mary shelley",
            "Mary Shelley wrote it in 1818 while staying with Percy Bysshe Shelley and Lord Byron.",
            "company",
        ),
        ("mary shelley", "Mary Shelley, the wife of Percy Bysshe Shelley", "her husband"),
        ("orwell", "George Orwell (the pen name of Eric Arthur Blair)", "the pen name"),
        ("orwell", "The dystopian novel was penned by George Orwell.", "another verb"),
        ("tolkien", "J.R.R Tolkien", "a full stop is missing"),
        ("tolkien", "Tolkien, J. R. R.", "the surname first"),
        ("elizabeth ii", "His daughter, Queen Elizabeth II, succeeded him in 1952.", "who she was"),
        ("danish", "Danish. Hans Christian Andersen was born in Odense, Denmark.", "an explanation"),
        (
            "polish",
            "He was a native Polish speaker, though he lived in Paris and spoke French.",
            "another language he spoke",
        ),
        ("german", "His mother tongue was German; he also knew French.", "another language he knew"),
        ("acdc", "AC⚡DC... I mean AC/DC", "a sign within"),
        ("the who", "The album was recorded by The Who.", "a name of small words in a sentence"),
        ("yes", '"Fragile" is by the band Yes.', "a name that is a word, in a sentence"),
        (
            "unknown pleasures",
            'Their debut was "Unknown Pleasures", released in 1979 by Factory Records.',
            "release and label",
        ),
        ("chelsea", "He plays for Chelsea (London).", "its town"),
        ("barcelona", "Messi played for Barcelona before moving to PSG and then Inter Miami.", "later clubs"),
        ("united", "Man United", "an alias"),
        ("guitar", "Brian May is best known for playing the electric guitar in Queen.", "which guitar"),
        (
            "hypertension",
            "Lisinopril is an ACE inhibitor used to treat hypertension (high blood pressure).",
            "what it is",
        ),
        ("parkinson", "Levodopa is used in the treatment of Parkinson's disease.", "a sentence"),
        ("diabetes", "Diabetes Mellitus", "capitals"),
        ("brca1", "Breast cancer is caused by mutations in BRCA1.", "the sentence turned round"),
        (
            "1920",
            "Answer: 1920\n\nIsaac Stern was born on July 21, 1920, and died on September 22, 2001.",
            "another date behind",
        ),
        ("1920", "Isaac Stern (1920-2001)", "the years of his life"),
        ("1920", "He was born in the year 1920.", "the year"),
        ("69bc", "Cleopatra VII was born in 69 BC and died in 30 BC.", "two years"),
        ("1879", "Albert Einstein was born on Friday, March 14, 1879.", "the day of the week"),
        ("1879", "1879/03/14", "slashes"),
        ("1955", "28 Oct 1955", "a month cut short"),
        ("war", "World War II lasted six years, from 1939 to 1945.", "how long"),
        ("war", "September 1939 - 1945", "half of it more exact"),
        ("everest", "8,849 meters above sea level", "above the sea"),
        ("everest", "Approximately 8849m.", "the unit glued on"),
        ("people", "Around 126,000 people (as of 2020)", "the year of the count"),
        ("people", "126000", "no separator"),
        ("mars", "Mars has two: Phobos and Deimos.", "their names"),
        ("danube", "The Inn is a tributary of the Danube.", "another phrase"),
        ("black sea", "the Black Sea, in Romania", "where it is"),
        ("apple", "Apple Inc. (Cupertino, California)", "its seat"),
        ("volkswagen", "It is made by the German car maker Volkswagen.", "what it is"),
        ("portugal", "Portuguese? He's a citizen of Portugal.", "asked back"),
        ("usa", "United States (U.S.)", "two names"),
        ("usa", "She is American, i.e. a citizen of the United States of America.", "two words for it"),
        ("germany", "Angela Merkel ist Bürgerin von Deutschland.", "another language"),
        ("niger", "Niger (West Africa)", "where it is"),
        ("ulm", "Ulm, Kingdom of Württemberg, German Empire", "where it lay"),
        ("ulm", "Einstein was born in Ulm and raised in Munich.", "where he was raised"),
        ("ulm", "Thought: I recall that he lived in Munich. But he was born in Ulm.\nAnswer: Ulm", "thoughts"),
        (
            "ulm",
            "Okay, so the user asks where Einstein was born. He studied in Zurich, lived in Munich "
            "and Bern... He was born in Ulm.</think>Ulm",
            "the block's beginning is missing",
        ),
        ("ulm", "Hmm, maybe Munich? Actually, no: it was Ulm.", "a correction"),
        ("ulm", "I initially thought Munich, but it is Ulm.", "a correction"),
        ("ulm", "I'd say Ulm.", "a hedge"),
        ("ulm", "Probably Ulm.", "a hedge"),
        ("ulm", "Ulm (I'm not completely sure)", "a hedge in brackets"),
        ("ulm", "Ulm, but don't quote me on that.", "a hedge behind"),
        ("ulm", "My best guess would be Ulm, as I don't have definitive information.", "a guess"),
        ("c", "The language is C (not C++).", "contrast"),
        ("go", "Kubernetes is written in Go (Golang).", "another name"),
    ],
    "incorrect": [
        ("vienna", "The capital of Austria is Salzburg.", "unknown to the graph"),
        ("vienna", "Budapest, I think", "unknown to the graph, with a hedge"),
        ("vienna", "Vienna, Salzburg, Innsbruck", "three towns"),
        ("vienna", "Vienna / Salzburg", "two towns"),
        ("vienna", "It's either Vienna or Bratislava.", "two capitals"),
        ("vienna", "I would guess Vienna, but it might be Bratislava.", "a second guess"),
        ("vienna", "Vienna isn't right. Berlin.", "ruled out"),
        ("canberra", "Sydney", "unknown to the graph"),
        (
            "canberra",
            "Most people say Canberra, but it is actually Sydney.",
            "what people say; the answer is unknown to the graph",
        ),
        ("canberra", "Sydney (some say Canberra)", "what some say, in brackets"),
        ("berlin", "Bonn was the capital.", "unknown to the graph"),
        ("austria", "Hungary", "unknown to the graph"),
        ("kyiv", "It used to be Kyiv, but now it is Lviv.", "what it was"),
        ("tolstoy", "Anton Chekhov wrote it, not Leo Tolstoy.", "ruled out"),
        ("tolstoy", "Fyodor Dostoevsky", "another entity"),
        ("mary shelley", "Percy Bysshe Shelley, the husband of Mary Shelley", "the husband"),
        ("shakespeare", "Christopher Marlowe", "unknown to the graph"),
        ("orwell", "Aldous Huxley or George Orwell", "two authors"),
        ("elizabeth ii", "Elizabeth I", "a numeral"),
        ("danish", "Norwegian", "unknown to the graph"),
        ("german", "He spoke French.", "another entity"),
        ("unknown pleasures", "Closer", "unknown to the graph"),
        ("chelsea", "He plays for Arsenal.", "another entity"),
        ("guitar", "He plays the drums.", "another entity by its alias"),
        ("hypertension", "It treats low blood pressure.", "unknown to the graph"),
        ("parkinson", "Alzheimer's disease", "unknown to the graph"),
        ("brca1", "CFTR", "another entity"),
        ("1920", "He was born in 1918.", "another year"),
        ("1920", "around 1920 or 1930", "two years"),
        ("1879", "March 15, 1879", "another day"),
        ("1879", "April 14, 1879", "another month"),
        ("everest", "8,611 metres", "another entity"),
        ("everest", "29,032 feet", "another unit"),
        ("mars", "Mars has four moons.", "another number"),
        ("danube", "the Rhine", "another entity"),
        ("portugal", "Brazil", "unknown to the graph"),
        ("niger", "He is from Nigeria.", "a longer name"),
        ("ulm", "He was born in Stuttgart, near Ulm.", "a landmark"),
        ("ulm", "He moved from Ulm to Munich.", "two towns of another event"),
        ("c", "Python or C", "two languages"),
    ],
    "abstained": [
        ("vienna", "I'm sorry, but I don't have that information.", "a refusal"),
        ("vienna", "There isn't enough context to determine the answer.", "a reason"),
        ("ulm", "I do not have any information about where Albert Einstein was born.", "with the subject"),
        ("ulm", "Unfortunately, I cannot provide an answer to this.", "a refusal"),
        ("1920", "I don't know when Isaac Stern was born.", "with the subject"),
        ("guitar", "I have no information on that.", "no information"),
        ("tolstoy", "I'm not sure who wrote it.", "doubt alone"),
        ("everest", "Unknown", "the word alone"),
        ("brca1", "It is impossible to say.", "impossible"),
        ("psg", "Sorry, I don't know which club he plays for.", "with words of the question"),
    ],
    "unparsed": [
        ("vienna", "The capital of Austria", "the question's words"),
        ("ulm", "Sure, I'd be happy to help!", "an opening alone"),
    ],
}
SETS: list[tuple[str, str, str, int, str]] = [
    (
        "neighbours",
        "Germany shares land borders with:\n1. Denmark\n2. Poland\n3. Austria\n4. France",
        "all",
        0,
        "an opening and numbers",
    ),
    (
        "neighbours",
        "The countries that share a border with Germany include France, Poland, Austria, and Denmark, among others.",
        "all",
        0,
        "among others",
    ),
    ("neighbours", "**France**, **Poland**, **Austria**, **Denmark**", "all", 0, "bold"),
    ("neighbours", "France, Poland, Austria, Denmark, Czech Republic, Switzerland", "all", 2, "two unknown"),
    ("neighbours", "* France\n* Poland\n* Czech Republic", "France|Poland", 1, "one unknown of two words"),
    ("neighbours", "Austria (not Australia), Denmark", "Austria|Denmark", 0, "contrast in brackets"),
    (
        "neighbours",
        "I know that France and Poland border Germany, but I'm not sure about the others.",
        "France|Poland",
        0,
        "doubt about the rest",
    ),
    ("neighbours", '```json\n["France", "Poland"]\n```', "France|Poland", 0, "JSON in a fence"),
    (
        "beatles",
        "The Beatles' members were John Lennon, Paul McCartney, George Harrison and Ringo Starr.",
        "all",
        0,
        "a possessive",
    ),
    (
        "beatles",
        "1. John Lennon (1940–1980)\n2. Paul McCartney (born 1942)\n3. George Harrison "
        "(1943–2001)\n4. Ringo Starr (born 1940)",
        "all",
        0,
        "years in brackets",
    ),
    ("beatles", "John Lennon, Mick Jagger", "John Lennon", 1, "one unknown"),
    ("police", "Sting (bass, vocals), Stewart Copeland (drums), Andy Summers (guitar)", "all", 0, "lists in brackets"),
    ("acme", "Acme has offices in Paris, New York City and Washington, D.C.", "all", 0, "a sentence"),
    ("acme", "Paris, London, and New York", "Paris|New York", 1, "one unknown"),
    ("cog", "Berlin, Springfield and St Louis", "all", 0, "no full stop"),
    ("flu", "Common symptoms include fever, cough, and headache.", "all", 0, "include"),
    ("flu", "- Fever\n- Chills\n- Cough\n- Runny nose\n- Headache", "all", 2, "two unknown"),
    ("flu", "Fever and cough are symptoms of the flu.", "fever|cough", 0, "the sentence turned round"),
    ("borg", "1976; 1977; 1979; 1980", "all", 1, "one more year"),
    ("borg", "Borg won the title in 1976 and 1980.", "1976|1980", 0, "one is missing"),
    (
        "swiss",
        "Switzerland has four national languages: German, French, Italian, and Romansh (Rumantsch).",
        "all",
        0,
        "another name in brackets",
    ),
    (
        "swiss",
        "German, French and Italian. English is widely spoken but is not an official language.",
        "German|French|Italian",
        0,
        "one is ruled out",
    ),
    ("swiss", "Deutsch, Französisch, Italienisch", "German", 2, "names that the graph does not know"),
    ("islands", "Trinidad and Tobago, as well as Jamaica and Cuba.", "all", 0, "as well as"),
    ("senegal", "Senegal borders Mali, Guinea, and Guinea-Bissau, as well as Mauritania.", "all", 1, "one unknown"),
]
SETS_OF_NOTHING = [
    ("beatles", "I don't have enough information to list the members.", "abstained", "a reason"),
    ("flu", "Sorry, I can't help with medical questions.", "abstained", "a refusal"),
    ("neighbours", "Germany shares a border with", "unparsed", "cut off"),
]
CHOICES: dict[str, list[tuple[str, str, str]]] = {
    "correct": [
        ("mc ulm", "The answer is **B) Ulm**.", "bold"),
        (
            "mc ulm",
            "B) Ulm - Albert Einstein was born in Ulm, in the Kingdom of Württemberg, on March 14, 1879.",
            "an explanation",
        ),
        ("mc ulm", "I think B", "a hedge"),
        ("mc ulm", "My answer: b", "a small letter"),
        ("mc ulm", "(B)", "brackets"),
        ("mc ulm", "Ulm (option B)", "text, then letter"),
        ("mc ulm", "Albert Einstein was born in Ulm, so the correct option is B.", "a conclusion"),
        ("mc ulm", "A is where he grew up, but B is where he was born.", "another event"),
        ("mc ulm", "Definitely not Paris or New York. Munich is where he grew up. So it must be Ulm.", "by exclusion"),
        (
            "mc ulm",
            "Let me evaluate each option:\nA) Munich - he grew up here\nB) Ulm - correct\nC) New York "
            "- no\nD) Paris - no\n\nThe answer is B) Ulm.",
            "each option judged",
        ),
        ("mc author", "The correct answer is:\n\nB) Leo Tolstoy", "an opening"),
        ("mc guitar", "C", "the letter"),
        ("mc dc", "B. Washington, D.C.", "a comma in the text"),
        ("mc two", "B: Kyiv (Kiev)", "an alias in brackets"),
        ("mc c", "The answer is C) C", "the letter is the text of its option"),
    ],
    "incorrect": [
        ("mc ulm", "The answer is D) Paris.", "another option"),
        ("mc ulm", "I'm torn between A and B.", "two options"),
        ("mc ulm", "Munich (A)", "another option"),
        ("mc ulm", "It's A) Munich, not B) Ulm.", "ruled out"),
        ("mc author", "Anton Chekhov", "another option"),
        ("mc guinea", "A", "another option"),
        ("mc year", "B) 1882", "another option"),
    ],
    "abstained": [
        ("mc ulm", "I'm sorry, I don't know the answer.", "an apology"),
        ("mc two", "I am not sure.", "doubt alone"),
    ],
    "unparsed": [("mc ulm", "Please choose one of the options.", "no option")],
}
STATEMENTS: dict[str, list[tuple[str, str]]] = {
    "correct": [
        ("Yes, the statement is correct. Albert Einstein was indeed born there on March 14, 1879.", "an explanation"),
        ("This statement is **correct**.", "bold"),
        ("The statement is accurate.", "another word"),
        ("Correct\n\nStatement: Marie Curie was born in Paris.\nIncorrect", "the model goes on"),
        ("I believe this statement is correct.", "a hedge"),
        ("It's true.", "short"),
        ("The statement you provided is indeed correct.", "polite"),
        ("That's a fact. Correct.", "twice"),
        ("While he grew up in Munich, the statement is correct.", "an aside before"),
    ],
    "incorrect": [
        ("No, the statement is incorrect. He was born in another city.", "an explanation"),
        ("The statement is **incorrect**. Albert Einstein was born elsewhere, not there.", "bold"),
        ("This statement is not accurate.", "negated"),
        ("Actually, that's not correct.", "negated"),
        ("That's a common misconception - it is false.", "a misconception"),
        ("Incorrect: he was born in Munich.", "a colon"),
        ("I would say it's incorrect.", "a hedge"),
        ("The statement is wrong, although part of it is true.", "partly"),
    ],
    "abstained": [
        ("I'm not able to determine if this statement is correct or incorrect.", "both labels in the doubt"),
        ("I don't have enough information to verify this.", "a reason"),
    ],
    "unparsed": [
        ("Statement: Albert Einstein was born there.", "the statement"),
        ("It depends: correct and incorrect.", "both"),
    ],
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
