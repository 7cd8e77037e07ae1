"""Graphs that are handed over in Python."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
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


def test_entities_without_label_before_any_fact_is_read() -> None:
    row = {"subject_id": "Q1", "subject_label": "France", "relation": "capital", "object_id": "Q2", "object_label": ""}
    kg = factprobe.load_kg([row])
    assert kg.unlabelled({"Q1", "Q2"}) == {"Q2"}


def test_questions_of_triples() -> None:
    kg = factprobe.load_kg(TRIPLES)
    questions = factprobe.make_questions(kg, ["capital"], question_types=["binary_answer"])
    assert "France, capital: Paris." in str(questions[0].prompts)


def test_graph_of_networkx_comes_back() -> None:
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


def test_graph_with_attributes() -> None:
    graph: networkx.DiGraph[str | int] = networkx.DiGraph()
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
    assert kg.problems.messages == [
        "the edge from Q1 to Q2: has no attribute relation, label or type, and no text as its key; name another one "
        'with columns={"relation": NAME}'
    ]
    with pytest.raises(DataError, match="the edge from Q1 to Q2"):
        facts(factprobe.load_kg(graph, strict=True))


def test_a_text_that_no_file_can_hold_is_a_broken_fact() -> None:
    graph: networkx.DiGraph[str] = networkx.DiGraph()
    rows = [("Peru", "capital", "Lima"), ("France\ud800", "capital", "Paris"), ("Italy", "capital\udfff", "Rome")]
    for subject, relation, object_ in rows:
        graph.add_edge(subject, object_, relation=relation)
    for source in (rows, graph):
        kg = factprobe.load_kg(source)
        assert facts(kg) == [("Peru", "capital", "Lima")]
        assert len(kg.problems.messages) == 2
        assert "France\\ud800" in kg.problems.messages[0]


def test_a_registered_graph_may_have_another_name(tmp_path: Path) -> None:
    (tmp_path / "facts.csv").write_text("subject,relation,object\nPeru,capital,Lima\n")
    kg = factprobe.load_kg("csv", source=str(tmp_path / "facts.csv"), name="places")
    assert (kg.name, facts(kg)) == ("places", [("Peru", "capital", "Lima")])
    assert factprobe.load_kg("trex", name="mine").by_name() == factprobe.load_kg("trex").by_name()


@pytest.mark.parametrize("attribute", ["relation", "label", "type"])
def test_names_of_nodes_and_attributes_of_edges(attribute: str, caplog: pytest.LogCaptureFixture) -> None:
    graph: networkx.DiGraph[int] = networkx.DiGraph()
    graph.add_node(1, name="Ann")
    graph.add_node(2, name="Bob", label="Robert")
    graph.add_node(3, born=1821)
    graph.add_edge(1, 2, **{attribute: "knows"})
    graph.add_edge(1, 3, **{attribute: "knows"})
    assert facts(factprobe.load_kg(graph)) == [("Ann", "knows", "Robert"), ("Ann", "knows", "")]
    assert "1 entities have no label" in caplog.text


@pytest.mark.parametrize("kind", [int, str, float, "Q{}".format])
def test_ids_are_names_only_without_labelled_nodes(
    kind: Callable[[int], object], caplog: pytest.LogCaptureFixture
) -> None:
    graph: networkx.DiGraph[object] = networkx.DiGraph()
    for number, names in enumerate([("France", "Paris"), ("Peru", "Lima"), ("Italy", "")]):
        country, city = kind(100 + number), kind(number)
        graph.add_edge(country, city, relation="capital")
        for node, name in zip((country, city), names, strict=True):
            graph.add_node(node, **({"label": name} if name else {}))
    assert facts(factprobe.load_kg(graph))[2] == ("Italy", "capital", "")
    assert "1 entities have no label" in caplog.text
    for node in graph:
        graph.nodes[node].clear()
    assert facts(factprobe.load_kg(graph))[2] == (str(kind(102)), "capital", str(kind(2)))


def test_value_among_labelled_ids_is_its_own_label() -> None:
    graph: networkx.DiGraph[str | int] = networkx.DiGraph()
    graph.add_node("Q1", label="Ada")
    graph.add_edge("Q1", "1815-12-10", relation="born")
    graph.add_edge("Q1", 3, relation="children")
    assert facts(factprobe.load_kg(graph)) == [("Ada", "born", "1815-12-10"), ("Ada", "children", "3")]


def test_attribute_of_a_relation_is_named() -> None:
    graph: networkx.MultiDiGraph[str] = networkx.MultiDiGraph()
    graph.add_edge("Ann", "Bob", key="e1", kind="knows", label="is a friend of")
    kg = factprobe.load_kg(graph, columns={"relation": "kind"})
    assert facts(kg) == [("Ann", "knows", "Bob")]
    assert kg.by_name()["knows"].label == "is a friend of"
    other = factprobe.load_kg(graph, columns={"relation": "sort"}, strict=True)
    with pytest.raises(DataError, match=r"has no attribute sort; name another .*; fix it, or load it without strict"):
        facts(other)
    with pytest.raises(ConfigError, match="name only the edge attribute of the relation: columns="):
        facts(factprobe.load_kg(graph, columns={"subject": "Ann"}))


def test_file_is_one_graph_by_pandas_too(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "f.csv"
    path.write_text("subject,relation,object\nNamibia,code,NA\nAnn,born in,N/A\nAnn,born,1821\nBob,code,007\n")
    read = factprobe.load_kg("csv", source=str(path))
    assert facts(factprobe.load_kg(pandas.read_csv(path, dtype=str, keep_default_na=False))) == facts(read)
    kg = factprobe.load_kg(pandas.read_csv(path))
    assert len(facts(kg)) == 2
    assert [message.endswith("unless keep_default_na=False") for message in kg.problems.messages] == [True, True]


def test_messages_are_of_python(caplog: pytest.LogCaptureFixture) -> None:
    facts(factprobe.load_kg([TRIPLES[0], *([["", "r", "B"]] * 11)]))
    assert "more lines are skipped; see problems.messages of the graph" in caplog.messages
    with pytest.raises(DataError, match="the table: is empty; pass triples"):
        factprobe.load_kg([]).by_name()
    rows = [{"subject": "France", "relation": "capital", "object": "Paris", "since": 987}]
    with pytest.raises(DataError, match=r'set columns\["start"\] to one of subject, relation, object, since'):
        factprobe.load_kg(rows, columns={"start": "from"}).by_name()
    factprobe.load_kg(rows).by_name()
    assert "the table: columns not used: since" in caplog.messages


def test_records_of_facts_that_do_not_hold_are_left_out() -> None:
    rows = [dict(zip(("subject", "relation", "object"), triple, strict=True)) for triple in TRIPLES]
    kg = factprobe.load_kg([{**row, "negated": number == 0} for number, row in enumerate(rows)])
    assert len(facts(kg)) == len(rows) - 1


@pytest.mark.parametrize("kind", [networkx.Graph, networkx.MultiGraph])
def test_undirected_graph_is_refused(kind: type[Any]) -> None:
    graph: networkx.Graph[str] = kind([("Paris", "France", {"relation": "lies in"})])
    with pytest.raises(DataError, match=r"undirected.*; pass a networkx\.DiGraph or MultiDiGraph"):
        facts(factprobe.load_kg(graph))


def test_columns_of_a_table() -> None:
    rows = [{"country": "France", "what": "capital", "city": "Paris"}]
    columns = {"subject": "country", "relation": "what", "object": "city"}
    assert facts(factprobe.load_kg(rows, columns=columns)) == TRIPLES[:1]
    with pytest.raises(DataError, match="columns="):
        facts(factprobe.load_kg(rows))
    with pytest.raises(DataError, match="has no column 'land'"):
        facts(factprobe.load_kg(rows, columns={**columns, "subject": "land"}))
    with pytest.raises(DataError, match="one column 'city' for subject and object"):
        facts(factprobe.load_kg(rows, columns={**columns, "subject": "city"}))


def test_table_of_one_relation() -> None:
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"subject": ["France"], "object": ["Paris"]})
    assert facts(factprobe.load_kg(frame, name="capital")) == TRIPLES[:1]
    frame.columns = ["country", "city"]
    named = {"subject": "country", "object": "city"}
    assert facts(factprobe.load_kg(frame, name="capital", columns=named)) == TRIPLES[:1]


def test_non_graph_is_an_error() -> None:
    with pytest.raises(DataError, match="has no readable fact"):
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


MUSEUM = """
@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix schema: <http://schema.org/> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:depicts rdfs:label "depicts"@en ; owl:inverseOf :depictedIn .
:Watch schema:name "The Night Watch"@en ; skos:altLabel "Militia"@en ; a :Painting ; :depicts :Cocq, [] ; :made 1642 .
:Cocq rdfs:label "Banninck Cocq"@nl ; owl:sameAs <http://y/9> ; :homepage <http://cocq.example/> .
:Rembrandt rdfs:label "Rembrandt" ; :made :Watch .
"""


@pytest.mark.parametrize("settings", [{}, {"lang": ["en", "nl"]}, {"predicates": ["made"]}])
def test_rdflib_graph_equals_its_file(tmp_path: Path, settings: dict[str, Any]) -> None:
    rdflib = pytest.importorskip("rdflib")
    (tmp_path / "museum.ttl").write_text(MUSEUM)
    held = factprobe.load_kg(rdflib.Graph().parse(tmp_path / "museum.ttl"), **settings)
    read = factprobe.load_kg("rdf", source=str(tmp_path / "museum.ttl"), store=str(tmp_path), **settings)
    for kg in (held, read):
        assert kg.by_name()
    assert {name: sorted(held.facts(relation), key=str) for name, relation in held.by_name().items()} == {
        name: sorted(read.facts(relation), key=str) for name, relation in read.by_name().items()
    }
    assert held.name == "graph"


def test_relations_of_rdflib_have_short_names() -> None:
    rdflib = pytest.importorskip("rdflib")
    kg = factprobe.load_kg(rdflib.Graph().parse(data=MUSEUM, format="turtle"), lang=["en", "nl"])
    [fact] = kg.triplets("depicts")
    assert (fact.subject_label, fact.subject_aliases) == ("The Night Watch", ("Militia",))
    assert (fact.subject_uri, fact.subject_types) == ("http://x/Watch", ("http://x/Painting",))
    assert fact.object_label == "Banninck Cocq"
    with pytest.raises(UnknownNameError, match="did you mean 'depicts'"):
        kg.triplets("depict")
    with pytest.raises(ConfigError, match="langs"):
        factprobe.load_kg(rdflib.Graph(), langs=["en"])
    with pytest.raises(DataError, match="graph: has no readable fact"):
        factprobe.load_kg(rdflib.Graph()).by_name()


def test_dataset_of_rdflib() -> None:
    rdflib = pytest.importorskip("rdflib")
    x = rdflib.Namespace("http://x/")
    dataset = rdflib.Dataset()
    for graph in (x.g, x.h):
        dataset.add((x.Peru, x.capital, x.Lima, graph))
    dataset.add((x.Lima, rdflib.RDFS.label, rdflib.Literal("City of Lima"), x.labels))
    assert facts(factprobe.load_kg(dataset)) == [("Peru", "capital", "City of Lima")]


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("France", "Paris")], "row 1: has 2 parts, not three; pass triples of subject, relation and object"),
        ([TRIPLES[0], ["a", "b", "c", "d"]], "row 2: has 4 parts, not three"),
        (["France"], "row 1: is a str; pass triples"),
    ],
)
def test_invalid_triple_rows(rows: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        factprobe.load_kg(rows).by_name()


def test_labels_of_relations() -> None:
    row = {"subject": "France", "relation": "P36", "relation_label": "capital", "object": "Paris"}
    [relation] = factprobe.load_kg([row]).load_relations()
    assert (relation.relation, relation.label) == ("P36", "capital")
    back = factprobe.load_kg(factprobe.load_kg("trex").to_networkx())
    assert back.by_name()["P36"].label == "capital"


def test_relations_with_one_label_are_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    rows = [("France", "dbo:capital", "Paris"), ("Peru", "dbp:capital", "Lima"), ("Peru", "borders", "Chile")]
    kg = factprobe.load_kg(rows)
    factprobe.make_questions(kg, relations=["dbo:capital", "borders"])
    assert "same words" not in caplog.text
    factprobe.make_questions(kg)
    [line] = [line for line in caplog.messages if "same words" in line]
    assert "dbo:capital" in line
    assert "dbp:capital" in line
    assert "borders" not in line
