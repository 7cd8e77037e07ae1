"""Wrong items of a set that no graph knows, wherever they stand in the list."""

from __future__ import annotations

import factprobe
from tests.tables import for_each_row

SETS = {
    "airports": ["LHR", "LGW", "STN", "LTN"],
    "novels": ["Emma", "Persuasion", "Pride and Prejudice"],
    "colours": ["red", "white", "blue"],
    "cities": ["Paris", "Lyon", "Nice"],
    "Beatles": ["John Lennon", "Paul McCartney", "George Harrison"],
}


@for_each_row(
    ("name", "reply", "is_right"),
    [
        ("airports", "JFK, LHR, LGW, STN, LTN", False),
        ("airports", "LHR, LGW, JFK, STN, LTN", False),
        ("novels", "Jane Eyre, Emma, Persuasion and Pride and Prejudice", False),
        ("colours", "1. green 2. red 3. white 4. blue", False),
        ("cities", "- Marseille\n- Paris\n- Lyon\n- Nice", False),
        ("cities", "Marseille\nParis\nLyon\nNice", False),
        ("airports", "LHR, LGW, STN, LTN", True),
        ("cities", "Of course: Paris, Lyon, Nice", True),
        ("cities", "French Cities:\n- Paris\n- Lyon\n- Nice", True),
        ("cities", "Paris, France, Lyon, France, Nice, France", True),
        ("Beatles", "John, Paul and George: John Lennon, Paul McCartney, George Harrison", True),
    ],
)
def test_an_unknown_item_of_a_list_is_wrong(name: str, reply: str, is_right: bool) -> None:
    record = {"question": f"Which are the {name}?", "answers": SETS[name], "response": reply}
    (grade,) = factprobe.grade_answers([record], match="all")
    assert (grade.verdict == "correct") is is_right
