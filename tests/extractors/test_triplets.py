"""The triplet extractor: hand-made expectations, and properties of whatever the source holds."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import DataError
from factprobe.extractors import ExtractedRelation, digests
from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs import Graph
from factprobe.records import Relation, RelationSummary, Triplet
from factprobe.storage import Layout, Lines, Problems, read_json
from tests.kgs.layouts import TREX, lines, open_graph, trex_fact

OPEN = '{"relation": "P19", "template": "[X] was born in [Y] ."}\n'


def graph(folder: Path, *facts: dict[str, Any] | str, relation: str = OPEN, strict: bool = True) -> Graph:
    """A graph in T-REx's layout with one relation."""
    return open_graph("trex", folder, {"relations.jsonl": relation, "P19.jsonl": lines(*facts)}, strict=strict)


def extract(kg: Graph, out: Path, name: str = "P19", limit: int | None = None) -> ExtractedRelation:
    relation = {found.relation: found for found in kg.load_relations()}[name]
    return TripletExtractor(kg, limit).extract_relation(relation, kg.get_input_relation_file(relation), Layout(out))


def outputs(out: Path, relation: str = "P19") -> tuple[list[Triplet], RelationSummary]:
    """The two files of a relation, read back."""
    layout = Layout(out)
    problems = Problems(strict=True)
    return list(Lines(layout.triplets(relation), Triplet, problems)), read_json(
        layout.summary(relation), RelationSummary
    )


def bare(subject: str, object_: str) -> dict[str, Any]:
    return trex_fact(subject, f"label of {subject}", object_, f"label of {object_}")


def test_files_are_byte_for_byte_those_of_the_contract(tmp_path: Path) -> None:
    relation = lines({"relation": "P19", "template": "[X] → [Y]", "label": "l", "description": "d", "type": "N-1"})
    kg = graph(tmp_path, trex_fact("Q1", "Añ", "Q3", "C"), trex_fact("Q2", "B", "Q3", "C"), relation=relation)
    assert extract(kg, tmp_path / "out") == ExtractedRelation(
        Relation("P19", "[X] → [Y]", "l", "d", "N-1"), 2, 2, digests({"Q1", "Q2"}), digests({"Q3"})
    )
    info = (
        '{"relation":"P19","template":"[X] → [Y]","label":"l","description":"d","type":"N-1",'
        '"subject_symbol":"[X]","object_symbol":"[Y]","templates":[]}'
    )
    assert (tmp_path / "out/triplets/P19.jsonl").read_bytes() == (
        '{"subject_label":"Añ","object_label":"C","object_uri":"Q3","subject_uri":"Q1","relation_info":' + info + "}\n"
        '{"subject_label":"B","object_label":"C","object_uri":"Q3","subject_uri":"Q2","relation_info":' + info + "}\n"
    ).encode()
    assert (tmp_path / "out/triplets/P19.summary.json").read_bytes() == (
        '{"relation_info":' + info + ',"node_summary":{'
        '"objects":{"Q3":{"object_label":"C","object_uri":"Q3","subjects":["Q1","Q2"]}},'
        '"subjects":{"Q1":{"subject_label":"Añ","subject_uri":"Q1","objects":["Q3"]},'
        '"Q2":{"subject_label":"B","subject_uri":"Q2","objects":["Q3"]}}}}\n'
    ).encode()
    assert sorted(path.name for path in (tmp_path / "out/triplets").iterdir()) == ["P19.jsonl", "P19.summary.json"]


def test_duplicates_are_one_fact_with_what_each_adds(tmp_path: Path) -> None:
    first, second = {"masked_sentence": "one [MASK]"}, {"masked_sentence": "two [MASK]", "sub_surface": "she"}
    kg = graph(
        tmp_path,
        trex_fact("Q1", "Ada", "Q84", "London", sub_aliases=["Ada King"], evidences=[first]),
        trex_fact("Q2", "Alan", "Q84", "London"),
        trex_fact(
            "Q1", "Ada", "Q84", "LDN", sub_aliases=["Ada", "Lady L."], obj_aliases=["L"], evidences=[first, second]
        ),
        trex_fact("Q1", "Ada", "Q84", "London"),
    )
    found = extract(kg, tmp_path / "out")
    assert (found.facts_read, found.triplets) == (4, 2)
    (ada, alan), summary = outputs(tmp_path / "out")
    assert (ada.subject_label, ada.subject_aliases) == ("Ada", ("Ada King", "Lady L."))
    assert (ada.object_label, ada.object_aliases) == ("London", ("LDN", "L"))
    assert [evidence.masked_sentence for evidence in ada.evidences] == ["one [MASK]", "two [MASK]"]
    assert (alan.subject_uri, alan.object_aliases) == ("Q2", ())
    nodes = summary.node_summary
    assert nodes.subjects["Q1"].objects == ["Q84"]
    assert nodes.subjects["Q1"].subject_aliases == ("Ada King", "Lady L.")
    assert nodes.objects["Q84"].subjects == ["Q1", "Q2"]
    assert nodes.objects["Q84"].object_aliases == ("LDN", "L")


def test_summary_has_types_of_the_source(tmp_path: Path) -> None:
    fact: dict[str, Any]
    fact = {"sub_uri": "s", "sub_label": "S", "obj_uris": ["o", "p"], "obj_labels": ["O", "P"]}
    typed = [fact | {"sub_type": "drug", "obj_types": ["ill", None]}, fact | {"sub_type": ["drug", "salt"]}]
    files = {"prompts/manual.jsonl": lines({"relation": "r", "template": "[X] [Y]"})}
    kg = open_graph("ctd", tmp_path, {**files, "triples_processed/r/test.jsonl": lines(*typed)}, strict=True)
    extract(kg, tmp_path / "out", "r")
    found = json.loads((tmp_path / "out/triplets/r.summary.json").read_text(encoding="utf-8"))["node_summary"]
    assert found["subjects"]["s"]["subject_types"] == ["drug", "salt"]
    assert found["objects"]["o"]["object_types"] == ["ill"]
    assert "object_types" not in found["objects"]["p"]
    assert outputs(tmp_path / "out", "r")[1].entity("s", "subject") == outputs(tmp_path / "out", "r")[0][0].subject


def test_order_is_that_of_the_source(tmp_path: Path) -> None:
    pairs = [("Q9", "Q5"), ("Q1", "Q7"), ("Q9", "Q2"), ("Q10", "Q5"), ("Q9", "Q5"), ("Q1", "Q2")]
    extract(graph(tmp_path, *(bare(*pair) for pair in pairs)), tmp_path / "out")
    triplets, summary = outputs(tmp_path / "out")
    assert [(found.subject_uri, found.object_uri) for found in triplets] == [*pairs[:4], pairs[5]]
    assert list(summary.node_summary.subjects) == ["Q9", "Q1", "Q10"]
    assert list(summary.node_summary.objects) == ["Q5", "Q7", "Q2"]
    assert summary.node_summary.subjects["Q9"].objects == ["Q5", "Q2"]
    assert summary.node_summary.objects["Q2"].subjects == ["Q9", "Q1"]


@pytest.mark.parametrize(
    ("pairs", "shown"),
    [
        ([("a", "x")], "1-1"),
        ([("a", "x"), ("b", "y"), ("a", "x")], "1-1"),
        ([("a", "x"), ("b", "x")], "N-1"),
        ([("a", "x"), ("a", "y")], "1-N"),
        ([("a", "x"), ("a", "y"), ("b", "x")], "N-M"),
        ([("a", "x"), ("a", "y"), ("b", "z"), ("c", "z")], "N-M"),
        ([("a", "a"), ("b", "b")], "1-1"),
        ([("a", "b"), ("b", "a")], "1-1"),
    ],
)
def test_undeclared_type_is_derived_from_facts(tmp_path: Path, pairs: list[tuple[str, str]], shown: str) -> None:
    found = extract(graph(tmp_path, *(bare(*pair) for pair in pairs)), tmp_path / "out")
    triplets, summary = outputs(tmp_path / "out")
    assert found.relation.type == summary.relation_info.type == shown
    assert {triplet.relation_info for triplet in triplets} == {summary.relation_info}


def test_declared_type_overrides_facts(tmp_path: Path) -> None:
    relation = lines({"relation": "P19", "template": "[X] [Y]", "type": "N-1"})
    found = extract(graph(tmp_path, bare("a", "x"), bare("a", "y"), relation=relation), tmp_path / "out")
    assert found.relation.type == "N-1"
    assert outputs(tmp_path / "out")[0][1].relation_info.type == "N-1"


@pytest.mark.parametrize("limit", [1, 2, 4, 5, 100])
def test_limit_takes_the_first_triplets_and_leaves_the_summary_whole(tmp_path: Path, limit: int) -> None:
    pairs = [("a", "x"), ("a", "y"), ("a", "x"), ("b", "x"), ("c", "z"), ("c", "x")]
    kg = graph(tmp_path, *(bare(*pair) for pair in pairs))
    whole, cut = extract(kg, tmp_path / "whole"), extract(kg, tmp_path / "cut", limit=limit)
    triplets, summary = outputs(tmp_path / "cut")
    every, whole_summary = outputs(tmp_path / "whole")
    assert triplets == every[:limit]
    assert summary == whole_summary
    assert (cut.facts_read, cut.relation, cut.triplets) == (6, whole.relation, min(limit, 5))
    assert cut.subjects == digests(triplet.subject_uri for triplet in triplets)
    assert cut.objects == digests(triplet.object_uri for triplet in triplets)
    assert cut.relation.type == "N-M"


LABELS = {
    "subject symbol": "[X]",
    "both symbols": "[Y] and [X]",
    "mask": "[MASK]",
    "braces": "{label} {0} {{}} %s $x",
    "comma": "Washington, D.C.",
    "quotes": "\"Weird Al\" 'n' “co”",
    "newline": "two\nlines\r\nand\u2028more",
    "control": "a\x00b\x1b[31m",
    "backslash": "C:\\new",
    "empty": "",
    "blank": " \t ",
    "emoji": "\U0001f1ec\U0001f1e7",
    "megabyte": "long " * 200_000,
    "decomposed": unicodedata.normalize("NFD", "Zürich"),
}


@pytest.mark.parametrize("label", LABELS.values(), ids=LABELS)
def test_label_comes_out_as_it_was(tmp_path: Path, label: str) -> None:
    extract(
        graph(tmp_path, trex_fact("Q1", label, "Q2", "two"), trex_fact("Q3", "three", "Q1", label)), tmp_path / "out"
    )
    triplets, summary = outputs(tmp_path / "out")
    assert [(found.subject_label, found.object_label) for found in triplets] == [(label, "two"), ("three", label)]
    assert summary.node_summary.subjects["Q1"].subject_label == label
    assert summary.node_summary.objects["Q1"].object_label == label
    assert len((tmp_path / "out/triplets/P19.jsonl").read_bytes().strip().split(b"\n")) == 2


def test_label_is_the_first_that_is_not_empty(tmp_path: Path) -> None:
    facts = trex_fact("Q1", "", "Q2", "two"), trex_fact("Q1", "one", "Q3", ""), trex_fact("Q1", "uno", "Q4", "four")
    extract(graph(tmp_path, *facts, trex_fact("Q1", "", "Q3", "three")), tmp_path / "out")
    triplets, summary = outputs(tmp_path / "out")
    assert (summary.node_summary.subjects["Q1"].subject_label, summary.node_summary.objects["Q3"].object_label) == (
        "one",
        "three",
    )
    assert summary.node_summary.subjects["Q1"].subject_aliases == ("uno",)
    assert triplets[1].object_label == "three"


def test_twins_in_unicode_form_stay_two_entities(tmp_path: Path) -> None:
    composed, decomposed = "Zürich", unicodedata.normalize("NFD", "Zürich")
    facts = trex_fact(composed, composed, "Q1", "one"), trex_fact(decomposed, decomposed, "Q1", "one")
    found = extract(graph(tmp_path, *facts), tmp_path / "out")
    triplets, summary = outputs(tmp_path / "out")
    assert found.subjects == digests([composed, decomposed])
    assert [triplet.subject_label for triplet in triplets] == [composed, decomposed]
    assert summary.node_summary.objects["Q1"].subjects == [composed, decomposed]


def test_broken_lines_are_left_out_of_both_files(tmp_path: Path) -> None:
    kg = TREX.build("trex", tmp_path)
    found = extract(kg, tmp_path / "out")
    triplets, summary = outputs(tmp_path / "out")
    assert (found.facts_read, found.triplets) == (3, 2)
    assert [triplet.subject_uri for triplet in triplets] == ["Q7259", "Q7251"]
    assert list(summary.node_summary.subjects) == ["Q7259", "Q7251"]
    assert [message.partition(": ")[0] for message in kg.problems.messages] == [
        str(tmp_path / broken) for broken in TREX.broken
    ]


def test_broken_line_of_a_strict_run_leaves_no_files(tmp_path: Path) -> None:
    kg = graph(tmp_path, bare("a", "x"), "broken")
    with pytest.raises(DataError, match=r"P19\.jsonl:2: broken line"):
        extract(kg, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_relation_with_an_empty_file(tmp_path: Path) -> None:
    found = extract(graph(tmp_path), tmp_path / "out")
    assert (found.facts_read, found.triplets, found.subjects, found.objects) == (0, 0, b"", b"")
    triplets, summary = outputs(tmp_path / "out")
    assert triplets == []
    assert (summary.node_summary.subjects, summary.node_summary.objects) == ({}, {})


def test_relation_whose_name_leaves_the_folder_is_filed_inside(tmp_path: Path) -> None:
    kg = graph(tmp_path / "kg", bare("a", "x"))
    evil = Relation("../../../evil", "[X] [Y]")
    TripletExtractor(kg).extract_relation(evil, tmp_path / "kg" / "P19.jsonl", Layout(tmp_path / "a" / "out"))
    assert {path.parent for path in tmp_path.rglob("*evil*")} == {tmp_path / "a" / "out" / "triplets"}
    assert len(outputs(tmp_path / "a" / "out", "../../../evil")[0]) == 1


names = st.sampled_from(["", "one", "uno", "[X]", "Zürich", "Zu\u0308rich", "a, b", "x\ny", '"'])
uris = st.sampled_from(["Q1", "Q2", "Q3", "a:b", "%", "ü", "u\u0308"])
facts_of_any_kind = st.lists(
    st.builds(
        trex_fact,
        uris,
        names,
        uris,
        names,
        sub_aliases=st.lists(names, max_size=2),
        obj_aliases=st.lists(names, max_size=2),
    ),
    max_size=12,
)


@given(facts=facts_of_any_kind, limit=st.none() | st.integers(1, 6))
def test_summary_and_triplets_agree(
    tmp_path_factory: pytest.TempPathFactory, facts: list[dict[str, Any]], limit: int | None
) -> None:
    folder = tmp_path_factory.mktemp("kg")
    found = extract(graph(folder, *facts), folder / "out", limit=limit)
    triplets, summary = outputs(folder / "out")
    distinct = list(dict.fromkeys((fact["sub_uri"], fact["obj_uri"]) for fact in facts))
    nodes = summary.node_summary
    assert [(triplet.subject_uri, triplet.object_uri) for triplet in triplets] == distinct[:limit]
    by_subject = [(uri, object_) for uri, node in nodes.subjects.items() for object_ in node.objects]
    by_object = [(subject, uri) for uri, node in nodes.objects.items() for subject in node.subjects]
    assert sorted(by_subject) == sorted(by_object) == sorted(distinct)
    assert (found.facts_read, found.triplets) == (len(facts), len(triplets))
    for uri, subject in nodes.subjects.items():
        assert subject.subject_uri == uri
        assert set(subject.entity.names()) == said(facts, "sub", uri)
    for uri, node in nodes.objects.items():
        assert node.object_uri == uri
        assert set(node.entity.names()) == said(facts, "obj", uri)
    for triplet in triplets:
        assert set(triplet.subject.names()) <= set(nodes.subjects[triplet.subject_uri].entity.names())
        assert set(triplet.object.names()) <= set(nodes.objects[triplet.object_uri].entity.names())


def said(facts: list[dict[str, Any]], side: str, uri: str) -> set[str]:
    """Every name that the source gives an entity on one side."""
    found = [fact for fact in facts if fact[f"{side}_uri"] == uri]
    every = [name for fact in found for name in (fact[f"{side}_label"], *fact[f"{side}_aliases"])]
    return {name for name in every if name.strip()}


def test_summary_is_json_that_anyone_can_read(tmp_path: Path) -> None:
    extract(graph(tmp_path, bare("a", "x")), tmp_path / "out")
    found = json.loads((tmp_path / "out/triplets/P19.summary.json").read_text(encoding="utf-8"))
    assert found["node_summary"]["objects"] == {
        "x": {"object_label": "label of x", "object_uri": "x", "subjects": ["a"]}
    }
