"""Times of day, quantities of two parts and durations as answers of a graph."""

from __future__ import annotations

from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row


@for_each_row(
    "name, reply, is_right",
    [
        ("08:30", "8:30", True),
        ("08:30", "8:30 a.m.", True),
        ("08:30", "at 8:30", True),
        ("08:30", "8:30 pm", False),
        ("08:30", "20:30", False),
        ("21:00", "9:00 PM", True),
        ("21:00", "9 am", False),
        ("12:00", "12 pm", True),
        ("12:00", "12 am", False),
        ("8:30 pm", "20:30", True),
        ("8:30 pm", "8:30 am", False),
        ("6 ft 3 in", "6 feet 3 inches", True),
        ("6 ft 3 in", "3 ft 6 in", False),
        ("5'9\"", "5 feet 9 inches", True),
        ("2 h 49 min", "2 hours and 49 minutes", True),
        ("2 h 49 min", "2 h 48 min", False),
        ("1.80 m", "1.8 m", True),
        ("1.80 m", "1.81 m", False),
        ("PT162M", "2 hours 42 minutes", True),
        ("PT162M", "162 minutes", True),
        ("PT162M", "2 hours 24 minutes", False),
    ],
)
def test_the_same_quantity_is_right(name: str, reply: str, is_right: bool) -> None:
    world = World("The value of [X] is [Y].", {"Alba": [name], "Brun": ["Zorkmid"], "Cato": ["Filler"]})
    assert (graded(ask_object(world, "Alba"), reply).verdict == "correct") == is_right
