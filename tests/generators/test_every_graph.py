"""What every set of questions keeps to on every graph that comes with factprobe."""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Any

import msgspec
import pytest

import factprobe
from factprobe.kgs import Graph
from factprobe.question_types import End
from factprobe.reading.answer_leak import giveaway
from factprobe.records import Question, RelationSummary
from factprobe.text import normalise

GRAPHS = ("trex", "google_re", "umls", "bear")
SETS: dict[str, dict[str, Any]] = {
    "plain": {},
    "negated": {"negated": True},
    "typed": {"negatives": "typed", "none_of_these": True},
    "near": {"negatives": "near"},
    "popular": {"negatives": "popular"},
    "relevance": {"context": "relevance"},
    "irrelevance": {"context": "irrelevance"},
    "antifactual": {"context": "antifactual"},
    "sampled": {"sample": "head_tail", "sample_size": 6},
    "placebo": {"generator": "placebo"},
    "prior": {"generator": "prior"},
    "likelihood": {"generator": "likelihood"},
    "as_of": {"as_of": "2020-01-01"},
}


@cache
def graph(name: str) -> tuple[Graph, dict[str, RelationSummary]]:
    kg = factprobe.load_kg(name)
    relations = [found.relation for found in kg.by_name().values() if kg.has_facts(found)][:4]
    return kg, {relation: factprobe.api.summarise(kg, relation) for relation in relations}


def true_names(summary: RelationSummary, question: Question) -> set[str]:
    """All names of what is right for the entity that a question is about, or for another of its label."""
    given: End = "subject" if question.sought == "object" else "object"
    known = summary.entity(question.subject_uri if given == "subject" else question.object_uri, given)
    assert known is not None
    alike = [one for one in summary.entities(given) if normalise(known.label) in map(normalise, one.names())]
    right = [summary.entity(uri, question.sought) for one in alike for uri in summary.partners(one.uri, given)]
    return {normalise(name) for entity in right if entity for name in entity.names()}


@pytest.mark.parametrize("kind", SETS)
@pytest.mark.parametrize("name", GRAPHS)
def test_the_questions_of_a_graph(name: str, kind: str) -> None:
    kg, summaries = graph(name)

    def make() -> list[Question]:
        return factprobe.make_questions(kg, [*summaries], limit=3, **{"ask": "both", **SETS[kind]})

    questions = make()
    assert questions
    assert msgspec.json.encode(questions) == msgspec.json.encode(make())
    assert max(Counter(question.question_id for question in questions).values()) == 1
    for question in questions:
        statement = question.statement
        assert statement is not None
        if question.question_type != "binary_answer":
            assert statement.text.count("____") == 1 == (statement.at(question.sought) == "____")
            assert question.giveaway == ("" if question.given else giveaway(question))
            assert question.choices or question.giveaway != "words"
        if question.given:
            continue
        true = true_names(summaries[question.relation], question)
        if question.question_type == "binary_answer":
            shown = normalise(statement.at(question.sought)) in true
            assert ((question.answers == "correct") == shown) != (question.denied is not None)
        elif question.choices:
            right = {normalise(answer.label) for answer in question.answers if not isinstance(answer, str)}
            offered = [normalise(choice) for choice in question.choices if normalise(choice) in true - right]
            assert offered == []
        if question.context and question.context.planted:
            assert normalise(question.context.planted.label) not in true
