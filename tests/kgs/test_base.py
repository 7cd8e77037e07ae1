"""What every graph inherits: default methods, a graph of one's own, the whole graph in networkx."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec
import pytest

import factprobe as fp
from factprobe.extractors import digests
from factprobe.extractors.triplets import TripletExtractor
from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.records import Relation, Triplet
from factprobe.storage import Layout
from tests.command_line import CommandLine
from tests.kgs.layouts import TREX, lines, open_graph, trex_fact


class Village(KnowledgeGraph):
    """A graph of one's own: it says what relations there are and where their facts lie."""

    def load_relations(self) -> Iterable[Relation]:
        return [Relation("knows", "[X] knows [Y]."), Relation("likes", "[X] likes [Y].", type="N-M")]

    def get_input_relation_file(self, relation: Relation) -> Path:
        return self.data_dir / f"{relation.relation}.jsonl"

    def get_relation_name(self, relation: Relation) -> str:
        return f"village/{relation.relation}"


class Parish(Village):
    """A graph whose files are not of a known layout."""

    def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
        for line in path.read_text().splitlines():
            subject, object_ = line.split(" ")
            yield Triplet(subject, object_, object_.lower(), subject.lower(), relation)


def village(folder: Path) -> Village:
    facts = (
        trex_fact("Q1", "Ann", "Q2", "Bob"),
        trex_fact("Q2", "Bob", "Q1", "Ann"),
        trex_fact("Q1", "Ann", "Q2", "Bob"),
    )
    (folder / "knows.jsonl").write_text(lines(*facts))
    (folder / "likes.jsonl").write_text(lines(facts[0], trex_fact("Q1", "Ann", "Q1", "Ann")))
    return Village(folder, "village")


def test_custom_graph_needs_two_methods(tmp_path: Path) -> None:
    kg = village(tmp_path)
    knows, likes = kg.load_relations()
    assert (kg.get_relation_type(knows), kg.get_relation_type(likes)) == (None, "N-M")
    assert [fact.object_label for fact in kg.triplets("village/knows")] == ["Bob", "Ann", "Bob"]
    assert [fact.object_label for fact in kg.triplets(likes)] == ["Bob", "Ann"]


def test_custom_graph_reads_its_own_format(tmp_path: Path) -> None:
    (tmp_path / "knows.jsonl").write_text("Ann Bob\nBob Cy\n")
    kg = Parish(tmp_path, "parish")
    assert [(fact.subject_uri, fact.object_label) for fact in kg.triplets("village/knows")] == [
        ("ann", "Bob"),
        ("bob", "Cy"),
    ]
    assert sorted(kg.to_networkx()) == ["ann", "bob", "cy"]


def test_facts_are_read_with_the_source_relation(tmp_path: Path) -> None:
    class Keyed(Village):
        def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
            assert relation in self.load_relations()
            return super().read_facts(path, relation)

    village(tmp_path)
    kg = Keyed(tmp_path, "village")
    for relation in kg.load_relations():
        file = kg.get_input_relation_file(relation)
        found = TripletExtractor(kg).extract_relation(relation, file, Layout(tmp_path / "out"))
        assert found.relation.relation == f"village/{relation.relation}"
        assert found.facts_read == len(list(kg.triplets(relation)))


def test_duplicate_relation_names_count_once(
    factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class Merged(Village):
        def get_relation_name(self, relation: Relation) -> str:
            return "meets"

        def read_facts(self, path: Path, relation: Relation) -> Iterator[Triplet]:
            assert relation in self.load_relations()
            return super().read_facts(path, relation)

    kgs.register("merged")(Merged)
    village(tmp_path)
    result = factprobe("step=extract", f"kg.data_dir={tmp_path}", "kg=merged", "output_dir=out")
    assert "1 relation, 2 triplets" in result.out
    assert "relation 'meets' is described a second time" in caplog.text
    written = json.loads((tmp_path / "out/triplets/meets.summary.json").read_text())
    kg = fp.load_kg("merged", tmp_path)
    assert json.loads(msgspec.json.encode(fp.summarise(kg, "meets"))) == written
    assert written["relation_info"]["template"] == "[X] knows [Y]."
    assert {fact.object_label for fact in kg.triplets("meets")} == {"Ann", "Bob"}
    assert {question.relation for question in fp.make_questions(kg)} == {"meets"}


def test_extractor_reads_the_file_that_it_is_given(tmp_path: Path) -> None:
    kg = village(tmp_path)
    knows, likes = kg.load_relations()
    other = TripletExtractor(kg).extract_relation(knows, kg.get_input_relation_file(likes), Layout(tmp_path / "out"))
    assert (other.relation.relation, other.subjects) == ("village/knows", digests(["Q1"]))
    own = TripletExtractor(kg).extract_relation(knows, None, Layout(tmp_path / "out"))
    assert (own.relation.relation, own.subjects) == ("village/knows", digests(["Q1", "Q2"]))


def test_networkx_has_uris_as_nodes_and_relation_names_as_edge_keys(tmp_path: Path) -> None:
    graph = village(tmp_path).to_networkx()
    assert graph.name == "village"
    assert {node: graph.nodes[node]["label"] for node in graph} == {"Q1": "Ann", "Q2": "Bob"}
    assert sorted(graph.edges(keys=True)) == [
        ("Q1", "Q1", "village/likes"),
        ("Q1", "Q2", "village/knows"),
        ("Q1", "Q2", "village/likes"),
        ("Q2", "Q1", "village/knows"),
    ]


def test_networkx_keeps_a_label_that_a_later_fact_lacks(tmp_path: Path) -> None:
    facts = lines(trex_fact("Q1", "Ann", "Q2", "Bob"), trex_fact("Q1", "", "Q3", "Cy"), trex_fact("Q4", "", "Q2", ""))
    graph = open_graph("trex", tmp_path, TREX.files | {"P19.jsonl": facts, "P101.jsonl": ""}).to_networkx()
    assert {node: graph.nodes[node]["label"] for node in graph} == {"Q1": "Ann", "Q2": "Bob", "Q3": "Cy", "Q4": ""}


def test_two_graphs_of_one_class_do_not_share_problems(tmp_path: Path) -> None:
    one, other = TREX.build("trex", tmp_path / "one"), TREX.build("trex", tmp_path / "other")
    list(one.load_relations())
    assert len(one.problems.messages) == 1
    assert other.problems.messages == []
    assert other.sources == {}
