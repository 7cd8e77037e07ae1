"""Points and commas in numbers, by the other numbers of the relation."""

from __future__ import annotations

from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row

DENSITIES = World("[X] has a density of [Y].", {"aluminium": ["2.713"], "iron": ["7.874"], "gold": ["19.3"]})
PEOPLE = World("[X] has [Y] inhabitants.", {"Ulm": ["126.949"], "Jakarta": ["10.562.088"], "Bonn": ["331.885"]})


@for_each_row(
    "world, subject, reply, is_right",
    [
        (DENSITIES, "aluminium", "2.713", True),
        (DENSITIES, "aluminium", "2713", False),
        (DENSITIES, "iron", "It is 7874.", False),
        (DENSITIES, "gold", "19,3", True),
        (PEOPLE, "Ulm", "126949", True),
        (PEOPLE, "Ulm", "126,949", True),
        (PEOPLE, "Bonn", "331.885", True),
        (PEOPLE, "Bonn", "331.858", False),
    ],
)
def test_a_point_has_one_meaning(world: World, subject: str, reply: str, is_right: bool) -> None:
    assert (graded(ask_object(world, subject), reply).verdict == "correct") == is_right
