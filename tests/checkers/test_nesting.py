"""What facts imply: inverses of relations, parts and wholes."""

from __future__ import annotations

from factprobe.checkers.nesting import Nesting, roles
from factprobe.claims.fact_index import GraphFacts
from tests.claims.graphs import CAPITAL, FRANCE, GERMANY, PARIS, SPAIN, ULM, world

NESTING = Nesting(GraphFacts(world()))


def test_a_relation_that_goes_both_ways_is_its_own_inverse() -> None:
    assert NESTING.inverses("P47") == ("P47",)
    assert NESTING.inverses("P36") == ()


def test_a_noun_of_a_wording_has_its_end() -> None:
    assert (("capit",), False) in set(roles(CAPITAL))


def test_a_place_and_its_country_are_linked_and_neighbours_are_not() -> None:
    assert NESTING.is_linked(ULM.uri, GERMANY.uri)
    assert NESTING.is_linked(FRANCE.uri, PARIS.uri)
    assert not NESTING.is_linked(FRANCE.uri, SPAIN.uri)
