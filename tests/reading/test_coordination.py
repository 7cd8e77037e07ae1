"""Names that share a part of theirs."""

from __future__ import annotations

from tests.evaluators.worlds import Asked, World, ask_object, graded
from tests.tables import for_each_row

PLAYED = World(
    "[X] plays [Y].",
    {"John": ["tenor saxophone", "soprano saxophone"], "Ann": ["alto saxophone"], "Bo": ["bass guitar"]},
)
VIRUS = World(
    "[X] can be caused by [Y].", {"jaundice": ["hepatitis A", "hepatitis B", "hepatitis C"], "flu": ["influenza A"]}
)
WON = World(
    "[X] received the [Y].",
    {"Curie": ["Nobel Prize in Physics", "Nobel Prize in Chemistry"], "Lee": ["Nobel Prize in Literature"]},
)
SUNG = World("[X] was sung by [Y].", {"Military Fashion Show": ["And One"], "It": ["And Also the Trees", "Or"]})

JOHN, JAUNDICE, CURIE = ask_object(PLAYED, "John"), ask_object(VIRUS, "jaundice"), ask_object(WON, "Curie")


@for_each_row(
    ("asked", "reply", "right", "wrong"),
    [
        (JOHN, "tenor and soprano saxophone", 2, 0),
        (JOHN, "He played tenor and soprano saxophone.", 2, 0),
        (JOHN, "soprano, alto and tenor saxophone", 2, 1),
        (JOHN, "tenor saxophone and piano", 1, 1),
        (JAUNDICE, "hepatitis A, B and C", 3, 0),
        (JAUNDICE, "hepatitis A and B", 2, 0),
        (JAUNDICE, "hepatitis A, B", 2, 0),
        (CURIE, "Nobel Prizes in Physics (1903) and Chemistry (1911)", 2, 0),
        (CURIE, "the Nobel Prize in Physics and Literature", 1, 1),
    ],
)
def test_coordinated_names_share_a_part(asked: Asked, reply: str, right: int, wrong: int) -> None:
    found = graded(asked, reply)
    assert (found.true_positives, found.false_positives) == (right, wrong)


@for_each_row("reply", ["And One", "And One and De/Vision", "one and And Also the Trees"])
def test_a_name_may_begin_with_a_conjunction(reply: str) -> None:
    assert graded(ask_object(SUNG, "Military Fashion Show"), reply).verdict == (
        "correct" if reply == "And One" else "incorrect"
    )
