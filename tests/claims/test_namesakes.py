"""Names that stand with where they are, or with another of their names, beside them."""

from __future__ import annotations

from factprobe.claims.facts import GraphFacts
from factprobe.records import ClaimVerdict
from tests.checkers.test_graph import check
from tests.claims.graphs import named, world
from tests.claims.test_graph import claims, said
from tests.tables import for_each_row

PERHAPS = "Swabia", "Alb", "Upper Swabia", "Swabia, Rowdy Union", "in Swabia", "on Alb"


@for_each_row("region", PERHAPS)
@for_each_row("place", ["Ulm", "Paris"])
def test_place_with_an_unknown_region_may_be_linked(place: str, region: str) -> None:
    born = [("Albert Einstein", "P19", f"{place}, {region}")]
    assert said(f"Albert Einstein was born in {place}, {region}.") == born
    assert said(f"Albert Einstein was born in {place}, {region}, and raised there.") == born


def test_so_it_is_in_brackets_and_behind_a_verb() -> None:
    assert said("Albert Einstein was born in Ulm (Swabia).") == [("Albert Einstein", "P19", "Ulm (Swabia)")]
    assert said("The capital of France is Paris (Seine).") == [("France", "P36", "Paris (Seine)")]


def test_no_entity_is_named_for_it_and_its_span_is_all_of_it() -> None:
    text = "Albert Einstein was born in Ulm, Swabia."
    [claim] = claims(text)
    assert claim.uris == ("Q937", "P19", "")
    assert [text[slice(*span)] for span in claim.spans] == ["Albert Einstein", "was born in", "Ulm, Swabia"]


def test_a_region_that_the_graph_has_and_not_for_the_place_is_one_too() -> None:
    text = "Albert Einstein was born in Ulm, Salzburg."
    assert said(text) == [("Albert Einstein", "P19", "Ulm, Salzburg")]
    assert said("The town of Berlin, Salzburg, lies in the USA.") == [("Berlin, Salzburg", "P17", "USA")]


@for_each_row(
    ("claim", "label"),
    [
        (("Albert Einstein", "was born in", "Ulm, Swabia"), "Entailment"),
        (("Albert Einstein", "was born in", "Ulm (Swabia)"), "Entailment"),
        (("Albert Einstein", "was born in", "Ulm, Germany"), "Entailment"),
        (("Albert Einstein", "was born in", "Paris, Swabia"), "Neutral"),
        (("Albert Einstein", "was born in", "Paris, in Swabia"), "Neutral"),
        (("Paris, in Swabia", "country", "Germany"), "Neutral"),
        (("Marie Curie", "was born in", "Warsaw, Poland"), "Entailment"),
        (("Marie Curie", "was born in", "Warsaw, Germany"), "Neutral"),
        (("Albert Einstein", "was not born in", "Ulm, Swabia"), "Neutral"),
        (("Albert Einstein", "was not born in", "Paris, Swabia"), "Entailment"),
        (("Ulm, Swabia", "country", "Germany"), "Entailment"),
        (("Ulm, Swabia", "country", "France"), "Neutral"),
        (("Albert Einstein", "was born in", "Ulm, Salzburg"), "Neutral"),
        (("Albert Einstein", "was born in", "Paris"), "Contradiction"),
    ],
)
def test_possible_namesake_is_entailed_but_never_contradicted(claim: tuple[str, ...], label: str) -> None:
    assert check(*claim).label == label


@for_each_row("when", ["in April, and", "in April 1879", "on 14 March 1879", "in 1879"])
def test_date_after_a_place_is_no_region(when: str) -> None:
    assert said(f"Albert Einstein was born in Ulm, {when} raised there.")[0][:3] == ("Albert Einstein", "P19", "Ulm")


def test_it_is_told_why() -> None:
    verdict: ClaimVerdict = check("Albert Einstein", "was born in", "Paris, Swabia")
    assert verdict.why == "'Paris, Swabia' may be a namesake of what the graph has"
    assert [fact.uris for fact in verdict.facts] == [("Q937", "P19", "Q3012")]


def test_a_name_with_a_comma_is_itself() -> None:
    facts = GraphFacts(named("Washington, D.C.", "Washington"))
    assert facts.perhaps("Washington, D.C.") == ()
    assert facts.perhaps("Washington, Rowdy") == ("N1",)


@for_each_row(
    "text",
    [
        "Paris (City of Light) is the capital of France.",
        "City of Light (Paris) is the capital of France.",
        "The capital of France is Paris (City of Light).",
        "Paris (City of Light), the capital of France, is old.",
    ],
)
def test_alias_in_parentheses_belongs_to_the_mention(text: str) -> None:
    [claim] = claims(text)
    assert claim.uris == ("Q142", "P36", "Q90")


def test_two_names_have_only_what_both_mean() -> None:
    assert said("Albert Einstein was born in Ulm (Paris).") == [("Albert Einstein", "P19", "Ulm (Paris)")]
    assert [one.uris for one in GraphFacts(world()).mentions("Paris (City of Light)")] == [("Q90", "Q830149"), ("Q90",)]
