"""Items of a set that are numbered in one line, or joined by a mark without a blank."""

from __future__ import annotations

import factprobe
from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row

SETS = {
    "years": ["1998", "2018"],
    "languages": ["Finnish", "Swedish"],
    "colours": ["red", "white", "blue"],
    "divisors": ["1", "2", "3", "4", "6", "12"],
    "doses": ["5 mg", "10 mg"],
    "shares": ["10%", "20%"],
    "prices": ["$5", "$10"],
    "counts": ["12000", "15500"],
    "dates": ["1990-03-12", "2001-05-05"],
    "roots": ["1.5", "-2.5"],
}
OTHERS = ["1966", "2006", "German", "green", "5", "20 mg", "50%", "$20", "13000", "1980-01-01", "3.5"]
REPLIES = [
    ("years", "1998,2018", True),
    ("years", "1998/2018", True),
    ("years", "1. 1998 2. 2018", True),
    ("years", "1998,2006", False),
    ("years", "1998,2018,2006", False),
    ("languages", "1. Finnish 2. Swedish", True),
    ("languages", "The official languages are: 1. Finnish 2. Swedish", True),
    ("languages", "1. Finnish 2. Swedish 3. German", False),
    ("languages", "1. Finnish", False),
    ("colours", "a) red, b) white, c) blue", True),
    ("colours", "i. red\nii. white\niii. blue", True),
    ("colours", "a) red b) white c) green", False),
    ("divisors", "{1,2,3,4,6,12}", True),
    ("divisors", "1,2,3,4,6", False),
    ("doses", "5 mg,10 mg", True),
    ("doses", "5 mg,20 mg", False),
    ("shares", "10%,20%", True),
    ("prices", "$5,$10", True),
    ("counts", "12000,15500", True),
    ("counts", "12,000 and 15,500", True),
    ("dates", "1990-03-12,2001-05-05", True),
    ("roots", "1.5,-2.5", True),
]


@for_each_row("name, reply, is_right", REPLIES)
def test_items_are_told_apart_in_a_graph(name: str, reply: str, is_right: bool) -> None:
    is_value = name not in ("languages", "colours")
    others = [one for one in OTHERS if any(map(str.isdigit, one)) == is_value]
    world = World("[X] has [Y].", {"Alba": SETS[name], **{f"Brun {one}": [one] for one in others}})
    assert (graded(ask_object(world, "Alba"), reply).verdict == "correct") == is_right


@for_each_row("name, reply, is_right", REPLIES)
def test_items_are_told_apart_without_a_graph(name: str, reply: str, is_right: bool) -> None:
    record = {"question": "What are they?", "answers": SETS[name], "response": reply}
    [grade] = factprobe.grade_answers([record], match="all")
    assert (grade.verdict == "correct") == is_right
