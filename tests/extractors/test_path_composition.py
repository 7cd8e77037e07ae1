"""Compositions of two relations, on graphs that can be checked by hand."""

from __future__ import annotations

import json
import tracemalloc
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import UNSET, UnsetType

from factprobe import api
from factprobe.errors import ConfigError, UnknownNameError
from factprobe.extractors.path_composition import (
    Composition,
    compose_relations,
    frequent_paths,
    parse_path,
    parse_paths,
)
from factprobe.kgs import Graph
from factprobe.kgs.summaries import Facts
from factprobe.records import GraphSummary, Hop, Question, Relation, RelationType, Triplet
from factprobe.storage import Layout, Lines, Problems, read_json
from tests.command_line import CommandLine
from tests.generators.graphs import BORN, graph

LIES = Relation("P17", "[X] is located in [Y]", "country", templates=("[X] is located in [Y]", "[X] is a town of [Y]."))
FACTS = {
    BORN: [
        ("ann", "ulm"),
        ("bob", "ulm"),
        ("cid", "oz"),
        ("dan", "rome"),
        ("eve", "rome"),
        ("eve", "ulm"),
        ("fay", "oz"),
    ],
    LIES: [("ulm", "de"), ("ulm", "eu"), ("rome", "it"), ("fay", "de"), ("dan", "it"), ("rome", "eve"), ("it", "it")],
}
"""oz lies nowhere in the graph; dan's country is a fact of its own; eve is reached from herself."""


def composed(path: str = "P19/P17", template: str = "") -> Composition:
    summaries = {relation.relation: graph(facts, relation).summary() for relation, facts in FACTS.items()}
    hops = parse_path(path, summaries)
    assert hops is not None
    return compose_relations(path, hops, summaries.__getitem__, template=template)


def objects(of: Composition) -> dict[str, list[str]]:
    return {uri: list(node.objects) for uri, node in of.summary.node_summary.subjects.items()}


class TestFacts:
    def test_answer_set_is_all_that_any_middle_leads_to(self) -> None:
        assert objects(composed())["eve"] == ["it", "de", "eu"]
        assert objects(composed())["ann"] == ["de", "eu"]

    def test_subject_with_incomplete_path_is_not_asked_about(self) -> None:
        made = composed()
        assert "cid" not in objects(made)
        assert not {"cid", "fay"} & {subject for subject, _ in made.facts_to_ask}

    def test_partial_paths_are_true_but_not_asked_about(self) -> None:
        born = graph([("gus", "ulm"), ("gus", "oz")]).summary()
        lies = graph(FACTS[LIES], LIES).summary()
        made = compose_relations("P19/P17", (Hop("P19"), Hop("P17")), {"P19": born, "P17": lies}.__getitem__)
        assert objects(made) == {"gus": ["de", "eu"]}
        assert not made.facts_to_ask
        assert made.incomplete == 1

    def test_cycles_and_shortcuts_are_excluded(self) -> None:
        made = composed()
        assert ("dan", "it") not in made.facts_to_ask
        assert "it" in objects(made)["dan"]
        assert "eve" not in objects(made)["eve"]
        assert "eve" in objects(made)["dan"]
        assert list(made.facts_to_ask) == [
            *(("ann", "de"), ("ann", "eu"), ("bob", "de"), ("bob", "eu")),
            *(("dan", "eve"), ("eve", "it"), ("eve", "de"), ("eve", "eu")),
        ]

    def test_middle_that_is_its_own_object_is_a_shortcut(self) -> None:
        summaries = {
            "P19": graph([("sue", "sg")]).summary(),
            "P17": graph([("sg", "sg"), ("sg", "asia")], LIES).summary(),
        }
        made = compose_relations("P19/P17", (Hop("P19"), Hop("P17")), summaries.__getitem__)
        assert list(made.facts_to_ask) == [("sue", "asia")]
        assert objects(made) == {"sue": ["sg", "asia"]}

    @pytest.mark.parametrize(("person", "town", "named_after"), [(0, 1, 1), (0, 0, 1), (0, 1, 0)])
    def test_namesakes_are_a_shortcut_too(self, person: int, town: int, named_after: int) -> None:
        labels = "Boston", "Lincoln"
        named = Relation("P138", "[X] is named after [Y].")
        born = Facts([Triplet(labels[person], labels[town], "town", "ann", BORN)]).summary(BORN)
        after = [Triplet(labels[town], labels[named_after], "old", "town", named)]
        after.append(Triplet(labels[town], "Saint Botolph", "saint", "town", named))
        summaries = {"P19": born, "P138": Facts(after).summary(named)}
        made = compose_relations("P19/P138", (Hop("P19"), Hop("P138")), summaries.__getitem__)
        assert objects(made) == {"ann": ["old", "saint"]}
        assert list(made.facts_to_ask) == ([] if person == town else [("ann", "saint")])

    def test_relation_goes_backwards(self) -> None:
        made = composed("^P17/^P19")
        assert objects(made)["de"] == ["ann", "bob", "eve"]
        assert made.relation.path == (Hop("P17", "subject"), Hop("P19", "subject"))

    def test_siblings_by_birthplace_are_others(self) -> None:
        assert objects(composed("P19/^P19"))["ann"] == ["bob", "eve"]


class TestWording:
    def test_two_sentences_with_an_open_name_between(self) -> None:
        assert composed().relation.template == "[X] was born in Z. Z is located in [Y]."

    def test_another_name_between(self) -> None:
        summaries = {relation.relation: graph(facts, relation).summary() for relation, facts in FACTS.items()}
        made = compose_relations("P19/P17", (Hop("P19"), Hop("P17")), summaries.__getitem__, ("a place", "that place"))
        assert made.relation.template == "[X] was born in a place. That place is located in [Y]."

    def test_backwards(self) -> None:
        assert composed("^P19/P17").relation.template == "Z was born in [X]. Z is located in [Y]."

    def test_in_as_many_wordings_as_both_have(self) -> None:
        relations = {"a": [("x", "y")], "b": [("y", "z")]}
        made = {
            name: graph(facts, Relation(name, "[X] 1 [Y].", templates=("[X] 1 [Y].", "[Y] 2 [X]."))).summary()
            for name, facts in relations.items()
        }
        found = compose_relations("a/b", (Hop("a"), Hop("b")), made.__getitem__).relation
        assert found.templates == ("[X] 1 Z. Z 1 [Y].", "Z 2 [X]. [Y] 2 Z.")

    def test_custom_template(self) -> None:
        assert composed(template="[X] comes from [Y].").relation.template == "[X] comes from [Y]."


class TestPaths:
    def test_relation_may_have_slashes(self) -> None:
        assert parse_path("x/a/b", {"x/a", "b"}) == (Hop("x/a"), Hop("b"))
        assert parse_path("a/b/c", {"a", "b", "c"}) is None

    def test_unknown(self) -> None:
        with pytest.raises(ConfigError, match="not a path of two relations"):
            parse_paths(["P19/P18"], {"P19", "P17"})

    def test_a_relation_is_not_replaced(self) -> None:
        with pytest.raises(ConfigError, match="'a/b' is a relation of the graph, not a path"):
            parse_paths(["a/b"], {"a", "b", "a/b"})

    def test_frequent_paths(self) -> None:
        people = [(f"p{i}", f"t{i}") for i in range(20)]
        towns = [(f"t{i}", "de") for i in range(20)]
        summaries = {"P19": graph(people).summary(), "P17": graph(towns, LIES).summary()}
        assert frequent_paths(summaries, summaries.__getitem__) == {"P19/P17": (Hop("P19"), Hop("P17"))}
        summaries["P17"] = graph(towns[1:], LIES).summary()
        assert frequent_paths(summaries, summaries.__getitem__) == {}

    def test_huge_answer_sets_are_not_composed(self) -> None:
        people = [(f"p{i}", "t") for i in range(20)]
        towns = [("t", f"c{i}") for i in range(11)]
        summaries = {"P19": graph(people).summary(), "P17": graph(towns, LIES).summary()}
        assert frequent_paths(summaries, summaries.__getitem__) == {}

    def test_answers_are_counted_not_paths(self) -> None:
        people = [(f"p{i}", f"t{j}") for i in range(20) for j in range(11)]
        towns = [(f"t{j}", "de") for j in range(11)]
        summaries = {"P19": graph(people).summary(), "P17": graph(towns, LIES).summary()}
        assert list(frequent_paths(summaries, summaries.__getitem__)) == ["P19/P17"]

    def test_too_large_composition_is_rejected_early(self, monkeypatch: pytest.MonkeyPatch) -> None:
        people = [(f"p{i}", "t") for i in range(3000)]
        towns = [("t", f"c{i}") for i in range(300)]
        summaries = {"P19": graph(people).summary(), "P17": graph(towns, LIES).summary()}
        tracemalloc.start()
        assert frequent_paths(summaries, summaries.__getitem__) == {}
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert peak < 10_000_000  # 900,000 facts take 100 MB
        monkeypatch.setattr("factprobe.extractors.path_composition._MAX_FACTS", 1000)
        with pytest.raises(ConfigError, match="compose: P19/P17 has more than 1,000 facts; leave it out"):
            compose_relations("P19/P17", (Hop("P19"), Hop("P17")), summaries.__getitem__)
        summaries["P17"] = graph([("t", "de")], LIES).summary()
        assert frequent_paths(summaries, summaries.__getitem__) == {}


class Towns(Graph):
    def load_relations(self) -> Iterable[Relation]:
        return list(FACTS)

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        for subject, object_ in FACTS[relation]:
            yield Triplet(subject.title(), object_.title(), object_, subject, relation)


class TestPython:
    def test_questions_and_their_grades(self) -> None:
        kg = Towns(None, "towns")
        facts_to_ask = api.make_questions(kg, ["P19/P17"], question_types=["multiple_answer"], ask="both")
        eve = next(
            question for question in facts_to_ask if question.subject_uri == "eve" and question.form == "ask_object"
        )
        assert isinstance(eve.answers, tuple)
        assert [answer.label for answer in eve.answers] == ["It", "De", "Eu"]
        assert eve.path == (Hop("P19"), Hop("P17"))
        back = next(question for question in facts_to_ask if question.form == "ask_subject")
        assert back.path == (Hop("P17", "subject"), Hop("P19", "subject"))
        model = api.load_model("scripted")
        grades = api.grade_responses(kg, facts_to_ask, api.ask_model(model, facts_to_ask))
        assert len(grades) == len(facts_to_ask)

    def test_unknown_relation(self) -> None:
        with pytest.raises(UnknownNameError):
            api.make_questions(Towns(None, "towns"), ["P19/P18"])


class TestCommandLine:
    def test_all_steps(self, factprobe: CommandLine) -> None:
        factprobe("step=all", "model=scripted", "relations=[P19,P17]", "compose=[P19/P17]", "output_dir=out")
        layout = Layout(Path("out"))
        assert layout.summary("P19/P17").name == "P19%2FP17.summary.json"
        summary = read_json(layout.graph_summary, GraphSummary)
        assert [found.relation for found in summary.relations] == ["P19", "P17", "P19/P17"]
        questions = Lines(layout.questions("template", "P19/P17"), Question, Problems(strict=True))
        assert all(question.path == (Hop("P19"), Hop("P17")) for question in questions)
        assert (layout.root / "grades" / "template" / "scripted" / "P19%2FP17.jsonl").exists()

    def test_hops_are_extracted_too(self, factprobe: CommandLine) -> None:
        factprobe("step=extract", "relations=[P36]", 'compose={P19/P17: "[X] is a native of [Y]."}', "output_dir=out")
        found = read_json(Layout(Path("out")).graph_summary, GraphSummary)
        assert {relation.relation for relation in found.relations} == {"P36", "P19", "P17", "P19/P17"}
        assert "is a native of" in Layout(Path("out")).triplets("P19/P17").read_text()

    @pytest.mark.parametrize(
        ("setting", "part"),
        [
            ("compose=[P19/P9999]", "is not a path of two relations"),
            ("compose=[P36/P36]", "P36/P36 has no fact to ask about"),
            ('compose={P19/P17: "[X] is a native."}', "with 0 [Y]"),
        ],
    )
    def test_errors_are_one_line(self, factprobe: CommandLine, setting: str, part: str) -> None:
        assert part in factprobe.fails("step=extract", "relations=[P19]", setting)

    def test_step_without_data_is_an_error(
        self, factprobe: CommandLine, write: Callable[[str, str | bytes], Path]
    ) -> None:
        relations = [{"relation": name, "template": "[X] 1 [Y].", "label": ""} for name in ("a", "b")]
        write("graph/relations.jsonl", "\n".join(map(json.dumps, relations)))
        file = write("graph/a.jsonl", '{"sub_uri": "x", "sub_label": "X", "obj_uri": "y", "obj_label": "Y"}')
        told = factprobe.fails("step=extract", "kg=trex", f"kg.data_dir={file.parent}", "compose=[a/b]")
        assert "compose: there is no data for b of a/b; leave it out" in told

    def test_all_frequent_paths(self, factprobe: CommandLine) -> None:
        factprobe("step=extract", "compose=auto", "output_dir=out")
        found = read_json(Layout(Path("out")).graph_summary, GraphSummary)
        assert [relation.relation for relation in found.relations if relation.path] == ["P17/P36"]


PAIRS = st.lists(st.tuples(st.sampled_from("abcdef"), st.sampled_from("cdefgh")), max_size=12, unique=True)


@given(PAIRS, PAIRS, st.booleans(), st.booleans())
def test_every_fact_follows_and_every_one_asked_about_takes_two_steps(
    one: list[tuple[str, str]], other: list[tuple[str, str]], back: bool, back_again: bool
) -> None:
    name = f"{'^' * back}P19/{'^' * back_again}P17"
    summaries = {"P19": graph(one).summary(), "P17": graph(other, LIES).summary()}
    hops = parse_path(name, summaries)
    assert hops is not None
    made = compose_relations(name, hops, summaries.__getitem__)
    first = [(o, s) if back else (s, o) for s, o in one]
    second = [(o, s) if back_again else (s, o) for s, o in other]
    facts = {(s, o) for s, m in first for n, o in second if m == n and s != o}
    assert {(s, o) for s, found in objects(made).items() for o in found} == facts
    starts = {n for n, _ in second}
    whole = {s for s, _ in first if all(m in starts for known, m in first if known == s)}
    assert set(made.facts_to_ask) == {(s, o) for s, o in facts if s in whole and (s, o) not in {*first, *second}}
    assert [fact.subject_uri + fact.object_uri for fact in made.triplets(made.relation)] == [
        "".join(p) for p in made.facts_to_ask
    ]


@pytest.mark.parametrize(
    ("members", "type_", "complete", "expected"),
    [
        (1, "N-M", UNSET, False),  # one of three owners
        (2, "N-M", UNSET, UNSET),
        (1, "N-1", UNSET, UNSET),  # there is but one
        (1, "N-M", True, UNSET),  # the source has all
    ],
)
def test_composition_over_a_sparse_relation_has_no_wrong_answers(
    members: int, type_: RelationType, complete: bool | UnsetType, expected: bool | UnsetType
) -> None:
    owned = graph([(f"firm{n}", f"state{n}") for n in range(3)], Relation("P127", "[X] is owned by [Y]."))
    member = graph(
        [(f"state{n}", "UNESCO") for n in range(members)],
        Relation("P463", "[X] is a member of [Y].", type=type_, complete=complete),
    )
    summaries = {"P127": owned.summary(), "P463": member.summary()}
    hops = parse_path("P127/P463", summaries)
    assert hops is not None
    assert compose_relations("P127/P463", hops, summaries.__getitem__).relation.complete is expected
