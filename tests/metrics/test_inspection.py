"""What facts say of a relation: counted by hand on small graphs, and held against plain loops on random ones."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

import factprobe
from factprobe.kgs.default_labels import is_worded
from factprobe.metrics.graphs.inspection import Degrees, InspectedRelation, inspect_relation, warnings, with_inverses
from factprobe.metrics.graphs.inverses import Inverse, inverses, sketch

Pair = tuple[str, str]


def looked_at(rows: Iterable[dict[str, str]], declared: str = "", **templates: str) -> InspectedRelation:
    """One relation of a graph that is given."""
    kg = factprobe.load_kg([{"relation": "r", **row} for row in rows], name="g", templates=templates)
    summary = factprobe.summarise(kg, "r")
    return inspect_relation("g", summary, declared, worded=is_worded(summary.relation_info))


def pairs(*found: Pair) -> list[dict[str, str]]:
    return [{"subject": subject, "object": object_} for subject, object_ in found]


def test_counts_and_degrees() -> None:
    row = looked_at(pairs(("a", "x"), ("a", "y"), ("b", "x"), ("c", "x"), ("c", "x")))
    assert (row.facts, row.subjects, row.objects) == (4, 3, 2)
    assert (row.one_object, row.one_subject) == (2 / 3, 1 / 2)
    assert row.subject_degrees == Degrees(1, 2, 2)
    assert row.object_degrees == Degrees(1, 3, 3)


@pytest.mark.parametrize(
    ("several", "type_"), [(0, "1-1"), (5, "1-1"), (6, "1-N")], ids=["none", "one in twenty", "more than that"]
)
def test_a_few_subjects_with_several_objects_make_no_other_type(several: int, type_: str) -> None:
    """Of a hundred subjects."""
    facts = [(f"s{number}", f"o{number}") for number in range(100)]
    facts += [(f"s{number}", f"more{number}") for number in range(several)]
    assert looked_at(pairs(*facts)).type == type_


def test_the_type_that_is_declared_and_that_of_the_facts() -> None:
    facts = pairs(("a", "x"), ("b", "x"))
    assert looked_at(facts, "N-1").type == "N-1"
    assert not list(warnings(looked_at(facts, "N-1", r="[X] in [Y].")))
    [told] = warnings(looked_at(facts, "1-1", r="[X] in [Y]."))
    assert told.startswith("declared as 1-1, and its facts are N-1: 100.0% of the subjects have one object, 0.0%")


def test_a_name_that_gives_the_answer_away() -> None:
    row = looked_at(
        pairs(
            ("University of Oxford", "Oxford"), ("Oxfordshire", "Oxford"), ("Eton College", "Windsor"), ("Bonn", "Bonn")
        )
    )
    assert (row.giveaways, row.giveaway) == (1, ("University of Oxford", "Oxford"))
    assert row.given_away == 1 / 4


def entity(uri: str, name: str, object_: str) -> dict[str, str]:
    return {"subject_id": uri, "subject": name, "object": object_}


def test_namesakes() -> None:
    """Two of one name with the same object are no trouble; a name that differs in case alone is the same."""
    row = looked_at(
        [
            entity("Q1", "Georgia", "Tbilisi"),
            entity("Q2", "GEORGIA", "Atlanta"),
            entity("Q3", "Guinea", "Conakry"),
            entity("Q4", "Springfield", "USA"),
            entity("Q5", "Springfield", "USA"),
        ]
    )
    assert (row.namesakes, row.namesakes_named) == (2, (("Georgia", 2),))
    assert row.shared_labels == 4


def test_objects_of_one_name() -> None:
    rows = [{**entity(f"Q{at}", name, "Springfield"), "object_id": f"Q9{at}"} for at, name in enumerate("AB")]
    row = looked_at([*rows, entity("Q3", "C", "Dover"), entity("Q4", "D", "Dover")])
    assert (row.alike, row.alike_named, row.shared_labels, row.namesakes) == (2, (("Springfield", 2),), 2, 0)
    assert "2 objects share their name with another, which no reply tells apart, e.g. Springfield (2)" in warnings(row)


def test_the_commonest_names_are_told_with_how_many_have_each() -> None:
    row = looked_at(
        [
            entity(f"Q{name}{number}", name, f"museum {number}")
            for count, name in enumerate(("Untitled", "Still life", "Portrait", "Night", "Self", "Sea"), 2)
            for number in range(count)
        ],
        r="[X] hangs in [Y].",
    )
    what = "27 subjects are asked about in the same words as others with other objects"
    assert list(warnings(row)) == [f"{what}, e.g. Sea (7), Self (6), Night (5), Portrait (4), Still life (3)"]


def test_facts_that_relate_an_entity_to_itself() -> None:
    """Who has the same name is another entity."""
    one = [entity("Q1", "Bosch", "Q2"), {**entity("Q3", "Bosch", "Bosch"), "object_id": "Q3"}]
    row = looked_at(one)
    assert (row.loops, row.loop) == (1, "Bosch")
    assert "1 fact relates an entity to itself: Bosch" in list(warnings(row))
    more = looked_at(pairs(("Siemens", "Siemens"), ("Bosch", "Bosch"), ("ETAS", "Bosch")))
    assert "2 facts relate an entity to itself, e.g. Siemens" in list(warnings(more))
    assert not any("itself" in text for text in warnings(looked_at(pairs(("ETAS", "Bosch")))))


@pytest.mark.parametrize(
    "value",
    ["N/A", "NA", "na", "n/a", "N. a.", "n.a.", "#N/A", "Unknown", "-", "???", "null", "NaN", "yes", "TRUE", "k. A."],
)
def test_values_that_name_nothing_are_told(value: str) -> None:
    row = looked_at(pairs(("Peru", "Lima"), ("Fiji", value), ("Togo", value)), r="[X] has [Y].")
    assert list(warnings(row)) == [f"2 facts have values that name nothing, it seems: {value} (2)"]
    [told] = warnings(looked_at(pairs((value, "Lima")), r="[X] has [Y]."))
    assert told == f"1 fact has a value that names nothing, it seems: {value} (1)"


@pytest.mark.parametrize("value", ["Nada", "Na", "C++", "Yes (band)", "No Doubt", "東京", "42", "Nuland"])
def test_names_of_something_are_no_placeholders(value: str) -> None:
    assert not list(warnings(looked_at(pairs((value, "Lima"), ("Peru", value)), r="[X] has [Y].")))


def test_entities_without_a_name() -> None:
    row = looked_at([entity("http://x/Q1", "", "Paris"), entity("http://x/Q2", "Peru", "Lima")])
    assert (row.subjects, row.unnamed) == (2, 1)


def test_a_relation_without_a_template_of_its_own() -> None:
    facts = pairs(("a", "x"))
    assert list(warnings(looked_at(facts))) == ["no template of its own: asked as '[X], r: [Y].'"]
    assert not list(warnings(looked_at(facts, r="[X] has [Y].")))


def both_ways(**relations: list[Pair]) -> dict[str, tuple[Inverse, ...]]:
    return inverses({name: sketch(facts) for name, facts in relations.items()})


def test_few_pairs_and_loops_tell_nothing() -> None:
    loops = [(name, name) for name in "abcdef"]
    assert both_ways(r=[("a", "b"), ("b", "a")], loops=loops) == {"r": (), "loops": ()}
    assert both_ways() == {}
    assert both_ways(empty=[]) == {"empty": ()}


NODES = st.sampled_from("abcdefgh")
FACTS = st.lists(st.tuples(NODES, NODES), unique=True, max_size=30)


@given(st.dictionaries(st.sampled_from(["r", "s", "t"]), FACTS, min_size=1))
def test_inverses_are_what_a_plain_loop_finds(relations: dict[str, list[Pair]]) -> None:
    expected = {}
    for name, facts in relations.items():
        own = [pair for pair in facts if pair[0] != pair[1]]
        found = []
        for other, theirs in relations.items():
            count = sum((object_, subject) in theirs for subject, object_ in own)
            if count >= 3 and 2 * count >= len(own):
                found.append(Inverse(other, count / len(own)))
        expected[name] = tuple(found)
    assert both_ways(**relations) == expected


def test_a_large_relation_is_held_against_a_sample(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("factprobe.metrics.graphs.inverses._SKETCH_SIZE", 400)
    one = [(f"s{number}", f"o{number}") for number in range(4000)]
    other = [(object_, subject) for subject, object_ in one[:3000]]
    found = both_ways(one=one, other=other)
    [inverse] = found["one"]
    assert inverse.share == pytest.approx(0.75, abs=0.07)
    [back] = found["other"]
    assert back.share > 0.95
    assert sketch(reversed(one)) == sketch(one)


def test_rows_with_inverses() -> None:
    facts = [(f"a{n}", f"b{n}") for n in range(3)]
    rows = [looked_at(pairs(*facts)), looked_at(pairs(*((b, a) for a, b in facts)))]
    sketches = {"r": sketch([*facts, *((b, a) for a, b in facts)])}
    [first, _] = with_inverses(rows, sketches)
    assert first.reversed_by == "r"
    assert "symmetric: 100.0% of its pairs stand both ways round" in list(warnings(first))


@pytest.mark.parametrize(
    ("template", "why"),
    [
        ("[X] (born [Y]).", "[Y] is in brackets"),
        ("[X], capital of [Y].", "it has no verb"),
        ("[X] born in the city of [Y].", "it has no verb"),
        ("[X] was born in [Y].", ""),
        ("[X] (a city) lies in [Y].", ""),
        ("[X] plays for [Y].", ""),
        ("[X] wrote the novel [Y].", ""),
        ("[X] developed [Y] with others.", ""),
        ("[X] liegt in [Y].", ""),  # of a language whose verbs are not known
    ],
)
def test_a_template_that_makes_no_sentence_is_named(template: str, why: str) -> None:
    row = looked_at([{"subject": "a", "object": "b"}], r=template)
    assert row.no_sentence == why
    told = [line for line in warnings(row) if "no sentence" in line]
    assert told == ([f"its template {template!r} seems to make no sentence: {why}"] if why else [])


def test_a_template_that_is_worded_as_a_sentence_is_shown_so() -> None:
    row = looked_at([{"subject": "a", "object": "b"}], r="[X] (born [Y]).")
    assert "its questions are worded as '[X] was born in [Y].'" in list(warnings(row))
