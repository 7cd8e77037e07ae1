"""What a visitor of the app is told of an error: what helps on the page, then what whoever starts the app can do."""

from __future__ import annotations

import pytest

from factprobe.app.check_controller import CheckController
from factprobe.app.error_texts import error_text, format_fact
from factprobe.app.model_calls import ModelCalls
from factprobe.config import compose, from_omegaconf
from factprobe.errors import ConfigError, DataError, FactprobeError, MissingExtraError, ModelError, NoAnswersError
from factprobe.records import Claim, ClaimedText, GraphFact, Item
from tests.extras import needs


@pytest.mark.parametrize(
    ("error", "group", "told"),
    [
        (
            ConfigError("is not set", where="kg.source", hint="name its file: kg=csv kg.source=FILE"),
            "kg",
            "kg.source: is not set; choose another one under “Graph”, "
            "or where the app is started: name its file: kg=csv kg.source=FILE",
        ),
        (
            DataError("has no readable fact", where="facts.csv", hint="check that it is the right file"),
            "claim_extractor",
            "facts.csv: has no readable fact; choose another one under “Claims by”, "
            "or where the app is started: check that it is the right file",
        ),
        (
            MissingExtraError("torch is not installed", where="checker.path", extra="hf"),
            "checker",
            "checker.path: torch is not installed; choose another one under “Checked by”, "
            "or where the app is started: pip install 'factprobe[hf]'",
        ),
        (
            ModelError("too dear", where="max_cost_usd=1", hint="set max_cost_usd=2"),
            None,
            "max_cost_usd=1: too dear; where the app is started: set max_cost_usd=2",
        ),
        (DataError("is\nbroken", where="a.csv"), "kg", "a.csv: is broken; choose another one under “Graph”"),
        (NoAnswersError("no reply", hint="ask them again"), "checker", "no reply; ask them again"),
        (ModelError("is asked no more"), None, "is asked no more"),
    ],
)
def test_a_visitor_is_told_what_helps_on_the_page(error: FactprobeError, group: str | None, told: str) -> None:
    assert error_text(error, group) == told


@needs("transformers")
def test_a_checker_that_wants_a_reference_asks_for_one_on_the_page() -> None:
    config = from_omegaconf(compose([]))
    desk = CheckController(config, ModelCalls(config))
    with pytest.raises(ConfigError) as raised:
        desk.check(ClaimedText(Item("1", "It rains."), (Claim(("It rains.",)),)), "nli", "soft")
    told = error_text(raised.value, "checker")
    assert told == "there is no reference yet; write or retrieve one, or let the graph check"


def test_a_fact_has_the_uris_that_its_labels_do_not_show() -> None:
    labels = ("Carmen", "composer", "Georges Bizet")
    assert format_fact(GraphFact(labels, labels)) == "Carmen · composer · Georges Bizet"
    assert format_fact(GraphFact(labels, ("Q1", "composer", "Q2"))) == "Carmen · composer · Georges Bizet  (Q1 Q2)"


def test_references_that_the_graph_does_not_read_are_known() -> None:
    config = from_omegaconf(compose([]))
    desk = CheckController(config, ModelCalls(config))
    assert desk.ignores_references(Item("1", "It rains.", references=("It is dry.",)), "graph")
    assert not desk.ignores_references(Item("1", "It rains."), "graph")
    assert not desk.ignores_references(Item("1", "It rains.", references=("It is dry.",)), "llm")
