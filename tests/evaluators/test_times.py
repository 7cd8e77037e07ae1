"""Dates, times of day, quantities of two parts and durations as answers of a graph."""

from __future__ import annotations

from tests.evaluators.worlds import World, ask_object, choose, graded, true_or_false
from tests.tables import for_each_row

LANDING = "1969-07-20T20:17:00Z"
LANDINGS = World(
    "[X] landed on [Y].",
    {"Apollo 11": [LANDING], "Apollo 14": ["1971-02-05T09:18:00Z"], "Apollo 17": ["1972-12-11T19:54:00Z"]},
)
STARTS = World("[X] starts at [Y].", {"Alba": ["20:15:00"], "Brun": ["08:30:00"], "Cato": ["12:00:00"]})
SHOWS = World("[X] starts at [Y].", {"Alba": ["08:30:00", "20:15:00"], "Brun": ["12:00:00"], "Cato": ["07:45:00"]})
POPULATION = World("[X] has [Y] inhabitants.", {"Ulm": ["126,790"], "Bonn": ["335,975"], "Jena": ["111,191"]})
DAYS = World("[X] was on [Y].", {"Alba": ["15 March 44 BC"], "Brun": ["14 July"], "Cato": ["19 August AD 14"]})


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


@for_each_row(
    "world, subject, reply, is_right",
    [
        (LANDINGS, "Apollo 11", "It landed on July 20, 1969 at 20:17 UTC.", True),
        (LANDINGS, "Apollo 11", "1969-07-20T09:05:00Z", False),
        (LANDINGS, "Apollo 11", "20 July 1969", False),
        (LANDINGS, "Apollo 11", "21 July 1969 at 20:17 UTC", False),
        (STARTS, "Alba", "It starts at 8:15 p.m.", True),
        (STARTS, "Alba", "On 5 May 2012 it starts at 20.15 Uhr.", True),
        (STARTS, "Alba", "It starts at 9:15 p.m.", False),
        (STARTS, "Cato", "at noon", True),
        (STARTS, "Cato", "midnight", False),
        (SHOWS, "Alba", "8:30 am and 8:15 pm", True),
        (SHOWS, "Alba", "8.30 Uhr, 20.15 Uhr", True),
        (SHOWS, "Alba", "8:30 am and 9:15 pm", False),
        (DAYS, "Alba", "It was on March 15, 44 BC.", True),
        (DAYS, "Alba", "15. März 44 v. Chr.", True),
        (DAYS, "Alba", "March 15, 44 AD", False),
        (DAYS, "Brun", "14. Juli", True),
        (DAYS, "Brun", "It was on the 14th of July.", True),
        (DAYS, "Brun", "July 4th", False),
        (DAYS, "Cato", "August 19, 14 AD", True),
    ],
)
def test_a_date_or_time_is_right_in_any_notation(world: World, subject: str, reply: str, is_right: bool) -> None:
    assert (graded(ask_object(world, subject), reply).verdict == "correct") == is_right


@for_each_row(
    "world, subject, shown, reply, verdict",
    [
        (LANDINGS, "Apollo 11", LANDING, "Apollo 11 landed on 20 July 1969 at 20:17 UTC.", "correct"),
        (LANDINGS, "Apollo 11", LANDING, "Apollo 11 landed on July 20, 1969 at 9:40 pm UTC.", "incorrect"),
        (LANDINGS, "Apollo 11", "1969-07-20T09:05:00Z", "Apollo 11 landed on July 20, 1969, 20:17 UTC.", "correct"),
        (LANDINGS, "Apollo 11", "1969-07-20T09:05:00Z", "Apollo 11 landed on July 20, 1969, 9:05 UTC.", "incorrect"),
        (STARTS, "Alba", "20:15:00", "Alba starts at 8:15 pm.", "correct"),
        (STARTS, "Alba", "20:15:00", "Alba starts at 9:15 pm.", "incorrect"),
        (DAYS, "Alba", "15 March 44 BC", "Alba was on March 15, 44 BC.", "correct"),
        (DAYS, "Alba", "15 March 44 BC", "Alba was on March 15, 44 AD.", "incorrect"),
        (DAYS, "Alba", "15 March 44 BC", "Alba was on 15 March 44 BCE.", "correct"),
        (DAYS, "Alba", "15 March 44", "Alba was on 15 March 44 BC.", "correct"),
        (STARTS, "Alba", "8:15", "Alba starts at 8:15 pm.", "correct"),
        (POPULATION, "Ulm", "126", "Ulm has 126,790 inhabitants.", "correct"),
    ],
)
def test_a_statement_is_restated_with_the_same_time(
    world: World, subject: str, shown: str, reply: str, verdict: str
) -> None:
    assert graded(true_or_false(world, subject, shown), reply).verdict == verdict


@for_each_row(
    "world, subject, choices, reply, is_right",
    [
        (STARTS, "Alba", ("08:15:00", "20:15:00", "21:15:00"), "8:15 pm", True),
        (STARTS, "Alba", ("08:15:00", "20:15:00", "21:15:00"), "It starts at 8:15 a.m.", False),
        (STARTS, "Cato", ("00:00:00", "12:00:00", "18:00:00"), "noon", True),
        (LANDINGS, "Apollo 11", ("1969-07-20T09:05:00Z", LANDING), "20 July 1969 at 20:17 UTC", True),
        (DAYS, "Alba", ("15 March AD 44", "15 March 44 BC", "14 July"), "March 15, 44 BCE", True),
        (DAYS, "Brun", ("4 July", "14 July", "1 May"), "le 14 juillet", True),
        (DAYS, "Brun", ("4 July", "14 July", "1 May"), "le 1er mai", False),
    ],
)
def test_an_option_is_named_by_its_date_or_time(
    world: World, subject: str, choices: tuple[str, ...], reply: str, is_right: bool
) -> None:
    assert (graded(choose(world, subject, *choices), reply).verdict == "correct") == is_right
