"""BEAR's layout: every template is kept, and the first one is used."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.records import Relation, Triplet
from tests.kgs.layouts import BEAR, open_graph


def test_relations_keep_every_template(tmp_path: Path) -> None:
    kg = BEAR.build("bear", tmp_path)
    p30, p47, p36 = kg.load_relations()
    templates = ("[X] is located in [Y].", "[X] is a part of [Y].", "[X] belongs to [Y].")
    assert p30 == Relation("P30", templates[0], "continent", "where it lies", templates=templates)
    assert p47 == Relation("P47", "[X] borders [Y].", templates=("[X] borders [Y].",))
    assert (p36.template, p36.templates) == ("", ())
    assert [kg.get_relation_type(relation) for relation in (p30, p47, p36)] == [None, None, None]
    assert "metadata_relations.json" in kg.sources["P47"]


def test_facts_keep_aliases_of_both_sides(tmp_path: Path) -> None:
    kg = BEAR.build("bear", tmp_path)
    namibia, finland = kg.triplets("P30")
    assert namibia == Triplet(
        "Namibia", "Africa", "Q15", "Q1030", namibia.relation_info, subject_aliases=("South West Africa",)
    )
    assert finland.subject_aliases == ()
    assert next(kg.triplets("P47")).object_aliases == ("Sverige",)
    assert kg.problems.messages[-1] == f"{tmp_path / 'P30.jsonl'}:4: broken line: sub_id or obj_id is empty"


@pytest.mark.parametrize("content", ["", "[]", '{"P30": {"templates": "[X] [Y]"}}', '{"P30": {}'])
def test_broken_metadata(tmp_path: Path, content: str) -> None:
    kg = open_graph("bear", tmp_path, {"metadata_relations.json": content})
    with pytest.raises(DataError) as error:
        list(kg.load_relations())
    assert str(error.value).startswith(f"{tmp_path / 'metadata_relations.json'}: is broken: ")
