"""Which wrong answers each strategy tries first, on graphs that can be looked through by hand."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

import pytest
from msgspec import UNSET, UnsetType

from factprobe.errors import ConfigError, UnknownNameError
from factprobe.factories import build_generator
from factprobe.generators.questioner import INCOMPLETE
from factprobe.generators.sampling.distractors import Candidate, NestedNames
from factprobe.question_types import NONE_OF_THESE
from factprobe.records import Entity, Question, Relation, RelationType
from tests.generators.graphs import NONE, PROMPTS, Graph, Made, generator, graph, make

CITIES = ["Ulm", "Bonn", "Kiel", "Rome", "Oslo"]
TYPES = {"Ulm": ("city", "place"), "Bonn": ("city", "place"), "Kiel": ("city", "place"), "Lima": ("place",)}
PLACES = [*CITIES, "Lima", "Mars", "Io"]


def born(*places: str, **types: tuple[str, ...]) -> Graph:
    """One subject born in each place."""
    facts = [(f"born in {place}", place) for place in places]
    entities = {uri: Entity(uri, uri, (), types.get(uri, ())) for fact in facts for uri in fact}
    return Graph(entities, tuple(facts))


def wrong(made: Made, place: str) -> set[str]:
    """The wrong options of the question about the one that was born there."""
    (question,) = (found for found in made.of("multi_choices_obj") if found.object_uri == place)
    return {choice for choice in question.choices if choice not in (place, question.none)}


def choose(of: Graph, seed: int = 0, **settings: Any) -> Made:
    return make(of, seed, question_types=("multi_choices",), **settings)


def test_typed_takes_the_rarest_type_first_and_fills_up_with_any() -> None:
    made = choose(born(*PLACES, **TYPES), negatives="typed")
    assert wrong(made, "Ulm") == {"Bonn", "Kiel", "Lima"}
    assert {"Ulm", "Bonn", "Kiel"} == wrong(made, "Lima")
    assert made.report.negatives == {"typed": 4 * 3, "random": 4 * 3}


def test_wrong_answers_are_of_the_same_type_by_default() -> None:
    """No option is of a kind that gives itself away: "Luxembourg is a member of A) NATO B) yacht"."""
    kinds = {
        "Nato": "alliance",
        "Eu": "alliance",
        "Opec": "alliance",
        "Efta": "alliance",
        "yacht": "ship",
        "Yes": "word",
    }
    made = choose(born(*kinds, **{name: (kind,) for name, kind in kinds.items()}))
    assert wrong(made, "Nato") == {"Eu", "Opec", "Efta"}


def test_typed_without_types_goes_by_where_else_an_entity_stands() -> None:
    people = born(*PLACES)
    capitals = graph([(f"land of {city}", city) for city in CITIES], Relation("P36", "[X] has the capital [Y]."))
    maker = generator(negatives="typed", question_types=("multi_choices",), options=5)
    maker.graph = lambda: [people.summary(), capitals.summary()]
    questions = list(maker.questions(people.summary(), people.pairs()))
    for question in questions:
        assert len(question.choices) == 5
        assert ({*question.choices} == {*CITIES}) == (question.object_uri in CITIES)
    alone = choose(people, negatives="typed")
    assert set(alone.report.negatives) == {"typed", "random"}
    assert alone.report.negatives["typed"] == 0


def test_what_stands_nowhere_else_has_wrong_answers_that_do_not_either() -> None:
    sciences, firms = ("botany", "optics", "logic", "ethics"), ("IBM", "Fiat", "BBC", "EMI", "CNN")
    fields = graph([(f"s{n}", name) for n, name in enumerate((*firms, *sciences))], Relation("P101", "[X] does [Y]."))
    makers = graph([(f"m{n}", name) for n, name in enumerate(firms)], Relation("P108", "[X] works for [Y]."))
    maker = generator(negatives="typed", question_types=("multi_choices",), options=4)
    maker.graph = lambda: [fields.summary(), makers.summary()]
    asked = {question.object_uri: {*question.choices} for question in maker.questions(fields.summary(), fields.pairs())}
    assert all(asked[name] == {*sciences} for name in sciences)
    assert all(asked[name] <= {*firms} for name in firms)


def test_near_takes_names_that_are_alike() -> None:
    names = [*(f"University of {city}" for city in CITIES), *(f"{number}" for number in range(1000, 1040))]
    made = choose(born(*names), negatives="near")
    for city in CITIES:
        assert all(name.startswith("University of ") for name in wrong(made, f"University of {city}"))


def test_near_takes_who_has_neighbours_in_common() -> None:
    speaks = graph([(f"one of {i}", f"{i}{i}{i}") for i in range(100, 130)], Relation("P1412", "[X] speaks [Y]."))
    near = ["100100100", "101101101", "102102102", "103103103"]
    spoken = graph([("Ada's land", tongue) for tongue in near], Relation("P37", "One speaks [Y] in [X]."))
    maker = generator(negatives="near", question_types=("multi_choices",))
    maker.graph = lambda: [speaks.summary(), spoken.summary()]
    question = next(iter(maker.questions(speaks.summary(), speaks.pairs())))
    assert {*question.choices} == {*near}


def test_near_is_not_what_one_of_many_has_together_with_the_right_answer() -> None:
    """A bishop may be a cardinal."""
    facts = [(f"person {i}", "bishop") for i in range(100)] + [("person 48", "cardinal")]
    facts += [(f"another {i}", f"{i}{i}{i}") for i in range(100, 130)]
    made = choose(graph(facts, Relation("P39", "[X] is a [Y].")), negatives="near")
    shown = Counter(choice for question in made.questions for choice in question.choices)
    assert shown["cardinal"] < 30


@pytest.mark.parametrize(
    ("type_", "complete", "is_offered"), [("N-M", UNSET, False), ("N-1", UNSET, True), ("N-M", True, True)]
)
def test_what_another_relation_links_to_the_subject_is_not_near(
    type_: RelationType, complete: bool | UnsetType, is_offered: bool
) -> None:
    """It is likely right too, unless there is but one answer or the source has all."""
    speaks = graph(
        [("Tom", "qa"), ("Max", "zb"), ("Ann", "xc"), ("Eva", "qa")],
        Relation("P1412", "[X] speaks [Y].", type=type_, complete=complete),
    )
    writes = graph([("Tom", "zb")], Relation("P6886", "[X] writes in [Y]."))
    maker = generator(negatives="near", question_types=("multi_choices", "binary_answer"))
    maker.graph = lambda: [speaks.summary(), writes.summary()]
    made = [found for found in maker.questions(speaks.summary(), speaks.pairs()) if found.subject_uri == "Tom"]
    [options] = [set(found.choices) for found in made if found.choices]
    assert options == ({"qa", "zb", "xc"} if is_offered else {"qa", "xc"})


@pytest.mark.parametrize("negatives", ["typed", "near", "popular"])
def test_what_holds_the_right_name_or_is_held_by_it_is_no_wrong_answer(negatives: str) -> None:
    places = ("Lincolnshire", "Lincoln", "Port of Lincoln", "Lincoln City", "Derby", "Rye", "Renal Cell Carcinoma")
    of = graph([(f"s{i}", place) for i, place in enumerate([*places, "Carcinoma", "Clear Cell Renal Carcinoma"])])
    for question in make(of, negatives=negatives, options=5).of("multi_choices_obj"):
        [right] = [answer.label for answer in question.answers if not isinstance(answer, str)]
        others = {*question.choices} - {right}
        if right == "Lincolnshire":
            assert "Lincoln" not in others
        if right == "Lincoln":
            assert others.isdisjoint({"Lincolnshire", "Port of Lincoln", "Lincoln City"})
        if right == "Renal Cell Carcinoma":
            assert others.isdisjoint({"Carcinoma", "Clear Cell Renal Carcinoma"})


@pytest.mark.parametrize("negatives", ["typed", "near", "popular"])
def test_word_with_the_stem_of_the_right_answer_is_drawn_last(negatives: str) -> None:
    """Who works in mathematics is a mathematician."""
    words = ("mathematics", "mathematician", "law", "music")
    made = choose(born(*words), negatives=negatives, options=3)
    assert wrong(made, "mathematics") == wrong(made, "mathematician") == {"law", "music"}


@pytest.mark.parametrize(
    ("one", "other", "is_nested"),
    [
        ("Hinduism", "Hindus", True),
        ("philosophy", "philosopher", True),
        ("Slovene", "Slovenian", True),
        ("Australia", "Austria", False),
        ("Mauritania", "Mauritius", False),
        ("physics", "physiology", False),
        ("Windows2000", "Windows2003", False),
        ("Alabama River", "Alabama Hills", False),
    ],
)
def test_words_of_one_stem_are_nested(one: str, other: str, is_nested: bool) -> None:
    for right, wrong in ((one, other), (other, one)):
        assert NestedNames([right.lower()]).clash(Candidate(Entity(wrong, wrong))) == is_nested


@pytest.mark.parametrize("negatives", ["typed", "near", "popular"])
def test_country_and_place_are_no_wrong_answers_for_each_other(negatives: str) -> None:
    """Who was born in Tehran was born in Iran."""
    made = choose(born("Tehran", "Iran", "Shiraz", "Zagreb", "Egypt", "Texas"), negatives=negatives, options=3)
    assert wrong(made, "Tehran") == {"Shiraz", "Zagreb"}
    assert wrong(made, "Iran") == {"Egypt", "Texas"}


@pytest.mark.parametrize("negatives", ["typed", "near", "popular"])
def test_what_others_have_together_with_the_right_answer_is_drawn_last(negatives: str) -> None:
    fields = Relation("P101", "[X] works in [Y].", "field of work")
    alone = [("Ada", "mathematics"), ("Eva", "law"), ("Ida", "music"), ("Liv", "botany"), ("Uwe", "physics")]
    both = [(name, field) for name in ("Max", "Tom") for field in ("mathematics", "physics", "logic")]
    made = make(graph([*alone, *both], fields), negatives=negatives, options=4, question_types=["multi_choices"])
    [options] = [{*question.choices} for question in made.questions if question.subject_uri == "Ada"]
    assert options == {"mathematics", "law", "music", "botany"}


@pytest.mark.parametrize("negatives", ["random", "typed", "near", "popular"])
@pytest.mark.parametrize(("ask", "known"), [("object", "subject_uri"), ("subject", "object_uri")])
def test_false_statement_is_repeated_only_where_nothing_else_is_wrong(negatives: str, ask: str, known: str) -> None:
    facts = [("Ada", language) for language in ("Dutch", "Greek", "Latin", "Irish")]
    facts += [(name, language) for name in ("Max", "Tom", "Eva", "Liv") for language in ("Czech", "Urdu", "Welsh")]
    turned = facts if ask == "object" else [(language, name) for name, language in facts]
    made = make(graph(turned), negatives=negatives, ask=ask, question_types=["binary_answer"])
    false = [found for found in made.questions if found.answers == "incorrect"]
    shown = Counter(uri for uri, _ in {(getattr(found, known), found.shown) for found in false})
    assert len(false) == len(facts)
    assert shown == dict.fromkeys(
        ("Ada", "Max", "Tom", "Eva", "Liv"), 3
    )  # Ada has three wrong ones for four statements


def test_near_in_name_is_what_is_of_its_kind() -> None:
    named = graph([(f"s{n}", name) for n, name in enumerate(("Homer", "Honer", "honey", "homes", "Homel", "Ulm"))])
    kinds = graph([(f"k{n}", name) for n, name in enumerate(("honey", "homes"))], Relation("P31", "[X] is [Y]."))
    maker = generator(negatives="near", question_types=("multi_choices",), options=3)
    maker.graph = lambda: [named.summary(), kinds.summary()]
    asked = {question.object_uri: {*question.choices} for question in maker.questions(named.summary(), named.pairs())}
    assert asked["Homer"] == {"Homer", "Honer", "Homel"}


def test_where_there_is_nothing_else_names_may_hold_each_other() -> None:
    made = make(graph([("Ada", "Lincoln"), ("Max", "Lincolnshire")]), options=2)
    assert {len(question.choices) for question in made.of("multi_choices_obj")} == {2}


def test_where_the_source_has_all_answers_names_may_hold_each_other() -> None:
    capitals = Relation("P36", "The capital of [X] is [Y].", "capital", complete=True)
    made = make(graph([("Chad", "Lincoln"), ("Mali", "Lincolnshire")], capitals), options=2)
    assert {len(question.choices) for question in made.of("multi_choices_obj")} == {2}


def test_a_relation_that_is_known_to_be_incomplete_has_no_wrong_answers() -> None:
    member = graph([("Ada", "UN"), ("Max", "EU")], Relation("P463", "[X] is in the [Y].", complete=False))
    made = make(member, ask="both")
    assert {question.question_type for question in made.questions} == {"single_answer"}
    assert {*made.report.refused} == {INCOMPLETE}


def test_popular_takes_those_of_about_the_same_degree() -> None:
    often = [(f"{i} in {city}", city) for city in [f"big {j}" for j in range(20)] for i in range(9)]
    seldom = [(f"one in {city}", city) for city in [f"small {j}" for j in range(20)]]
    for question in choose(graph([*often, *seldom]), negatives="popular").questions:
        kind = question.object_uri.split()[0]
        assert all(choice.startswith(kind) for choice in question.choices)


def test_popular_shows_an_entity_as_wrong_about_as_often_as_it_is_right() -> None:
    of = {f"city {j}": 40 if j < 2 else 20 for j in range(20)}  # one group, down to half of its first
    made = choose(
        graph((f"{i} in {city}", city) for city, count in of.items() for i in range(count)), negatives="popular"
    )
    shown = Counter(choice for question in made.questions for choice in question.choices)
    for city, count in of.items():
        assert count / shown[city] == pytest.approx(1 / 4, abs=0.06)


def test_a_false_statement_is_like_the_true_one_at_either_end() -> None:
    types = {f"born in {place}": ("person",) if place in CITIES else ("robot",) for place in PLACES}
    made = make(born(*PLACES, **TYPES, **types), ask="both", negatives="typed", question_types=("binary_answer",))
    for question in made.of("binary_sub_incorrect"):
        assert types[question.shown] == types[question.subject_uri]
    assert {question.shown for question in made.of("binary_obj_incorrect") if question.object_uri in TYPES} <= {*TYPES}


def places(questions: list[Question]) -> Counter[int]:
    return Counter(
        question.choices.index(answer.label)
        for question in questions
        for answer in question.answers
        if not isinstance(answer, str)
    )


@pytest.mark.parametrize("settings", [{}, {"negatives": "typed"}])
def test_each_letter_has_the_right_option_as_often(settings: dict[str, Any]) -> None:
    made = choose(born(*(f"city {i}" for i in range(40))), **settings)
    assert places(made.questions) == dict.fromkeys(range(4), 10)
    assert places(made.questions[:6]).most_common(1)[0][1] <= 2
    assert len({question.choices.index(question.object_uri) for question in made.questions[:4]}) == 4


def test_what_cannot_be_asked_takes_no_place() -> None:
    labels = [f"city {i}" if i % 3 else " " for i in range(60)]
    assert places(choose(born(*labels)).questions) == dict.fromkeys(range(4), 10)


def test_places_can_be_left_to_chance() -> None:
    of = born(*(f"city {i}" for i in range(40)))
    assert places(choose(of, balanced=False).questions) != dict.fromkeys(range(4), 10)


def test_none_of_these_is_the_last_option_and_right_as_often_as_each_other() -> None:
    made = choose(born(*(f"city {i}" for i in range(50))), none_of_these=True)
    assert places(made.questions) == dict.fromkeys(range(5), 10)
    for question in made.questions:
        assert (question.choices[-1], question.none, len(question.choices)) == (NONE, NONE, 5)
        assert not isinstance(question.answers, str)
        (answer,) = question.answers
        assert (answer.uri == NONE_OF_THESE) == (question.object_uri not in question.choices)


def test_none_of_these_shows_as_many_options_whether_it_is_right_or_not() -> None:
    made = choose(born("Ulm", "Bonn", "Kiel", "Rome"), none_of_these=True)
    assert {len(question.choices) for question in made.questions} == {4}
    two = choose(born("Ulm", "Bonn"), none_of_these=True)
    assert {len(question.choices) for question in two.questions} == {2}
    assert choose(born("Ulm"), none_of_these=True).questions == []


def test_an_answer_that_is_called_none_of_these_stands_among_plain_options() -> None:
    (question,) = (q for q in choose(born(*CITIES, NONE), none_of_these=True).questions if q.object_uri == NONE)
    assert (question.none, question.choices.count(NONE), len(question.choices)) == ("", 1, 4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"none_of_these": True, "options": 26}, "generator.options: leaves no letter for none_of_these"),
        (
            {"none_of_these": True, "prompts": {**PROMPTS, "multi_choices": PROMPTS["single_answer"]}},
            "generator.prompts.multi_choices: ",
        ),
    ],
)
def test_what_cannot_be_is_said(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        build_generator({"name": "template", "prompts": PROMPTS, **settings})


def test_an_unknown_strategy_is_named() -> None:
    with pytest.raises(UnknownNameError, match=r"generator\.negatives 'type'.*typed"):
        generator(negatives="type")


@pytest.mark.parametrize("negatives", ["typed", "near", "random", "popular"])
def test_entities_that_a_chain_of_the_relation_leads_to_are_drawn_last(negatives: str) -> None:
    chain = ["Ulm", "Swabia", "Germany", "Europe"]
    facts = [*pairwise(chain), ("Lyon", "France"), ("Rome", "Italy"), ("Oslo", "Norway")]
    made = choose(graph(facts, Relation("P131", "[X] is located in [Y] .")), negatives=negatives, ask="both")
    asked = [found for found in made.questions if found.subject_uri in chain]
    assert len(asked) == 6
    for question in asked:
        assert len(set(question.choices).intersection(chain)) == 1


def test_the_other_end_of_a_fact_is_drawn_last() -> None:
    couples = [("Ann", "Bob"), ("Cid", "Dee"), ("Eve", "Fay"), ("Gus", "Hal"), ("Bob", "Kim")]
    assert "Ann" not in wrong(choose(graph(couples, Relation("P26", "[X] married [Y] .")), ask="both"), "Kim")


@pytest.mark.parametrize("negatives", ["typed", "near", "random", "popular"])
def test_nothing_that_a_transitive_relation_leads_to_is_wrong(negatives: str) -> None:
    facts = [("dog", "mammal"), ("cat", "mammal"), ("mammal", "animal"), ("snake", "animal"), ("animal", "being")]
    relation = Relation("is", "[X] is a [Y] .", transitive=True)
    further = [("dog", "animal"), ("cat", "animal"), ("dog", "being"), ("cat", "being"), ("mammal", "being")]
    right = {*facts, *further, ("snake", "being")}
    for seed in range(4):
        made = make(graph(facts, relation), seed, negatives=negatives, ask="both")
        assert {question.subject_uri for question in made.of("multi_choices_obj")} == {"snake", "animal"}
        for question in made.questions:
            wrong = {question.shown, *question.choices} - {"", question.object_uri, question.subject_uri}
            asks_object = question.form in ("multi_choices_obj", "binary_obj_incorrect")
            assert right.isdisjoint(
                (question.subject_uri, one) if asks_object else (one, question.object_uri) for one in wrong
            )
