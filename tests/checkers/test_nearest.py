"""Linking of words to a relation by embeddings, where no wording of the graph fits."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np
import pytest

import factprobe
from factprobe.checkers.graph import GraphChecker, GraphCheckerSettings
from factprobe.errors import ConfigError, MissingExtraError
from factprobe.models.embedders import Embedder, get_embedder
from factprobe.records import Claim, ClaimedText, ClaimVerdict, Item, Relation
from tests.claims.graphs import CURIE, EINSTEIN, MOZART, ULM, summary, world
from tests.extras import loads
from tests.tables import for_each_row

HOBBIT, TOLKIEN = "The Hobbit", "J. R. R. Tolkien"


@cache
def minilm() -> Embedder:
    """Return the model of the wheel."""
    return get_embedder("minilm")


class Kept(Embedder):
    """Gives vectors by their texts, and keeps what it was asked for."""

    def __init__(self, **vectors: list[float]) -> None:
        self.vectors, self.asked = vectors, list[list[str]]()

    def embed(self, texts: Sequence[str]) -> Any:
        self.asked.append(list(texts))
        return np.array([self.vectors.get(text.split()[0], [0.0, 1.0]) for text in texts], np.float32)


def check(*claims: tuple[str, ...], embedder: Embedder | None = None, **settings: Any) -> list[ClaimVerdict]:
    checker = GraphChecker(GraphCheckerSettings(name="graph", **settings))
    checker.graph, checker.embedder = world, embedder or minilm()
    [found] = checker.check([ClaimedText(Item("1", ""), tuple(map(Claim, claims)))])
    return list(found)


@loads("sentence_transformers")
def test_words_near_to_a_relation_are_taken_for_it_and_that_is_said() -> None:
    capital, author, book = check(
        ("France", "governmental seat", "Paris"),
        ("The Silmarillion", "novelist", TOLKIEN),
        (HOBBIT, "is a book by", TOLKIEN),
    )
    assert [one.label for one in (capital, author, book)] == ["Entailment"] * 3
    assert capital.facts[0].uris == ("Q142", "P36", "Q90")
    assert re.fullmatch(r"'governmental seat' is taken for 'capital' \(similarity 0\.[678]\d\)", capital.why)
    assert author.why.startswith("'novelist' is taken for 'author' (similarity 0.")


@loads("sentence_transformers")
def test_nothing_is_contradicted_by_likeness_alone() -> None:
    [wrong] = check(("France", "governmental seat", "Berlin"))
    assert (wrong.label, wrong.facts[0].uris) == ("Neutral", ("Q142", "P36", "Q90"))
    assert wrong.why.endswith("), by which nothing is contradicted: the graph has Paris")
    [unknown] = check(("France", "is adjacent to", "Poland"), similarity=0.4)
    assert unknown.label == "Neutral"
    assert unknown.why.endswith("): the graph has others, and there may be more")


@loads("sentence_transformers")
@for_each_row("words", ["never governmental seat", "is not the governmental seat", "is probably the governmental seat"])
@for_each_row("capital", ["Paris", "Berlin"])
def test_words_that_deny_or_leave_open_are_neither(words: str, capital: str) -> None:
    [verdict] = check(("France", words, capital), similarity=0.5)
    assert verdict.label == "Neutral"
    assert verdict.why.endswith("and denies it or leaves it open")


@loads("sentence_transformers")
def test_words_near_to_no_relation_stay_neutral_with_the_nearest() -> None:
    far, strict = (
        check(("Albert Einstein", "adored", "Ulm"))[0],
        check((HOBBIT, "is a book by", TOLKIEN), similarity=0.9)[0],
    )
    assert far.label == strict.label == "Neutral"
    assert far.why.startswith(
        "'adored' is no relation of the graph that these two could have; the nearest is 'place of birth' (similarity 0."
    )
    assert "the nearest is 'author' (similarity 0.6" in strict.why
    [other] = check(("Salzburg", "adored", "Berlin"), embedder=Kept())
    assert other.why == "'adored' is no relation of the graph that these two could have"


def test_wordings_of_the_graph_come_first_and_nothing_is_embedded_for_them() -> None:
    kept = Kept()
    born = [
        ("Albert Einstein", "was born in", "Paris"),
        ("Nobody", "adored", "Nothing"),
        ("Poland", "adored", "Mozart"),
    ]
    assert [one.label for one in check(*born, embedder=kept)] == ["Contradiction", "Neutral", "Neutral"]
    assert kept.asked == []


def test_all_is_embedded_at_once_and_only_what_is_compared() -> None:
    kept = Kept(adored=[1.0, 0.0], place=[0.8, 0.6])
    loves = [("Albert Einstein", words, city) for words in ("adored", "ADORED!") for city in ("Ulm", "Warsaw")]
    found = check(*loves, ("Albert Einstein", "was born in", "Ulm"), embedder=kept)
    [asked] = kept.asked
    assert len({*asked}) == len(asked)
    assert asked[0] == "place of birth"
    assert asked[-1] == "adored"
    assert "capital" not in asked
    assert [one.label for one in found] == ["Entailment", "Neutral", "Entailment", "Neutral", "Entailment"]
    assert found[0].why == "'adored' is taken for 'place of birth' (similarity 0.80)"


def test_the_threshold_holds_for_the_similarity_that_is_shown() -> None:
    claim = ("Albert Einstein", "adored", "Ulm")
    kept = Kept(adored=[1.0, 0.0], place=[0.648, 0.7616])
    assert check(claim, embedder=kept, similarity=0.65)[0].label == "Entailment"
    assert check(claim, embedder=kept, similarity=0.66)[0].label == "Neutral"


def test_a_relation_that_could_be_either_way_round_is_none() -> None:
    """Likeness does not tell who is whose teacher."""
    teacher = Relation("P1066", "[X] was taught by [Y].", "teacher", type="N-1")
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [summary(teacher, [(EINSTEIN, CURIE), (MOZART, ULM)])]
    checker.embedder = Kept(adored=[1.0, 0.0], teacher=[1.0, 0.0])
    people, place = Claim(("Albert Einstein", "adored", "Marie Curie")), Claim(("Mozart", "adored", "Ulm"))
    [[either, one]] = checker.check([ClaimedText(Item("1", ""), (people, place))])
    assert (either.label, one.label) == ("Neutral", "Entailment")
    assert either.why == "'adored' is no relation of the graph that these two could have"


@loads("sentence_transformers")
def test_words_that_only_a_wording_about_other_things_has_are_linked_as_well() -> None:
    """A head office has its seat somewhere, but a country is no organisation."""
    text = {"response": "", "triplets": [["Paris", "is the governmental seat of", "France"]]}
    assert factprobe.check([text])[0].labels == ["Neutral"]
    assert factprobe.check([text], {"name": "graph", "embedder": "minilm"})[0].labels == ["Entailment"]


@loads("sentence_transformers")
@for_each_row(
    "words",
    ["", " ", "x" * 1_000_000, "\x00\x1b[31m\x07", "\ud800", "!!!", "from", "is the", "的", "[X] [Y]", "{label}"],
)
def test_hostile_words_are_no_relation(words: str) -> None:
    [verdict] = check((HOBBIT, words, TOLKIEN))
    assert verdict.label == "Neutral"
    assert not verdict.facts


@loads("sentence_transformers")
def test_the_same_whatever_else_is_checked() -> None:
    claims = [("France", "governmental seat", "Paris"), (HOBBIT, "is a book by", TOLKIEN), ("France", "loves", "Paris")]
    together = check(*claims)
    assert together == [check(one)[0] for one in claims] == check(*claims[::-1])[::-1]


@loads("sentence_transformers")
def test_a_voter_has_an_embedder_of_its_own() -> None:
    text = {"response": "", "triplets": [["France", "governmental seat", "Paris"]]}
    near = {"name": "near", "method": "graph", "embedder": "minilm"}
    [found] = factprobe.check([text], {"name": "majority", "checkers": [near, "graph"], "tie": "Neutral"})
    assert found.verdicts[0].why.startswith("a tie: near: Entailment, graph: Neutral")


@for_each_row(
    ("settings", "what"),
    [
        ({"embedder": ""}, "checker.embedder: "),
        ({"embedder": "openai"}, "embedder: openai is an endpoint, and its model is not set"),
        ({"embedder": {"backend": "minilm"}}, "checker.embedder: is no endpoint, and has no settings"),
        ({"embedder": {"backend": "nobody"}}, "unknown embedder 'nobody'"),
        ({"similarity": 0}, "checker.similarity"),
    ],
)
def test_what_names_no_embedder_is_said(settings: dict[str, Any], what: str) -> None:
    with pytest.raises(ConfigError) as caught:
        factprobe.check(["Paris is in France."], {"name": "graph", **settings})
    assert what in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_missing_extra_is_said_before_anything_is_done(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"^embedder=minilm: .* pip install 'factprobe\[embeddings\]'$"):
        factprobe.check(["Nothing."], {"name": "graph", "embedder": "minilm"})


def test_claims_that_a_sentence_makes_need_no_embedding() -> None:
    checker = GraphChecker(GraphCheckerSettings(name="graph"))
    checker.graph = lambda: [summary(Relation("P19", "[X] was born in [Y].", type="N-1"), [(EINSTEIN, ULM)])]
    checker.embedder = kept = Kept()
    sentences = "Albert Einstein was not born in Ulm.", "Albert Einstein was born in Ulm."
    [found] = checker.check([ClaimedText(Item("1", ""), tuple(Claim((one,)) for one in sentences))])
    assert found[0].label != "Entailment"
    assert found[1].label == "Entailment"
    assert kept.asked == []
