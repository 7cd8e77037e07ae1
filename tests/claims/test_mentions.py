"""Stage 1: which words of a text name an entity, a value or something that the graph lacks."""

from __future__ import annotations

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.mentions import MentionFinder
from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import Entity
from tests.claims.graphs import BORN, EINSTEIN, ULM, summary, world
from tests.tables import for_each_row

FINDER = MentionFinder(GraphFacts(world()))


def found(text: str) -> list[tuple[str, str]]:
    """Return the words of each mention with its kind."""
    return [(text[one.start : one.end], one.kind) for one in FINDER.find(text, sentences(text))]


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein left Ulm.", [("Albert Einstein", "name"), ("Ulm", "name")]),
        ("Marie Salomea Curie left.", [("Marie Salomea Curie", "name")]),
        ("A. Einstein left.", [("A. Einstein", "name")]),
        ("Einstein left.", [("Einstein", "surname")]),
        ("Hermann Einstein left.", [("Hermann Einstein", "unknown")]),
        ("Paris Hilton left.", [("Paris Hilton", "unknown")]),
        ("He left Ulm on 14 March 1879.", [("Ulm", "name"), ("14 March 1879", "value")]),
        ("France (1879-1955)", [("France", "name"), ("1879", "value"), ("1955", "value")]),
        ("France (1879 to May 1955)", [("France", "name"), ("1879", "value"), ("May 1955", "value")]),
        ("However, nobody left.", []),
        ("He left the école.", []),
        ("", []),
    ],
)
def test_mentions_have_a_kind(text: str, expected: list[tuple[str, str]]) -> None:
    assert found(text) == expected


def test_an_ambiguous_name_has_several_entities() -> None:
    [one] = FINDER.find("Georgia", [(0, 7)])
    assert one.uris == ("Q230", "Q1428")


def test_a_surname_with_an_accent_begins_a_sentence() -> None:
    finder = MentionFinder(GraphFacts([summary(BORN, [(EINSTEIN, ULM), (Entity("Q1", "Kurt Gödel"), ULM)])]))
    assert [one.kind for one in finder.find("Gödel left.", [(0, 11)])] == ["surname"]


@for_each_row(
    ("text", "kind"),
    [
        ("S. Davis left.", "name"),
        ("Sammy George Davis left.", "name"),
        ("Sammy Davis Jr left.", "name"),
        ("Sammy Davis Sr left.", "unknown"),
        ("Davis left.", "surname"),
    ],
)
def test_a_suffix_is_no_surname(text: str, kind: str) -> None:
    davis = Entity("Q1", "Sammy Davis Jr.")
    finder = MentionFinder(GraphFacts([summary(BORN, [(EINSTEIN, ULM), (davis, ULM)])]))
    assert [one.kind for one in finder.find(text, sentences(text))] == [kind]
