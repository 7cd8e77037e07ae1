"""What a text says by the place of a name: a larger place beside it, one put first, one before a participle."""

from __future__ import annotations

from factprobe.claims.facts import GraphFacts
from factprobe.claims.graph import ClaimReader
from tests.claims.graphs import world
from tests.claims.test_graph import said
from tests.tables import for_each_row

BORN, IN_GERMANY = ("Albert Einstein", "P19", "Ulm"), ("Ulm", "P17", "Germany")


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm, France.", [BORN, ("Ulm", "P17", "France")]),
        ("Albert Einstein was born in Ulm, Germany in 1879.", [BORN, IN_GERMANY]),
        ("Albert Einstein was born in Ulm (Germany).", [BORN, IN_GERMANY]),
        ("Ulm, Germany, is where Albert Einstein was born.", [BORN, IN_GERMANY]),
        ("Berlin, Germany, is old.", [("Berlin", "P17", "Germany")]),
    ],
)
def test_containing_place_after_a_place_makes_a_claim(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    "text",
    [
        "He saw Ulm, France and Spain.",
        "In Ulm, France won.",
        "He saw Paris, Ulm, Germany.",
        "Ulm, Berlin and Paris are towns.",
        "Albert Einstein was born in Little Rowdy, Germany.",
        "Albert Einstein, Germany.",
    ],
)
def test_list_of_places_makes_no_containment_claim(text: str) -> None:
    assert said(text) == []


def test_the_spans_of_a_place_and_the_larger_one_are_their_own() -> None:
    text = "Albert Einstein was born in Ulm, Germany."
    spans = [one.spans for one in ClaimReader(GraphFacts(world())).claims(text)]
    assert [[text[slice(*span)] for span in found] for found in spans] == [
        ["Albert Einstein", "was born in", "Ulm"],
        ["Ulm", ", ", "Germany"],
    ]


@for_each_row("place", ["Ulm", "Paris"])
@for_each_row(
    "text",
    [
        "It was in {} that Albert Einstein was born.",
        "It was {} where Albert Einstein was born.",
        "{}-born Albert Einstein was kind.",
        "The {}-born physicist Albert Einstein was kind.",
        "Albert Einstein, the {}-born physicist, was kind.",
        "Albert Einstein was kind. His birthplace is {}.",
    ],
)
def test_fronted_place_attaches_to_the_verb(text: str, place: str) -> None:
    assert said(text.format(place)) == [("Albert Einstein", "P19", place)]


@for_each_row(
    "text",
    [
        "It was not in Paris that Albert Einstein was born.",
        "If you believe the guide, Albert Einstein was born in Paris.",
        "If the guide is to be believed, Albert Einstein was born in Paris.",
        "It was reportedly in Paris that Albert Einstein was born.",
        "The Paris-born wife of Albert Einstein was kind.",
        "Paris-born Albert Einstein's wife was kind.",
        "Paris-born critics praised Albert Einstein.",
        "The allegedly Paris-born Albert Einstein was kind.",
        "Albert Einstein, the allegedly Paris-born physicist, was kind.",
        "Albert Einstein was kind. His mother's birthplace is Paris.",
        "Albert Einstein was kind. Its capital is Paris.",
        "Germany and France are states. Its capital is Paris.",
    ],
)
def test_fronted_place_with_negation_or_hearsay_makes_no_claim(text: str) -> None:
    assert said(text) == []


def test_what_a_thing_has_is_told_of_the_thing_before() -> None:
    assert said("France is a state. Its capital is Berlin.") == [("France", "P36", "Berlin")]


@for_each_row("capital", ["PARIS", "BERLIN"])
def test_uppercase_sentence_makes_a_claim(capital: str) -> None:
    assert said(f"THE CAPITAL OF FRANCE IS {capital}.") == [("FRANCE", "P36", capital)]


def test_a_denial_by_an_apostrophe_is_one_of_the_wrong_and_of_the_right() -> None:
    for place in ("Ulm", "Paris"):
        assert said(f"Albert Einstein wasn't born in {place}.") == [("Albert Einstein", "not P19", place)]


@for_each_row("capital", ["Paris", "Warsaw"])
def test_apposition_after_a_preposition_makes_a_claim(capital: str) -> None:
    assert said(f"He went to {capital}, the capital of France, in May.") == [("France", "P36", capital)]
    assert said(f"He lived in {capital}, the capital of France.") == [("France", "P36", capital)]


@for_each_row("source", ["the museum", "his biographer", "Britannica"])
def test_statement_with_a_named_source_makes_a_claim(source: str) -> None:
    assert said(f"Albert Einstein was born in Paris, according to {source}.") == [("Albert Einstein", "P19", "Paris")]
    assert said(f"According to {source}, Albert Einstein was born in Paris.") == [("Albert Einstein", "P19", "Paris")]


@for_each_row(
    "text",
    [
        "A namesake of his, Albert Einstein the baker, was born in Paris.",
        "My uncle, also named Albert Einstein, was born in Paris.",
        "Albert Einstein, a namesake of the physicist, was born in Paris.",
        "Another man called Albert Einstein was born in Paris.",
    ],
)
def test_namesake_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Berlin, France, is old.",
        "Berlin, Kansas, lies in the USA.",
        "Berlin, Kansas lies in the USA.",
        "Berlin (Kansas) lies in the country of the USA.",
        "Berlin, New Little Rowdy, lies in the country of France.",
        "Berlin, France, is not in Germany.",
        "Ulm, Spain, lies in the country of Spain.",
        "Berlin, Kansas, is not the capital of Germany.",
        "Berlin, Poland, is not the capital of Germany.",
    ],
)
def test_namesake_place_makes_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Ulm is the capital of Swabia, Germany.",
        "Ulm is the capital of Swabia-Alb, a region of Germany.",
        "Ulm is the capital of the Rowdy region, Germany.",
        "The capital of Swabia, Germany, is Ulm.",
        "Ulm is not the capital of Swabia, Germany.",
    ],
)
def test_region_of_an_unlinked_place_is_no_argument(text: str) -> None:
    assert said(text) == []


def test_what_is_told_behind_an_apposition_is_not_told_by_its_noun() -> None:
    assert said("Warsaw, the capital of Poland, is not in Germany.") == [("Poland", "P36", "Warsaw")]


def test_names_of_a_list_are_no_namesakes() -> None:
    assert said("France has a land border with Germany, Rowdy, and Spain.")[0] == ("France", "P47", "Germany")
