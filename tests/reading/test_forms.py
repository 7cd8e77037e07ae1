"""Other forms of names: which there are, and that one is no name of two entities."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.reading.names.forms import forms, people, unique_forms
from factprobe.records import Entity
from tests.evaluators.worlds import World, ask_object, choose, graded
from tests.tables import for_each_row


def entities(*labels: str) -> dict[str, Entity]:
    return {label: Entity(label, label) for label in labels}


WRITERS = entities("Leo Tolstoy", "Mary Shelley", "Percy Bysshe Shelley", "T. S. Eliot", "George Eliot", "Jules Verne")


@for_each_row(
    ("name", "form"),
    [
        ("Leo Tolstoy", "tolstoy"),
        ("Vincent van Gogh", "van gogh"),
        ("Vincent van Gogh", "v van gogh"),
        ("John Quincy Adams", "jq adams"),
        ("John Quincy Adams", "john adams"),
        ("Arthur Conan Doyle", "conan doyle"),
        ("Martin Luther King Jr.", "luther king"),
    ],
)
def test_a_person_is_known_by_surname_and_initials(name: str, form: str) -> None:
    assert form in set(forms(name))


@for_each_row("name", ["Henry VIII", "Stephen King", "Martin Luther King Jr."])
def test_a_numeral_junior_or_a_title_is_no_surname(name: str) -> None:
    assert not {"viii", "jr", "king", "king jr"} & set(forms(name))


def test_a_side_of_people_is_told_by_given_names() -> None:
    is_person = people(WRITERS)
    assert is_person("Leo Tolstoy")
    assert is_person("Rabindranath Tagore")
    assert not is_person("Voltaire")
    places = people(entities("New York", "Ulm", "Papua New Guinea", "Los Angeles", "Mexico City", "St. Louis"))
    assert not places("New York")


def test_a_form_that_two_could_mean_is_left_out() -> None:
    found = unique_forms(WRITERS, {"leo tolstoy"})
    assert found["tolstoy"] == "Leo Tolstoy"
    assert found["verne"] == "Jules Verne"
    assert not {"shelley", "eliot"} & found.keys()
    assert found["percy shelley"] == "Percy Bysshe Shelley"


@given(st.text(max_size=40))
@example("0:⓵")
def test_any_name_has_forms_that_are_words(name: str) -> None:
    for form in forms(name):
        assert form == form.strip() != ""


WIVES = World(
    "[X] was married to [Y].", {"Wolfgang Amadeus Mozart": ["Constanze Mozart"], "Carl Orff": ["Luise Rinser"]}
)


def test_the_surname_that_the_question_gives_is_no_answer() -> None:
    assert graded(ask_object(WIVES, "Wolfgang Amadeus Mozart"), "Mozart").verdict != "correct"
    assert graded(ask_object(WIVES, "Carl Orff"), "Rinser").verdict == "correct"


MADE_IN = World(
    "[X] was made in [Y].",
    {
        "Titanic": ["United States of America"],
        "Skyfall": ["United Kingdom"],
        "Oldboy": ["South Korea"],
        "The BBC Story": ["British Broadcasting Corporation"],
        "Ran": ["Japan"],
        "Prozac": ["selective serotonin reuptake inhibitor"],
        "Uno": ["UN"],
        "Duo": ["United Nations"],
    },
)


@for_each_row(
    ("subject", "reply"),
    [
        ("Skyfall", "UK"),
        ("Skyfall", "It was made in the U.K."),
        ("Titanic", "the US"),
        ("Titanic", "USA"),
        ("Titanic", "United States"),
        ("Prozac", "SSRI"),
        ("Prozac", "It belongs to the SSRIs."),
    ],
)
def test_an_acronym_of_the_right_answer_is_right(subject: str, reply: str) -> None:
    assert graded(ask_object(MADE_IN, subject), reply).verdict == "correct"
    (right,) = MADE_IN.facts[subject]
    assert graded(choose(MADE_IN, subject, "Japan", right, "South Korea"), reply).verdict == "correct"


@for_each_row(
    ("subject", "reply"),
    [
        ("Skyfall", "I do not know uk."),
        ("Titanic", "Nobody told us."),
        ("Oldboy", "UK"),
        ("Skyfall", "It was not made in the UK but in Japan."),
        ("Duo", "UN"),
        ("The BBC Story", "The BBC Story was made in ____."),
    ],
)
def test_an_acronym_is_in_capitals_and_of_nothing_else(subject: str, reply: str) -> None:
    assert graded(ask_object(MADE_IN, subject), reply).verdict != "correct"


def test_an_acronym_of_two_options_chooses_neither() -> None:
    question = choose(MADE_IN, "Skyfall", "United Kingdom", "University of Kent")
    assert graded(question, "UK").verdict != "correct"


BASED_IN = World(
    "[X] is based in [Y].",
    {
        "Boeing": ["Arlington, Virginia"],
        "Toyota": ["Toyota City, Aichi, Japan"],
        "Siemens": ["Munich, Germany"],
        "Nestlé": ["Vevey"],
    },
)


@for_each_row(
    ("subject", "reply", "is_right"),
    [
        ("Boeing", "Arlington", True),
        ("Boeing", "Arlington, VA", True),
        ("Boeing", "It is based in Arlington, USA.", True),
        ("Boeing", "Arlington, Texas", False),
        ("Boeing", "It is based in Arlington, Texas.", False),
        ("Toyota", "Toyota City", True),
        ("Toyota", "It is in Toyota City, Japan.", True),
        ("Siemens", "Munich, Bavaria", True),
    ],
)
def test_a_place_is_known_without_its_regions_but_not_in_others(subject: str, reply: str, is_right: bool) -> None:
    assert (graded(ask_object(BASED_IN, subject), reply).verdict == "correct") is is_right


STAFF = World("[X] has [Y] employees.", {"Microsoft": ["221,000"], "Netflix": ["14,000"], "Apple": ["164,000"]})


@for_each_row(
    ("reply", "is_right"),
    [
        ("164,000 as of 2022", True),
        ("164,000 (2022)", True),
        ("In 2023 it had 164,000 employees.", True),
        ("150,000 as of 2022", False),
        ("164,000 or 221,000", False),
        ("2022", False),
    ],
)
def test_a_year_beside_a_number_is_no_answer(reply: str, is_right: bool) -> None:
    assert (graded(ask_object(STAFF, "Apple"), reply).verdict == "correct") is is_right
