"""What a graph says of claims: by its facts, by how many a relation allows, and by what it is declared to know."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import factprobe
from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.config import convert
from factprobe.errors import FactprobeError, UnknownNameError
from factprobe.records import Claim, ClaimedText, ClaimVerdict, Entity, Item, Relation
from tests.claims.graphs import summary, world
from tests.tables import for_each_row


def check(*parts: str, uris: tuple[str, ...] = (), **settings: Any) -> ClaimVerdict:
    checker = GraphChecker(GraphCheckerSettings(name="graph", **settings))
    checker.graph = world
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(parts, uris=uris),))])
    return verdict


def facts(verdict: ClaimVerdict) -> list[tuple[str, str, str]]:
    return [fact.uris for fact in verdict.facts]


BORN_IN_ULM = ("Q937", "P19", "Q3012")


@for_each_row(
    ("claim", "label", "rests_on"),
    [
        (("Albert Einstein", "was born in", "Ulm"), "Entailment", [BORN_IN_ULM]),
        (("albert einstein", "place of birth", "ULM"), "Entailment", [BORN_IN_ULM]),
        (("A. Einstein", "birthplace", "the city of Ulm"), "Entailment", [BORN_IN_ULM]),
        (("Q937", "P19", "Q3012"), "Entailment", [BORN_IN_ULM]),
        (("Ulm", "is the birthplace of", "Albert Einstein"), "Entailment", [BORN_IN_ULM]),
        (("Albert Einstein", "was born in", "Paris"), "Contradiction", [BORN_IN_ULM]),
        (("Albert Einstein", "was born in", "Germany"), "Neutral", [BORN_IN_ULM]),
        (("Albert Einstein", "date of birth", "Ulm"), "Neutral", [("Q937", "P569", "V1")]),
        (("Albert Einstein", "was born in", "Atlantis"), "Neutral", []),
        (("Nobody", "was born in", "Ulm"), "Neutral", []),
        (("Nobody", "was born in", "Atlantis"), "Neutral", []),
        (("Albert Einstein", "adored", "Ulm"), "Neutral", []),
        (("", "", ""), "Neutral", []),
        (("Wolfgang Amadeus Mozart", "was born in", "Salzbourg"), "Entailment", [("Q254", "P19", "Q34713")]),
        (("Wolfgang Amadeus Mozzart", "was born in", "Salzburg"), "Entailment", [("Q254", "P19", "Q34713")]),
        (("France", "has capital", "Paris"), "Entailment", [("Q142", "P36", "Q90")]),
        (("Paris", "is the capital of", "France"), "Entailment", [("Q142", "P36", "Q90")]),
        (("Berlin", "capital city of", "France"), "Contradiction", [("Q142", "P36", "Q90")]),
        (("Switzerland", "capital", "Paris"), "Neutral", []),
        (("Paris", "is the capital of", "Switzerland"), "Neutral", []),
        (("France", "shares border with", "Switzerland"), "Entailment", [("Q39", "P47", "Q142")]),
        (("The Silmarillion", "was written by", "J.R.R. Tolkien"), "Entailment", [("Q79762", "P50", "Q892")]),
        (("J. R. R. Tolkien", "wrote", "The Hobbit"), "Entailment", [("Q74287", "P50", "Q892")]),
    ],
)
def test_the_graph_entails_contradicts_or_does_not_know(
    claim: tuple[str, ...], label: str, rests_on: list[tuple[str, str, str]]
) -> None:
    verdict = check(*claim)
    assert verdict.label == label
    assert facts(verdict) == rests_on


@for_each_row(
    ("claim", "label"),
    [
        (("Paris", "country", "France"), "Entailment"),
        (("Paris", "country", "United States"), "Entailment"),
        (("Paris", "country", "Germany"), "Contradiction"),
        (("Georgia", "capital", "Tbilisi"), "Entailment"),
        (("Georgia", "capital", "Atlanta"), "Entailment"),
        (("Georgia", "capital", "Paris"), "Contradiction"),
    ],
)
def test_ambiguous_name_is_entailed_by_any_and_contradicted_by_all(claim: tuple[str, ...], label: str) -> None:
    assert check(*claim).label == label


@for_each_row(
    ("claim", "label", "rests_on"),
    [
        (("Paris", "capital of", "France"), "Entailment", ["P36"]),
        (("Paris", "is the capital of", "France"), "Entailment", ["P36"]),
        (("Paris", "capital of", "Italy"), "Contradiction", ["P36"]),
        (("London", "capital of", "England"), "Neutral", []),
        (("Tokyo", "capital of", "Japan"), "Entailment", ["P1376"]),
        (("Tokyo", "capital of", "Belarus"), "Contradiction", ["P1376"]),
        (("Japan", "capital", "Tokyo"), "Entailment", ["P1376"]),
        (("Japan", "capital", "Paris"), "Contradiction", ["P1376"]),
        (("Paris", "capital", "France"), "Neutral", []),
        (("Paris", "P1376", "France"), "Entailment", ["P36"]),
    ],
)
def test_relation_label_takes_precedence_over_other_wordings(
    claim: tuple[str, ...], label: str, rests_on: list[str]
) -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    kg = factprobe.load_kg("trex")
    checker.graph = lambda: [factprobe.api.summarise(kg, kg.by_name()[one]) for one in ("P36", "P1376")]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(claim),))])
    assert verdict.label == label
    assert [relation for _, relation, _ in facts(verdict)] == rests_on


@for_each_row(
    ("claim", "label"),
    [
        (("Albert Einstein", "was born and raised in", "Ulm"), "Neutral"),
        (("Albert Einstein", "was born and raised in", "Paris"), "Contradiction"),
        (("Paris", "is the capital and largest city of", "France"), "Neutral"),
        (("Albert Einstein", "was born and died in", "Paris"), "Contradiction"),
        (("Albert Einstein", "was not born and raised in", "Ulm"), "Neutral"),
        (("Albert Einstein", "was born and not raised in", "Ulm"), "Neutral"),
        (("Albert Einstein", "was born and educated at home in", "Ulm"), "Neutral"),
        (("Albert Einstein", "was born and fled from", "Ulm"), "Neutral"),
        (("Albert Einstein", "father was born and raised in", "Ulm"), "Neutral"),
        (("Albert Einstein", "was born to teachers in", "Ulm"), "Neutral"),
    ],
)
def test_one_contradicted_part_decides_a_conjunction(claim: tuple[str, ...], label: str) -> None:
    assert check(*claim).label == label


@for_each_row(
    ("relation", "object_", "label"),
    [("P19", "Ulm", "Entailment"), ("P19", "Paris", "Contradiction"), ("not P19", "Ulm", "Contradiction")],
)
def test_a_relation_without_a_label_goes_by_its_id(relation: str, object_: str, label: str) -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [replace(one, relation_info=replace(one.relation_info, label="")) for one in world()]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Albert Einstein", relation, object_)),))])
    assert verdict.label == label


def test_a_long_claim_is_not_repeated_whole() -> None:
    for claim in (("Albert Einstein", "x" * 1000, "Ulm"), ("y" * 1000, "was born in", "z" * 1000)):
        assert 0 < len(check(*claim).why) < 500


def test_a_uri_says_which_bearer_is_meant() -> None:
    assert check("Paris", "country", "United States", uris=("Q90", "P17", "Q30")).label == "Contradiction"
    assert check("Georgia", "capital", "Atlanta", uris=("", "P36", "Q23556")).label == "Entailment"
    assert check("Wolfgang Amadeus Mozzart", "birthplace", "Salzbourg", uris=("Q254", "P19", "Q34713")).facts
    assert check("Ulm", "country", "Germany", uris=("gone", "P17", "gone")).label == "Entailment"


@for_each_row(
    ("claim", "uris", "label"),
    [
        (("it", "what", "it"), ("Q937", "P19", "Q3012"), "Neutral"),
        (("France", "capital", "Berlin"), ("Q142", "P36", "Q90"), "Contradiction"),
        (("Albert Einstein", "was born in", "Ulm"), ("Q7186", "P36", "Q270"), "Entailment"),
        (("Albert Einstein", "adored", "Ulm"), ("Q937", "P19", "Q3012"), "Neutral"),
        (("Albert Einstein", "was born in", "Ulm"), ("Q937",), "Entailment"),
        (("Albert Einstein", "was born in", "Ulm"), ("Q937", "P19", "Q3012", "Q1"), "Entailment"),
    ],
)
def test_a_uri_counts_only_where_it_bears_the_name(claim: tuple[str, ...], uris: tuple[str, ...], label: str) -> None:
    assert check(*claim, uris=uris).label == label


@for_each_row(
    ("claim", "label"),
    [
        (("Albert Einstein", "was not born in", "Ulm"), "Contradiction"),
        (("Albert Einstein", "wasn't born in", "Ulm"), "Contradiction"),
        (("Albert Einstein", "was never born in", "Paris"), "Entailment"),
        (("Paris", "is not the capital of", "France"), "Contradiction"),
        (("Berlin", "is not the capital of", "France"), "Entailment"),
        (("France", "does not border", "Spain"), "Contradiction"),
        (("France", "does not border", "Poland"), "Neutral"),
        (("Albert Einstein", "was not born on", "14 March 1879"), "Contradiction"),
        (("Albert Einstein", "was not born on", "1880"), "Entailment"),
        (("Albert Einstein", "was not born in", "Germany"), "Neutral"),
        *(
            (("Paris", relation, "France"), "Neutral")
            for relation in (
                "lost its status as capital of",
                "is the former capital of",
                "was the capital of",
                "is no longer the capital of",
                "could become the capital of",
                "is not necessarily the capital of",
                "is almost the capital of",
                "is said to be the capital of",
                "is hardly the capital of",
            )
        ),
        *(
            (("Albert Einstein", relation, "Ulm"), "Neutral")
            for relation in ("was born near", "might be born in", "was allegedly born in", "was almost born in")
        ),
        (("Albert Einstein", "was born in", "not Ulm"), "Neutral"),
    ],
)
def test_negation_inverts_the_verdict_and_hedges_leave_none(claim: tuple[str, ...], label: str) -> None:
    verdict = check(*claim)
    assert verdict.label == label
    assert verdict.why or label == "Entailment"


@for_each_row(
    ("tail", "label"),
    [
        ("14 March 1879", "Entailment"),
        ("March 14, 1879", "Entailment"),
        ("1879-03-14", "Entailment"),
        ("March 1879", "Entailment"),
        ("1879", "Entailment"),
        ("15 March 1879", "Contradiction"),
        ("1878", "Contradiction"),
        ("spring", "Neutral"),
    ],
)
def test_coarser_date_is_entailed(tail: str, label: str) -> None:
    verdict = check("Albert Einstein", "was born on", tail)
    assert verdict.label == label
    if label != "Neutral":
        assert facts(verdict) == [("Q937", "P569", "V1")]


@for_each_row(
    ("tail", "label"),
    [
        ("125700000", "Entailment"),
        ("125.7 million", "Entailment"),
        ("126 million", "Entailment"),
        ("about 130 million", "Entailment"),
        ("125 million", "Neutral"),
        ("100 million", "Neutral"),
        ("127 million", "Contradiction"),
        ("110 million", "Contradiction"),
        ("125,700,001", "Contradiction"),
    ],
)
def test_rounded_number_is_entailed_and_a_near_one_open(tail: str, label: str) -> None:
    people = Relation("P1082", "[X], population: [Y].", "population", type="N-1")
    graph = summary(people, [(Entity("Q17", "Japan"), Entity("V1", "125700000"))])
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [graph]
    texts = [Claim(("Japan", relation, tail)) for relation in ("population", "had a population of")]
    [[verdict, past]] = checker.check([ClaimedText(Item("1", ""), tuple(texts))])
    assert verdict.label == label
    assert past.label in (label, "Neutral")


@for_each_row(
    ("held", "claimed", "label"),
    [
        ("8611 m", "8.611 km", "Entailment"),
        ("8849 m", "29,032 feet", "Entailment"),
        ("8849 m", "29,500 feet", "Contradiction"),
        ("70 kg", "0.07 t", "Entailment"),
        ("70 kg", "71 kg", "Contradiction"),
        ("100 MHz", "5 kHz", "Contradiction"),
        ("100 MHz", "5 km", "Neutral"),
    ],
)
def test_quantities_are_compared_across_units(held: str, claimed: str, label: str) -> None:
    size = Relation("P2048", "[X], size: [Y].", "size", type="N-1")
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    graph = summary(size, [(Entity("Q1", "Everest"), Entity("V1", held))])
    checker.graph = lambda: [graph]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Everest", "size", claimed)),))])
    assert verdict.label == label


@for_each_row(
    ("template", "held", "claimed", "label"),
    [
        ("The [X] is [Y] km long.", "2850", "2850 km", "Entailment"),
        ("The [X] is [Y] km long.", "2850", "2,850 km", "Entailment"),
        ("The [X] is [Y] km long.", "2850", "2,850,000 metres", "Entailment"),
        ("The [X] is [Y] km long.", "2850", "2,850", "Entailment"),
        ("The [X] is [Y] km long.", "2850", "2850 m", "Contradiction"),
        ("The [X] is [Y] km long.", "2850", "2851 km", "Contradiction"),
        ("The [X] is [Y] km long.", "2850 km", "2850 m", "Contradiction"),
        ("The [X] costs $[Y].", "2850", "2850 dollars", "Entailment"),
        ("The [X] costs $[Y].", "2850", "€2850", "Neutral"),
        ("The [X] has [Y] million users.", "2.5", "2,500,000", "Entailment"),
        ("The [X] has [Y] million users.", "2.5", "2.5", "Entailment"),
        ("The [X] began in [Y] BC.", "285", "285 BC", "Entailment"),
        ("The [X] began in [Y] BC.", "285", "285 AD", "Contradiction"),
    ],
)
def test_unit_in_the_template_is_that_of_the_graphs_values(template: str, held: str, claimed: str, label: str) -> None:
    relation = Relation("size", template, "size", type="N-1")
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    graph = summary(relation, [(Entity("Q1", "Danube"), Entity("V1", held))])
    checker.graph = lambda: [graph]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Danube", "size", claimed)),))])
    assert verdict.label == label, verdict


@for_each_row(("tail", "label"), [("2850 km", "Contradiction"), ("2850 m", "Entailment")])
def test_denied_label_of_several_words_is_linked(tail: str, label: str) -> None:
    length = Relation("length in km", "The [X] is [Y] km long.", type="N-1")
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [summary(length, [(Entity("Q1", "Danube"), Entity("V1", "2850"))])]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Danube", "not length in km", tail)),))])
    assert verdict.label == label, verdict


def test_a_date_that_is_more_exact_than_the_graphs_is_open() -> None:
    verdict = check("Marie Curie", "date of birth", "7 November 1867")
    assert (verdict.label, verdict.why) == ("Neutral", "the graph has it more or less exact")
    assert check("Marie Curie", "date of birth", "7 November 1868").label == "Contradiction"


SWISS = ("Switzerland", "official language", "English")


@for_each_row(
    ("settings", "label"),
    [
        ({}, "Neutral"),
        ({"closed": ("P37",)}, "Contradiction"),
        ({"closed": "all"}, "Contradiction"),
        ({"closed": ("P36",)}, "Neutral"),
        ({"closed": "all", "open": ("P37",)}, "Neutral"),
    ],
)
def test_a_relation_of_several_objects_is_open_unless_it_is_declared_complete(
    settings: dict[str, Any], label: str
) -> None:
    verdict = check(*SWISS, **settings)
    assert verdict.label == label
    assert facts(verdict) == [("Q39", "P37", "Q188"), ("Q39", "P37", "Q150")]


@for_each_row(
    ("settings", "label"),
    [({}, "Neutral"), ({"closed": ("P36",)}, "Contradiction"), ({"closed": "all"}, "Contradiction")],
)
def test_another_subject_of_an_object_contradicts_only_where_that_is_declared(
    settings: dict[str, Any], label: str
) -> None:
    assert check("Switzerland", "capital", "Paris", **settings).label == label


def trex(*sentences: str) -> list[ClaimVerdict]:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    kg = factprobe.load_kg("trex")
    checker.graph = lambda: [factprobe.api.summarise(kg, one) for one in kg.load_relations() if kg.has_facts(one)]
    [found] = checker.check([ClaimedText(Item("1", ""), tuple(Claim((one,)) for one in sentences))])
    return list(found)


@for_each_row("sentence", ["France is part of the continent of Africa.", "Japan is located in Asia."])
def test_facts_of_other_relations_do_not_count(sentence: str) -> None:
    """The graph has both countries as parts of the G7 only."""
    [verdict] = trex(sentence)
    assert verdict == ClaimVerdict("Neutral", "the graph has nothing of it")


def test_a_larger_or_smaller_thing_than_the_graphs_is_open() -> None:
    larger = trex(
        "Voltaire died in France.",
        "Voltaire died in Europe.",
        "Charles Darwin was born in England.",
        "London is the capital of England.",
    )
    assert [one.label for one in larger] == ["Neutral"] * 4, larger
    assert larger[0].why == "the graph has it more or less exact"
    assert larger[2].why == "the graph has another kind of thing, and both may be right"
    others = trex(
        "Voltaire died in Rome.",
        "Voltaire died in Lyon.",
        "Charles Darwin was born in Paris.",
        "Charles Darwin was born in Berlin.",
        "Berlin is the capital of Italy.",
        "Sydney is the capital of Australia.",
        "Voltaire died in Japan.",
        "Franz Kafka was born in Tokyo.",
        "Franz Kafka was born in Moscow.",
        "Franz Kafka was born in Lima.",
    )
    assert [one.label for one in others] == ["Contradiction"] * 10, others


def test_relations_that_say_the_same_the_other_way_round_are_known_by_their_words() -> None:
    right, wrong = trex("Paris has been the capital of France.", "Riga is the capital of Oman.")
    assert (right.label, wrong.label) == ("Entailment", "Contradiction")


@for_each_row(("settings", "label"), [({}, "Contradiction"), ({"open": ("P37",)}, "Neutral")])
def test_a_source_may_say_that_a_relation_is_complete(settings: dict[str, Any], label: str) -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph", **settings))
    kg = factprobe.load_kg("trex")
    checker.graph = lambda: [factprobe.api.summarise(kg, kg.by_name()["P37"])]
    [[wrong]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Finland", "official language", "German")),))])
    [[right]] = checker.check([ClaimedText(Item("1", ""), (Claim(("Finland", "official language", "Finnish")),))])
    assert (wrong.label, right.label) == (label, "Entailment")


@for_each_row(
    ("claim", "label"),
    [
        (("Portugal", "shares border with", "France"), "Contradiction"),
        (("Portugal", "shares border with", "Spain"), "Entailment"),
        (("Spain", "shares border with", "Portugal"), "Entailment"),
        (("France", "shares border with", "Germany"), "Neutral"),
        (("France", "shares border with", "Portugal"), "Contradiction"),
        (("Italy", "shares border with", "Germany"), "Neutral"),
    ],
)
def test_completeness_applies_to_the_objects_of_a_subject(claim: tuple[str, ...], label: str) -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    kg = factprobe.load_kg("trex")
    checker.graph = lambda: [factprobe.api.summarise(kg, replace(kg.by_name()["P47"], complete=True))]
    [[verdict]] = checker.check([ClaimedText(Item("1", ""), (Claim(claim),))])
    assert verdict.label == label, verdict


@for_each_row(
    ("claim", "label"),
    [
        (("France", "is the capital of", "Paris"), "Contradiction"),
        (("Paris", "has its capital in", "France"), "Contradiction"),
        (("Ulm", "was born in", "Albert Einstein"), "Contradiction"),
        (("J. R. R. Tolkien", "was written by", "The Hobbit"), "Neutral"),
        (("The Hobbit", "wrote", "J. R. R. Tolkien"), "Neutral"),
        (("France", "is not the capital of", "Paris"), "Entailment"),
        (("Italy", "is the capital of", "Paris"), "Neutral"),
        (("France", "shares border with", "Switzerland"), "Entailment"),
    ],
)
def test_swapped_arguments_are_contradicted(claim: tuple[str, ...], label: str) -> None:
    verdict = check(*claim)
    assert verdict.label == label, verdict
    assert verdict.label != "Contradiction" or "round" in verdict.why


def test_a_relation_of_one_object_can_be_declared_open() -> None:
    assert check("Albert Einstein", "was born in", "Paris", open=("P19",)).label == "Neutral"


def test_a_complete_relation_contradicts_nothing_where_it_has_nothing() -> None:
    assert check("Poland", "official language", "English", closed="all").label == "Contradiction"
    assert check("Poland", "country", "Ulm", closed="all").label == "Neutral"


def test_settings_are_read_as_the_command_line_gives_them() -> None:
    found = convert({"name": "graph", "closed": ["P36"], "open": []}, GraphCheckerSettings, where="checker=graph")
    assert found.closed == ("P36",)
    assert convert({"name": "graph", "closed": "all"}, GraphCheckerSettings, where="checker=graph").closed == "all"
    with pytest.raises(FactprobeError, match="closed"):
        convert({"name": "graph", "closed": "P36"}, GraphCheckerSettings, where="checker=graph")


@for_each_row("settings", [{"closed": ("P99",)}, {"open": ("P99",)}])
def test_a_relation_that_the_graph_lacks_cannot_be_declared(settings: dict[str, Any]) -> None:
    with pytest.raises(UnknownNameError, match="P99"):
        check("a", "b", "c", **settings)


@for_each_row(
    ("claim", "why"),
    [
        (("Nobody", "was born in", "Atlantis"), "neither 'Nobody' nor 'Atlantis' is in the graph"),
        (("Nobody", "was born in", "Ulm"), "'Nobody' is not in the graph"),
        (("Albert Einstein", "was born in", "Atlantis"), "'Atlantis' is not in the graph"),
        (("Albert Einstein", "adored", "Ulm"), "'adored' is no relation of the graph that these two could have"),
        (("Albert Einstein", "was born in", "Paris"), "the graph has Ulm"),
        (SWISS, "the graph has others, and there may be more"),
        (("Poland", "country", "Germany"), "the graph has nothing of it"),
    ],
)
def test_a_verdict_says_why(claim: tuple[str, ...], why: str) -> None:
    assert check(*claim).why == why


@for_each_row(
    ("sentence", "label"),
    [
        ("Albert Einstein was born in Ulm.", "Entailment"),
        ("Albert Einstein was born in Paris.", "Contradiction"),
        ("Ulm is in Germany and Paris is the capital of Germany.", "Contradiction"),
        ("Albert Einstein was born in Ulm. French is an official language of Poland.", "Neutral"),
        ("Albert Einstein liked it here.", "Neutral"),
        ("Albert Einstein was not born in Ulm.", "Contradiction"),
        ("Albert Einstein was not born in Paris.", "Entailment"),
        ("Paris isn't the capital of Germany.", "Entailment"),
        ("France does not border Spain.", "Contradiction"),
        ("Paris is no longer the capital of France.", "Neutral"),
    ],
)
def test_a_sentence_is_as_wrong_as_one_of_its_claims(sentence: str, label: str) -> None:
    verdict = check(sentence)
    assert verdict.label == label
    assert bool(verdict.facts) == (label != "Neutral")


@for_each_row(
    ("sentence", "label"),
    [
        ("Paris is the capital of France and was founded by Martians.", "Neutral"),
        ("Albert Einstein was born in Ulm on Mars.", "Neutral"),
        ("Albert Einstein, born in Ulm, invented the telephone.", "Neutral"),
        ("Paris is not only the capital of France but also of Spain.", "Neutral"),
        ("Albert Einstein was born in Ulm, 4 km from here.", "Neutral"),
        ("The capital of France is Paris.", "Entailment"),
        ("Paris is the beautiful capital of France, and Albert Einstein was born in Ulm.", "Entailment"),
        ("France borders Spain and Germany.", "Entailment"),
    ],
)
def test_entailed_claims_cover_the_sentence(sentence: str, label: str) -> None:
    assert check(sentence).label == label


def test_there_are_as_many_verdicts_as_claims() -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = world
    texts = [ClaimedText(Item(str(count), ""), (Claim(("Ulm", "country", "Germany")),) * count) for count in (2, 0, 1)]
    assert [[one.label for one in found] for found in checker.check(texts)] == [["Entailment"] * 2, [], ["Entailment"]]


PARTS = (
    st.sampled_from(["Ulm", "Paris", "Albert Einstein", "was born in", "capital", "1879", "", "P19", "Q90"]) | st.text()
)


@given(st.tuples(PARTS, PARTS, PARTS) | st.tuples(PARTS) | st.tuples(PARTS, PARTS))
def test_any_claim_has_a_clean_verdict_and_what_it_rests_on(parts: tuple[str, ...]) -> None:
    verdict = check(*parts)
    assert verdict.label is not None
    assert verdict.facts or verdict.label == "Neutral"
    assert verdict.why or verdict.label == "Entailment"


@for_each_row(
    "claim",
    [
        ("Albert Einstein", "wife was born in", "Paris"),
        ("Albert Einstein", "was born and died in", "Ulm"),
        ("The Hobbit", "sequel written by", "J. R. R. Tolkien"),
        ("Switzerland", "official language", "German, English"),
        ("Switzerland", "official language", "German, French"),
    ],
)
def test_more_specific_relation_is_neutral(claim: tuple[str, str, str]) -> None:
    assert check(*claim).label == "Neutral"


@for_each_row(
    ("text", "labels"),
    [
        ("Lavazza is headquartered in Moscow.", ["Contradiction"]),
        ("Rabobank, headquartered in Rotterdam, is a bank.", ["Contradiction"]),
        ("Rabobank, headquartered in Utrecht, is a bank.", ["Entailment"]),
        ("Enrico Caruso was born in Naples, Spain.", ["Entailment"]),
        ("He went to Lima, the capital of Chile.", ["Contradiction"]),
        ("Denmark and Sweden are neighbours.", ["Neutral"]),
        ("Norway and Sweden are neighbours.", ["Entailment"]),
        ("Japan is located in Asia.", ["Neutral"]),
        ("Ghana is located in Asia.", ["Contradiction"]),
    ],
)
def test_labels_of_texts_against_the_bundled_graph(text: str, labels: list[str]) -> None:
    [checked] = factprobe.check([text]).records
    assert checked["ys"] == labels


@for_each_row(
    ("claim", "label"),
    [
        (("France", "capital is in", "Germany"), "Neutral"),
        (("Germany", "has its capital in", "Albert Einstein"), "Neutral"),
        (("Germany", "capital is in", "Paris"), "Contradiction"),
        (("Germany", "capital is", "France"), "Contradiction"),
    ],
)
def test_location_of_the_object_is_neutral(claim: tuple[str, str, str], label: str) -> None:
    assert check(*claim).label == label
