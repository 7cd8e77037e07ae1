"""Names of people that are given to somebody or something else."""

from __future__ import annotations

from tests.claims.test_graph import said
from tests.tables import for_each_row

BORN = ("Albert Einstein", "P19", "Paris")


@for_each_row(
    "text",
    [
        "Albert Einstein, the dog, was born in Paris.",
        "Albert Einstein, a St. Bernard dog of the abbey, was born in Paris.",
        "Albert Einstein (a parrot) was born in Paris.",
        "Albert Einstein the cat was born in Paris.",
        "Albert Einstein, her old cat, who was born in Paris, sleeps.",
        "The dog Albert Einstein was born in Paris.",
        "Our fat tabby cat Albert Einstein was born in Paris.",
        "Albert Einstein, no relation, was born in Paris.",
        "Albert Einstein, the ship, was old. He was born in Paris.",
        "Albert Einstein, a namesake of the physicist, was kind. He was born in Paris.",
        "Albert Einstein, not the physicist, was kind. He was born in Paris.",
        "Albert Einstein (no relation) was kind. He was born in Paris.",
    ],
)
def test_no_claim_about_a_thing_named_like_a_person(text: str) -> None:
    assert said(text) == []


@for_each_row(
    "text",
    [
        "Albert Einstein, the physicist, was born in Paris.",
        "Albert Einstein, the owner of a dog, was born in Paris.",
        "Albert Einstein, a ship builder, was born in Paris.",
        "Albert Einstein, an opera and film composer, was born in Paris.",
        "Albert Einstein, the author of the book, was born in Paris.",
        "Albert Einstein, the physicist, was kind. He was born in Paris.",
    ],
)
def test_claim_about_a_person_with_an_apposition(text: str) -> None:
    assert said(text) == [BORN]


def test_a_thing_may_be_any_thing() -> None:
    assert said("Paris, the city, is the capital of Germany.") == [("Germany", "P36", "Paris")]
