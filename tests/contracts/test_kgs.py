"""What every registered graph does, over a small graph in its own layout, and a graph without files too."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from factprobe.errors import ConfigError, DataError, UnknownNameError
from factprobe.kgs import Graph, KnowledgeGraph, kgs
from factprobe.records import RELATION_TYPES, Relation, Triplet
from tests.kgs.endpoints import ENDPOINTS
from tests.kgs.layouts import CASES, Case
from tests.kgs.memory import MEMORY, Memory
from tests.kgs.sources import SOURCES

STORED = {**CASES, **SOURCES}
EVERY = {**STORED, **ENDPOINTS, "memory": MEMORY}

every_kg = pytest.mark.parametrize("name", sorted(EVERY))
every_file_kg = pytest.mark.parametrize("name", sorted(CASES))
every_source_kg = pytest.mark.parametrize("name", sorted(SOURCES))
every_stored_kg = pytest.mark.parametrize("name", sorted(STORED))


def test_every_registered_graph_has_a_case() -> None:
    assert sorted({**STORED, **ENDPOINTS}) == kgs.names()


@pytest.fixture
def case(name: str) -> Case:
    if name == "memory":
        kgs.register(name)(Memory)
    return EVERY[name]


@pytest.fixture
def kg(name: str, case: Case, tmp_path: Path) -> Iterator[Graph]:
    with case.opened(name, tmp_path / name) as found:
        yield found


def relation_of(kg: Graph, name: str) -> Relation:
    return {kg.get_relation_name(found): found for found in kg.load_relations()}[name]


def read_all(kg: Graph) -> list[Triplet]:
    """The facts of every relation that has data."""
    relations = [found for found in kg.load_relations() if kg.has_facts(found)]
    return [fact for relation in relations for fact in kg.triplets(relation)]


@every_kg
def test_relations_are_those_described_in_order(kg: Graph, case: Case) -> None:
    found = list(kg.load_relations())
    assert [kg.get_relation_name(relation) for relation in found] == [*case.facts, case.without_data]
    assert list(kg.load_relations()) == found
    for relation in found:
        assert isinstance(relation, Relation)
        assert kg.get_relation_type(relation) in (None, *RELATION_TYPES)
        assert kg.where_described(relation)
        assert kg.has_facts(relation) is (kg.get_relation_name(relation) in case.facts)
        if relation.template:
            assert relation.template.count(relation.subject_symbol) == 1
            assert relation.template.count(relation.object_symbol) == 1


@every_kg
def test_facts_are_those_of_the_source_in_order(kg: Graph, case: Case) -> None:
    for name, facts in case.facts.items():
        found = list(kg.triplets(name))
        assert [(fact.subject_uri, fact.object_uri) for fact in found] == facts
        assert all(isinstance(fact, Triplet) and fact.relation_info == relation_of(kg, name) for fact in found)
        assert all(fact.subject_label and fact.object_label for fact in found)
        assert list(kg.triplets(relation_of(kg, name))) == found


@every_stored_kg
def test_broken_lines_are_named(kg: Graph, name: str, case: Case, tmp_path: Path) -> None:
    read_all(kg)
    where = [message.partition(": ")[0] for message in kg.problems.messages]
    assert where == [str(tmp_path / name / broken) for broken in case.broken]


@every_stored_kg
def test_strict_stops_at_the_first_broken_line(name: str, case: Case, tmp_path: Path) -> None:
    kg = case.build(name, tmp_path / "strict", strict=True)
    with pytest.raises(DataError) as error:
        read_all(kg)
    assert str(error.value).startswith(f"{tmp_path / 'strict' / case.broken[0]}: ")


@every_source_kg
def test_a_graph_in_one_source_names_its_files(kg: Graph, name: str, case: Case, tmp_path: Path) -> None:
    for relation in kg.load_relations():
        assert set(kg.inputs(relation)) == {tmp_path / name / file for file in case.files}


@every_source_kg
def test_a_source_that_is_not_named(name: str) -> None:
    with pytest.raises(ConfigError, match=r"kg\.source: is not set; name .*kg\.source="):
        list(kgs.get(name)(None, name).load_relations())


@every_file_kg
def test_data_lie_in_the_folder_and_only_for_relations_that_have_some(kg: KnowledgeGraph, case: Case) -> None:
    for relation in kg.load_relations():
        path = kg.get_input_relation_file(relation)
        assert path.is_relative_to(kg.data_dir)
        assert path.exists() is (kg.get_relation_name(relation) in case.facts)
        assert kg.where_described(relation) == kg.sources[relation.relation]
        if kg.has_facts(relation):
            inputs = kg.inputs(relation)
            assert inputs == sorted(inputs)
            assert {str(found.relative_to(kg.data_dir)) for found in inputs} == files_at(
                path.relative_to(kg.data_dir), case
            )


def files_at(path: Path, case: Case) -> set[str]:
    """The file of a relation, or the fact files of its folder, as the case has written them."""
    return {name for name in case.files if name.endswith(".jsonl") and Path(name).is_relative_to(path)}


@every_kg
def test_relation_without_data_says_so(kg: Graph, case: Case) -> None:
    with pytest.raises(DataError, match=case.without_data):
        list(kg.triplets(case.without_data))


@every_kg
def test_unknown_relation_suggests_the_near_one(kg: Graph, case: Case) -> None:
    known = next(iter(case.facts))
    with pytest.raises(UnknownNameError) as error:
        kg.triplets(known.lower() + "_")
    assert f"did you mean '{known}'?" in str(error.value)


@every_file_kg
def test_folder_without_the_relations(name: str, tmp_path: Path) -> None:
    (tmp_path / "deep" / "empty").mkdir(parents=True)
    with pytest.raises(DataError) as error:
        list(kgs.get(name)(tmp_path / "deep" / "empty", name).load_relations())
    assert str(tmp_path / "deep" / "empty") in str(error.value)
    assert "kg.data_dir=" in str(error.value)


@every_file_kg
def test_no_such_folder(name: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none: no such data folder; .*kg\.data_dir="):
        kgs.get(name)(tmp_path / "none", name)


@every_kg
def test_networkx_graph_has_every_distinct_fact(kg: Graph, case: Case) -> None:
    graph = kg.to_networkx()
    edges = {(subject, object_, relation) for relation, facts in case.facts.items() for subject, object_ in facts}
    assert set(graph.edges(keys=True)) == edges
    assert graph.number_of_edges() == len(edges)
    assert set(graph) == {node for subject, object_, _ in edges for node in (subject, object_)}
    assert all(graph.nodes[node]["label"] for node in graph)


HOSTILE = ["../outside/secret", "../../outside/secret", "../../etc/passwd", "/etc/passwd", "..", "a\nb"]


@every_file_kg
@pytest.mark.parametrize("relation", HOSTILE)
def test_hostile_relation_reads_nothing_outside(name: str, case: Case, tmp_path: Path, relation: str) -> None:
    plant_outside(case, tmp_path)
    kg = case.build(name, tmp_path / "data" / "kg")
    assert isinstance(kg, KnowledgeGraph)
    hostile = Relation(relation, "[X] [Y]")
    path = kg.get_input_relation_file(hostile)
    assert path.is_relative_to(kg.data_dir)
    assert ".." not in path.parts
    with suppress(DataError):
        assert list(kg.triplets(hostile)) == []


@every_file_kg
@pytest.mark.parametrize("folder", [".", "../kg"])
def test_nor_from_a_folder_that_is_named_from_here(
    name: str, case: Case, tmp_path: Path, folder: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    plant_outside(case, tmp_path)
    case.build(name, tmp_path / "data" / "kg")
    monkeypatch.chdir(tmp_path / "data" / "kg")
    kg = kgs.get(name)(Path(folder), name)
    assert isinstance(kg, KnowledgeGraph)
    for relation in HOSTILE[:4]:
        path = kg.get_input_relation_file(Relation(relation, "[X] [Y]"))
        assert path.resolve().is_relative_to(tmp_path / "data" / "kg")
    assert [(fact.subject_uri, fact.object_uri) for fact in kg.triplets(next(iter(case.facts)))] in case.facts.values()


@every_file_kg
@pytest.mark.parametrize("relation", ["x" * 300, "a\0b"], ids=["long", "NUL"])
def test_relation_that_can_be_no_file_name_is_one_without_data(
    name: str, case: Case, tmp_path: Path, relation: str
) -> None:
    known = next(iter(case.facts))
    escaped = relation.replace("\0", "\\u0000")
    files = {path: content.replace(f'"{case.without_data}"', f'"{escaped}"') for path, content in case.files.items()}
    kg = Case(files, case.facts, relation, case.broken).build(name, tmp_path / "kg")
    assert relation in {found.relation for found in kg.load_relations()}
    assert known in {key for *_, key in kg.to_networkx().edges(keys=True)}
    with pytest.raises(DataError):
        list(kg.triplets(relation))


def plant_outside(case: Case, root: Path) -> None:
    """Files with facts where a relation that leaves its folder would find them."""
    content = next(content for path, content in case.files.items() if "relations" not in path and "prompts" not in path)
    for folder in (root / "outside", root / "data" / "outside", root / "data" / "kg" / "outside"):
        (folder / "secret").mkdir(parents=True)
        for file in ("secret.jsonl", "secret_test.jsonl", "secret/test.jsonl"):
            (folder / file).write_text(content, encoding="utf-8")
