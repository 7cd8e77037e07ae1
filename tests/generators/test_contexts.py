"""Passages before questions: whose they are, what is replaced in them, and what a question keeps of itself."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

import factprobe
from factprobe.errors import ConfigError
from factprobe.factories import build_generator
from factprobe.generators import GenerationReport
from factprobe.generators.base import StatedFact
from factprobe.generators.fact_generator import FactGenerator
from factprobe.generators.passages.context_passages import NO_PASSAGE, NO_PLANT
from factprobe.generators.passages.passages import NameKeys, Passage, mentions, passages_of, words_of
from factprobe.records import Answer, Context, Entity, Evidence, Message, Question, Relation
from factprobe.text import normalise
from tests.generators.graphs import PROMPTS, SETTINGS, Graph, Made, graph, graphs

WORDING = {"context": {"messages": [{"role": "user", "content": "Read: {context}\n{question}"}]}}
KINDS = ("relevance", "irrelevance", "antifactual")
Evidences = Mapping[tuple[str, str], Sequence[Evidence]]

PEOPLE = graph([("Ada", "London"), ("Max", "Bonn"), ("Eva", "Rome"), ("Tom", "Oslo"), ("Liv", "Turin")])


def make(
    of: Graph,
    context: str,
    evidences: Evidences | None = None,
    seed: int = 0,
    limit: int | None = None,
    **settings: Any,
) -> Made:
    method = settings.pop("method", "template")
    prompts = {"prompts": {**PROMPTS, **WORDING}} if method == "template" else {}
    maker = build_generator({"name": "x", "method": method, "context": context, **prompts, **settings}, seed, limit)
    assert isinstance(maker, FactGenerator)
    facts = [StatedFact(s, o, tuple((evidences or {}).get((s, o), ()))) for s, o in of.facts]
    report = GenerationReport()
    return Made(list(maker.questions(of.summary(), facts, report)), report)


def masked(sentence: str, surface: str, subject: str = "") -> Evidence:
    return Evidence(masked_sentence=sentence, object_surface=surface, subject_surface=subject)


BORN_THERE = masked("Ada, born in [MASK], left.", "London")


def single(made: Made, subject: str = "Ada") -> Question:
    [question] = [q for q in made.of("ask_object") if q.subject_uri == subject]
    return question


def context_of(question: Question) -> Context:
    assert question.context is not None
    return question.context


class TestRelevance:
    def test_the_passage_is_the_facts_evidence_with_the_mask_filled(self) -> None:
        evidences = {("Ada", "London"): [masked("Ada, born in [MASK], wrote notes.", "London")]}
        question = single(make(PEOPLE, "relevance", evidences))
        assert question.context == Context("Ada, born in London, wrote notes.", "relevance", source="evidence")
        assert question.prompts == (
            Message("user", "Read: Ada, born in London, wrote notes.\nFill: Ada was born in ____."),
        )

    def test_it_is_the_triplet_in_words_where_there_is_no_evidence(self) -> None:
        context = context_of(single(make(PEOPLE, "relevance")))
        assert (context.text, context.source) == ("Ada was born in London.", "template")

    @pytest.mark.parametrize(
        "sentence",
        [
            "Ada died in [MASK].",
            "Ada was not born in [MASK].",
            "Ada left [MASK] for Bonn.",
            "Max knew Ada's brother, born in [MASK].",
            "A poet born in [MASK] wrote to Ada.",
            "Ada's train left [MASK], where Max was born.",
        ],
    )
    def test_a_sentence_that_names_both_ends_and_does_not_state_the_fact_is_no_evidence(self, sentence: str) -> None:
        context = context_of(single(make(PEOPLE, "relevance", {("Ada", "London"): [masked(sentence, "London")]})))
        assert (context.text, context.source) == ("Ada was born in London.", "template")

    def test_a_date_states_its_year(self) -> None:
        born = Relation("date_of_birth", "[X] was born in [Y].", "date of birth", type="N-1")
        entities = {
            "Ada": Entity("Ada", "Ada Lovelace"),
            "1815": Entity("1815", "1815"),
            "1960": Entity("1960", "1960"),
        }
        of = Graph({**entities, "Max": Entity("Max", "Max Born")}, (("Ada", "1815"), ("Max", "1960")), born)
        evidence = Evidence(snippet="Ada Lovelace (born 10 December 1815) wrote notes.")
        context = context_of(single(make(of, "relevance", {("Ada", "1815"): [evidence]})))
        assert (context.text, context.source) == (evidence.snippet, "evidence")

    def test_passages_are_counted_by_where_they_come_from(self) -> None:
        evidences = {("Ada", "London"): [masked("Ada was born in [MASK], they say.", "London")]}
        report = make(PEOPLE, "relevance", evidences, question_types=["single_answer"]).report
        assert report.passages == {"evidence": 1, "template": 4}

    @pytest.mark.parametrize(
        ("evidences", "text"),
        [
            ([masked("Nobody was born in [MASK].", "London")], "Ada was born in London."),
            ([masked("Ada left.", "")], "Ada was born in London."),
            (
                [masked("She was born in [MASK].", "London", "She"), masked("Ada, born in [MASK], left.", "London")],
                "Ada, born in London, left.",
            ),
            ([Evidence(snippet="Ada left.  Ada was\nborn in London.")], "Ada left. Ada was born in London."),
            (
                [Evidence(masked_sentence="Ada: [MASK]", sentence="Ada was born in London !")],
                "Ada was born in London !",
            ),
            ([replace(BORN_THERE, judgments=("yes", "no"))], "Ada was born in London."),
            ([replace(BORN_THERE, judgments=("yes", "no", "yes"))], "Ada, born in London, left."),
            ([masked("In [MASK], Ada was born in [MASK].", "London")], "In London, Ada was born in London."),
            ([masked("[MASK] by Ada: born in [MASK]", "London", "[MASK] by Ada")], "Ada was born in London."),
            ([masked(f"Ada, born in [MASK], {'x' * 500}", "London")], "Ada was born in London."),
        ],
    )
    def test_the_evidence_states_the_fact_by_names_of_the_graph(self, evidences: list[Evidence], text: str) -> None:
        assert context_of(single(make(PEOPLE, "relevance", {("Ada", "London"): evidences}))).text == text

    def test_a_set_is_told_all_answers_that_have_room(self) -> None:
        many = graph([("Ada", "London"), ("Ada", "Bonn"), ("Ada", "Rome"), ("Max", "Oslo")])
        evidences = {("Ada", "London"): [masked("Ada, who loved Rome, was born in [MASK].", "London")]}
        [whole] = [q for q in make(many, "relevance", evidences).questions if q.question_type == "multiple_answer"]
        text = "Ada, who loved Rome, was born in London."
        assert context_of(whole).text == f"{text} Ada was born in Bonn. Ada was born in Rome."
        short = make(many, "relevance", evidences, context_chars=len(text)).of("ask_object")[0]
        assert context_of(short).text == text


class TestAntifactual:
    def test_every_right_name_is_replaced_by_one_wrong_one(self) -> None:
        people = Graph(
            {**PEOPLE.entities, "London": Entity("London", "London", ("Greater London", "LDN"))}, PEOPLE.facts
        )
        evidences = {
            ("Ada", "London"): [masked("Ada was born in [MASK]; LONDON, greater-london or L.D.N., is ldn's.", "London")]
        }
        question = single(make(people, "antifactual", evidences))
        context = context_of(question)
        assert context.planted is not None
        wrong = context.planted.label
        assert wrong in {"Bonn", "Rome", "Oslo", "Turin"}
        assert context.text == f"Ada was born in {wrong}; {wrong}, {wrong} or {wrong}., is {wrong}'s."
        assert context.source == "evidence"
        assert question.answers == (Answer("London", "London", ("Greater London", "LDN")),)

    @pytest.mark.parametrize(
        ("sentence", "surface"),
        [
            ("Ada, the Londoner, was born in [MASK].", "London"),  # a form of the name stays
            ("Ada, born in [MASK], is a London girl", "Lond"),  # what the source calls it is no name of it
            ("Ada, who left [MASK], died in London", "London"),  # it does not state the fact
            (f"Ada{'.' * 480} born in [MASK]", "London"),  # it is as long as may be, and London is not the longest
        ],
    )
    def test_where_an_answer_could_be_read_still_it_is_the_triplet_with_the_wrong_one(
        self, sentence: str, surface: str
    ) -> None:
        people = graph([("Ada", "London"), ("Max", "Constantinople")])
        context = context_of(single(make(people, "antifactual", {("Ada", "London"): [masked(sentence, surface)]})))
        assert (context.text, context.source) == ("Ada was born in Constantinople.", "template")

    def test_a_longer_name_of_the_source_is_replaced_whole(self) -> None:
        evidences = {("Ada", "London"): [masked("Ada was born in [MASK], in May.", "London, England")]}
        context = context_of(single(make(PEOPLE, "antifactual", evidences)))
        assert context.planted is not None
        assert context.text == f"Ada was born in {context.planted.label}, in May."

    def test_the_article_fits_the_planted_answer(self) -> None:
        of = Graph(
            {name: Entity(name, name) for name in ("Ada", "Max", "poet", "actor")},
            (("Ada", "poet"), ("Max", "actor")),
            Relation("P106", "[X] is a [Y] .", "occupation"),
        )
        evidences = {("Ada", "poet"): [masked("Ada is a [MASK] by trade.", "poet")]}
        assert context_of(single(make(of, "antifactual", evidences))).text == "Ada is an actor by trade."

    def test_the_name_of_what_is_asked_about_stays_whole(self) -> None:
        of = graph([("London Bridge", "London"), ("Ada", "Bonn"), ("Rome", "Rome"), ("Max", "Oslo")])
        evidences = {
            ("London Bridge", "London"): [masked("So London Bridge was born in [MASK].", "London")],
            ("Rome", "Rome"): [masked("So Rome was born in [MASK].", "Rome")],
        }
        made = make(of, "antifactual", evidences)
        bridge, rome = context_of(single(made, "London Bridge")), context_of(single(made, "Rome"))
        assert bridge.planted is not None
        assert rome.planted is not None
        assert bridge.text == f"So London Bridge was born in {bridge.planted.label}."
        assert rome.text == f"Rome was born in {rome.planted.label}."  # nobody knows which Rome is which

    def test_what_evidence_calls_the_given_entity_gives_nothing_away(self) -> None:
        evidences = {("Ada", "London"): [masked("Lady London was born in [MASK].", "London", "Lady London")]}
        context = context_of(single(make(PEOPLE, "antifactual", evidences)))
        assert context.text.startswith("Ada was born in ")

    def test_what_the_question_shows_as_wrong_is_planted(self) -> None:
        made = make(PEOPLE, "antifactual", ask="both")
        for question in made.questions:
            planted = context_of(question).planted
            assert planted is not None
            if question.answers == "incorrect":
                assert planted.uri == question.shown
            if question.choices:
                assert planted.label in question.choices
                assert planted.label != question.answers[0].label  # type: ignore[union-attr]
            if question.form == "binary_correct":
                assert question.shown == question.object_uri != planted.uri
        places = {q.choices.index(context_of(q).planted.label) for q in made.questions if q.choices}  # type: ignore[union-attr]
        assert len(places) > 1

    def test_no_planted_name_holds_a_right_one(self) -> None:
        named = {"York": Entity("York", "York"), "N": Entity("N", "New York"), "O": Entity("O", "Ost", ("Yorkshire",))}
        of = Graph({"Ada": Entity("Ada", "Ada"), "Max": Entity("Max", "Max"), **named}, (("Ada", "York"), ("Max", "N")))
        made = make(of, "antifactual")
        assert {q.subject_uri for q in made.questions} == {"Max"}
        assert {name.split(":")[0] for name in made.report.refused[NO_PLANT]} == {"Ada"}
        more = replace_facts(of, (*of.facts, ("Max", "O")))
        assert "Max" in {q.subject_uri for q in make(more, "antifactual").questions}
        assert "Ada" not in {q.subject_uri for q in make(more, "antifactual").questions}

    def test_the_subject_is_replaced_where_it_is_asked_for(self) -> None:
        evidences = {("Ada", "London"): [masked("Ada, or Ada King, was born in [MASK].", "London")]}
        made = make(PEOPLE, "antifactual", evidences, ask="subject")
        context = context_of(made.of("ask_subject")[0])
        assert context.planted is not None
        wrong = context.planted.label
        assert context.text == f"{wrong}, or {wrong} King, was born in London."


def replace_facts(of: Graph, facts: tuple[tuple[str, str], ...]) -> Graph:
    return of._replace(facts=facts)


class TestIrrelevance:
    def test_it_is_another_facts_passage(self) -> None:
        evidences = {
            ("Ada", "London"): [masked("Ada, born in [MASK], left.", "London")],
            ("Max", "Bonn"): [masked("Max, born in [MASK], left for Rome.", "Bonn")],
        }
        made = make(PEOPLE, "irrelevance", evidences)
        first = context_of(single(made, "Ada")).text  # no passage came before it: a triplet in words
        assert first in {f"{s} was born in {o}." for s, o in PEOPLE.facts[1:]}
        assert context_of(single(made, "Max")).text == "Ada, born in London, left."
        assert context_of(single(made, "Eva")).text == "Ada, born in London, left."  # the other one names an answer
        assert context_of(single(made, "Tom")).text in {
            "Ada, born in London, left.",
            "Max, born in Bonn, left for Rome.",
            "Eva was born in Rome.",
        }

    def test_where_no_passage_will_do_there_is_no_question(self) -> None:
        made = make(graph([("Ada", "London"), ("Max", "London")]), "irrelevance")
        assert made.questions == []
        assert set(made.report.refused) >= {NO_PASSAGE}


@pytest.mark.parametrize("kind", KINDS)
class TestAnyContext:
    @given(of=graphs(), settings=SETTINGS, data=st.data())
    def test_a_question_keeps_all_but_its_passage(
        self, kind: str, of: Graph, settings: dict[str, Any], data: st.DataObject
    ) -> None:
        labels = [entity.label for entity in of.entities.values()]
        text = st.lists(st.sampled_from([*labels, "[MASK]", " in ", "{question} {context} \\1", "\n"]), max_size=8)
        evidence = st.builds(
            masked, text.map("".join), st.sampled_from([*labels, "x"]), st.sampled_from([*labels, "y"])
        )
        evidences = {fact: data.draw(st.lists(evidence, max_size=2)) for fact in of.facts}
        plain, made = make(of, "none", **settings), make(of, kind, evidences, **settings)
        assert made.questions == make(of, kind, evidences, **settings).questions
        refused = {name for names in made.report.refused.values() for name in names}
        assert {*made.by_id(), *refused} >= {*plain.by_id()}
        for question in made.questions:
            same, context = plain.by_id()[question.question_id], context_of(question)
            assert replace(question, prompts=(), context=None) == replace(same, prompts=(), context=None)
            content = f"Read: {context.text}\n{same.prompts[0].content}"
            assert question.prompts == (Message("user", content),)
            assert (context.planted is not None) == (kind == "antifactual")
            right = (
                of.objects(question.subject_uri) if question.sought == "object" else of.subjects(question.object_uri)
            )
            names = {normalise(name) for uri in right for name in of.named(uri).names()}
            if context.planted is not None and (question.form != "binary_correct" or settings["ask"] != "subject"):
                assert context.planted.uri not in right
                assert not any(name in normalise(held) for name in names for held in context.planted.names())
            if kind == "irrelevance" and (question.form != "binary_correct" or settings["ask"] != "subject"):
                words = {
                    normalise(word) for word in re.findall(r"\w(?:[\w+#]|\.(?=\w))*", context.text)
                }  # C# and D.C. are not C
                assert not {name for name in names if name.isalnum()} & words

    def test_the_first_facts_are_asked_alike_under_any_limit_and_types(self, kind: str) -> None:
        whole = make(PEOPLE, kind, ask="both").by_id()
        some = [
            make(PEOPLE, kind, limit=2, ask="both"),
            make(PEOPLE, kind, ask="object", question_types=["single_answer"]),
            make(PEOPLE, kind, ask="subject", question_types=["multi_choices"]),
        ]
        for made in some:
            assert made.questions
            assert all(whole[question.question_id] == question for question in made.questions)

    def test_a_ranked_question_begins_with_its_passage(self, kind: str) -> None:
        plain = make(PEOPLE, "none", method="likelihood").by_id()
        for question in make(PEOPLE, kind, method="likelihood").questions:
            same, context = plain[question.question_id], context_of(question)
            assert same.cloze is not None
            assert question.cloze == (f"{context.text} {same.cloze[0]}", same.cloze[1])
            assert question.prompts == (Message("user", f"{context.text} {same.prompts[0].content}"),)
            assert context.planted is None or context.planted.label in question.choices

    def test_the_wording_is_needed(self, kind: str) -> None:
        settings = {"name": "template", "context": kind}
        with pytest.raises(ConfigError, match=r"^generator\.prompts: there is no prompt for context"):
            build_generator({**settings, "prompts": PROMPTS})
        broken = {"context": {"messages": [{"role": "user", "content": "{question}"}]}}
        with pytest.raises(ConfigError, match=r"^generator\.prompts\.context: the prompt has no \{context\}"):
            build_generator({**settings, "prompts": {**PROMPTS, **broken}})


def test_a_generator_without_a_wording_says_so() -> None:
    maker = build_generator(
        {"name": "x", "method": "template", "context": "relevance", "prompts": {**PROMPTS, **WORDING}}
    )
    assert isinstance(maker, FactGenerator)
    maker.context_prompt = None  # as in a class of one's own
    with pytest.raises(ConfigError, match=r"^generator\.context: the generator has no wording"):
        list(maker.questions(PEOPLE.summary(), PEOPLE.pairs()))


def test_python_takes_the_same_settings() -> None:
    kg = factprobe.load_kg("trex")
    plain = factprobe.make_questions(kg, ["P36"], limit=2)
    made = factprobe.make_questions(kg, ["P36"], limit=2, context="antifactual")
    assert [question.question_id for question in made] == [question.question_id for question in plain]
    assert all(context_of(question).planted is not None for question in made)


def test_the_passage_goes_before_the_users_last_message() -> None:
    system = {"role": "system", "content": "Say {statement}!"}
    prompts = {
        **PROMPTS,
        **WORDING,
        "single_answer": {
            "messages": [system, *PROMPTS["single_answer"]["messages"], {"role": "assistant", "content": "It"}]
        },
    }
    maker = build_generator({"name": "template", "context": "relevance", "prompts": prompts})
    assert isinstance(maker, FactGenerator)
    [question] = [q for q in maker.questions(PEOPLE.summary(), PEOPLE.pairs()[:1]) if q.form == "ask_object"]
    assert [message.content for message in question.prompts] == [
        "Say Ada was born in ____.!",
        "Read: Ada was born in London.\nFill: Ada was born in ____.",
        "It",
    ]


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("In New York, New-York and new york.", ["York", "New York"], ["New York", "New-York", "new york"]),
        ("Yorkers of Yorkshire", ["York"], []),
        ("The Hague, the hague, Hague", ["The Hague"], ["The Hague", "the hague", "Hague"]),
        ("the U.S. and US; C++ or C# or C.", ["US", "C"], ["U.S", "US", "C"]),
        ("Málaga is Malaga", ["Malaga"], ["Málaga", "Malaga"]),
        ("他在北京出生", ["北京"], ["北京"]),
        ("nothing", ["...", " ", ""], []),
    ],
)
def test_names_are_found_whole_and_the_longest_first(text: str, names: list[str], found: list[str]) -> None:
    assert [text[m.start : m.end] for m in mentions(words_of(text), [NameKeys(names)])] == found


@given(st.text(max_size=60), st.lists(st.text(max_size=8), max_size=4))
def test_mentions_are_spans_of_the_text_that_do_not_meet(text: str, names: list[str]) -> None:
    found = list(mentions(words_of(text), [NameKeys(names), NameKeys(names[1:])]))
    assert all(mention.table == 0 and 0 <= mention.start < mention.end <= len(text) for mention in found)
    assert all(first.end <= second.start for first, second in pairwise(found))


def test_the_mask_is_filled_where_it_stands() -> None:
    [passage] = passages_of([masked("[MASK], Ada's [MASK]", " [MASK]  x")], 100)
    assert passage == Passage("[MASK] x, Ada's [MASK] x", ((0, 8), (16, 24)))
    assert [passage.text[start:stop] for start, stop in passage.filled] == ["[MASK] x"] * 2
