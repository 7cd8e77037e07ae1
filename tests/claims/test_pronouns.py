"""Whom a pronoun means that opens a sentence."""

from __future__ import annotations

from tests.claims.test_graph import READER, said
from tests.tables import for_each_row

ULM, WARSAW = ("Albert Einstein", "P19", "Ulm"), ("Marie Curie", "P19", "Warsaw")


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was a physicist. He was born in Ulm.", [ULM]),
        ("Marie Curie was a chemist. She was born in Warsaw.", [WARSAW]),
        ("Albert Einstein was a physicist. He was kind. He was born in Ulm.", [ULM]),
        ("Albert Einstein loved Germany. He was born in Paris.", [("Albert Einstein", "P19", "Paris")]),
        ("Albert Einstein met Marie Curie. She was born in Warsaw.", []),
        ("Albert Einstein met Niels Bohr. He was born in Ulm.", []),
        ("In Paris, Albert Einstein was kind. He was born in Ulm.", []),
        ("Nobody knows this. He was born in Ulm.", []),
        ("Paris is old. She was born in Ulm.", []),
        ("Albert Einstein was a physicist. It is old. He was born in Ulm.", []),
        ("Albert Einstein was a physicist. Heidi was born in Ulm.", []),
        ("He was born in Ulm.", []),
    ],
)
def test_pronoun_refers_to_the_subject_of_the_previous_sentence(
    text: str, expected: list[tuple[str, str, str]]
) -> None:
    assert said(text) == expected


def test_its_claim_has_the_name_and_stands_where_the_pronoun_does() -> None:
    text = "Einstein? Albert Einstein was a physicist. He was born in Ulm."
    [claim] = READER.claims(text)
    assert (claim.parts[0], claim.uris[0]) == ("Albert Einstein", "Q937")
    assert text[slice(*claim.spans[0])] == "He"
