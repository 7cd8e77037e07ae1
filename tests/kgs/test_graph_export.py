"""What is written of a graph is read again as the same facts."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import factprobe
from factprobe.config.types import ExportFormat
from factprobe.errors import DataError
from factprobe.kgs import Graph
from factprobe.kgs.default_labels import triplet_of
from factprobe.kgs.graph_export import write_graphml, write_nt, write_parquet
from factprobe.kgs.iris import from_iri, to_iri
from factprobe.kgs.rdf.rdf_graph import Rdf, RdfSettings
from factprobe.kgs.summaries import summary_and_facts
from factprobe.kgs.tables.table_graph import TableGraph, TableSettings
from factprobe.records import Entity, Relation, RelationSummary, Triplet
from factprobe.storage import Problems
from tests.command_line import CommandLine

for _needed in ("pyoxigraph", "pyarrow", "duckdb"):
    pytest.importorskip(_needed)

FORMATS: tuple[ExportFormat, ...] = ("graphml", "nt", "parquet")
Known = dict[str, list[tuple[object, ...]]]


def written(kg: Graph, format_: ExportFormat) -> bytes:
    """A graph in a format."""
    file = io.BytesIO()
    if format_ == "graphml":
        write_graphml(kg.to_networkx(), file)
    else:
        relations = ((summary.relation_info, triplets) for summary, triplets in _taken(kg))
        if format_ == "nt":
            write_nt(relations, file, kg.by_name().values())
        else:
            write_parquet(relations, file)
    return file.getvalue()


def _taken(kg: Graph) -> Iterator[tuple[RelationSummary, Iterator[Triplet]]]:
    return (summary_and_facts(kg, relation) for relation in kg.with_facts())


def read_again(path: Path) -> Graph:
    """The graph in a file of one of the formats."""
    if path.suffix == ".graphml":
        import networkx

        return factprobe.load_kg(networkx.read_graphml(path))
    if path.suffix == ".nt":
        store = str(path.parent / "sorted")
        return Rdf(None, "rdf", Problems(strict=True), RdfSettings(name="rdf", source=str(path), store=store))
    return TableGraph(None, "csv", Problems(strict=True), TableSettings(name="csv", source=str(path)))


def facts(kg: Graph, *, in_order: bool = True) -> Known:
    """All that is known of the facts of each relation, but for dates."""
    found: Known = {}
    for summary, triplets in _taken(kg):
        rows: list[tuple[object, ...]] = [
            (
                *(fact.subject_uri, fact.subject_label, frozenset(fact.subject_aliases), frozenset(fact.subject_types)),
                *(fact.object_uri, fact.object_label, frozenset(fact.object_aliases), frozenset(fact.object_types)),
            )
            for fact in triplets
        ]
        found[summary.relation_info.relation] = rows if in_order else sorted(rows, key=repr)
    return found


@pytest.mark.parametrize("format_", FORMATS)
def test_graph_that_comes_with_factprobe(tmp_path: Path, format_: ExportFormat) -> None:
    kg = factprobe.load_kg("umls")
    path = tmp_path / f"g.{format_}"
    path.write_bytes(written(kg, format_))
    in_order = format_ != "graphml"
    assert facts(read_again(path), in_order=in_order) == facts(kg, in_order=in_order)
    assert written(kg, format_) == path.read_bytes()


WORDS = st.text(st.characters(codec="utf-8", exclude_categories=["C"]), min_size=1, max_size=8).map(
    lambda text: " ".join(text.split())
)
NAMES = WORDS.filter(lambda name: name and "|" not in name)
IDS = st.one_of(
    NAMES,
    st.sampled_from(["http://x/a#b", "MONDO:1", "urn:factprobe:Q1", "a%20b", "%", "http://x/a b", "é%C3%A9", "C:\\x"]),
)


@st.composite
def graphs(draw: st.DrawFn, most: int = 8) -> Graph:
    """A graph whose entities have the same names in each of their facts; all have labels."""
    ids = draw(st.lists(IDS, min_size=1, max_size=most, unique=True))
    several = st.lists(NAMES, max_size=2, unique=True)
    about = {uri: {"": uri, "_label": draw(NAMES), "_aliases": draw(several), "_types": draw(several)} for uri in ids}
    links = st.tuples(st.sampled_from(ids), st.sampled_from(["capital", "lies in", "P36"]), st.sampled_from(ids))
    rows = []
    for subject, relation, object_ in draw(st.lists(links, min_size=1, max_size=most, unique=True)):
        row: dict[str, object] = {"relation": relation}
        for end, uri in (("subject", subject), ("object", object_)):
            row |= {f"{end}{name or '_id'}": value for name, value in about[uri].items()}
        rows.append(row)
    return factprobe.load_kg(rows, name="g", strict=True)


def comes_back(kg: Graph, path: Path, format_: ExportFormat) -> None:
    path.write_bytes(written(kg, format_))
    assert facts(read_again(path), in_order=False) == facts(kg, in_order=False)


@pytest.mark.parametrize("format_", ["graphml", "parquet"])
@given(kg=graphs())
def test_any_graph_comes_back(tmp_path_factory: pytest.TempPathFactory, format_: ExportFormat, kg: Graph) -> None:
    comes_back(kg, tmp_path_factory.mktemp("any") / f"g.{format_}", format_)


@settings(max_examples=min(2, settings().max_examples))  # each of which DuckDB sorts
@given(kg=graphs(most=40))
def test_any_graph_comes_back_from_n_triples(tmp_path_factory: pytest.TempPathFactory, kg: Graph) -> None:
    comes_back(kg, tmp_path_factory.mktemp("any") / "g.nt", "nt")


@given(st.text(min_size=1))
def test_id_is_an_iri_and_back(name: str) -> None:
    name = name.encode(errors="replace").decode()
    assert from_iri(to_iri(name).value) == name


def test_dates_and_labels_of_relations_are_in_a_table(tmp_path: Path) -> None:
    row = {"subject": "a", "relation": "P1", "relation_label": "rules", "object": "b", "start": "1990", "end": "2001"}
    kg = factprobe.load_kg([row])
    (tmp_path / "g.parquet").write_bytes(written(kg, "parquet"))
    [(summary, triplets)] = _taken(read_again(tmp_path / "g.parquet"))
    [fact] = triplets
    assert (summary.relation_info.relation, fact.start, fact.end) == ("P1", "1990", "2001")


def test_characters_outside_xml_are_replaced(tmp_path: Path) -> None:
    kg = factprobe.load_kg([("a\x01b", "r", "c")])
    for format_, name in (("graphml", "\ufffd"), ("parquet", "\x01")):
        path = tmp_path / f"g.{format_}"
        path.write_bytes(written(kg, format_))  # type: ignore[arg-type]
        assert facts(read_again(path))["r"][0][0] == f"a{name}b"


def test_export_step(factprobe: CommandLine) -> None:
    ended = factprobe("step=export", "kg=trex", "relations=[P36]", "output=out/capitals.nt")
    assert "export: 34 facts of 1 relation → out/capitals.nt" in ended.out, ended.err
    again = factprobe("step=extract", "kg=rdf", "kg.source=out/capitals.nt", "kg.store=sorted")
    assert "1 relation, 34 triplets" in again.out, again.err


SOURCE = """
@prefix : <http://a.org/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
:France rdfs:label "France" ; :capital :Paris ; :founded "0843-08-10"^^xsd:date ; :motto "Liberty"@en ; :kings 32 .
:Paris rdfs:label "Paris" ; :twin :New_York, :work0 .
"""


def test_rdf_round_trip(factprobe: CommandLine) -> None:
    """With the IRIs of its predicates, with literals that are some, and without labels that it does not have."""
    (factprobe.folder / "g.ttl").write_text(SOURCE)
    chosen = "kg.predicates=[capital,founded,motto,kings,twin]"
    ended = factprobe("step=export", "kg=rdf", "kg.source=g.ttl", chosen, "output=g.nt")
    assert "6 facts of 5 relations" in ended.out, ended.err
    label = "<http://www.w3.org/2000/01/rdf-schema#label>"
    xsd = "http://www.w3.org/2001/XMLSchema#"
    lines = [line.replace("http://a.org/", "") for line in (factprobe.folder / "g.nt").read_text().splitlines()]
    assert set(lines) == {
        f'<France> {label} "France" .',
        f'<Paris> {label} "Paris" .',
        "<France> <capital> <Paris> .",
        f'<France> <founded> "0843-08-10"^^<{xsd}date> .',
        '<France> <motto> "Liberty" .',
        f'<France> <kings> "32"^^<{xsd}integer> .',
        "<Paris> <twin> <New_York> .",
        "<Paris> <twin> <work0> .",
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_generated_labels_are_not_written(factprobe: CommandLine, format_: str) -> None:
    (factprobe.folder / "g.csv").write_text(
        "subject_id,subject,relation,object_id,object\n"
        "http://a.org/Paris,Paris,twin,http://a.org/New_York,\nhttp://a.org/Rome,,twin,http://a.org/Paris,\n"
    )
    factprobe("step=export", "kg=csv", "kg.source=g.csv", f"output=g.{format_}")
    written = (factprobe.folder / f"g.{format_}").read_bytes()
    assert b"New York" not in written
    kg = read_again(factprobe.folder / f"g.{format_}")
    assert "twin" in kg.by_name()
    assert kg.unlabelled(["http://a.org/New_York", "http://a.org/Rome", "http://a.org/Paris"]) == {
        "http://a.org/New_York",
        "http://a.org/Rome",
    }


def test_every_period_of_a_fact_is_in_the_table(factprobe: CommandLine) -> None:
    rows = "s,p,o,start,end\nGrover,office,President,1885,1889\nGrover,office,Mayor,1882,\n"
    (factprobe.folder / "facts.csv").write_text(f"{rows}Grover,office,President,1893,2030\n", encoding="utf-8")
    assert factprobe("step=export", "kg=csv", "kg.source=facts.csv", "output=facts.parquet").code == 0
    for name in ("csv", "parquet"):
        ended = factprobe("step=extract", "kg=csv", f"kg.source=facts.{name}", f"kg.name={name}")
        assert "2 triplets" in ended.out, ended.err
    summaries = [factprobe.folder / f"outputs/{name}/triplets/office.summary.json" for name in ("csv", "parquet")]
    assert summaries[0].read_bytes() == summaries[1].read_bytes()
    assert b'{"start":"1885","end":"1889"},{"start":"1893","end":"2030"}' in summaries[0].read_bytes()


def test_unknown_format(factprobe: CommandLine) -> None:
    line = factprobe.fails("step=export", "kg=trex", "output=out/capitals.xyz")
    assert line.endswith(
        "format: is not set; set format= to one of graphml, nt, parquet, inspect, lm_eval, hf, every_eval_ever"
    )


def test_incomplete_file_is_removed(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> int:
        raise DataError("broken")

    monkeypatch.setattr("factprobe.steps.probing.export.summary_and_facts", broken)
    assert "broken" in factprobe.fails("step=export", "kg=trex", "format=nt")
    assert not list((factprobe.folder / "outputs/trex").glob("*graph*"))


def test_colliding_xml_ids_are_refused() -> None:
    kg = factprobe.load_kg([("a\x01", "near", "b"), ("a\x02", "near", "b")])
    what = r"'a\\x02': differs from another id only in characters that XML excludes; set format=nt"
    with pytest.raises(DataError, match=what):
        written(kg, "graphml")


def test_all_names_are_in_n_triples(tmp_path: Path) -> None:
    rows = [
        {"subject_id": "Q90", "subject": name, "relation": "near", "object_id": str(n), "object": str(n)}
        for n, name in enumerate(["Paris", "Lutetia", "Paris", "Paname"])
    ]
    kg = factprobe.load_kg(rows)
    (tmp_path / "g.nt").write_bytes(written(kg, "nt"))
    again = facts(read_again(tmp_path / "g.nt"))["near"]
    assert {row[:3] for row in again} == {("Q90", "Paris", frozenset({"Lutetia", "Paname"}))}


def test_label_of_a_later_fact_is_a_label() -> None:
    near = Relation("near", "[X] is near [Y].", "near")
    unnamed = Entity("Q90", "", ("Paname",))
    named = [Entity("Q90", "Paris", ("Lutetia", "Paname"), ("city",)), Entity("Q90", "Lutetia")]
    ulm = Entity("Q3012", "Ulm")
    pairs = [(ulm, unnamed), *((one, ulm) for one in (named[0], unnamed, named[1]))]
    file = io.BytesIO()
    write_nt([(near, [triplet_of(near, *pair) for pair in pairs])], file, [near])
    names = re.findall(r'Q90> <[^>]*[#/](\w+)> "(\w+)"', file.getvalue().decode())
    assert names == [("altLabel", "Paname"), ("label", "Paris"), ("altLabel", "Lutetia")]


def test_entity_has_the_label_of_the_first_relation_and_those_of_others_as_aliases(tmp_path: Path) -> None:
    near, far = Relation("near", "[X] is near [Y].", "near"), Relation("far", "[X] is far from [Y].", "far")
    ulm, paris, bonn = Entity("Q3012", "Ulm"), Entity("Q90", "Paris", ("Lutetia",)), Entity("Q586", "Bonn")
    facts_of_far = [triplet_of(far, Entity("Q90", "Lutetia", ("Paris", "Paname")), bonn), triplet_of(far, ulm, bonn)]
    with (tmp_path / "g.nt").open("wb") as file:
        write_nt([(near, [triplet_of(near, paris, ulm)]), (far, facts_of_far)], file, [near, far])
    names = set(re.findall(r'Q90> <[^>]*[#/](\w+)> "(\w+)"', (tmp_path / "g.nt").read_text()))
    assert names == {("label", "Paris"), ("altLabel", "Lutetia"), ("altLabel", "Paname")}
    again = facts(read_again(tmp_path / "g.nt"))["far"]
    assert ("Q90", "Paris", frozenset({"Lutetia", "Paname"})) in {row[:3] for row in again}


def test_entity_with_the_id_of_a_relation_and_a_label_in_a_later_fact_is_refused() -> None:
    near = Relation("near", "[X] is near [Y].", "near")
    facts = [triplet_of(near, Entity("near", label), Entity("b", "b")) for label in ("", "Near & Co")]
    with pytest.raises(DataError, match=r"near: is an entity, 'Near & Co', and a relation, .* format=parquet"):
        write_nt([(near, facts)], io.BytesIO(), [near])


def test_entity_with_the_id_of_a_relation_is_refused_unless_both_have_one_name() -> None:
    rows = [
        {"subject": "a", "relation": "near", "object": "b"},
        {"subject_id": "near", "subject": "Near & Co", "relation": "lies_in", "object": "b"},
    ]
    for some in (rows, rows[::-1]):
        with pytest.raises(DataError, match=r"near: is an entity, 'Near & Co', and a relation, .* format=parquet"):
            written(factprobe.load_kg(some), "nt")
    alike = [rows[0], {**rows[1], "subject": "near"}]
    assert written(factprobe.load_kg(alike), "nt")


def test_naming_relation_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    kg = factprobe.load_kg([("a", "http://www.w3.org/1999/02/22-rdf-syntax-ns#type", "b"), ("a", "near", "b")])
    written(kg, "nt")
    assert [record.getMessage() for record in caplog.records] == [
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#type: kg=rdf reads it as names and not as facts, "
        "unless kg.predicates lists it"
    ]


@pytest.mark.parametrize(
    ("date", "type_", "literal"),
    [
        ("-0044-03-15", "date", "-0043-03-15"),
        ("-0001", "gYear", "0000"),
        ("-10001-05", "gYearMonth", "-10000-05"),
        ("0843-08-10", "date", "0843-08-10"),
        ("-0044", "integer", "-0044"),
    ],
)
def test_years_before_christ_of_tables_are_written_as_xml_schema_counts_them(
    tmp_path: Path, date: str, type_: str, literal: str
) -> None:
    datatype = f"http://www.w3.org/2001/XMLSchema#{type_}"
    row = {"subject": "Caesar", "relation": "died on", "object": date, "object_types": [datatype]}
    (tmp_path / "g.nt").write_bytes(written(factprobe.load_kg([row]), "nt"))
    assert f'"{literal}"^^<{datatype}>' in (tmp_path / "g.nt").read_text()
    again = factprobe.load_kg("rdf", source=str(tmp_path / "g.nt"), literals=True)
    assert [row[5] for row in facts(again)["died on"]] == [date]
    assert written(again, "nt") == (tmp_path / "g.nt").read_bytes()
