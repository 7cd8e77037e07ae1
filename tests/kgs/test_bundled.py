"""The graphs that come with factprobe: big enough, without contradictions, and as their SOURCE.md says."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cache

import pytest

from factprobe.config import resource
from factprobe.kgs import KnowledgeGraph, kgs
from factprobe.records import Relation, Triplet
from factprobe.storage import Problems

BUNDLED = {"trex": 12, "google_re": 3, "umls": 5, "bear": 3}
"""The graphs with the least number of relations that each has."""

IDS = {
    "trex": r"Q[1-9]\d*",
    "google_re": r"/m/0[0-9a-z_]+|Q[1-9]\d*|\d{4}(-\d\d-\d\d)?",
    "umls": r"C\d{7}",
    "bear": r"Q[1-9]\d*",
}

COUNTS = re.compile(r"^\| (\w+)(?: [^|]*)? \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (1-1|N-1|1-N|N-M) \|$", re.MULTILINE)
TOTALS = re.compile(r"^\| all (\d+) \| (\d+) \| (\d+) \| \| \| \|$", re.MULTILINE)


@cache
def bundled(name: str) -> KnowledgeGraph:
    """The graph; its first broken line ends the test."""
    graph = kgs.get(name)(resource("kgs") / name, name, Problems(strict=True))
    assert isinstance(graph, KnowledgeGraph)
    return graph


@cache
def facts_of(name: str, relation: str) -> list[Triplet]:
    return list(bundled(name).triplets(relation))


def relations(name: str) -> list[Relation]:
    return list(bundled(name).load_relations())


every_relation = pytest.mark.parametrize(
    ("name", "relation"),
    [pytest.param(name, found, id=f"{name}-{found.relation}") for name in BUNDLED for found in relations(name)],
)


def test_every_bundled_graph_is_tested() -> None:
    assert sorted(BUNDLED) == sorted(path.name for path in resource("kgs").iterdir())


@pytest.mark.parametrize(("name", "least"), BUNDLED.items())
def test_enough_relations(name: str, least: int) -> None:
    found = [relation.relation for relation in relations(name)]
    assert len(found) >= least
    assert len(found) == len(set(found))


@every_relation
def test_about_thirty_distinct_facts(name: str, relation: Relation) -> None:
    pairs = [(fact.subject_uri, fact.object_uri) for fact in facts_of(name, relation.relation)]
    assert 25 <= len(pairs) <= 40
    assert len(pairs) == len(set(pairs))


@every_relation
def test_declared_type_agrees_with_the_facts(name: str, relation: Relation) -> None:
    declared = bundled(name).get_relation_type(relation) or source_counts(name)[relation.relation][4]
    subjects = [fact.subject_uri for fact in facts_of(name, relation.relation)]
    objects = [fact.object_uri for fact in facts_of(name, relation.relation)]
    several_objects, several_subjects = len(set(subjects)) < len(subjects), len(set(objects)) < len(objects)
    shown = {(False, False): "1-1", (False, True): "N-1", (True, False): "1-N", (True, True): "N-M"}
    assert declared == shown[several_objects, several_subjects]


@pytest.mark.parametrize("name", ["trex", "umls"])
def test_many_to_many_has_real_answer_sets(name: str) -> None:
    several = {}
    for relation in relations(name):
        if bundled(name).get_relation_type(relation) == "N-M":
            sizes = Counter(fact.subject_uri for fact in facts_of(name, relation.relation))
            several[relation.relation] = sum(size > 1 for size in sizes.values())
    assert len(several) >= 4
    assert min(several.values()) >= 3


@every_relation
def test_every_template_has_both_sides_once(name: str, relation: Relation) -> None:
    for template in (relation.template, *relation.templates):
        assert template.count("[X]") == template.count("[Y]") == 1
        assert template.endswith((".", "?"))
    assert relation.label or name == "bear"


@every_relation
def test_ids_look_like_those_of_the_source(name: str, relation: Relation) -> None:
    uris = {uri for fact in facts_of(name, relation.relation) for uri in (fact.subject_uri, fact.object_uri)}
    assert [uri for uri in uris if not re.fullmatch(IDS[name], uri)] == []


@every_relation
def test_names_are_clean(name: str, relation: Relation) -> None:
    for fact in facts_of(name, relation.relation):
        for entity in (fact.subject, fact.object):
            assert entity.label
            assert len(set(entity.names())) == 1 + len(entity.aliases)
            assert all(text == " ".join(text.split()) for text in entity.names())


@pytest.mark.parametrize("name", BUNDLED)
def test_every_id_has_one_label(name: str) -> None:
    labels: dict[str, set[str]] = defaultdict(set)
    for relation in relations(name):
        for fact in facts_of(name, relation.relation):
            labels[fact.subject_uri].add(fact.subject_label)
            labels[fact.object_uri].add(fact.object_label)
    assert {uri: found for uri, found in labels.items() if len(found) > 1} == {}


def source_counts(name: str) -> dict[str, tuple[int, int, int, int, str]]:
    """Lines, facts, subjects, objects and type of each relation as SOURCE.md has them."""
    text = (resource("kgs") / name / "SOURCE.md").read_text(encoding="utf-8")
    return {row[0]: (int(row[1]), int(row[2]), int(row[3]), int(row[4]), row[5]) for row in COUNTS.findall(text)}


def counted(name: str, relation: Relation) -> tuple[int, int, int, int]:
    path = bundled(name).get_input_relation_file(relation)
    files = [path] if path.is_file() else sorted(path.glob("*.jsonl"))
    facts = facts_of(name, relation.relation)
    objects = {fact.object_label if relation.relation == "date_of_birth" else fact.object_uri for fact in facts}
    number_of_lines = sum(len(file.read_bytes().splitlines()) for file in files)
    return number_of_lines, len(facts), len({fact.subject_uri for fact in facts}), len(objects)


@pytest.mark.parametrize("name", BUNDLED)
def test_counts_in_source_are_those_of_the_data(name: str) -> None:
    said = source_counts(name)
    assert {relation: counts[:4] for relation, counts in said.items()} == {
        relation.relation: counted(name, relation) for relation in relations(name)
    }
    text = (resource("kgs") / name / "SOURCE.md").read_text(encoding="utf-8")
    lines, facts, *_ = zip(*(counts[:4] for counts in said.values()), strict=True)
    assert TOTALS.findall(text) == [(str(len(said)), str(sum(lines)), str(sum(facts)))]


@pytest.mark.parametrize("name", BUNDLED)
def test_source_names_origin_and_licence(name: str) -> None:
    text = (resource("kgs") / name / "SOURCE.md").read_text(encoding="utf-8")
    assert {"## Origin", "## Licence", "## Layout", "## Counts"} <= set(text.splitlines())
