"""BioLAMA's layout: one line a subject with parallel lists, every key kept, lists of unequal length refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from factprobe.records import Relation
from tests.kgs.layouts import CTD, UMLS, WIKI_BIO, lines, open_graph

FACT = {"sub_uri": "C1", "sub_label": "one", "obj_uris": ["C2", "C3"], "obj_labels": ["two", "three"]}


def test_relations_are_all_many_to_many(tmp_path: Path) -> None:
    kg = UMLS.build("umls", tmp_path)
    may_treat, occurs_after = kg.load_relations()
    assert may_treat == Relation("may_treat", "[X] might treat [Y].", "may treat")
    assert kg.get_relation_type(may_treat) == kg.get_relation_type(occurs_after) == "N-M"
    assert kg.sources["occurs_after"] == f"{tmp_path / 'prompts' / 'manual.jsonl'}:2"


def test_label_goes_before_property(tmp_path: Path) -> None:
    kg = WIKI_BIO.build("wiki_bio", tmp_path)
    assert [relation.label for relation in kg.load_relations()] == ["drug used for treatment", "symptoms"]


def test_umls_line_is_a_fact_an_object_with_its_own_aliases(tmp_path: Path) -> None:
    headache, fever, other = UMLS.build("umls", tmp_path).triplets("may_treat")
    assert headache.subject == fever.subject
    assert (headache.subject_label, headache.subject_aliases) == ("aspirin", ("acetylsalicylic acid",))
    assert (headache.object_label, headache.object_aliases) == ("Headache", ("Cephalalgia", "Head pain"))
    assert (fever.object_label, fever.object_aliases) == ("Fever", ())
    assert (other.subject_label, other.subject_aliases, other.object_uri) == ("ibuprofen", (), "C0015967")
    assert (headache.subject_types, headache.object_types, headache.evidences) == ((), (), ())


def test_wiki_bio_keeps_types_and_reads_every_part_in_the_order_of_names(tmp_path: Path) -> None:
    facts = list(WIKI_BIO.build("wiki_bio", tmp_path).triplets("P2176"))
    assert [fact.object_label for fact in facts] == ["aspirin", "paracetamol", "paracetamol", "ibuprofen"]
    assert [fact.subject_types for fact in facts] == [("Q169872",), ("Q169872",), (), ()]
    assert [fact.object_types for fact in facts] == [("Q12140",), ("Q12140",), (), ()]
    assert facts[0].object_aliases == ("acetylsalicylic acid", "ASA")
    assert facts[1].object_aliases == ("acetaminophen",)


def test_ctd_keeps_uris_with_a_colon(tmp_path: Path) -> None:
    headache, fever = CTD.build("ctd", tmp_path).triplets("CD1")
    assert (headache.subject_uri, headache.object_uri) == ("MESH:D001241", "MESH:D006261")
    assert (headache.subject_types, headache.object_types) == (("chemical",), ("disease",))
    assert (headache.object_aliases, fever.object_aliases) == (("Cranial Pain",), ())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"obj_labels": ["two"]}, "differ in length"),
        ({"obj_labels": []}, "differ in length"),
        ({"obj_uris": ["C2"]}, "differ in length"),
        ({"obj_aliases": [["x"]]}, "differ in length"),
        ({"obj_aliases": [[], [], []]}, "differ in length"),
        ({"obj_types": ["t"]}, "differ in length"),
        ({"sub_uri": ""}, "a URI is empty"),
        ({"obj_uris": ["C2", ""]}, "a URI is empty"),
        ({"obj_aliases": ["x", "y"]}, "Expected `array"),
    ],
)
def test_line_with_lists_of_different_length_is_skipped(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    good = FACT | {"sub_uri": "C9"}
    folder = "triples_processed/may_treat"
    kg = open_graph("umls", tmp_path, UMLS.files | {f"{folder}/test.jsonl": lines(FACT | change, good)})
    assert [fact.subject_uri for fact in kg.triplets("may_treat")] == ["C9", "C9"]
    assert kg.problems.messages[-1].startswith(f"{tmp_path / folder / 'test.jsonl'}:1: broken line: ")
    assert message in kg.problems.messages[-1]


def test_absent_lists_are_allowed(tmp_path: Path) -> None:
    content = lines(FACT | {"obj_aliases": [], "obj_types": []})
    kg = open_graph("umls", tmp_path, UMLS.files | {"triples_processed/may_treat/test.jsonl": content})
    assert [fact.object_label for fact in kg.triplets("may_treat")] == ["two", "three"]
