"""RDF in every serialisation, against rdflib, and whatever is broken."""

from __future__ import annotations

import bz2
import gzip
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from factprobe import workers
from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs.on_disk import bulk_load
from factprobe.kgs.rdf.rdf_files import ENDINGS
from factprobe.kgs.rdf.rdf_graph import Rdf, RdfSettings
from factprobe.records import Triplet
from factprobe.storage import Layout, Problems, to_utf8
from tests.command_line import CommandLine

pyoxigraph = pytest.importorskip("pyoxigraph")
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
    return Rdf(
        None, "rdf", Problems(strict), RdfSettings(name="rdf", source=str(source), **{"store": folder, **settings})
    )


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
    assert "3 triples are skipped" in caplog.text


def test_child_process_builds_the_same_store(turtle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here = every(opened(turtle))
    started: list[object] = []
    start = workers._Pool.__init__

    def counting(pool: Any, *given: Any) -> None:
        started.append(pool)
        start(pool, *given)

    monkeypatch.setattr(workers, "_can_fork", lambda: True)
    monkeypatch.setattr(workers._Pool, "__init__", counting)
    assert every(opened(turtle, store=str(tmp_path / "elsewhere"))) == here
    assert len(started) == 1


@pytest.mark.parametrize("strict", [False, True])
def test_relations_without_labels_are_named(turtle: Path, strict: bool, caplog: pytest.LogCaptureFixture) -> None:
    with turtle.open("a") as file:
        file.write(":Peru :likes :One, :Two .")
    kg = opened(turtle, strict=strict)
    assert [relation.relation for relation in kg.load_relations()] == ["capital"]
    [line] = [line for line in caplog.messages if "both ends" in line]
    assert "likes (2 facts); list them in kg.predicates=[lies_in,likes]" in line
    caplog.clear()
    assert len(every(opened(turtle, predicates=("likes",)))) == 2
    assert "both ends" not in caplog.text


def test_missing_file(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"nope\.ttl"):
        every(opened(tmp_path / "nope.ttl"))


def test_languages_in_order(turtle: Path) -> None:
    [france, _] = every(opened(turtle, lang=("de", "en")))
    assert (france.subject_label, france.subject_aliases) == ("Frankreich", ("France", "French Republic"))
    [france, _] = every(opened(turtle, lang="fr", predicates="capital"))
    assert (france.subject_label, france.subject_aliases) == ("République", ())


@pytest.mark.parametrize("others", [0, 20, 300])
def test_names_keep_source_order_at_any_size(tmp_path: Path, others: int) -> None:
    text = """
@prefix : <http://example.org/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:a skos:altLabel "Z"@en ; rdfs:label "First"@en, "Second"@en, "Another"@en ; skos:altLabel "Y"@en ; :p :b .
:b rdfs:label "B" .
"""
    path = tmp_path / "g.ttl"
    path.write_text(text + "".join(f':e{n} rdfs:label "E{n}" ; :p :b .\n' for n in range(others)), encoding="utf-8")
    fact, *_ = every(opened(path))
    assert fact.subject.names() == ("First", "Second", "Another", "Z", "Y")


def test_selected_predicates(turtle: Path) -> None:
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


def test_midnight_time_is_shown_as_day(tmp_path: Path) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    days = ("1821-07-28", "-0752-04-21")
    rows = [f'<a:/x{day}> <a:/p> "{day}T00:00:00Z"^^<{xsd}dateTime> .' for day in days]
    noon = f'<a:/x> <a:/p> "1821-07-28T12:00:00Z"^^<{xsd}dateTime> .'
    text = '<a:/x> <a:/p> "T00:00:00Z" .'
    (tmp_path / "g.nt").write_text("\n".join([*rows, noon, text]))
    facts = every(opened(tmp_path / "g.nt", literals=True))
    labels = ["1821-07-28", "-0753-04-21", "1821-07-28T12:00:00Z", "T00:00:00Z"]
    assert [fact.object_label for fact in facts] == labels
    assert facts[0].object_uri == "1821-07-28T00:00:00Z"  # as the source has it
    assert facts[0].object_types == (f"{xsd}dateTime",)


@pytest.mark.parametrize(
    ("term", "label"),
    [
        ('"-0043-03-13"^^<{xsd}date>', "-0044-03-13"),
        ('"-0043-03-13T12:00:00Z"^^<{xsd}dateTime>', "-0044-03-13T12:00:00Z"),
        ('"-0043"^^<{xsd}gYear>', "-0044"),
        ('"0000"^^<{xsd}gYear>', "-0001"),
        ('"-0000-05"^^<{xsd}gYearMonth>', "-0001-05"),
        ('"-10000"^^<{xsd}gYear>', "-10001"),
        ('"0001"^^<{xsd}gYear>', "0001"),
        ('"-0043"^^<{xsd}integer>', "-0043"),
        ('"-0043"', "-0043"),
        ('"1"^^<{xsd}boolean>', "true"),
        ('"0"^^<{xsd}boolean>', "false"),
        ('"1"^^<{xsd}integer>', "1"),
    ],
)
def test_year_before_christ_or_boolean_of_xml_schema_has_one_notation(tmp_path: Path, term: str, label: str) -> None:
    term = term.format(xsd="http://www.w3.org/2001/XMLSchema#")
    (tmp_path / "g.nt").write_text(f"<a:/x> <a:/p> {term} .\n")
    [fact] = every(opened(tmp_path / "g.nt", literals=True))
    assert fact.object_label == label
    assert f'"{fact.object_uri}"' == term.partition("^^")[0]


def test_ambiguous_last_part_keeps_full_iri(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text(
        "".join(f"<a:/x> <{iri}> <a:/y> .\n" for iri in ("http://a/p", "http://b/p", "http://a/q"))
    )
    relations = list(opened(tmp_path / "g.nt").load_relations())
    assert [relation.relation for relation in relations] == ["http://a/p", "http://b/p", "q"]


FORMATS = {"ttl": "turtle", "nt": "nt", "nq": "nquads", "trig": "trig", "rdf": "xml", "jsonld": "json-ld", "n3": "n3"}


@pytest.mark.filterwarnings("ignore:Dataset:DeprecationWarning")
@pytest.mark.parametrize("ending", FORMATS)
def test_every_serialisation_agrees_with_rdflib(tmp_path: Path, ending: str) -> None:
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


def test_every_listed_file_ending_is_read(tmp_path: Path) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"g{ending}"
        known = pyoxigraph.RdfFormat.from_extension(ending[1:])
        if known in (None, pyoxigraph.RdfFormat.RDF_XML):
            known = pyoxigraph.RdfFormat.TURTLE if ending == ".turtle" else pyoxigraph.RdfFormat.RDF_XML
        quads = pyoxigraph.parse(TURTLE, format=pyoxigraph.RdfFormat.TURTLE)
        path.write_bytes(pyoxigraph.serialize((quad.triple for quad in quads), format=known))
        assert len(names(opened(path))) == 2, ending


@pytest.mark.parametrize("name", ["g.owl", "g.rdf", "g.xml", "g.owl.gz"])
@pytest.mark.parametrize("lead", ["", "# an ontology\n\n", "\ufeff"])
def test_turtle_in_file_named_as_rdf_xml(tmp_path: Path, name: str, lead: str) -> None:
    content = (lead + TURTLE).encode()
    (tmp_path / name).write_bytes(gzip.compress(content) if name.endswith("gz") else content)
    assert len(names(opened(tmp_path / name))) == 2
    (tmp_path / "sparql.owl").write_text("PREFIX : <http://x/>\n:a :p :b .\n")
    assert len(names(opened(tmp_path / "sparql.owl"))) == 1


@pytest.mark.parametrize(
    "content",
    [
        "Prefix(:=<http://x/>)\nOntology(<http://x/>)\n",
        "# made by hand\nOntology(<http://x/>)\n",
        "Prefix: : <http://x/>\nOntology: <http://x/>\n",
        '<?xml version="1.0"?>\n<Ontology xmlns="http://www.w3.org/2002/07/owl#" ontologyIRI="http://x/"/>',
    ],
)
def test_ontology_in_a_syntax_other_than_rdf(tmp_path: Path, content: str) -> None:
    (tmp_path / "g.owl").write_text(content)
    with pytest.raises(DataError, match=r"a syntax other than RDF; convert it .*: robot convert -i g\.owl -o g\.ttl"):
        every(opened(tmp_path / "g.owl"))


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
def test_broken_triple_is_skipped_and_reported(tmp_path: Path, end: str) -> None:
    (tmp_path / "g.nt").write_text(end.join([*LINES, ""]), newline="")
    for _ in range(2):  # the second time from what was sorted
        kg = opened(tmp_path / "g.nt")
        assert [fact.object_label for fact in every(kg)] == ["y", "z"]
        [message] = kg.problems.messages
        assert message.startswith(f"{tmp_path / 'g.nt'}:2: broken triple: ")
    with pytest.raises(DataError, match=r"g\.nt:2: broken triple"):
        every(opened(tmp_path / "g.nt", strict=True))


def test_store_is_rebuilt_when_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_text(LINES[0])
    assert len(every(opened(path))) == 1
    path.write_text("\n".join([LINES[0], LINES[2]]))
    assert len(every(opened(path))) == 2
    [store] = (tmp_path / "sorted/graphs").glob("*.duckdb")
    store.write_bytes(b"no database")
    assert len(every(opened(path))) == 2
    for ending in (".arrow", ".facts"):
        store.with_suffix(ending).unlink()
        assert len(every(opened(path))) == 2


def test_store_is_rebuilt_for_another_file_of_the_same_size_and_time(tmp_path: Path) -> None:
    old, new, link = (tmp_path / name for name in ("old.nt", "new.nt", "g.nt"))
    for path, name in ((old, "y"), (new, "z")):
        path.write_text(f"<http://a/x> <http://a/p> <http://a/{name}> .")
        os.utime(path, (0, 0))
    link.symlink_to(old)
    assert [fact.object_label for fact in every(opened(link))] == ["y"]
    link.unlink()
    link.symlink_to(new)
    assert [fact.object_label for fact in every(opened(link))] == ["z"]
    shutil.copy2(old, new)
    assert [fact.object_label for fact in every(opened(link))] == ["y"]


@pytest.mark.parametrize("kept", [0, 10, 0.5, -1])
def test_damaged_store_is_rebuilt_or_named(tmp_path: Path, kept: float) -> None:
    path = tmp_path / "g.nt"
    path.write_text("\n".join([LINES[0], LINES[2]]))
    for ending in (".arrow", ".facts", ".duckdb"):
        assert len(every(opened(path))) == 2
        [file] = (tmp_path / "sorted/graphs").glob(f"*{ending}")
        content = file.read_bytes()
        file.write_bytes(content[: int(kept * len(content)) if isinstance(kept, float) else kept])
        try:
            assert len(every(opened(path))) == 2
        except DataError as error:
            assert (error.where, str(error.hint).partition(",")[0]) == (file, "delete it")  # noqa: PT017
            file.unlink()


def test_store_damaged_in_the_middle_is_named(tmp_path: Path) -> None:
    path = tmp_path / "g.nt"
    path.write_text("\n".join([LINES[0], LINES[2]]))
    for ending in (".arrow", ".facts"):
        assert len(every(opened(path))) == 2
        [file] = (tmp_path / "sorted/graphs").glob(f"*{ending}")
        content = file.read_bytes()
        footer = len(content) - 10 - int.from_bytes(content[-10:-6], "little")
        file.write_bytes(content[:8] + bytes(footer - 8) + content[footer:])
        with pytest.raises(DataError, match="delete it") as raised:
            every(opened(path))
        assert raised.value.where == file
        file.unlink()


LIMITED = """
import resource, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv.pop(1)), resource.RLIM_INFINITY))
from factprobe.cli.main import main
main()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no such limit")
@pytest.mark.parametrize("limit", [1000, 500_000])  # its first table, and the file as a whole
def test_full_disk_is_named_and_the_next_run_builds_the_store(factprobe: CommandLine, limit: int) -> None:
    path = factprobe.folder / "g.nt"
    path.write_text("\n".join(LINES[:1] + LINES[2:3]))
    settings = ["step=extract", "kg=rdf", f"kg.source={path}", f"kg.store={factprobe.folder}"]
    command = [sys.executable, "-B", "-c", LIMITED, str(limit), *settings]
    done = subprocess.run(command, capture_output=True, check=False, text=True, timeout=60)
    [line] = done.stderr.splitlines()
    assert (done.returncode, "graphs/g.nt" in line, "File too large" in line, "make room" in line) == (2, *[True] * 3)
    assert [file.suffix for file in (factprobe.folder / "graphs").iterdir()] == [".lock"]
    assert factprobe(*settings).code == 0


def test_interrupt_is_not_lost_in_a_query(tmp_path: Path) -> None:
    code = f"""
import os, signal, threading
from pathlib import Path
from factprobe.kgs.on_disk.store import _connect
signal.signal(signal.SIGINT, signal.default_int_handler)
path = Path({str(tmp_path / "x.duckdb")!r})
with _connect(path, path):
    pass
with _connect(path) as connection:  # with one thread; of several, DuckDB may not look for a signal in this one
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    connection.execute("select max(md5(range::varchar)) from range(200000000)")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False, text=True, timeout=60)
    assert "KeyboardInterrupt" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("g.nt", b"", "has no readable fact"),
        ("g.nt", "<a:/x> <a:/p> <a:/y> .".encode("utf-16"), "UTF-16"),
        ("g.nt.gz", "\n".join(LINES).encode(), "is not a .gz file"),
        ("g.nt.gz", gzip.compress("\n".join(LINES).encode(), mtime=0)[:-9], "is cut off"),
        ("g.doc", b"", "has no known ending of an RDF file"),
        ("g.hdt", b"$HDT", "RDF file; convert it to N-Triples with hdt-cpp: hdt2rdf g.hdt g.nt"),
        ("g.jsonld", b'{"@id": "a:/x", "a:/p": [', "has no readable fact"),
        ("g.rdf", b"<rdf:RDF", "has no readable fact"),
    ],
)
def test_unreadable_files(tmp_path: Path, name: str, content: bytes, said: str) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataError, match=said):
        every(opened(tmp_path / name))


def test_nothing_is_fetched(tmp_path: Path) -> None:
    """Neither a context of JSON-LD nor an entity of XML, be it of the web or of this machine."""
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "g.jsonld").write_text(json.dumps({"@context": "http://127.0.0.1:9/c", "@id": "a:/x", "p": "q"}))
    kg = opened(tmp_path / "g.jsonld")
    with pytest.raises(DataError, match="has no readable fact"):
        every(kg)
    assert "g.jsonld" in kg.problems.messages[0]
    (tmp_path / "g.rdf").write_text(
        f'<?xml version="1.0"?><!DOCTYPE r [<!ENTITY e SYSTEM "{(tmp_path / "secret").as_uri()}">]>'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:p="http://p/">'
        '<rdf:Description rdf:about="a:/x"><p:q>&e;</p:q></rdf:Description></rdf:RDF>'
    )
    kg = opened(tmp_path / "g.rdf", literals=True)
    with pytest.raises(DataError, match="has no readable fact"):
        every(kg)
    assert kg.problems.messages


def test_byte_order_mark(tmp_path: Path) -> None:
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


@pytest.mark.parametrize("ending", ["nt", "ttl"])
def test_path_traversal_ids_lookalikes_and_duplicates(tmp_path: Path, ending: str) -> None:
    """Nothing is written outside the output folder; a Cyrillic letter and a decomposed one make other entities."""
    out = tmp_path / "a/b/out"
    relations = ["http://x/../../etc/passwd", "http://x/y#z", "http://x/y%2F..%2Fz"]
    alike = ["http://x/a", "http://x/\u0430", "http://x/\u00e9", "http://x/e\u0301"]
    rows = [f"<{one}> <{relation}> <{one}> ." for relation in relations for one in alike] * 2
    (tmp_path / f"g.{ending}").write_text("\n".join([*rows, ""]), encoding="utf-8")
    kg = opened(tmp_path / f"g.{ending}")
    before = {path for path in tmp_path.rglob("*") if out not in path.parents}
    extractor = TripletExtractor(kg)
    made = [extractor.extract_relation(relation, None, Layout(out)) for relation in kg.load_relations()]
    assert [(found.facts_read, found.triplets) for found in made] == [(8, 4)] * 3
    assert {path for path in tmp_path.rglob("*") if out not in path.parents} - before <= {*out.parents, out} | {
        path for path in tmp_path.rglob("*") if "sorted" in path.parts
    }
    assert len([*(out / "triplets").iterdir()]) == 6


def test_hash_collisions_are_resolved(turtle: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = every(opened(turtle, literals=True))
    turtle.write_text(TURTLE + "# another state")
    weak = "create temporary macro key(term, datatype) as hash(if({attempt} = 0, term[:20], term), datatype)"
    monkeypatch.setattr(bulk_load, "KEY", weak)
    assert every(opened(turtle, literals=True)) == expected


def test_code_is_not_a_name_among_labelled_entities(tmp_path: Path) -> None:
    """No question shows one among its options."""
    (tmp_path / "g.ttl").write_text(
        "@prefix : <http://x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':Q142 rdfs:label "France" ; :capital :Q90 .\n:Q90 rdfs:label "Paris" .\n:Q419 :capital :Q2868 , :Old_Lima .\n'
    )
    france, *peru = every(opened(tmp_path / "g.ttl"))
    assert (france.subject_label, france.object_label) == ("France", "Paris")
    assert [(fact.subject_label, fact.object_label) for fact in peru] == [("", ""), ("", "Old Lima")]


def test_codes_are_names_without_other_labels(tmp_path: Path) -> None:
    (tmp_path / "g.nt").write_text("<http://x/Q1> <http://x/p> <http://x/Q2> .\n")
    [fact] = every(opened(tmp_path / "g.nt"))
    assert (fact.subject_label, fact.object_label) == ("Q1", "Q2")


def test_code_is_not_a_name_with_literals_only(tmp_path: Path) -> None:
    """A text, number or date is an end with a name."""
    (tmp_path / "g.ttl").write_text(
        "@prefix : <http://x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        ':Q142 rdfs:label "France" ; :founded 843 .\n:Q419 :founded 1821 .\n'
    )
    assert [fact.subject_label for fact in every(opened(tmp_path / "g.ttl", literals=True))] == ["France", ""]


@pytest.mark.parametrize("ending", ["nt", "ttl"])
def test_infinite_numbers_and_nan_are_no_answers(tmp_path: Path, ending: str, caplog: pytest.LogCaptureFixture) -> None:
    xsd = "http://www.w3.org/2001/XMLSchema#"
    values = [("1.5", "double"), ("INF", "double"), ("-INF", "float"), ("NaN", "double"), ("NaN", "string")]
    lines = [f'<{HERE}e{n}> <{HERE}p> "{value}"^^<{xsd}{kind}> .\n' for n, (value, kind) in enumerate(values)]
    (tmp_path / f"g.{ending}").write_text("".join(lines))
    found = every(opened(tmp_path / f"g.{ending}", literals=True))
    assert [fact.object_label for fact in found] == ["1.5", "NaN"], "the last one is a text"
    assert "3 triples are skipped" in caplog.text


LANGUAGES = (
    "@prefix : <http://x/> .\n@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
    ':France rdfs:label "Frankreich"@de ; :capital :Paris .\n:Paris rdfs:label "Paris"@de, "Paris"@en .\n'
)


def test_names_in_other_languages_are_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g.ttl").write_text(LANGUAGES)
    every(opened(tmp_path / "g.ttl"))
    said = "1 entities without a label have one in other languages; kg.lang=[en,'*'] uses it"
    assert said in caplog.text  # France; Paris has its English one
    caplog.clear()
    every(opened(tmp_path / "g.ttl", lang=("en", "de")))
    assert "other languages" not in caplog.text


@pytest.mark.parametrize("ending", ["ttl", "nt"])
@pytest.mark.parametrize("tag", ["mul", "und", "zxx", "MUL"])
def test_language_neutral_name_counts_in_every_language(tmp_path: Path, ending: str, tag: str) -> None:
    """Wikidata's default labels replace those in English where both are alike."""
    text = LANGUAGES.replace('"Frankreich"@de', f'"Frankreich"@de, "France"@{tag}').replace(
        '"Paris"@en', f'"Lutetia"@{tag}'
    )
    quads = pyoxigraph.parse(text, format=pyoxigraph.RdfFormat.TURTLE)
    format_ = pyoxigraph.RdfFormat.from_extension(ending)
    pyoxigraph.serialize((quad.triple for quad in quads), str(tmp_path / f"g.{ending}"), format=format_)
    [fact] = every(opened(tmp_path / f"g.{ending}"))
    assert (fact.subject_label, fact.object_label) == ("France", "Lutetia")
    [fact] = every(opened(tmp_path / f"g.{ending}", lang=("de", "en")))
    assert (fact.subject_label, fact.subject_aliases) == ("Frankreich", ("France",))
    [fact] = every(opened(tmp_path / f"g.{ending}", lang=("mul", "de")))
    assert fact.subject_label == ("France" if tag.lower() == "mul" else "Frankreich")


NAMED = """
@prefix : <http://x/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix skos: <http://www.w3.org/2004/02/skos/core#> .
:Q1 rdfs:label "東京"@ja ; skos:prefLabel "Tokyo"@en ; skos:altLabel "Tokio"@de ; :lies_in :Q2 .
:Q2 rdfs:label "Japon"@fr, "Japan"@de ; skos:altLabel "Nippon"@ja ; :lies_in :Q3 .
:Q3 rdfs:label "Asia" , "Asie"@fr .
:lies_in rdfs:label "liegt in"@de .
"""


@pytest.mark.parametrize("ending", ["ttl", "nt"])
def test_wildcard_language_is_a_fallback(tmp_path: Path, ending: str) -> None:
    """English first, whichever predicate has it; then one label of another language, and the aliases of all others."""
    quads = pyoxigraph.parse(NAMED, format=pyoxigraph.RdfFormat.TURTLE)
    format_ = pyoxigraph.RdfFormat.from_extension(ending)
    pyoxigraph.serialize((quad.triple for quad in quads), str(tmp_path / f"g.{ending}"), format=format_)
    kg = opened(tmp_path / f"g.{ending}", lang=("en", "*"), labels=("rdfs:label", "skos:prefLabel"))
    tokyo, japan = every(kg)
    assert tokyo.relation_info.label == "liegt in"
    assert (tokyo.subject_label, tokyo.subject_aliases) == ("Tokyo", ())
    assert (japan.subject_label, japan.subject_aliases) == ("Japon", ("Nippon",))
    assert (japan.object_label, japan.object_aliases) == ("Asia", ())


@pytest.mark.parametrize("ending", ["ttl", "nt"])
@pytest.mark.parametrize("language", ["pt-BR", "pt-br", "PT", "pt"])
def test_case_of_language_tags_is_ignored(tmp_path: Path, ending: str, language: str) -> None:
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    lines = [
        "<http://x/Q1> <http://x/in> <http://x/Q2> .",
        f'<http://x/Q1> {label} "Ônibus"@pt-BR, "Bus"@en .',
        f'<http://x/Q2> {label} "Brasil"@PT-br .',
    ]
    quads = pyoxigraph.parse("\n".join(lines), format=pyoxigraph.RdfFormat.TURTLE)
    format_ = pyoxigraph.RdfFormat.from_extension(ending)
    pyoxigraph.serialize((quad.triple for quad in quads), str(tmp_path / f"g.{ending}"), format=format_)
    [fact] = every(opened(tmp_path / f"g.{ending}", lang=(language,)))
    assert (fact.subject_label, fact.object_label) == ("Ônibus", "Brasil")


def test_naming_predicate_in_other_language_counts_as_used(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g.ttl").write_text(LANGUAGES)
    assert names(opened(tmp_path / "g.ttl", lang=("fr", "*"), labels=("rdfs:label",), types=())) == [
        ("capital", "Frankreich", "Paris")
    ]
    assert "names no entity" not in caplog.text


OBSOLETE = """
@prefix : <http://x/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix owl: <http://www.w3.org/2002/07/owl#> .
:knee a owl:Class ; rdfs:label "knee" ; :part_of :leg .
:shank a owl:Class ; rdfs:label "shank" ; owl:deprecated false ; :part_of :leg .
:leg rdfs:label "leg" .
:limb rdfs:label "limb" ; owl:deprecated true ; :part_of :leg .
:calf rdfs:label "calf" ; :part_of :oldleg , :olderleg .
:oldleg rdfs:label "obsolete leg" ; owl:deprecated "1"^^<http://www.w3.org/2001/XMLSchema#boolean> .
:olderleg a owl:DeprecatedClass ; rdfs:label "older leg" .
"""


@pytest.mark.parametrize("ending", ["ttl", "nt"])
def test_obsolete_entities_are_left_out(tmp_path: Path, ending: str, caplog: pytest.LogCaptureFixture) -> None:
    quads = pyoxigraph.parse(OBSOLETE, format=pyoxigraph.RdfFormat.TURTLE)
    format_ = pyoxigraph.RdfFormat.from_extension(ending)
    pyoxigraph.serialize((quad.triple for quad in quads), str(tmp_path / f"g.{ending}"), format=format_)
    kg = opened(tmp_path / f"g.{ending}", literals=True)
    assert names(kg) == [("part_of", "knee", "leg"), ("part_of", "shank", "leg")]
    assert "3 obsolete entities are skipped with their facts; kg.obsolete=[] keeps them" in caplog.text
    caplog.clear()
    kept = names(opened(tmp_path / f"g.{ending}", obsolete=(), predicates=("part_of",)))
    assert [subject for _, subject, _ in kept] == ["knee", "shank", "limb", "calf", "calf"]
    assert "obsolete entities" not in caplog.text


def test_literal_only_predicates_are_warned_of(turtle: Path, caplog: pytest.LogCaptureFixture) -> None:
    every(opened(turtle))
    assert (
        "skipped, as they have only texts, numbers or dates: founded (2), motto (1); set kg.literals=true"
        in caplog.text
    )
    caplog.clear()
    every(opened(turtle, literals=True))
    every(opened(turtle, predicates=("capital",)))
    assert "only texts" not in caplog.text


def test_unused_naming_predicates_are_warned_of(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / "g.ttl").write_text(LANGUAGES)
    for _ in range(2):  # the second time they come from the store
        caplog.clear()
        every(opened(tmp_path / "g.ttl", labels=("rdfs:lable", "rdfs:label"), types=("rdf:type",)))
        assert "kg.labels: rdfs:lable names no entity; look up the predicate in the source" in caplog.text
        assert "kg.types: rdf:type names no entity" in caplog.text
    caplog.clear()
    every(opened(tmp_path / "g.ttl"))
    assert "names no entity" not in caplog.text


def test_folder_and_missing_file(tmp_path: Path) -> None:
    (tmp_path / "dump").mkdir()
    (tmp_path / "dump/g.ttl").write_text(LANGUAGES)
    with pytest.raises(DataError, match=r"dump: is a folder; name its files: kg\.source='.*/dump/\*\.ttl'"):
        every(opened(tmp_path / "dump"))
    with pytest.raises(DataError, match=r"none\.ttl: does not exist; correct kg\.source"):
        every(opened(tmp_path / "none.ttl"))


def test_latin_1_is_reported_as_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "g.ttl").write_bytes('@prefix : <http://x/> .\n:a :b "é" .\n:c :d :e .\n'.encode("latin-1"))
    kg = opened(tmp_path / "g.ttl")
    every(kg)
    assert "g.ttl:2: broken triple" in kg.problems.messages[0]
    assert "UTF-8" in kg.problems.messages[0]
    assert kg.problems.messages[0].endswith(f"; {to_utf8('g.ttl')}")


@pytest.mark.parametrize("name", ["a?b", "a\\b"])
def test_folder_that_duckdb_cannot_open_is_an_error(turtle: Path, tmp_path: Path, name: str) -> None:
    with pytest.raises(ConfigError, match=r"in its path, which DuckDB cannot open; set kg\.store= to another"):
        every(opened(turtle, store=str(tmp_path / name)))


@pytest.mark.parametrize("name", ["a b", "a#b", "a'b", 'a"b', "a*b", "a[b]", "a%b", "a;b", "é"])
def test_unusual_characters_in_path_are_allowed(turtle: Path, tmp_path: Path, name: str) -> None:
    assert every(opened(turtle, store=str(tmp_path / name)))


@pytest.mark.parametrize("ending", ["ttl", "trig", "rdf", "jsonld", "nt"])
@pytest.mark.parametrize("name", ["a b", "a[b]", "a%b", "a%20b", "a#b", "a<b", "a{b}^|`", "é 😀"])
def test_unusual_characters_in_name_of_file_are_allowed(turtle: Path, tmp_path: Path, name: str, ending: str) -> None:
    quads = pyoxigraph.parse(path=str(turtle))
    path = tmp_path / f"{name}.{ending}"
    serialized = pyoxigraph.serialize(
        (quad.triple for quad in quads), format=pyoxigraph.RdfFormat.from_extension(ending)
    )
    path.write_bytes(serialized)
    assert names(opened(path)) == names(opened(turtle))


def test_relative_iris_begin_with_the_name_of_the_file(tmp_path: Path) -> None:
    for name in ("a(1)é.ttl", "a 1.ttl"):
        (tmp_path / name).write_text("<#s> <http://x/in> <#o> .")
    found = [every(opened(tmp_path / name))[0].subject_uri for name in ("a(1)é.ttl", "a 1.ttl")]
    assert found == ["file:///a(1)é.ttl#s", "file:///a%201.ttl#s"]
