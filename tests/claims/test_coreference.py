"""Stage 2: whom a surname, a pronoun or a noun refers to."""

from __future__ import annotations

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.mentions import MentionFinder, resolve
from factprobe.reading.tokenisation.sentences import sentences
from tests.claims.graphs import world
from tests.tables import for_each_row

FACTS = GraphFacts(world())
FINDER = MentionFinder(FACTS)


def referring(text: str) -> list[tuple[str, str]]:
    """Return the words that refer to something named before, with its name."""
    spans = sentences(text)
    found = resolve(FACTS.people, text, spans, FINDER.find(text, spans))
    return [(text[one.start : one.end], one.name) for _, mentions in found for one in mentions if one.name]


@for_each_row(
    ("text", "expected"),
    [
        ("Albert Einstein lived. He died.", [("He", "Albert Einstein")]),
        ("Albert Einstein lived. Einstein died.", [("Einstein", "Albert Einstein")]),
        ("Albert Einstein lived. The physicist died.", [("The physicist", "Albert Einstein")]),
        ("Albert Einstein met Marie Curie. He died.", [("He", "Albert Einstein")]),
        ("Ulm is a city. It is old.", [("It", "Ulm")]),
        (
            "Greta Olofsdotter sang. She met Albert Einstein. She died.",
            [("She", "Greta Olofsdotter"), ("She", "Greta Olofsdotter")],
        ),
        ("Albert Einstein lived. The physicist Ève Blum met him.", [("him", "Albert Einstein")]),
        ("He died.", []),
        ("Einstein died.", []),
    ],
)
def test_the_antecedent_is_named_before(text: str, expected: list[tuple[str, str]]) -> None:
    assert referring(text) == expected
