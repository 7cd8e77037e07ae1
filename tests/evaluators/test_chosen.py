"""Replies whose structure says what is the answer: signs, announcements, brackets."""

from __future__ import annotations

import pytest

from tests.evaluators.worlds import Asked, World, ask_object, choose, graded, true_or_false

CAPITAL = World(
    "The capital of [X] is [Y].",
    {
        "France": ["Paris"],
        "Peru": ["Lima"],
        "Mexico": ["Mexico City"],
        "United States": ["Washington, D.C."],
        "Japan": ["Tokyo"],
        "Malta": ["Valletta"],
    },
)
BIRTHDAY = World("[X] was born on [Y].", {"Alan Turing": ["1912-06-23"], "Marie Curie": ["1867-11-07"]})
PARTS = World("[Y] is a part of [X].", {"ammonia": ["nitrogen", "hydrogen"], "water": ["oxygen"], "Asia": ["India"]})
FRANCE, UNITED_STATES = ask_object(CAPITAL, "France"), ask_object(CAPITAL, "United States")
TURING, AMMONIA = ask_object(BIRTHDAY, "Alan Turing"), ask_object(PARTS, "ammonia")
OPTIONS = choose(CAPITAL, "France", "Lima", "Tokyo", "Paris", "Valletta")
TRUE, FALSE = true_or_false(CAPITAL, "France", "Paris"), true_or_false(CAPITAL, "France", "Lima")


def verdict(asked: Asked, reply: str) -> str:
    return graded(asked, reply).verdict


@pytest.mark.parametrize(
    "reply",
    [
        "❌ {w}\n✅ {r}",
        "{w}\n\nEDIT: it's {r}",
        "While {w} comes to mind, the answer is {r}.",
    ],
)
def test_item_that_the_structure_chooses_is_the_answer(reply: str) -> None:
    assert verdict(FRANCE, reply.format(r="Paris", w="Tokyo")) == "correct"
    assert verdict(FRANCE, reply.format(r="Tokyo", w="Paris")) == "incorrect"


def test_life_span_behind_a_name_gives_both_its_ends() -> None:
    assert verdict(TURING, "Alan Turing (23 June 1912 – 7 June 1954) was a scientist.") == "correct"
    assert verdict(TURING, "Alan Turing (24 June 1912 – 7 June 1954) was a scientist.") == "incorrect"


@pytest.mark.parametrize(
    "reply", ["before 23 June 1912", "some time after 23 June 1912", "after the 23rd of June 1912"]
)
def test_bound_is_no_value(reply: str) -> None:
    assert verdict(TURING, reply) == "incorrect"


def test_place_named_without_its_region_is_the_place() -> None:
    assert verdict(UNITED_STATES, "Washington") == "correct"
    assert verdict(UNITED_STATES, "Lima") == "incorrect"


@pytest.mark.parametrize("reply", ["Paris and Atlantis", "Paris/Atlantis"])
def test_name_joined_to_the_answer_is_another_answer(reply: str) -> None:
    assert verdict(FRANCE, reply) == "incorrect"


def test_country_in_a_list_of_common_nouns_is_an_item() -> None:
    assert verdict(AMMONIA, "nitrogen, hydrogen, India") == "incorrect"
    assert verdict(AMMONIA, "nitrogen, hydrogen") == "correct"


@pytest.mark.parametrize("asked", [FRANCE, OPTIONS, TRUE])
@pytest.mark.parametrize("reply", ["I refuse to answer.", '{"answer": null}', "N/A", "分かりません"])
def test_refusal_abstains(asked: Asked, reply: str) -> None:
    assert verdict(asked, reply) == "abstained"


def test_letter_that_is_set_equal_to_another_text_names_both() -> None:
    assert verdict(OPTIONS, "C = Tokyo") == "incorrect"
    assert verdict(OPTIONS, "C = Paris") == "correct"


@pytest.mark.parametrize("reply", ["Everything but C is wrong.", "All options except C are incorrect."])
def test_exception_of_what_is_wrong_is_right(reply: str) -> None:
    assert verdict(OPTIONS, reply) == "correct"
    assert verdict(OPTIONS, "A, B and D are wrong, so C.") == "correct"
    assert verdict(OPTIONS, "Tokyo is the capital of France. C is wrong.") == "incorrect"


def test_denied_verb_turns_a_statement_round_once() -> None:
    assert verdict(TRUE, "Paris isn't the capital of France.") == "incorrect"
    assert verdict(FALSE, "Lima isn't the capital of France.") == "correct"


@pytest.mark.parametrize("reply", ["I doubt that it is incorrect.", "It would be wrong to say that it is incorrect."])
def test_judgment_of_a_judgment_is_of_the_statement(reply: str) -> None:
    assert verdict(TRUE, reply) == "correct"
    assert verdict(FALSE, reply) == "incorrect"
