"""What facts imply: inverses of relations, parts and wholes."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.checkers.nesting import Nesting, roles
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.records import Relation
from tests.claims.graphs import BORN, CAPITAL, CURIE, EINSTEIN, FRANCE, GERMANY, PARIS, SPAIN, ULM, summary, world

NESTING = Nesting(GraphFacts(world()))


def test_a_relation_that_goes_both_ways_is_its_own_inverse() -> None:
    assert NESTING.inverses("P47") == ("P47",)
    assert NESTING.inverses("P36") == ()


def test_a_noun_of_a_wording_has_its_end() -> None:
    assert (("capit",), False) in set(roles(CAPITAL))


def test_wording_that_only_follows_from_a_relation_makes_no_inverse() -> None:
    """A country on a continent is a part of it, but other wholes of the country are no continents."""
    continent = Relation("P30", "[X] is on the continent of [Y].", "continent", type="N-1")
    part = Relation("P527", "[Y] is one of the parts of [X].", "has part", type="N-M")
    part_of = Relation("P361", "[X] is a part of [Y].", "part of", type="N-M")
    nesting = Nesting(GraphFacts(summary(relation, []) for relation in (continent, part, part_of)))
    assert nesting.inverses("P30") == ()
    assert nesting.inverses("P527") == ("P361",)
    assert nesting.inverses("P361") == ("P527",)


def test_a_place_and_its_country_are_linked_and_neighbours_are_not() -> None:
    assert NESTING.is_linked(ULM.uri, GERMANY.uri)
    assert NESTING.is_linked(FRANCE.uri, PARIS.uri)
    assert not NESTING.is_linked(FRANCE.uri, SPAIN.uri)


def test_without_other_facts_of_one_end_a_relation_may_be_reversed() -> None:
    spouse, birth = Relation("spouse", ""), Relation("place of birth", "")
    facts = {spouse: [(EINSTEIN, CURIE)], birth: [(EINSTEIN, ULM)]}
    assert not Nesting(GraphFacts(summary(*item) for item in facts.items())).is_one_way("spouse")


def test_a_relation_without_facts_has_no_part_in_types() -> None:
    capital_of = Relation("P1376", "[X] is the capital of [Y].", "capital of", type="1-1")
    empty = Relation("P36", "[Y] is the capital of [X].", "capital", type="1-1")
    facts = {capital_of: [(PARIS, FRANCE)], empty: [], BORN: [(EINSTEIN, ULM)]}
    nesting = Nesting(GraphFacts(summary(*item) for item in facts.items()))
    assert nesting.inverses("P1376") == ("P36",)
    assert not nesting.may_be(PARIS.uri, ("P19", "object"))


def test_birthplaces_are_no_parts_of_the_places_of_death_of_people() -> None:
    death = Relation("P20", "[X] died in [Y].", "place of death", type="N-1")
    facts = {replace(BORN, type="1-1"): [(EINSTEIN, ULM), (CURIE, SPAIN)], death: [(EINSTEIN, PARIS), (CURIE, PARIS)]}
    assert not Nesting(GraphFacts(summary(*item) for item in facts.items())).are_nested(ULM.uri, PARIS.uri)
