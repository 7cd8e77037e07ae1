"""Graphs that are handed over in Python."""

from __future__ import annotations

from typing import Any

import networkx
import pytest

import factprobe
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs import Graph

TRIPLES = [("France", "capital", "Paris"), ("Peru", "capital", "Lima"), ("Lima", "on", "Rímac")]


def facts(kg: Graph) -> list[tuple[str, str, str]]:
    return [
        (fact.subject_label, relation.relation, fact.object_label)
        for relation in kg.load_relations()
        if kg.has_facts(relation)
        for fact in kg.facts(relation)
    ]


def frames() -> list[Any]:
    rows = [dict(zip(("head", "relation", "tail"), triple, strict=True)) for triple in TRIPLES]
    found: list[Any] = [TRIPLES, [list(triple) for triple in TRIPLES], rows]
    pandas, pyarrow = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    return [*found, pandas.DataFrame(rows), pyarrow.Table.from_pylist(rows)]


@pytest.mark.parametrize("number", range(5))
def test_tables(number: int) -> None:
    kg = factprobe.load_kg(frames()[number], name="places", templates={"on": "[X] lies on the [Y]."})
    assert facts(kg) == TRIPLES
    assert kg.name == "places"
    assert [relation.template for relation in kg.load_relations()] == ["[X], capital: [Y].", "[X] lies on the [Y]."]


def test_questions_of_triples() -> None:
    kg = factprobe.load_kg(TRIPLES)
    questions = factprobe.make_questions(kg, ["capital"], question_types=["binary_answer"])
    assert "France, capital: Paris." in str(questions[0].prompts)


def test_a_graph_of_networkx_comes_back() -> None:
    kg = factprobe.load_kg("trex")
    back = factprobe.load_kg(kg.to_networkx())
    assert back.name == "trex"
    found = {
        (fact.subject_uri, fact.subject_label, name, fact.object_uri, fact.object_label)
        for name, relation in back.by_name().items()
        for fact in back.facts(relation)
    }
    assert found == {
        (fact.subject_uri, fact.subject_label, name, fact.object_uri, fact.object_label)
        for name, relation in kg.by_name().items()
        if kg.has_facts(relation)
        for fact in kg.facts(relation)
    }


def test_a_graph_with_attributes() -> None:
    graph = networkx.DiGraph()
    graph.add_node("Q1", label="Ada", aliases=["Ada King"], types="human|woman")
    graph.add_edge("Q1", "http://x/Lord_Byron", relation="child of")
    graph.add_edge("Q1", 7, relation="number")
    graph.add_edge("Q1", "Q2")
    kg = factprobe.load_kg(graph)
    [first, second] = [fact for relation in kg.load_relations() for fact in kg.facts(relation)]
    assert (first.subject_label, first.subject_aliases, first.subject_types) == (
        "Ada",
        ("Ada King",),
        ("human", "woman"),
    )
    assert (first.object_label, second.object_label) == ("Lord Byron", "7")
    assert kg.problems.messages == ["the edge from Q1 to Q2: has neither a text for its key nor the attribute relation"]
    with pytest.raises(DataError, match="the edge from Q1 to Q2"):
        facts(factprobe.load_kg(graph, strict=True))


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.MultiGraph])
def test_an_undirected_graph_is_refused(kind: type[Any]) -> None:
    graph: networkx.Graph[str] = kind([("Paris", "France", {"relation": "lies in"})])
    with pytest.raises(DataError, match=r"undirected.*; give a networkx\.DiGraph or MultiDiGraph"):
        facts(factprobe.load_kg(graph))


def test_columns_of_a_table() -> None:
    rows = [{"country": "France", "what": "capital", "city": "Paris"}]
    columns = {"subject": "country", "relation": "what", "object": "city"}
    assert facts(factprobe.load_kg(rows, columns=columns)) == TRIPLES[:1]
    with pytest.raises(DataError, match="columns="):
        facts(factprobe.load_kg(rows))
    with pytest.raises(DataError, match="has no column 'land'"):
        facts(factprobe.load_kg(rows, columns={**columns, "subject": "land"}))


def test_a_table_of_one_relation() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"subject": ["France"], "object": ["Paris"]})
    assert facts(factprobe.load_kg(frame, name="capital")) == TRIPLES[:1]
    frame.columns = ["country", "city"]
    named = {"subject": "country", "object": "city"}
    assert facts(factprobe.load_kg(frame, name="capital", columns=named)) == TRIPLES[:1]


def test_what_is_no_graph() -> None:
    with pytest.raises(DataError, match="holds no fact"):
        factprobe.load_kg([{"s": "", "p": "", "o": ""}]).by_name()
    number: Any = 42
    with pytest.raises(ConfigError, match="int is no graph; give"):
        factprobe.load_kg(number)
    with pytest.raises(ConfigError, match="tempates"):
        factprobe.load_kg(TRIPLES, tempates={})
    with pytest.raises(ConfigError, match="source"):
        factprobe.load_kg("trex", source="facts.csv")
    with pytest.raises(UnknownNameError, match="trex"):
        factprobe.load_kg("trx")


def test_settings_of_a_registered_graph(tmp_path: Any) -> None:
    (tmp_path / "f.csv").write_text("France,capital,Paris\n")
    kg = factprobe.load_kg("csv", source=str(tmp_path / "f.csv"), templates={"capital": "[X]: [Y]"})
    assert facts(kg) == TRIPLES[:1]
    assert next(iter(kg.load_relations())).template == "[X]: [Y]"


def test_a_graph_of_rdflib() -> None:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Graph().parse(
        format="turtle",
        data="""
        @prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
        @prefix skos: <http://www.w3.org/2004/02/skos/core#> .
        :France rdfs:label "Frankreich"@de, "France"@en ; skos:altLabel "Republic"@en ; a :Country ; :capital :Paris .
        :Peru :capital :Lima, [] ; :founded 1821 .
        """,
    )
    kg = factprobe.load_kg(graph, name="places")
    [relation] = kg.load_relations()
    assert (relation.relation, relation.label) == ("http://x/capital", "capital")
    france, peru = kg.facts(relation)
    assert (france.subject_label, france.subject_aliases) == ("France", ("Republic",))
    assert (france.subject_types, france.object_label) == (("http://x/Country",), "Paris")
    assert (peru.subject_uri, peru.subject_label, peru.object_label) == ("http://x/Peru", "Peru", "Lima")


def test_a_dataset_of_rdflib() -> None:
    rdflib = pytest.importorskip("rdflib")
    x = rdflib.Namespace("http://x/")
    dataset = rdflib.Dataset()
    for graph in (x.g, x.h):
        dataset.add((x.Peru, x.capital, x.Lima, graph))
    dataset.add((x.Lima, rdflib.RDFS.label, rdflib.Literal("City of Lima"), x.labels))
    assert facts(factprobe.load_kg(dataset)) == [("Peru", "http://x/capital", "City of Lima")]
