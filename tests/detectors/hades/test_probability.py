"""Token probabilities: what is made of them, and a running text."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from math import exp, log
from typing import Any

import pytest

from factprobe.asking.in_memory import ask_model
from factprobe.detectors.hades.probability import Reduction, TokenProbabilityDetector, TokenProbabilitySettings
from factprobe.errors import CallError, ModelError
from factprobe.models import Model, ModelSettings, Reply
from factprobe.models.base import ScoredToken, WrittenToken
from factprobe.models.token_scorer import TokenScorer
from factprobe.records import HALLUCINATION, NOT_HALLUCINATION, DetectorItem, Request


class Told(Model):
    """Gives each word the probability that it names."""

    async def reply(self, request: Request) -> Reply:
        raise AssertionError("nobody asks")

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        if "broken" in text:
            raise CallError("no")
        words = (word for word in re.finditer(r"\S+", text) if word.end() > start)
        return [ScoredToken(word.start(), word.end(), log(float(word[0]))) for word in words]

    async def write(self, request: Request) -> AsyncIterator[WrittenToken]:
        for word in request.prompts[-1].content.split():
            yield WrittenToken(f" {word}", log(float(word)))


def detector(model: type[Model] = Told, **settings: Any) -> TokenProbabilityDetector:
    made = TokenProbabilityDetector(TokenProbabilitySettings(name="d", model={}, **settings))
    made.model = told = model(ModelSettings(backend="told"))
    made.ask = lambda _, requests: ask_model(TokenScorer(told), [*requests])
    return made


ITEM = DetectorItem("1", "0.9 0.8 0.01 0.9", span=(4, 12))


@pytest.mark.parametrize(("reduction", "expected"), [("min", 0.99), ("mean", 1 - (0.8 * 0.01) ** 0.5)])
def test_span_is_as_probable_as_its_tokens(reduction: Reduction, expected: float) -> None:
    [found] = detector(reduction=reduction).detect([ITEM])
    assert found.probability == pytest.approx(expected, abs=1e-6)
    assert (found.label, found.spans) == (HALLUCINATION, ((8, 12),))


def test_text_after_span_is_hidden_and_offsets_refer_to_output() -> None:
    behind = DetectorItem("1", "0.9 0.01 broken", span=(4, 8))
    asked = DetectorItem("2", "0.9 0.02", "0.5")
    found = [*detector(context_words=1).detect([behind, asked])]
    assert [one.spans for one in found] == [((4, 8),), ((4, 8),)]


def test_unscorable_item_has_no_label() -> None:
    first, second, third = detector().detect(
        [DetectorItem("1", "broken", span=(0, 6)), DetectorItem("2", "0.9"), DetectorItem("3", " ")]
    )
    assert (first.label, first.reasons) == (None, ("no",))
    assert (second.label, second.probability) == (NOT_HALLUCINATION, 0.1)
    assert third.reasons == ("the output is empty",)


def test_running_text_is_marked_as_it_is_written() -> None:
    shown: list[tuple[str, bool]] = []
    text, found = detector().watch("0.9 0.01 0.9", lambda token, marked: shown.append((token, marked)))
    assert shown == [(" 0.9", False), (" 0.01", True), (" 0.9", False)]
    assert (text, found.spans) == (" 0.9 0.01 0.9", ((5, 9),))
    assert found.probability == pytest.approx(1 - exp((2 * log(0.9) + log(0.01)) / 3), abs=1e-6)


class Breaking(Told):
    """Writes a line break between two words."""

    async def write(self, request: Request) -> AsyncIterator[WrittenToken]:
        for token in ("Paris", "\n", " is"):
            yield WrittenToken(token, log(0.01))


def test_token_of_white_space_has_a_span() -> None:
    text, found = detector(Breaking).watch("?", lambda *_: None)
    assert (text, found.spans) == ("Paris\n is", ((0, 5), (5, 6), (7, 9)))


class Mute(Told):
    """Gives no probabilities."""

    token_logprobs = Model.token_logprobs
    write = Model.write


def test_model_without_probabilities_is_an_error() -> None:
    made = detector(Mute)
    with pytest.raises(ModelError, match="has no log-probabilities of a text"):
        made.detect([ITEM])
    with pytest.raises(ModelError, match="returns whole replies only"):
        made.watch("0.9", lambda *_: None)


def test_blank_output_is_reported_as_empty() -> None:
    found = [*detector().detect([DetectorItem("1", "", "0.9"), DetectorItem("2", " \n"), DetectorItem("3", "0.9")])]
    assert [one.reasons for one in found] == [("the output is empty",), ("the output is empty",), ()]
