"""Other forms of names: which there are, and that one is no name of two entities."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from factprobe.reading.names.forms import forms, people, unique_forms
from factprobe.reading.tokenisation.words import name_words
from factprobe.records import Entity
from tests.evaluators.worlds import World, ask_object, graded
from tests.tables import for_each_row


def entities(*labels: str) -> dict[str, Entity]:
    return {label: Entity(label, label) for label in labels}


WRITERS = entities("Leo Tolstoy", "Mary Shelley", "Percy Bysshe Shelley", "T. S. Eliot", "George Eliot", "Jules Verne")


@for_each_row(
    ("name", "form"),
    [
        ("Caspian Sea", "caspian"),
        ("Harvard University", "harvard"),
        ("University of Oxford", "oxford"),
        ("Crohn's disease", "crohns"),
        ("Liverpool F.C.", "liverpool"),
        ("RMS Queen Elizabeth", "queen elizabeth"),
        ("Pope Benedict XVI", "benedict xvi"),
        ("Pope Benedict XVI", "benedict the sixteenth"),
        ("Henry VIII", "henry 8"),
        ("Henry VIII", "henry the 8th"),
        ("Henry VIII", "henry the eighth"),
        ("type 2 diabetes", "type ii diabetes"),
        ("neurofibromatosis type I", "neurofibromatosis type 1"),
        ("United States Senate", "us senate"),
        ("Cambridge, Massachusetts", "cambridge ma"),
        ("Saint Louis", "st louis"),
    ],
)
def test_a_name_has_the_form(name: str, form: str) -> None:
    assert (form, False) in set(forms(name, is_person=False))


@for_each_row("name", ["Black Sea", "North Sea", "Dead Sea", "New York", "heart disease", "bass guitar"])
def test_a_name_is_not_cut_to_a_word_that_means_something_else(name: str) -> None:
    cut = name_words(name)[0]
    assert cut not in {form for form, _ in forms(name, is_person=False)}


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
    assert (form, True) in set(forms(name, is_person=True))
    assert form not in {found for found, _ in forms(name, is_person=False)}


@for_each_row("name", ["Henry VIII", "Stephen King", "Martin Luther King Jr."])
def test_a_numeral_junior_or_a_title_is_no_surname(name: str) -> None:
    assert not {"viii", "jr", "king", "king jr"} & {form for form, _ in forms(name, is_person=True)}


def test_a_side_of_people_is_told_by_given_names() -> None:
    is_person = people(WRITERS)
    assert is_person("Leo Tolstoy")
    assert is_person("Rabindranath Tagore")
    assert not is_person("Voltaire")
    places = people(entities("New York", "Ulm", "Papua New Guinea", "Los Angeles", "Mexico City", "St. Louis"))
    assert not places("New York")


def test_a_form_that_two_could_mean_is_left_out() -> None:
    found = unique_forms(WRITERS, {"leo tolstoy"})
    assert found["tolstoy"].uri == "Leo Tolstoy"
    assert found["verne"].uri == "Jules Verne"
    assert not {"shelley", "eliot"} & found.keys()
    assert found["percy shelley"].uri == "Percy Bysshe Shelley"


def test_a_form_that_is_anothers_name_is_left_out() -> None:
    assert "boeing" not in unique_forms(entities("Boeing Company", "Boeing"), {"boeing company", "boeing"})


@given(st.text(max_size=40), st.booleans())
@example("0:⓵", False)
def test_any_name_has_forms_that_are_words(name: str, is_person: bool) -> None:
    for form, _ in forms(name, is_person=is_person):
        assert form == form.strip() != ""


WIVES = World(
    "[X] was married to [Y].", {"Wolfgang Amadeus Mozart": ["Constanze Mozart"], "Carl Orff": ["Luise Rinser"]}
)


def test_the_surname_that_the_question_gives_is_no_answer() -> None:
    assert graded(ask_object(WIVES, "Wolfgang Amadeus Mozart"), "Mozart").verdict != "correct"
    assert graded(ask_object(WIVES, "Carl Orff"), "Rinser").verdict == "correct"


def test_a_figure_of_any_length_is_no_numeral() -> None:
    world = World("[X] has [Y].", {"one": ["Number " + "9" * 5_000], "two": ["Number 2"]})
    assert graded(ask_object(world, "two"), "number II").verdict == "correct"
