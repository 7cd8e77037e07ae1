"""Objects of one list, of which the graph has one."""

from __future__ import annotations

from typing import Any

from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.claims.by_graph.reader import GraphClaims
from factprobe.records import Item
from tests.claims.graphs import world
from tests.tables import for_each_row


def labels(text: str, **settings: Any) -> list[str]:
    extractor, checker = (
        GraphClaims(GraphClaims.settings_type(name="graph")),
        GraphChecker(GraphCheckerSettings(name="graph", **settings)),
    )
    extractor.graph = checker.graph = world
    found = [*extractor.extract([Item("a", text)])]
    return [verdict.label or "" for verdict in next(iter(checker.check(found)))]


@for_each_row(
    ("text", "expected"),
    [
        ("Marie Curie was born in Warsaw and Paris.", ["Entailment", "Neutral"]),
        ("Marie Curie was born in Paris and Warsaw.", ["Neutral", "Entailment"]),
        ("Marie Curie was born in Paris and Berlin.", ["Contradiction", "Contradiction"]),
        ("Marie Curie was born in Warsaw. Marie Curie was born in Paris.", ["Entailment", "Contradiction"]),
    ],
)
def test_value_beside_the_right_one_is_neutral(text: str, expected: list[str]) -> None:
    assert labels(text) == expected


def test_nothing_is_left_open_where_the_graph_has_all() -> None:
    text = "The official languages of Switzerland are German and English."
    assert labels(text) == ["Entailment", "Neutral"]
    assert labels(text, closed=("P37",)) == ["Entailment", "Contradiction"]
