"""Stages 3 to 5: the pairs of mentions around a cue, and which end is the subject."""

from __future__ import annotations

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.reader import ClaimReader
from tests.claims.graphs import world
from tests.tables import for_each_row

READER = ClaimReader(GraphFacts(world()), ())


def found(text: str) -> set[tuple[str, str, str]]:
    """Return subject, relation and object of each pair of a text of one sentence."""
    [sentence] = READER.sentences(text)
    spans = [text[one.start : one.end] for one in sentence.mentions]
    pairs = READER.candidates(sentence)
    return {(spans[one.subject], one.cue.relation, spans[one.object]) for one in pairs}


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein was born in Ulm.", {("Albert Einstein", "P19", "Ulm")}),
        ("Paris is the capital of France.", {("France", "P36", "Paris")}),
        ("France's capital is Paris.", {("France", "P36", "Paris")}),
        ("J. R. R. Tolkien wrote The Hobbit.", {("The Hobbit", "P50", "J. R. R. Tolkien")}),
        ("Albert Einstein saw Ulm.", set()),
        ("Paris is the capital of France's rival.", set()),
        ("Paris is the fashion capital of France.", set()),
        ("Paris is no longer the capital of France.", {("France", "P36", "Paris")}),
        ("The winter capital of France is Paris.", set()),
        ("Paris is the present capital of France.", {("France", "P36", "Paris")}),
    ],
)
def test_cues_join_mentions(text: str, expected: set[tuple[str, str, str]]) -> None:
    assert found(text) == expected


@for_each_row(
    ("text", "expected"),
    [("Ulm, Paris and Berlin", [0, 0, 0]), ("Ulm, Paris", [0, 1]), ("Ulm and Paris in France", [0, 0, 2])],
)
def test_lists_end_in_a_conjunction(text: str, expected: list[int]) -> None:
    [sentence] = READER.sentences(text)
    assert [one.start for one in sentence.lists] == expected
