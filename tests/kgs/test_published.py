"""The published data sets, read by the adapters and counted a second time with plain json."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from factprobe.extractors import extractors
from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.records import Relation, Triplet
from factprobe.storage import Layout, Problems

pytestmark = pytest.mark.shared


def opened(name: str, folder: Path) -> KnowledgeGraph:
    graph = kgs.get(name)(folder, name, Problems(strict=True))
    assert isinstance(graph, KnowledgeGraph)
    return graph


def plain(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]


def with_data(kg: KnowledgeGraph) -> list[Relation]:
    return [relation for relation in kg.load_relations() if kg.has_facts(relation)]


def pairs(facts: list[Triplet]) -> list[tuple[str, str]]:
    return [(fact.subject_uri, fact.object_uri) for fact in facts]


def test_trex(data: Path) -> None:
    folder = data / "lama" / "TREx"
    kg = opened("trex", folder)
    described, found = list(kg.load_relations()), with_data(kg)
    assert (len(described), len(found), len(described) - len(found)) == (46, 20, 26)
    total = 0
    several = set()
    for relation in found:
        expected = plain(folder / f"{relation.relation}.jsonl")
        facts = list(kg.triplets(relation))
        assert pairs(facts) == [(line["sub_uri"], line["obj_uri"]) for line in expected]
        assert [len(fact.evidences) for fact in facts] == [len(line["evidences"]) for line in expected]
        assert facts[0].evidences[0].masked_sentence == expected[0]["evidences"][0]["masked_sentence"]
        assert len(set(pairs(facts))) == len(facts)
        if len({fact.subject_uri for fact in facts}) < len(facts):
            several.add(relation.relation)
        total += len(facts)
    assert total == 16_227
    assert several >= {"P101", "P39", "P138", "P1412", "P108"}


def test_google_re(data: Path) -> None:
    folder = data / "lama" / "Google_RE"
    kg = opened("google_re", folder)
    assert [relation.relation for relation in with_data(kg)] == ["place_of_birth", "date_of_birth"]
    assert len(list(kg.load_relations())) == 3
    total = 0
    for relation in with_data(kg):
        expected = plain(folder / f"{relation.relation}_test.jsonl")
        facts = list(kg.triplets(relation))
        assert pairs(facts) == [(line["sub"], line["obj"]) for line in expected]
        assert [fact.object_aliases for fact in facts] == [tuple(line["obj_aliases"]) for line in expected]
        for fact, line in zip(facts, expected, strict=True):
            assert [found.masked_sentence for found in fact.evidences] == line["masked_sentences"]
            assert list(fact.evidences[0].judgments) == [judgment["judgment"] for judgment in line["judgments"]]
        total += len(facts)
    assert total == 4_762


def test_umls(data: Path, tmp_path: Path) -> None:
    folder = data / "umls"
    kg = opened("umls", folder)
    found = with_data(kg)
    assert len(found) == len(list(kg.load_relations())) == 15
    read, distinct = Counter[str](), Counter[str]()
    expected_read, expected_distinct = Counter[str](), Counter[str]()
    for relation in found:
        extracted = extractors.get("triplets")(kg, limit=1).extract_relation(
            relation, kg.get_input_relation_file(relation), Layout(tmp_path)
        )
        read[relation.relation] = extracted.facts_read
        distinct[relation.relation] = len(set(pairs(list(kg.triplets(relation)))))
        lines = plain(folder / "triples_processed" / relation.relation / "test.jsonl")
        expected = [(line["sub_uri"], uri) for line in lines for uri in line["obj_uris"]]
        expected_read[relation.relation], expected_distinct[relation.relation] = len(expected), len(set(expected))
        summary = json.loads(Layout(tmp_path).summary(relation.relation).read_bytes())
        nodes = summary["node_summary"]
        assert sum(len(node["objects"]) for node in nodes["subjects"].values()) == len(set(expected))
        assert sum(len(node["subjects"]) for node in nodes["objects"].values()) == len(set(expected))
    assert (read, distinct) == (expected_read, expected_distinct)
    assert (read.total(), distinct.total()) == (37_631, 35_960)


def test_bear(data: Path) -> None:
    kg = opened("bear", data / "bear")
    metadata = json.loads((data / "bear" / "metadata_relations.json").read_text(encoding="utf-8"))
    found = with_data(kg)
    assert [relation.relation for relation in kg.load_relations()] == list(metadata)
    assert len(found) == 60
    total = 0
    for relation in found:
        assert list(relation.templates) == metadata[relation.relation]["templates"]
        expected = plain(data / "bear" / f"{relation.relation}.jsonl")
        facts = list(kg.triplets(relation))
        assert pairs(facts) == [(line["sub_id"], line["obj_id"]) for line in expected]
        assert [fact.subject_aliases for fact in facts] == [tuple(line["sub_aliases"]) for line in expected]
        total += len(facts)
    assert total == 7_731
