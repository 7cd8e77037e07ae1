"""Claims from texts, from the first stage to the last, on a small graph."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader, GraphClaims, GraphClaimSettings
from factprobe.kgs import kgs
from factprobe.kgs.summaries import summarise_relation
from factprobe.records import Claim, Entity, Item, Relation
from tests.claims.graphs import summary, world
from tests.growth import grows_linearly
from tests.tables import for_each_row

READER = ClaimReader(GraphFacts(world()))
BUNDLED = Path(factprobe.__file__).parents[1] / "kgs/trex"


def claims(text: str) -> list[Claim]:
    return list(READER.claims(text))


def said(text: str) -> list[tuple[str, str, str]]:
    """Return the claims of a text: head and tail, the relation's id, with `not` where it is denied."""
    return [(claim.parts[0], _relation(claim), claim.parts[2]) for claim in claims(text)]


def _relation(claim: Claim) -> str:
    return f"not {claim.uris[1]}" if claim.parts[1].startswith("not ") else claim.uris[1]


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("Albert Einstein was born in Paris.", [("Albert Einstein", "P19", "Paris")]),
        ("Albert Einstein, a physicist, was born in the old city of Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("The birthplace of Albert Einstein was Ulm.", [("Albert Einstein", "P19", "Ulm")]),
        ("Albert Einstein (born in Ulm) was a physicist.", [("Albert Einstein", "P19", "Ulm")]),
        ("Paris, the capital of Germany, is old.", [("Germany", "P36", "Paris")]),
        ("France has its capital in Berlin.", [("France", "P36", "Berlin")]),
        ("J. R. R. Tolkien wrote The Hobbit.", [("The Hobbit", "P50", "J. R. R. Tolkien")]),
        ("The Hobbit was written by J. R. R. Tolkien.", [("The Hobbit", "P50", "J. R. R. Tolkien")]),
    ],
)
def test_words_of_a_relation_make_a_claim(text: str, expected: list[tuple[str, str, str]]) -> None:
    assert said(text) == expected


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born on 14 March 1879 in Ulm.", {"P569": "14 March 1879", "P19": "Ulm"}),
        ("Albert Einstein (born 14 March 1879, Ulm) was a physicist.", {"P569": "14 March 1879", "P19": "Ulm"}),
        ("Albert Einstein (1879 - 1955) was a physicist.", {"P569": "1879"}),
        ("Albert Einstein was a physicist. He was born in 1879 in Ulm, Germany.", {"P569": "1879", "P19": "Ulm"}),
        ("Einstein was born in Ulm in 1879.", {"P569": "1879", "P19": "Ulm"}),
        ("Born in Ulm, Albert Einstein studied in Zurich.", {"P19": "Ulm"}),
    ],
)
def test_adjuncts_and_references_are_resolved(text: str, expected: dict[str, str]) -> None:
    assert {claim.uris[1]: claim.parts[2] for claim in claims(text)} == expected
    assert {claim.uris[0] for claim in claims(text)} == {"Q937"}


@for_each_row(
    ("text", "expected"),
    [
        ("France borders Spain, Germany and Poland.", ["Spain", "Germany", "Poland"]),
        ("The official languages of Switzerland are German and French.", ["German", "French"]),
        ("Albert Einstein was born in Ulm, Germany.", ["Ulm"]),
    ],
)
def test_objects_of_a_list_are_claims_each(text: str, expected: list[str]) -> None:
    assert [tail for _, _, tail in said(text)] == expected


@for_each_row(
    "text",
    [
        "",
        "Albert Einstein loved Ulm.",
        "Albert Einstein was born near Ulm.",
        "Was Albert Einstein born in Ulm?",
        "Albert Einstein may have been born in Ulm.",
        "Albert Einstein was allegedly born in Ulm.",
        "Supposedly, Albert Einstein was born in Ulm.",
        "Marie Curie knew Albert Einstein's brother, born in Ulm.",
        "It is false that Paris is the capital of France.",
        "Paris will be the capital of Germany.",
        "Paris is bigger than the capital of Germany.",
        "Paris is the capital of France's rival.",
        "Many people believe that Albert Einstein was born in Ulm.",
        "Paris was the capital of France.",
        "Paris is the former capital of France.",
        "Hermann Einstein was born in Ulm.",
        "Paris Hilton was born in Warsaw.",
        "Albert Einstein was born two years later.",
        f"In the film, {'a long tale of a clever boy from a small town, ' * 6}Albert Einstein was born in Ulm.",
        "Albert Einstein was born between 1870 and 1880.",
        "Albert Einstein was born and moved to Munich in 1880.",
    ],
)
def test_what_a_text_does_not_assert_is_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("The capital of France is Paris, and the capital of Germany is Berlin.", ["France Paris", "Germany Berlin"]),
        ("The capital of Spain is Madrid; the capital of Germany is Paris.", ["Spain Madrid", "Germany Paris"]),
        ("Albert Einstein was born in Ulm and Marie Curie in Warsaw.", ["Albert Einstein Ulm"]),
        (
            "The official language of Switzerland is German, and the official language of the USA is English.",
            ["Switzerland German", "USA English"],
        ),
        (
            "Albert Einstein, born in Ulm, and Marie Curie, born in Warsaw.",
            ["Albert Einstein Ulm", "Marie Curie Warsaw"],
        ),
    ],
)
def test_facts_of_one_relation_stay_apart(text: str, expected: list[str]) -> None:
    found = [f"{head} {tail}" for head, _, tail in said(text)]
    assert [one for one in found if one in expected] == expected
    others = {"Germany Paris", "Albert Einstein Marie Curie", "USA German", "Switzerland English"}
    assert not others.intersection(found).difference(expected)


def test_a_whole_wording_with_an_object_that_does_not_fit_leaves_no_other_one() -> None:
    text = "The capital of France is Paris, and the capital of Germany is Madrid or Ulm."
    assert ("Germany", "P36", "Paris") not in said(text)
    assert ("Germany", "P36", "Paris") not in said("The capital of France is Paris, and the capital of Germany is Ulm.")


@for_each_row(
    "text",
    [
        "Mozart heard that Gluck was born in Paris.",
        "Albert Einstein met Yoko Ono, who was born in Paris.",
        "Albert Einstein's biographer was born in Paris.",
        "The biographer of Albert Einstein was born in Paris.",
        "Albert Einstein taught a man who was born in Paris.",
        "Albert Einstein lived with a man who was born in Paris.",
        "Albert Einstein lived with a printer born in Ulm.",
        "Albert Einstein met Yoko Ono, who lived in Bonn and was born in Paris.",
        "Albert Einstein's friend moved to Bonn and was born in Paris.",
        "The Hobbit was written by a friend of Marie Curie.",
        "The capital of the neighbour of Spain is Paris.",
        "The capital of Spain's neighbour is Paris.",
        "Had Albert Einstein been born in Paris, he would have left.",
        "Albert Einstein died in Ulm.",
        "Marie Curie did not die in Warsaw.",
    ],
)
def test_what_is_said_of_another_noun_or_name_is_no_claim(text: str) -> None:
    assert said(text) == []


@for_each_row(
    ("text", "expected"),
    [
        ("Paris is the capital\nof France, and Albert Einstein was born in\nUlm.", ["France", "Albert Einstein"]),
        ("Madrid is the capital of Spain,\nParis is the capital of France.", ["Spain", "France"]),
        ("The capital\nFrance\nParis", []),
    ],
)
def test_a_sentence_may_go_on_in_the_next_line(text: str, expected: list[str]) -> None:
    assert [head for head, _, _ in said(text)] == expected


def test_it_refers_to_the_thing_named_first() -> None:
    assert said("France lies west of Berlin. Its capital is Paris.") == [("France", "P36", "Paris")]


@for_each_row("text", ["France is the capital of Paris.", "Germany is the capital city of Warsaw."])
def test_a_preposition_tells_the_direction(text: str) -> None:
    assert said(text) == []


def test_the_example_of_the_stages_is_right() -> None:
    text = "Albert Einstein was a physicist. He was born in Ulm, Germany."
    [sentence] = READER.sentences(text)
    assert " ".join(sentence.keys) == "@ is born in @ , @"
    scores = {pair.cue.keys: round(pair.score, 2) for pair in READER.candidates(sentence) if pair.first == 1}
    assert scores == {("is", "born", "in"): 0.91}
    [claim] = claims(text)
    assert (claim.parts, round(claim.score or 0, 2)) == (("Albert Einstein", "place of birth", "Ulm"), 0.91)


def test_surname_of_a_person_who_is_only_an_object_is_known() -> None:
    books = [
        (Entity("B1", "Emma"), Entity("A1", "Jane Austen")),
        (Entity("B2", "Hard Times"), Entity("A2", "Paul Ash")),
    ]
    reader = ClaimReader(GraphFacts([summary(Relation("P50", "[X] was written by [Y].", "author"), books)]))
    assert [claim.parts for claim in reader.claims("Austen wrote Emma.")] == [("Emma", "author", "Jane Austen")]


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm; Marie Curie was born in Warsaw.", ["Ulm", "Warsaw"]),
        ("Albert Einstein was born in Ulm, while Marie Curie was born in Warsaw.", ["Ulm", "Warsaw"]),
        ("Albert Einstein was born in Ulm; Marie Curie was then a child.", ["Ulm"]),
        ("Berlin (capital of Germany), Paris (capital of France)", ["Berlin", "Paris"]),
        ("Germany (capital: Berlin), France (capital: Paris)", ["Berlin", "Paris"]),
        ("Paris, capital of France; Berlin, capital of Germany.", ["Paris", "Berlin"]),
        ("Unlike Marie Curie, who was born in Warsaw, Albert Einstein lived in Ulm.", []),
        ("Marie Curie's father, Hermann Meier, was born in Ulm.", []),
        ("The teacher of Marie Curie, Hermann Meier, was born in Ulm in 1850.", []),
        ("Marie Curie outlived Albert Einstein and was born in Warsaw.", []),
        ("Letter to Albert Einstein (1879)", []),
    ],
)
def test_facts_are_not_those_of_the_next_name(text: str, expected: list[str]) -> None:
    of = {"Ulm": "Albert Einstein", "Warsaw": "Marie Curie", "Berlin": "Germany", "Paris": "France"}
    assert [(head, tail) for head, _, tail in said(text)] == [(of[tail], tail) for tail in expected]


def test_a_denial_is_a_claim_of_its_own() -> None:
    assert said("Albert Einstein was not born in Ulm.") == [("Albert Einstein", "not P19", "Ulm")]
    assert said("Germany has no border with Poland.") == [("Germany", "not P47", "Poland")]
    assert said("Germany, which has no king, borders Poland.") == [("Germany", "P47", "Poland")]
    assert said("No book like The Hobbit was written by Marie Curie.") == []


@for_each_row(
    "text",
    [
        "Paris is the capital of France but Madrid is not the capital of Germany.",
        "Paris is the capital of France while Madrid has never been the capital of Germany.",
        "Paris is the capital of France and Warsaw is not large.",
    ],
)
def test_a_denial_does_not_reach_back_into_the_clause_before(text: str) -> None:
    assert ("France", "P36", "Paris") in said(text)
    assert ("Germany", "P36", "Madrid") not in said(text)


@for_each_row(
    "text",
    [
        "Albert Einstein was born in Berlin and died in Ulm.",
        "Albert Einstein was born in Berlin, and he died in Ulm.",
        "Albert Einstein was born in Berlin, grew up in Ulm.",
        "Albert Einstein, born in Berlin, died in Ulm.",
        "Mozart was born in Salzburg, grew up in Paris and studied in Ulm.",
    ],
)
def test_the_place_of_a_later_verb_is_not_that_of_the_cue(text: str) -> None:
    assert "Ulm" not in [tail for _, _, tail in said(text)]


def test_a_claim_has_the_score_that_the_threshold_cuts_off() -> None:
    text = "Albert Einstein, a physicist, was born, people know, in the old city of Ulm."
    [claim] = READER.claims(text, 0.0)
    assert claim.score is not None
    assert 0 < claim.score < 1
    assert list(READER.claims(text, claim.score - 0.001)) == [claim]
    assert list(READER.claims(text, claim.score + 0.001)) == []


@given(
    st.text()
    | st.lists(st.sampled_from(["Ulm", "Albert Einstein", "was born in", ",", "and", "1879", "(", ")", "He"])).map(
        " ".join
    )
)
def test_spans_and_entities_are_those_of_text_and_graph(text: str) -> None:
    for claim in READER.claims(text, 0.0):
        assert all(0 <= start <= end <= len(text) for start, end in claim.spans)
        assert claim.uris[1] in READER.facts.relations
        assert all(uri in READER.facts.entities for uri in claim.uris[::2] if uri)


def test_nearly_every_fact_of_the_bundled_graph_is_found_in_its_sentence() -> None:
    kg = kgs.get("trex")(BUNDLED, "trex")
    summaries = [summarise_relation(kg, relation) for relation in kg.load_relations()]
    reader = ClaimReader(GraphFacts(summaries))
    found = []
    for one in summaries:
        template = one.relation_info.template
        for subject, object_ in one.facts():
            labels = [reader.facts.label(subject), reader.facts.label(object_)]
            text = template.replace("[X]", labels[0]).replace("[Y]", labels[1])
            found.append([[*claim.parts[::2]] for claim in reader.claims(text)] == [labels])
    assert len(found) == 560
    assert sum(found) >= 550


def test_the_extractor_goes_text_by_text() -> None:
    extractor = GraphClaims(GraphClaimSettings(name="graph"))
    extractor.graph = world
    items = [Item("1", "Albert Einstein was born in Ulm."), Item("2", ""), Item("3", "Ulm is in Germany.")]
    found = list(extractor.extract(items))
    assert [one.item for one in found] == items
    assert [len(one.claims) for one in found] == [1, 0, 1]


@pytest.mark.slow
@for_each_row("piece", ["Ulm, ", "nothing ", "France borders Spain, ", "Albert Einstein was born in Ulm and ", "İ"])
def test_the_time_grows_with_the_text_alone(piece: str) -> None:
    assert grows_linearly(lambda times: claims(piece * times), 25)


@for_each_row(
    ("text", "expected"),
    [
        ("Berlin and Paris are the capitals of Germany and France.", ["Germany Berlin", "France Paris"]),
        ("The capitals of Spain and Poland are Madrid and Warsaw.", ["Spain Madrid", "Poland Warsaw"]),
        (
            "Paris, Berlin and Madrid are the capitals of Poland, France and Spain.",
            ["Poland Paris", "France Berlin", "Spain Madrid"],
        ),
        ("Albert Einstein and Marie Curie were born in Ulm and Warsaw.", ["Albert Einstein Ulm", "Marie Curie Warsaw"]),
        (
            "France and Germany border Spain and Poland.",
            ["France Spain", "France Poland", "Germany Spain", "Germany Poland"],
        ),
    ],
)
def test_two_lists_are_paired_in_order_if_an_end_is_unique(text: str, expected: list[str]) -> None:
    assert {f"{head} {tail}" for head, _, tail in said(text)} == {*expected}


@for_each_row(
    ("text", "expected"),
    [
        ("France borders Spain and Germany borders Poland.", ["France Spain", "Germany Poland"]),
        ("Paris is France's capital and Berlin is the German capital.", ["France Paris"]),
        ("Madrid is Spain's capital and Berlin is Germany's capital.", ["Spain Madrid", "Germany Berlin"]),
        ("Albert Einstein admired Mozart, and he was born in Ulm.", ["Albert Einstein Ulm"]),
        ("Madrid is the capital of Spain, and it borders France.", ["Spain Madrid", "Spain France"]),
        ("France's official language is French, and its capital is Paris.", ["France French", "France Paris"]),
    ],
)
def test_words_of_one_clause_join_no_name_of_the_next(text: str, expected: list[str]) -> None:
    assert [f"{head} {tail}" for head, _, tail in said(text)] == expected


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein, whose wife was born in Warsaw, lived in Ulm.", []),
        ("Einstein, whose friend was born in Paris, left.", []),
        ("France's neighbour is based near the capital of Poland.", []),
        ("The Hobbit, whose author is J. R. R. Tolkien, is old.", ["The Hobbit J. R. R. Tolkien"]),
        ("France, whose capital is Berlin, is old.", ["France Berlin"]),
        ("He saw Spain and France, whose capital is Paris.", ["France Paris"]),
        ("She saw Spain and France's capital is Paris.", ["France Paris"]),
    ],
)
def test_whose_makes_an_owner(text: str, expected: list[str]) -> None:
    assert [f"{head} {tail}" for head, _, tail in said(text)] == expected


def test_a_surname_alone_is_claimed_of_its_only_bearer() -> None:
    for text in ("Einstein was", "Einstein lived. He was", "Einstein lived. Einstein was"):
        [claim] = claims(f"{text} born in Warsaw.")
        assert claim.parts == ("Albert Einstein", "place of birth", "Warsaw")


@for_each_row(
    ("template", "text", "value"),
    [
        ("The [X] is [Y] km long.", "The Danube is 2850 km long.", "2850 km"),
        ("The [X] is [Y] km long.", "The Danube is 2,850 kilometres long.", "2,850 kilometres"),
        ("The [X] is [Y] km long.", "The Danube is 2850 m long.", "2850 m"),
        ("The [X] is [Y] kilometres in length.", "The Danube is 2850 km in length.", "2850 km"),
        ("[X] costs $[Y].", "Danube costs $3530.", "$3530"),
        ("[X] has [Y] million inhabitants.", "Danube has 2.85 million inhabitants.", "2.85 million inhabitants"),
        ("The [X] is [Y] long.", "The Danube is 2850 long.", "2850"),
    ],
)
def test_unit_in_the_template_belongs_to_the_value(template: str, text: str, value: str) -> None:
    length = Relation("size", template, type="N-1")
    graph = [
        summary(length, [(Entity("D", "Danube"), Entity("V1", "2850")), (Entity("V", "Volga"), Entity("V2", "3530"))])
    ]
    [claim] = ClaimReader(GraphFacts(graph)).claims(text)
    assert claim.parts == ("Danube", "size", value)


def test_object_before_a_word_that_may_be_a_unit_is_an_entity() -> None:
    """A degree is no unit if the objects are no numbers."""
    degree = Relation("degree", "[X] has a [Y] degree.", type="N-M")
    graph = [
        summary(
            degree, [(Entity("A", "Ann Lee"), Entity("B", "Bachelor")), (Entity("C", "Cid Roe"), Entity("M", "Master"))]
        )
    ]
    reader = ClaimReader(GraphFacts(graph))
    assert [claim.uris for claim in reader.claims("Ann Lee has a Master degree.")] == [("A", "degree", "M")]
    assert [*reader.claims("Ann Lee has a Master.")] == []


def test_a_passive_in_the_past_is_no_former_state_if_the_template_has_it() -> None:
    books = {"Emma": "Jane Austen", "Hamlet": "William Shakespeare", "Ulysses": "James Joyce"}
    graph = factprobe.load_kg(
        [(book, "author", author) for book, author in books.items()], templates={"author": "[X] was written by [Y]."}
    )
    texts = ["Emma was written by Jane Austen.", "Emma was written by James Joyce."]
    assert [record["ys"] for record in factprobe.check(texts, kg=graph).records] == [["Entailment"], ["Contradiction"]]
