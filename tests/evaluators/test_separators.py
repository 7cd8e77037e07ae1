"""Amounts in other notations: units, and points and commas by the other numbers of the relation."""

from __future__ import annotations

from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row

DENSITIES = World("[X] has a density of [Y].", {"aluminium": ["2.713"], "iron": ["7.874"], "gold": ["19.3"]})
PEOPLE = World("[X] has [Y] inhabitants.", {"Ulm": ["126.949"], "Jakarta": ["10.562.088"], "Bonn": ["331.885"]})

GERMAN = World("[X] has a density of [Y].", {"iron": ["7,874"], "gold": ["19,3"], "tin": ["7,31"]})
LENGTHS = World("[X] is [Y] long.", {"A": ["350 m"], "B": ["2h 49m"], "C": ["5 ft 7 in"], "D": ["100 °C"]})
RIVERS = World("[X] is [Y] km long.", {"Danube": ["2850"], "Rhine": ["1230"], "Elbe": ["1094"]})
BOILING = World("[X] boils at [Y] °C.", {"water": ["100"], "ethanol": ["78"], "iron": ["2862"]})
MEMBERS = World("[X] has [Y] members.", {"A": ["300"], "B": ["25"], "C": ["8"]})
PRIZES = World("[X] won [Y].", {"A": ["$500", "$1,200", "$25,000"], "B": ["$700"], "C": ["$1,300"]})


@for_each_row(
    "world, subject, reply, is_right",
    [
        (DENSITIES, "aluminium", "2.713", True),
        (DENSITIES, "aluminium", "2713", False),
        (DENSITIES, "iron", "It is 7874.", False),
        (DENSITIES, "gold", "19,3", True),
        (PEOPLE, "Ulm", "126949", True),
        (RIVERS, "Danube", "2850", True),
        (RIVERS, "Danube", "2850 km", True),
        (RIVERS, "Danube", "2850 miles", False),
        (RIVERS, "Danube", "1,770 miles", True),
        (BOILING, "water", "100 °F", False),
        (BOILING, "water", "212 °F", True),
        (PEOPLE, "Ulm", "126,949", True),
        (PEOPLE, "Bonn", "331.885", True),
        (PEOPLE, "Bonn", "331.858", False),
        (GERMAN, "iron", "7,874", True),
        (GERMAN, "iron", "It is 7.874.", True),
        (LENGTHS, "A", "It is 0.35 km long.", True),
        (LENGTHS, "A", "It is 0.45 km long.", False),
        (LENGTHS, "B", "It is 2 hours and 49 minutes long.", True),
        (LENGTHS, "B", "It is 2 hours and 39 minutes long.", False),
        (LENGTHS, "C", "It is 5'7\" long.", True),
        (LENGTHS, "C", "It is 5 ft 6 in long.", False),
        (LENGTHS, "D", "212 °F", True),
        (LENGTHS, "D", "212 °C", False),
        (MEMBERS, "A", "It has about 300 members.", True),
        (MEMBERS, "B", "up to 25", False),
        (MEMBERS, "C", "It has 8 or more members.", False),
        (PRIZES, "A", "$500, $1,200, $25,000", True),
        (PRIZES, "A", "$500 / $1,200 / $25,000", True),
        (PRIZES, "A", "USD 500, USD 1,200 and USD 25,000", True),
        (PRIZES, "A", "$500, $1,300, $25,000", False),
    ],
)
def test_an_amount_is_compared_by_its_value(world: World, subject: str, reply: str, is_right: bool) -> None:
    assert (graded(ask_object(world, subject), reply).verdict == "correct") == is_right
