"""Samples of facts, and how popular their subjects are by a file."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.errors import ConfigError, DataError
from factprobe.factories import build_generator
from factprobe.generators import Survey
from factprobe.generators.base import Fact
from factprobe.generators.fact_generator import FactSettings
from factprobe.generators.likelihood import LikelihoodGenerator
from factprobe.generators.sampling.fact_choice import read_counts, split_evenly
from factprobe.records import Entity, Relation, RelationType

Facts = dict[str, list[tuple[str, str]]]
# Of 18 facts a third, six, are of each: the head is a, with six facts; the torso b and c, the tail the others.
GRAPH: Facts = {
    "P1": [("a", f"x{at}") for at in range(6)] + [("b", "y1"), ("b", "y2"), ("b", "y3")],
    "P2": [("c", "z1"), ("c", "z2"), ("c", "z3")] + [(one, f"v{one}") for one in "defghi"],
}
TYPES: dict[str, RelationType] = {"P1": "1-N", "P2": "N-M"}


def whole(graph: Facts) -> list[tuple[str, str]]:
    return [fact for facts in graph.values() for fact in facts]


def survey(graph: Facts) -> Survey:
    asked = [(name, TYPES.get(name, ""), [Fact(*fact) for fact in facts]) for name, facts in graph.items()]
    return Survey(asked, whole(graph), [Entity(uri, uri) for fact in whole(graph) for uri in fact])


def drawn(graph: Facts, seed: int = 0, limit: int | None = None, **settings: Any) -> tuple[LikelihoodGenerator, Facts]:
    choice = LikelihoodGenerator(FactSettings(name="likelihood", **settings), seed, limit)
    choice.survey(survey(graph))
    found = {}
    for name, facts in graph.items():
        picked = choice.select_facts(Relation(name, "", type=TYPES.get(name, "")), (Fact(*fact) for fact in facts))
        found[name] = [(fact.subject_uri, fact.object_uri) for fact in picked]
    return choice, found


@pytest.mark.parametrize("sample", ["uniform", "stratified", "head_tail"])
def test_as_many_facts_are_drawn_as_are_wanted(sample: str) -> None:
    for size in (1, 5, 17, 18, 99):
        choice, found = drawn(GRAPH, sample=sample, sample_size=size)
        assert sum(map(len, found.values())) == min(size, 18)
        for name, facts in found.items():
            assert facts == [fact for fact in GRAPH[name] if fact in facts]
        assert choice.manifest_entry()["sample"]["drawn"] == min(size, 18)
        assert choice.manifest_entry()["sample"]["facts"] == 18


def test_a_head_tail_sample_has_as_many_of_each_stratum() -> None:
    choice, found = drawn(GRAPH, sample="head_tail", sample_size=6)
    subjects = Counter("head" if s == "a" else "torso" if s in "bc" else "tail" for s, _ in whole(found))
    assert subjects == {"head": 2, "torso": 2, "tail": 2}
    one = {"drawn": 2, "facts": 6}
    assert choice.manifest_entry()["sample"]["strata"] == {"head": one, "torso": one, "tail": one}


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        (("relation",), {"P1": 5, "P2": 5}),
        (("type",), {"P1": 5, "P2": 5}),
        # head and torso of P1, torso and tail of P2; the torso has but three facts in each
        (("relation", "popularity"), {"P1": 5, "P2": 5}),
    ],
)
def test_a_stratified_sample_has_as_many_of_each(by: tuple[str, ...], expected: dict[str, int]) -> None:
    _, found = drawn(GRAPH, sample="stratified", sample_size=10, sample_by=by)
    assert {name: len(facts) for name, facts in found.items()} == expected


def test_each_fact_is_as_likely_in_a_uniform_sample() -> None:
    seen: Counter[tuple[str, str]] = Counter()
    for seed in range(600):
        seen.update(whole(drawn(GRAPH, seed, sample="uniform", sample_size=6)[1]))
    # one in three of 600: 200, with a standard deviation of 11.5
    assert seen.keys() == set(whole(GRAPH))
    assert all(150 < count < 250 for count in seen.values())


@given(st.integers(0, 99), st.integers(1, 18), st.integers(1, 18))
def test_a_larger_sample_holds_the_smaller_one(seed: int, one: int, other: int) -> None:
    small, large = (drawn(GRAPH, seed, sample="uniform", sample_size=size)[1] for size in sorted((one, other)))
    assert all(set(small[name]) <= set(large[name]) for name in GRAPH)


def test_a_sample_of_the_first_facts_is_of_these_alone(caplog: pytest.LogCaptureFixture) -> None:
    _, found = drawn(GRAPH, limit=2, sample="uniform", sample_size=99)
    there = sum(map(len, found.values()))
    assert f"generator.sample_size=99: there are only {there} facts" in caplog.text
    assert found == {name: facts[:2] for name, facts in GRAPH.items()}


def test_a_sample_may_be_drawn_again() -> None:
    choice, found = drawn(GRAPH, sample="uniform", sample_size=5)
    choice.survey(survey(GRAPH))
    assert choice.manifest_entry()["sample"] == {"drawn": 5, "facts": 18, "strata": {}}
    assert [len(facts) for facts in found.values()] == [
        len(list(choice.select_facts(Relation(name, "", type=TYPES[name]), (Fact(*fact) for fact in facts))))
        for name, facts in GRAPH.items()
    ]


def test_strata_are_for_a_stratified_sample() -> None:
    with pytest.raises(ConfigError, match="stratified"):
        drawn(GRAPH, sample="uniform", sample_size=3, sample_by=("type",))


def test_no_sample_without_a_survey() -> None:
    choice = LikelihoodGenerator(FactSettings(name="likelihood", sample="uniform", sample_size=3))
    with pytest.raises(ValueError, match="survey"):
        choice.select_facts(Relation("P1", ""), [])


@given(st.dictionaries(st.integers(), st.integers(0, 50), max_size=8), st.integers(0, 200))
def test_shares_are_even_as_far_as_there_is_enough(sizes: dict[int, int], total: int) -> None:
    shares = split_evenly(sizes, total)
    assert sum(shares.values()) == min(total, sum(sizes.values()))
    cut = max((share for share in shares.values()), default=0)
    assert all(share == sizes[name] or cut - share <= 1 for name, share in shares.items())


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"sample": "uniform"}, "generator.sample=uniform: has no size"),
        ({"sample_size": 3}, "generator.sample_size: needs generator.sample"),
    ],
)
def test_half_a_sample_is_refused(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_generator({"name": "likelihood", **settings})


Write = Callable[[str, str | bytes], Path]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("views.csv", "uri,count\na,5\nb,2.5\na,1\n"),
        ("views.TSV", "count\tof\turi\n6\tx\ta\n2.5\ty\tb\n"),
        ("views.jsonl", '{"uri": "a", "count": 6}\n{"uri": "b", "count": "2.5"}\n'),
    ],
)
def test_counts_of_a_file(name: str, text: str, write: Write) -> None:
    assert read_counts(write(name, text)) == {"a": 6, "b": 2.5}


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("views.csv", "page,count\na,5\n", "views.csv:2: has no uri or no count"),
        ("views.csv", "uri,count\na,many\n", "'many' is not a count"),
        ("views.csv", "uri,count\na,-1\n", "'-1' is not a count"),
        ("views.csv", "uri,count\na,nan\n", "'nan' is not a count"),
        ("views.csv", "uri,count\na\n", "1 column, where the first line names 2"),
        ("views.jsonl", '{"uri": "a"}\n', "views.jsonl:1: has no uri or no count"),
        ("views.txt", "a 5\n", r"views.txt: .txt is not a format of counts"),
    ],
)
def test_a_file_that_cannot_be_used_is_named(name: str, text: str, message: str, write: Write) -> None:
    with pytest.raises(DataError, match=message):
        read_counts(write(name, text))


def test_a_file_that_names_nobody_is_refused(write: Write) -> None:
    path = write("views.csv", "uri,count\nQ9,5\n")
    with pytest.raises(DataError, match="names no subject of the graph"):
        drawn(GRAPH, popularity=str(path))


def test_popularity_by_a_file_is_in_the_questions_and_without_it_is_not(write: Write) -> None:
    # each relation of the small graph has other subjects; those of the file are the head
    kg = factprobe.load_kg("trex")
    plain = factprobe.make_questions(kg, ["P36"], generator="likelihood")
    assert {question.popularity for question in plain} == {""}
    subjects = list(dict.fromkeys(question.subject_uri for question in plain))
    path = write("views.csv", "uri,count\n" + "".join(f"{uri},{at}\n" for at, uri in enumerate(subjects)))
    counted = factprobe.make_questions(kg, ["P36"], generator="likelihood", popularity=str(path))
    assert [question.question_id for question in counted] == [question.question_id for question in plain]
    found = {question.subject_uri: question.popularity for question in counted}
    assert (found[subjects[0]], found[subjects[-1]]) == ("tail", "head")
    assert {*found.values()} == {"head", "torso", "tail"}


def test_a_sample_from_python() -> None:
    kg = factprobe.load_kg("trex")
    settings: dict[str, Any] = {"generator": "likelihood", "sample": "head_tail", "sample_size": 9}
    questions = factprobe.make_questions(kg, ["P36", "P19"], **settings)
    assert len(questions) == 9
    assert questions == factprobe.make_questions(kg, ["P36", "P19"], **settings)
