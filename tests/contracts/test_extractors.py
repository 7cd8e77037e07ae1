"""What every registered extractor does, over every graph that it can read."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.extractors import Extractor, digests, extractors
from factprobe.records import Relation, RelationSummary, Triplet
from factprobe.storage import Layout, Lines, Problems, read_json
from tests.kgs.layouts import CASES

GRAPHS = {"triplets": sorted(CASES)}
"""The graphs that each extractor is tried on."""

every_extractor = pytest.mark.parametrize(("name", "kg"), [(name, kg) for name, kgs in GRAPHS.items() for kg in kgs])


def test_every_registered_extractor_has_a_case() -> None:
    assert sorted(GRAPHS) == extractors.names()
    assert all(GRAPHS.values())


def relations(extractor: Extractor) -> list[Relation]:
    kg = extractor.kg
    return [found for found in kg.load_relations() if kg.has_facts(found)]


@every_extractor
@pytest.mark.parametrize("limit", [None, 1])
def test_files_of_a_relation(name: str, kg: str, limit: int | None, tmp_path: Path) -> None:
    extractor = extractors.get(name)(CASES[kg].build(kg, tmp_path / "kg"), limit)
    layout = Layout(tmp_path / "out")
    for relation in relations(extractor):
        source = extractor.kg.get_input_relation_file(relation)
        found = extractor.extract_relation(relation, source, layout)
        expected = CASES[kg].facts[relation.relation]
        distinct = list(dict.fromkeys(expected))
        assert found.facts_read == len(expected)
        assert found.triplets == len(distinct[:limit])
        assert found.subjects == digests(subject for subject, _ in distinct[:limit])
        assert found.objects == digests(object_ for _, object_ in distinct[:limit])
        assert found.relation.relation == relation.relation
        assert found.relation.type

        triplets = list(Lines(layout.triplets(relation.relation), Triplet, Problems(strict=True)))
        assert [(triplet.subject_uri, triplet.object_uri) for triplet in triplets] == distinct[:limit]
        assert {triplet.relation_info for triplet in triplets} == {found.relation}
        summary = read_json(layout.summary(relation.relation), RelationSummary)
        assert summary.relation_info == found.relation
        nodes = summary.node_summary.subjects.items()
        assert {(uri, object_) for uri, node in nodes for object_ in node.objects} == set(distinct)


@every_extractor
def test_same_files_in_every_run(name: str, kg: str, tmp_path: Path) -> None:
    runs = []
    for run in ("one", "two"):
        extractor = extractors.get(name)(CASES[kg].build(kg, tmp_path / "kg"))
        for relation in relations(extractor):
            extractor.extract_relation(relation, extractor.kg.get_input_relation_file(relation), Layout(tmp_path / run))
        runs.append({path.name: path.read_bytes() for path in (tmp_path / run / "triplets").iterdir()})
    assert runs[0] == runs[1]
    assert len(runs[0]) == 2 * len(CASES[kg].facts)


@every_extractor
def test_relation_without_data_leaves_no_files(name: str, kg: str, tmp_path: Path) -> None:
    extractor = extractors.get(name)(CASES[kg].build(kg, tmp_path / "kg"))
    (relation,) = (found for found in extractor.kg.load_relations() if found.relation == CASES[kg].without_data)
    with pytest.raises(DataError):
        extractor.extract_relation(relation, extractor.kg.get_input_relation_file(relation), Layout(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
