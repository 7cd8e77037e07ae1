"""A graph's names in texts: what is found, where it stands, and what a graph knows of two entities."""

from __future__ import annotations

from hypothesis import assume, given
from hypothesis import strategies as st

from factprobe.checkers.names import EntityLinker
from factprobe.checkers.nesting import Nesting
from factprobe.claims.by_graph.fact_index import GraphFacts, facts_of
from factprobe.reading.names.folded_text import forms, is_ordinary
from factprobe.records import RelationSummary
from factprobe.text import fold_with_offsets
from tests.claims.graphs import BORN, EINSTEIN, FRANCE, GERMANY, PARIS, SWITZERLAND, ULM, named, summary, world
from tests.tables import for_each_row

FACTS = GraphFacts(world())
LINKED = EntityLinker(FACTS, Nesting(FACTS))


def found(text: str, *names: str) -> list[tuple[str, str]]:
    """What is found in a text of some names: the words there and the names, joined where several are meant."""
    facts = GraphFacts(named(*names))
    return [
        (text[one.start : one.end], "/".join(names[int(uri[1:])] for uri in one.uris)) for one in facts.names_in(text)
    ]


@for_each_row(
    ("text", "names", "expected"),
    [
        ("Ulm, ULM and ulm", ["Ulm"], [("Ulm", "Ulm"), ("ULM", "Ulm"), ("ulm", "Ulm")]),
        ("Ulmer, Kulm, Ulm2 and Neu-Ulm", ["Ulm"], []),
        ("Ulm-based Ulm's (Ulm)", ["Ulm"], [("Ulm", "Ulm")] * 3),
        ("Guinea-Bissau", ["Guinea"], []),
        ("Guinea-Bissau", ["Guinea", "Guinea-Bissau"], [("Guinea-Bissau", "Guinea-Bissau")]),
        (
            "New York City Hall",
            ["York", "New York", "New York City", "City Hall"],
            [("New York City", "New York City")],
        ),
        ("New York", ["York", "New York"], [("New York", "New York")]),
        ("New Yorker in York", ["New York", "York"], [("York", "York")]),
        ("Georgia", ["Georgia", "Georgia"], [("Georgia", "Georgia/Georgia")]),
        ("what is in C, not C++ or C#", ["C"], [("C", "C")]),
        ("C++ and c", ["C", "C++"], [("C++", "C++"), ("c", "C")]),
        ("İİ İzmir, izmir", ["İzmir"], [("İzmir", "İzmir"), ("izmir", "İzmir")]),
        ("Izmir", ["İzmir"], [("Izmir", "İzmir")]),
        ("ß: STRASSE, Straße.", ["Straße"], [("STRASSE", "Straße"), ("Straße", "Straße")]),
        ("Gross and Groß", ["gros"], []),
        ("Meyer in \ufb01ji, Fiji", ["Fiji"], [("\ufb01ji", "Fiji"), ("Fiji", "Fiji")]),
        ("½ or 1", ["1"], [("1", "1")]),
        ("Sa\u0303o Paulo!", ["São Paulo"], [("Sa\u0303o Paulo", "São Paulo")]),
        ("Malmo\u0308 x", ["Malmö"], [("Malmo\u0308", "Malmö")]),
        ("Sao  Paulo,\nSao\nPaulo", ["São Paulo"], [("Sao  Paulo", "São Paulo"), ("Sao\nPaulo", "São Paulo")]),
        ("O’Neill", ["O'Neill"], [("O’Neill", "O'Neill")]),
        ("J.R.R. Tolkien", ["J. R. R. Tolkien"], [("J.R.R. Tolkien", "J. R. R. Tolkien")]),
        ("J. R. R. Tolkien", ["J.R.R. Tolkien"], [("J. R. R. Tolkien", "J.R.R. Tolkien")]),
        ("Hobbit, the Hobbit", ["The Hobbit"], [("Hobbit", "The Hobbit"), ("the Hobbit", "The Hobbit")]),
        ("in 東京都に", ["東京"], [("東京", "東京")]),
        ("anything at all", ["", " ", "!", "...", "\u0301"], []),
        ("Wow!!! ...", ["!!!"], []),
    ],
)
def test_names_are_found_as_whole_words(text: str, names: list[str], expected: list[tuple[str, str]]) -> None:
    assert found(text, *names) == expected


@for_each_row(
    ("text", "expected"),
    [
        ("Who are the Who? The Who play.", [("The Who", "The Who")]),
        ("It is what it is.", []),
        ("Their album It and I is good.", [("It", "It")]),
        ("A vitamin, vitamin A.", [("A", "A")]),
    ],
)
def test_ordinary_words_are_names_where_no_word_has_capitals(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text, "The Who", "It", "I", "A") == expected


def test_an_ordinary_word_is_a_name_where_a_name_is_asked_for() -> None:
    assert GraphFacts(named("it")).named("It") == ("N0",)


LETTERS = "abAB Iİıßſﬁ½éé\u0301\u0308-'’.+ \n東"
NAMES = st.lists(st.text(LETTERS, max_size=5), max_size=6)


@given(NAMES, st.text(LETTERS, max_size=40))
def test_what_is_found_is_the_name_in_another_case(names: list[str], text: str) -> None:
    last = 0
    for one in GraphFacts(named(*names)).names_in(text):
        assert last <= one.start < one.end <= len(text)
        last = one.end
        said = fold_with_offsets(text[one.start : one.end])[0]
        assert one.uris
        assert all(said in forms(names[int(uri[1:])]) for uri in one.uris)


@given(st.text(LETTERS, min_size=1, max_size=6), NAMES)
def test_a_name_that_stands_by_itself_is_found(name: str, others: list[str]) -> None:
    assume(any(not is_ordinary(form) for form in forms(name)))
    text = f"vorn, {name}, hinten"
    [one] = [one for one in GraphFacts(named(name, *others)).names_in(text) if "N0" in one.uris]
    assert text[one.start : one.end].strip() in name


@given(st.text(), st.text())
def test_folding_tells_where_each_letter_was(text: str, other: str) -> None:
    plain, places = fold_with_offsets(text)
    assert len(places) == len(plain) + 1
    assert list(places) == sorted(places)
    assert places[-1] == len(text)
    assert fold_with_offsets(plain)[0] == plain
    assert fold_with_offsets(f"{text}x{other}")[0] == f"{plain}x{fold_with_offsets(other)[0]}"


@for_each_row(
    ("text", "expected"),
    [
        ("Ulm", ["Q3012"]),
        ("Q3012", ["Q3012"]),
        ("city of light", ["Q90"]),
        ("the city of Ulm", ["Q3012"]),
        ("Ulm, Germany", ["Q3012"]),
        ("Ulm, in the south", ["Q3012"]),
        ("Ulm and Berlin", []),
        ("Ulm, Berlin", []),
        ("France, Spain", []),
        ("Ulm, Germany and Berlin", []),
        ("the mayor of Ulm's dog", []),
        ("king of Poland", []),
        ("the father of Albert Einstein", []),
        ("bishop of Ulm", []),
        ("author of The Hobbit", []),
        ("Poland president", []),
        ("the physicist Albert Einstein", ["Q937"]),
        ("the kingdom of Spain", ["Q29"]),
        ("Paris", ["Q90", "Q830149"]),
        ("", []),
        ("Atlantis", []),
    ],
)
def test_resolve_a_name_to_entities(text: str, expected: list[str]) -> None:
    assert list(LINKED.resolve(text)) == expected


def test_a_misspelt_name_is_the_nearest_of_some() -> None:
    assert LINKED.closest_names("Salzbourg", ["Q34713", "Q3012"]) == ("Q34713",)
    assert LINKED.closest_names("Salzbourg", ["Q3012"]) == ()
    assert LINKED.closest_names("Poland", ["Q39"]) == ()


def test_what_a_graph_knows_of_two_entities() -> None:
    assert FACTS.holds("P36", FRANCE.uri, PARIS.uri)
    assert not FACTS.holds("P36", PARIS.uri, FRANCE.uri)
    assert not FACTS.holds("P36", "nobody", PARIS.uri)
    assert list(FACTS.between(PARIS.uri, FRANCE.uri)) == ["P17"]
    assert list(FACTS.summaries["P47"].partners(FRANCE.uri, "object")) == ["Q183", "Q29", "Q39"]


def test_who_could_stand_at_an_end_is_told_by_types_too() -> None:
    assert FACTS.fits((EINSTEIN.uri,), "P19", "subject")
    assert not FACTS.fits(("Q90",), "P19", "subject")
    assert not FACTS.fits((EINSTEIN.uri,), "P19", "object")
    assert not FACTS.fits(("Q892",), "P36", "subject")
    assert FACTS.fits(("Q892",), "P19", "subject")  # a human, as those who stand there


def test_an_entity_has_the_names_that_its_relations_have_for_it() -> None:
    other = summary(BORN, [(EINSTEIN, ULM), (GERMANY, SWITZERLAND)])
    one = summary(BORN, [(type(EINSTEIN)("Q937", "Einstein", (), ("physicist",)), ULM)])
    renamed = type(one)(type(BORN)("P20", "[X] died in [Y]."), one.node_summary)
    facts = GraphFacts([other, renamed])
    assert facts.entities["Q937"].names() == ("Albert Einstein", "A. Einstein", "Einstein")
    assert facts.entities["Q937"].types == ("human", "physicist")
    assert facts.named("einstein") == ("Q937",)


def test_relations_of_dates_are_known_by_their_objects() -> None:
    assert FACTS.value_types == {"P569": "date"}


def test_one_graph_is_read_once() -> None:
    reads = []

    def graph() -> list[RelationSummary]:
        reads.append(1)
        return list(world())

    assert facts_of(graph) is facts_of(graph)
    assert reads == [1]


def test_relations_are_called_by_id_and_label() -> None:
    assert FACTS.relations_called("Place of Birth") == FACTS.relations_called("P19") == ["P19"]
