"""Passages from a graph: who is named is told of, in the words of the templates."""

from __future__ import annotations

from typing import Any

from factprobe.records import Claim, ClaimedText, Item, Relation
from factprobe.retrievers.graph import GraphRetriever, GraphRetrieverSettings
from tests.claims.graphs import EINSTEIN, ULM, summary, world


def retrieve(
    response: str, question: str = "", *claims: Claim, graph: Any = world, limit: int = 10, facts: int = 20
) -> tuple[str, ...]:
    retriever = GraphRetriever(GraphRetrieverSettings(name="graph", limit=limit, facts=facts))
    retriever.graph = graph
    [found] = retriever.retrieve([ClaimedText(Item("1", response, question), claims)])
    return found


EINSTEINS = "Albert Einstein was born in Ulm. Albert Einstein was born on 14 March 1879."


def test_facts_about_an_entity_are_one_passage() -> None:
    assert retrieve("Albert Einstein was a man.") == (EINSTEINS,)


def test_question_comes_first_and_no_fact_twice() -> None:
    assert retrieve("He was born in Ulm.", "Where was Albert Einstein born?") == (
        EINSTEINS,
        "Ulm lies in the country of Germany.",
    )


def test_facts_between_mentioned_entities_come_first() -> None:
    [germany, ulm] = retrieve("Germany has Ulm.", facts=1)
    assert germany == "Ulm lies in the country of Germany."
    assert ulm == "Albert Einstein was born in Ulm."


def test_entities_of_claims_count_too() -> None:
    claim = Claim(("He", "place of birth", "there"), uris=("Q937", "P19", ""))
    assert retrieve("He was born there.", "", claim) == (EINSTEINS,)


def test_facts_of_all_namesakes_are_given() -> None:
    assert retrieve("Georgia") == ("Tbilisi is the capital of Georgia.", "Atlanta is the capital of Georgia.")


def test_limits() -> None:
    text = "France, Germany, Spain and Poland"
    assert len(retrieve(text)) == 4
    assert len(retrieve(text, limit=2)) == 2
    assert retrieve("Albert Einstein", facts=1) == ("Albert Einstein was born in Ulm.",)


def test_text_without_mentions_has_no_passage() -> None:
    assert retrieve("Nobody knows.", "Who?") == ()
    assert retrieve("") == ()


def test_symbols_of_templates_may_be_others() -> None:
    relation = Relation("R1", "[Y] lived in [X].", subject_symbol="[Y]", object_symbol="[X]")
    labelled = summary(relation, [(EINSTEIN, ULM)])
    assert retrieve("Albert Einstein", graph=lambda: [labelled]) == ("Albert Einstein lived in Ulm.",)


def test_relation_without_template_uses_its_label() -> None:
    facts = [(EINSTEIN, ULM)]
    labelled = summary(Relation("R1", "", "lived in"), facts), summary(Relation("R2", "[X] only"), facts)
    assert retrieve("Albert Einstein", graph=lambda: labelled) == (
        "Albert Einstein lived in Ulm. Albert Einstein R2 Ulm.",
    )
