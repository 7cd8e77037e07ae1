"""RDF in every serialisation, against rdflib, and whatever is broken."""

from __future__ import annotations

import bz2
import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from factprobe.errors import DataError, UnknownNameError
from factprobe.kgs.rdf import Rdf, RdfSettings
from factprobe.records import Triplet
from factprobe.storage import Problems

pytest.importorskip("pyoxigraph")
pytest.importorskip("duckdb")

TURTLE = """
@prefix : <http://example.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .

:capital rdfs:label "capital"@en ; rdfs:comment "its seat of government"@en .
:France rdfs:label "Frankreich"@de, "France"@en ; skos:altLabel "French\\nRepublic"@en, "République"@fr ;
    a :Country ; :capital :Paris ; :founded "0843-08-10"^^xsd:date ; :motto "Liberté"@fr, "Liberty"@en .
:Peru rdfs:label "Peru" ; :capital :Lima ; :borders [ :to :Chile ] ; :founded "1821-07-28"^^xsd:date .
:Paris rdfs:label "Paris"@en-GB .
:Lima :lies_in :Peru .
"""
HERE = "http://example.org/"


def opened(source: Path | str, strict: bool = False, **settings: Any) -> Rdf:
    """The graph in a file, sorted beside it."""
    folder = str(Path(source).parent / "sorted")
    return Rdf(None, "rdf", Problems(strict), RdfSettings(name="rdf", source=str(source), store=folder, **settings))


def every(kg: Rdf) -> list[Triplet]:
    return [fact for relation in kg.load_relations() if kg.has_facts(relation) for fact in kg.facts(relation)]


def names(kg: Rdf) -> list[tuple[str, str, str]]:
    return [(fact.relation_info.relation, fact.subject_label, fact.object_label) for fact in every(kg)]


@pytest.fixture
def turtle(tmp_path: Path) -> Path:
    path = tmp_path / "g.ttl"
    path.write_text(TURTLE, encoding="utf-8")
    return path


def test_relations_names_and_types(turtle: Path, caplog: pytest.LogCaptureFixture) -> None:
    kg = opened(turtle)
    [relation] = kg.load_relations()  # the one that links entities with labels
    assert (relation.relation, relation.label, relation.description) == ("capital", "capital", "its seat of government")
    france, peru = kg.facts(relation)
    assert (france.subject_label, france.subject_aliases) == ("France", ("French Republic",))
    assert (france.subject_uri, france.subject_types) == (f"{HERE}France", (f"{HERE}Country",))
    assert (france.object_label, peru.subject_label, peru.object_label) == ("Paris", "Peru", "Lima")
    assert "2 entities have no label" in caplog.text  # Lima and the class
    assert "3 triples are left out" in caplog.text


@pytest.mark.parametrize("strict", [False, True])
def test_relations_without_labels_are_named(turtle: Path, strict: bool, caplog: pytest.LogCaptureFixture) -> None:
    with turtle.open("a") as file:
        file.write(":Peru :likes :One, :Two .")
    kg = opened(turtle, strict=strict)
    assert [relation.relation for relation in kg.load_relations()] == ["capital"]
    [line] = [line for line in caplog.messages if "both ends" in line]
    assert "likes (2 facts); kg.predicates=[lies_in,likes] takes" in line
    caplog.clear()
    assert len(every(opened(turtle, predicates=("likes",)))) == 2
    assert "both ends" not in caplog.text


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nope\.ttl"):
        every(opened(tmp_path / "nope.ttl"))


def test_languages_in_order(turtle: Path) -> None:
    [france, _] = every(opened(turtle, lang=("de", "en")))
    assert (france.subject_label, france.subject_aliases) == ("Frankreich", ("France", "French Republic"))
    [france, _] = every(opened(turtle, lang="fr", predicates="capital"))
    assert (france.subject_label, france.subject_aliases) == ("République", ())


def test_predicates_that_are_chosen(turtle: Path) -> None:
    kg = opened(turtle, predicates=("founded", "http://example.org/motto", "rdf:type"), types=("rdf:type",))
    assert names(kg) == [
        ("type", "France", "Country"),
        ("founded", "France", "0843-08-10"),
        ("founded", "Peru", "1821-07-28"),
        ("motto", "France", "Liberty"),
    ]
    assert every(kg)[1].object_types == ("http://www.w3.org/2001/XMLSchema#date",)
    with pytest.raises(
        UnknownNameError, match=r"kg\.predicates: unknown predicate .* 'foundet'; did you mean 'founded'"
    ):
        every(opened(turtle, predicates="foundet"))
    assert {name for name, _, _ in names(opened(turtle, literals=True))} == {"capital", "founded", "motto"}


def test_two_predicates_with_one_ending_are_called_in_full(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text(
        "".join(f"<a:/x> <{iri}> <a:/y> .\n" for iri in ("http://a/p", "http://b/p", "http://a/q"))
    )
    relations = list(opened(tmp_path / "g.nt").load_relations())
    assert [relation.relation for relation in relations] == ["http://a/p", "http://b/p", "q"]


FORMATS = {"ttl": "turtle", "nt": "nt", "nq": "nquads", "trig": "trig", "rdf": "xml", "jsonld": "json-ld", "n3": "n3"}


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")
@pytest.mark.parametrize("ending", FORMATS)
def test_every_serialisation_says_the_same_as_rdflib(tmp_path: Path, ending: str) -> None:
    rdflib = pytest.importorskip("rdflib")
    graph = rdflib.Dataset() if ending in ("nq", "trig") else rdflib.Graph()
    graph.parse(data=TURTLE, format="turtle")
    (tmp_path / f"g.{ending}").write_bytes(graph.serialize(format=FORMATS[ending], encoding="utf-8"))
    kg = opened(tmp_path / f"g.{ending}", predicates=("capital", "founded", "lies_in"))
    said = rdflib.Graph().parse(data=TURTLE, format="turtle")
    expected = {
        (str(subject), str(predicate), str(value))
        for predicate in (rdflib.URIRef(f"{HERE}{name}") for name in ("capital", "founded", "lies_in"))
        for subject, value in said.subject_objects(predicate)
    }
    found = {(fact.subject_uri, HERE + fact.relation_info.relation, fact.object_uri) for fact in every(kg)}
    assert found == expected
    assert kg.problems.messages == []


@pytest.mark.parametrize("ending", ["gz", "bz2", "zst"])
def test_compressed(tmp_path: Path, turtle: Path, ending: str) -> None:
    pyarrow = pytest.importorskip("pyarrow")
    path = tmp_path / f"c.ttl.{ending}"
    if ending == "zst":
        with pyarrow.output_stream(str(path), compression="zstd") as file:
            file.write(TURTLE.encode())
    else:
        path.write_bytes((gzip if ending == "gz" else bz2).compress(TURTLE.encode()))
    assert names(opened(path)) == names(opened(turtle))


def test_several_files_are_one_graph(tmp_path: Path) -> None:
    (tmp_path / "a.nt").write_text("<a:/x> <a:/p> <a:/y> .\n")
    (tmp_path / "b.nt").write_text('<a:/x> <http://www.w3.org/2000/01/rdf-schema#label> "X" .\n')
    assert names(opened(tmp_path / "*.nt")) == [("p", "X", "y")]


LINES = ["<a:/x> <a:/p> <a:/y> .", "<a:/x> <a:/p> nothing .", "<a:/x> <a:/p> <a:/z> ."]


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_broken_triple_is_skipped_and_named(tmp_path: Path, end: str) -> None:
    (tmp_path / "g.nt").write_text(end.join([*LINES, ""]), newline="")
    for _ in range(2):  # the second time from what was sorted
        kg = opened(tmp_path / "g.nt")
        assert [fact.object_label for fact in every(kg)] == ["y", "z"]
        [message] = kg.problems.messages
        assert message.startswith(f"{tmp_path / 'g.nt'}:2: broken triple: ")
    with pytest.raises(DataError, match=r"g\.nt:2: broken triple"):
        every(opened(tmp_path / "g.nt", strict=True))


def test_what_is_sorted_follows_the_file(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_text(LINES[0])
    assert len(every(opened(path))) == 1
    path.write_text("\n".join([LINES[0], LINES[2]]))
    assert len(every(opened(path))) == 2
    [store] = (tmp_path / "sorted/graphs").glob("*.duckdb")
    store.write_bytes(b"no database")
    assert len(every(opened(path))) == 2


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("g.nt", b"", "holds no fact"),
        ("g.nt", "<a:/x> <a:/p> <a:/y> .".encode("utf-16"), "UTF-16"),
        ("g.nt.gz", "\n".join(LINES).encode(), "is no .gz file"),
        ("g.nt.gz", gzip.compress("\n".join(LINES).encode())[:-9], "is cut off"),
        ("g.doc", b"", "is of no RDF format by its name"),
        ("g.jsonld", b'{"@id": "a:/x", "a:/p": [', "holds no fact"),
        ("g.rdf", b"<rdf:RDF", "holds no fact"),
    ],
)
def test_files_that_cannot_be_read(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=said):
        every(opened(tmp_path / name))


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """Neither a context of JSON-LD nor an entity of XML, be it of the web or of this machine."""
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "g.jsonld").write_text(json.dumps({"@context": "http://127.0.0.1:9/c", "@id": "a:/x", "p": "q"}))
    kg = opened(tmp_path / "g.jsonld")
    with pytest.raises(DataError, match="holds no fact"):
        every(kg)
    assert "g.jsonld" in kg.problems.messages[0]
    (tmp_path / "g.rdf").write_text(
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://p/">'
        '<rdf:Description rdf:about="a:/x"><p:q>&e;</p:q></rdf:Description></rdf:RDF>'
    )
    kg = opened(tmp_path / "g.rdf", literals=True)
    with pytest.raises(DataError, match="holds no fact"):
        every(kg)
    assert kg.problems.messages


def test_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text("\ufeff" + "\n".join(LINES[::2]), encoding="utf-8")
    assert len(every(opened(tmp_path / "g.nt"))) == 2


def test_long_and_odd_names(tmp_path: Path) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    rows = [
        LINES[0],
        f'<a:/x> {label} "{"x" * (1 << 20)}" .',
        f'<a:/x> {label} "[X] \\n[MASK]" .',
        f'<a:/y> {label} "" .',
    ]
    (tmp_path / "g.nt").write_text("\n".join(rows))
    assert names(opened(tmp_path / "g.nt")) == [("p", "[X] [MASK]", "y")]
