"""Assertion status of a relation between two names of a sentence."""

from __future__ import annotations

from factprobe.reading.relation_status import relation_status
from tests.tables import for_each_row


def status_of(text: str, subject: str, words: str, object_: str) -> str:
    """The status of the relation that the words express, each part at its first place in the text."""
    starts = {part: text.index(part) for part in (subject, words, object_)}
    return relation_status(text, [(start, start + len(part)) for part, start in starts.items()])


@for_each_row(
    ("text", "subject", "status"),
    [
        ("Ottawa is the capital of Canada.", "Ottawa", "affirmed"),
        ("Ottawa, not Toronto, is the capital of Canada.", "Ottawa", "affirmed"),
        ("Ottawa and not Toronto is the capital of Canada.", "Ottawa", "affirmed"),
        ("Toronto is not the capital of Canada.", "Toronto", "denied"),
        ("Ottawa, not Toronto, is the capital of Canada.", "Toronto", "open"),
        ("Ottawa, unlike Toronto, is the capital of Canada.", "Toronto", "open"),
        ("Ottawa, rather than Toronto, is the capital of Canada.", "Toronto", "open"),
        ("Many people often think Toronto is the capital of Canada.", "Toronto", "open"),
        ("Perhaps Toronto is the capital of Canada.", "Toronto", "open"),
    ],
)
def test_status_of_a_capital(text: str, subject: str, status: str) -> None:
    assert status_of(text, subject, "capital of", "Canada") == status


@for_each_row(
    ("text", "subject"),
    [
        ("Pierre, husband of Marie, was born in Paris.", "Marie"),
    ],
)
def test_relation_of_a_relative_is_open(text: str, subject: str) -> None:
    assert status_of(text, subject, "born in", "Paris") == "open"


@for_each_row(
    ("text", "status"),
    [
        ("It is not the case that Toronto is the capital of Canada.", "open"),
        ("I doubt that Toronto is the capital of Canada.", "open"),
        ("I don't think Toronto is the capital of Canada.", "open"),
        ("She denied that Toronto is the capital of Canada.", "open"),
        ("Tom says that Toronto is the capital of Canada.", "open"),
        ("Tom says that the rich old Toronto is the capital of Canada.", "open"),
        ("Tom saw that film, and Toronto is the capital of Canada.", "affirmed"),
        ("Nobody claims Toronto is the capital of Canada.", "open"),
        ("There is no evidence that Toronto is the capital of Canada.", "open"),
        ("It is wrong to say that Toronto is the capital of Canada.", "open"),
        ("Let us assume that Toronto is the capital of Canada.", "open"),
        ("According to Tom, Toronto is the capital of Canada.", "open"),
        ("In the film, Toronto is the capital of Canada.", "open"),
        ("Toronto will become the capital of Canada.", "open"),
        ("Myth: Toronto is the capital of Canada.", "open"),
        ("Ottawa or Toronto is the capital of Canada.", "open"),
        ("Toronto is the capital of Canada or Peru.", "open"),
        ("It isn't true that Toronto is the capital of Canada.", "open"),
        ("It is true that Toronto is the capital of Canada.", "affirmed"),
        ("We know that Toronto is the capital of Canada.", "affirmed"),
        ("I think that Toronto is the capital of Canada.", "affirmed"),
        ("Toronto or Toronto City is the capital of Canada.", "affirmed"),
        ("There is no doubt that Toronto is the capital of Canada.", "affirmed"),
        ("In the east, Toronto is the capital of Canada.", "affirmed"),
    ],
)
def test_only_stated_relation_is_affirmed(text: str, status: str) -> None:
    assert status_of(text, "Toronto", "capital of", "Canada") == status


@for_each_row(
    ("text", "object_", "status"),
    [
        ("Ada was born before 1997.", "1997", "open"),
        ("Ada was not born before 1997.", "1997", "open"),
        ("Ada was born in 1997 or later.", "1997", "open"),
        ("Ada was born between 1990 and 2000.", "1990", "open"),
        ("Ada was born between 1990 and 2000.", "2000", "open"),
        ("Ada (born 1990 - after 2000)", "1990", "affirmed"),
        ("Ada was born after the war in 1997.", "1997", "affirmed"),
        ("Ada was born in 1997.", "1997", "affirmed"),
    ],
)
def test_bound_of_a_value_leaves_it_open(text: str, object_: str, status: str) -> None:
    parts = [(text.index(part), text.index(part) + len(part)) for part in ("Ada", "born", object_)]
    assert relation_status(text, parts, is_of_value=True) == status
