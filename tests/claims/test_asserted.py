"""Whether a sentence asserts of today what its words tell of two names, denies it, or leaves it open."""

from __future__ import annotations

from tests.claims.test_graph import said
from tests.tables import for_each_row

PARIS = ("France", "P36", "Paris")


@for_each_row(
    "text",
    [
        "In the novel, Paris is the capital of Germany.",
        "In the 1990 film, Paris is the capital of Germany.",
        "In her famous story, Albert Einstein was born in Paris.",
        "In this fictional world, Paris is the capital of Germany.",
        "In an alternate history, Paris is the capital of Germany.",
        "In the novel The Hobbit, Paris is the capital of Germany.",
        "In a dream, Albert Einstein was born in Paris.",
        "According to the legend, Albert Einstein was born in Paris.",
        "Paris is the capital of Germany in the novel.",
        "Paris is the capital of Germany in an alternate timeline.",
        "The fictional Albert Einstein was born in Paris.",
    ],
)
def test_fiction_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Albert Einstein was probably born in Paris.",
        "Albert Einstein was reportedly born in Paris.",
        "Albert Einstein was most likely born in Paris.",
        "Albert Einstein was purportedly born in Paris.",
        "Albert Einstein is said to have been born in Paris.",
        "Albert Einstein seems to have been born in Paris.",
        "Apparently, Albert Einstein was born in Paris.",
        "Presumably Albert Einstein was born in Paris.",
        "Albert Einstein was born in Paris, apparently.",
        "According to some, Albert Einstein was born in Paris.",
        "According to a rumour, Albert Einstein was born in Paris.",
        "It is possible that Albert Einstein was born in Paris.",
        "There is a rumor that Albert Einstein was born in Paris.",
        "My neighbour told me that Albert Einstein was born in Paris.",
        "Students wrote that the birthplace of Albert Einstein was Paris.",
        "The statement that Paris is the capital of Germany is common.",
        '"Paris is the capital of Germany" is a common answer.',
        "He wrote: “Paris is the capital of Germany” in his notes.",
        "Few know that Paris is the capital of Germany.",
    ],
)
def test_hedge_or_attribution_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Paris was the capital of Germany.",
        "The capital of Germany was Paris.",
        "Germany's capital was Paris.",
        "Germany had its capital in Paris.",
        "Paris became the capital of Germany.",
        "Ulm was in France.",
        "Ulm was located in France.",
        "France bordered Poland.",
        "French was an official language of Poland.",
        "Paris served as the capital of Germany.",
    ],
)
def test_past_tense_of_a_temporary_state_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("The fact that Paris is the capital of France is known.", ("France", "P36", "Paris")),
        ("It is well known that Paris is the capital of France.", ("France", "P36", "Paris")),
        ("Note that Paris is the capital of France.", ("France", "P36", "Paris")),
        ("I think that Paris is the capital of France.", ("France", "P36", "Paris")),
        ('"Paris is the capital of France."', ("France", "P36", "Paris")),
        ('The book "The Hobbit" was written by "J. R. R. Tolkien".', ("The Hobbit", "P50", "J. R. R. Tolkien")),
        ("In the book The Hobbit, written by J. R. R. Tolkien, it rains.", ("The Hobbit", "P50", "J. R. R. Tolkien")),
        ("In the north of Europe, Paris is the capital of France.", ("France", "P36", "Paris")),
        ("The birthplace of Albert Einstein was Ulm.", ("Albert Einstein", "P19", "Ulm")),
        ("The Hobbit's author was J. R. R. Tolkien.", ("The Hobbit", "P50", "J. R. R. Tolkien")),
    ],
)
def test_factive_phrases_and_past_events_make_a_claim(text: str, expected: tuple[str, str, str]) -> None:
    assert said(text) == [expected]


@for_each_row(
    "text",
    [
        "German is the only official language of Switzerland.",
        "German is the sole official language of Switzerland.",
        "German is solely the official language of Switzerland.",
        "The only official language of Switzerland is German.",
        "Only German is an official language of Switzerland.",
        "Switzerland has one official language, German.",
    ],
)
def test_exclusive_statement_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Paris, not being small, is the capital of France.", PARIS),
        ("Paris (not a large town) is the capital of France.", PARIS),
        ("Paris, which isn't on the coast, is the capital of France.", PARIS),
        ("Paris, though never very quiet, is the capital of France.", PARIS),
        ("Paris is not a small town but the capital of France.", PARIS),
        ("Paris isn't small and is the capital of France.", PARIS),
        ("Switzerland, not a member, borders France.", ("Switzerland", "P47", "France")),
        ("Switzerland does not have a coast but borders France.", ("Switzerland", "P47", "France")),
        ("Albert Einstein, who was not rich, was born in Ulm.", ("Albert Einstein", "P19", "Ulm")),
        ("The Hobbit, never a long book, was written by J. R. R. Tolkien.", ("The Hobbit", "P50", "J. R. R. Tolkien")),
        ("Paris is not the capital of Germany.", ("Germany", "not P36", "Paris")),
        ("Paris, which is not the capital of Germany, is big.", ("Germany", "not P36", "Paris")),
        ("Paris is a city that is not the capital of Germany.", ("Germany", "not P36", "Paris")),
        ("Paris, which isn't small, is not the capital of Germany.", ("Germany", "not P36", "Paris")),
        ("The capital of Germany is not Paris.", ("Germany", "not P36", "Paris")),
        ("Germany's capital isn't Paris.", ("Germany", "not P36", "Paris")),
        ("Albert Einstein was never really born in Paris.", None),
        ("Paris, I do not think, is the capital of Germany.", None),
        ("Paris, mistakenly thought small, is the capital of Germany.", None),
        ("Paris is anything but the capital of Germany.", ("Germany", "not P36", "Paris")),
        ("Paris does not rest and remain the capital of Germany.", None),
        ("Albert Einstein (not the physicist) was born in Paris.", None),
    ],
)
def test_negation_counts_only_with_the_relation_in_its_scope(text: str, expected: tuple[str, str, str] | None) -> None:
    assert said(text) == ([expected] if expected else [])


@for_each_row(
    "text",
    [
        "Paris isn't just the capital of France.",
        "Paris wasn't merely the capital of France.",
        "Paris isn’t simply the capital of France.",
        "Switzerland doesn't only border France.",
        "The Hobbit wasn't just written by J. R. R. Tolkien.",
    ],
)
def test_contracted_not_only_is_no_negation(text: str) -> None:
    assert said(text) == [], "neither so nor denied"


@for_each_row(
    "end",
    [
        ", some wrongly believe",
        ", according to a 1999 hoax",
        ", according to an old legend",
        ", according to some",
        ", or at least that is the rumour",
        ", or so the story goes",
        ", or so the brochure says",
        ", or so I was told",
        ", the guide claimed wrongly",
        ", says the pamphlet",
        ", many tourists assume",
        ", as the myth goes",
        ", as legend has it",
        " (a common mistake)",
        ", a popular misconception",
        ", but that is false",
        ", wrongly",
        ", at least in his mind",
    ],
)
def test_trailing_hearsay_or_rejection_makes_no_claim(end: str) -> None:
    assert said(f"Paris is the capital of Germany{end}.") == []


@for_each_row(
    "end",
    [
        ", as everyone knows",
        ", I think",
        ", and people say it is beautiful",
        ", and said so in 1990",
        ", which many believe to be lovely",
        ", a country of legends",
        ", home of a famous hoax",
    ],
)
def test_trailing_comment_keeps_the_claim(end: str) -> None:
    assert said(f"Paris is the capital of Germany{end}.") == [("Germany", "P36", "Paris")]


@for_each_row(
    "text",
    [
        "A man named Albert Einstein was born in Paris.",
        "An unknown clerk called Albert Einstein was born in Paris.",
        "Someone named Albert Einstein was born in Paris.",
        "Another Albert Einstein was born in Paris.",
        "A different Albert Einstein was born in Paris.",
        "The other Albert Einstein was born in Paris.",
        "A second Albert Einstein was born in Paris.",
        "A certain Albert Einstein was born in Paris.",
        "Albert Einstein was born in another Paris.",
    ],
)
def test_introduced_namesake_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Paris, the capital of Germany from 1038 to 1596, is beautiful.",
        "Paris, the capital of Germany between 1901 and 1927, is large.",
        "Paris, the capital of Germany (1901–1927), is large.",
        "Paris, the capital of Germany, 1901–1927, is large.",
        "Paris, the capital of Germany for centuries, is large.",
        "Paris, the capital of Germany under the Ptolemies, is large.",
        "Paris, until 1923 the capital of Germany, is large.",
        "Paris, then the capital of Germany, is large.",
        "Paris, the first capital of Germany, is large.",
        "The original capital of Germany is Paris.",
        "Paris has been the capital of Germany from 1901 until 1927.",
        "Germany had its capital in Paris.",
    ],
)
def test_state_with_a_finished_period_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Paris, the capital of France since 987, is large.",
        "Paris, the capital of France from 508 to the present, is large.",
        "Paris, the capital of France in the north, is large.",
        "Paris is the capital of France for all years to come.",
        "Paris is an old city and the capital of France.",
    ],
)
def test_lasting_state_makes_a_claim(text: str) -> None:
    assert said(text) == [("France", "P36", "Paris")]


@for_each_row(
    "text",
    [
        "~~Paris is the capital of Germany.~~",
        "~~Paris is the capital of Germany.~~ Berlin is large.",
        "❌ Paris is the capital of Germany.",
        "Paris is the capital of Germany ❌",
        "Paris is the capital of Germany. (False)",
        "Paris is the capital of Germany – false.",
        "Paris is the capital of Germany in the novel by Marie Curie.",
        "Paris is the capital of Germany in all but name.",
    ],
)
def test_struck_out_statement_makes_no_claim(text: str) -> None:
    assert said(text) == []
