"""Whether a name is near another, which is found without a look at every name."""

from __future__ import annotations

import random

from rapidfuzz.distance import OSA

from factprobe.reading.names.fuzzy import KnownNames
from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row

LETTERS = "abcdefgh "


def made(rng: random.Random, longest: int) -> str:
    return "".join(rng.choice(LETTERS) for _ in range(rng.randint(1, longest)))


def misspelled(rng: random.Random, name: str, slips: int) -> str:
    """A name with so many slips: a letter added, left out, taken for another or exchanged with the next."""
    said = list(name)
    for _ in range(slips):
        at = rng.randrange(len(said) + 1)
        kind = rng.randrange(4)
        if kind == 0:
            said.insert(at, rng.choice(LETTERS))
        elif kind == 1:
            del said[at : at + 1]
        elif kind == 2:
            said[at : at + 1] = [rng.choice(LETTERS)]
        else:
            said[at : at + 2] = said[at : at + 2][::-1]
    return "".join(said)


@for_each_row("slips", [1, 2, 3, 5])
def test_the_near_names_are_those_of_a_look_at_every_name(slips: int) -> None:
    rng = random.Random(slips)
    found = set()
    for _ in range(20):
        names = sorted({made(rng, 16) for _ in range(60)})
        known = KnownNames(names)
        for _ in range(30):
            right = rng.sample(names, 2)
            said = misspelled(rng, rng.choice(names), slips + rng.randrange(3))
            near = any(OSA.distance(said, name) <= slips for name in names if name not in right)
            assert known.has_near(said, slips, but=right) == near, (said, names)
            found.add(near)
    assert found == {True, False}


@for_each_row(
    ("said", "name"),
    [
        ("abcdfeghij", "abcdefghij"),  # over the border of the two pieces
        ("bacdefghij", "abcdefghij"),
        ("abcdefghji", "abcdefghij"),
        ("xabcdefghij", "abcdefghij"),
        ("abcdexfghij", "abcdefghij"),
        ("abcdefghijx", "abcdefghij"),
        ("abcdeghij", "abcdefghij"),
    ],
)
def test_one_slip_is_found_wherever_it_is(said: str, name: str) -> None:
    assert KnownNames([name, "something else"]).has_near(said, 1, but=())
    assert not KnownNames([name, "something else"]).has_near(said, 1, but=[name])


def test_a_slip_that_is_as_near_to_another_name_is_none() -> None:
    asked = ask_object(World("[X] was born in [Y].", {"A": ["Marburg"], "B": ["Harburg"], "C": ["Limburg"]}), "A")
    assert graded(asked, "Marbrug").rule == "single.misspelt"
    assert graded(asked, "Arburg").verdict == "incorrect"
