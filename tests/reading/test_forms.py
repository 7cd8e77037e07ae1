"""Other forms of names: which there are, and that one is no name of two entities."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.reading.names.forms import forms, people, unique_forms
from factprobe.records import Entity
from tests.evaluators.worlds import World, ask_object, graded
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
