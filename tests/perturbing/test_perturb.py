"""Perturbed paragraphs by tiny models: what is replaced, by what, which candidate is kept, and what filters drop."""

from __future__ import annotations

from math import log
from typing import Any

import pytest
import torch

from factprobe.config import PerturbConfig
from factprobe.inputs.hades import hades_item, hades_record
from factprobe.models import ModelSettings
from factprobe.models.base import Model, Reply, ScoredToken
from factprobe.models.hf.checkpoints import Checkpoint, load_checkpoint
from factprobe.models.hf.refilling import Refiller
from factprobe.perturbing.perturber import PerturbedTexts, Perturber
from factprobe.perturbing.replaceable_units import TokenisedParagraph, paragraph_of
from factprobe.reading.tokenisation.tags import by_rules
from factprobe.records import Request
from tests.models.hf import tiny

pytestmark = pytest.mark.slow

TEXT = (
    "Bonn was once. Oslo still is. The river Rhine is far, and Sarah Connor was there in 1999. So is the capital. "
    "Nobody is from Norway."
)


class Prefers(Model):
    """Finds a text the likelier the more letters a it has."""

    async def reply(self, request: Request) -> Reply:
        raise AssertionError("nobody asks")

    async def token_logprobs(self, text: str, start: int = 0) -> list[ScoredToken]:
        return [ScoredToken(start, len(text), log((1 + text.count("a")) / 1000))]


@pytest.fixture(scope="module")
def masked(tmp_path_factory: pytest.TempPathFactory) -> Checkpoint:
    return load_checkpoint(tiny.save(tmp_path_factory.mktemp("bert"), "bert"), "masked", "cpu", "auto")


def paragraph(text: str = TEXT) -> TokenisedParagraph:
    found = paragraph_of("p", text, by_rules)
    assert found is not None
    return found


def perturbed(masked: Checkpoint, seed: int = 0, embedder: Any = None, **settings: Any) -> PerturbedTexts:
    config = PerturbConfig(**{"rate": 0.5, "candidates": 4, **settings})
    refiller = Refiller(masked, config)
    model = Prefers(ModelSettings(backend="prefers"))
    return Perturber(config, refiller, model, embedder, by_rules, seed).perturb([paragraph()])


def test_first_two_sentences_stop_words_and_signs_are_no_units() -> None:
    found = paragraph()
    units = [found.text[unit.start : unit.end] for unit in found.units]
    assert units == ["river", "Rhine", "far", "Sarah Connor", "1999", "capital", "Nobody", "Norway"]
    assert "is far , and Sarah Connor" in found.text
    assert paragraph_of("q", " ".join(TEXT.split(". ")[:4]), by_rules) is None


@pytest.mark.parametrize("decoding", ["top_k", "top_p", "greedy"])
def test_refilled_tokens_differ_and_keep_their_number(masked: Checkpoint, decoding: Any) -> None:
    refiller = Refiller(masked, PerturbConfig(decoding=decoding))
    found = paragraph()
    spans = [(unit.start, unit.end) for unit in found.units]
    words = refiller.refill(found.text, spans, 1)
    assert words == refiller.refill(found.text, spans, 1)
    tokenize = masked.tokenizer.tokenize
    for (start, end), word in zip(spans, words, strict=True):
        old = found.text[start:end]
        assert word.strip() == word != old
        assert len(word.split()) == len(old.split())
        assert word.replace(" ", "").isalnum()
        assert len(tokenize(f" {old}")) >= len(tokenize(f" {word}")), "drawn tokens may make up longer ones"
    others = refiller.refill(found.text, spans, 2)
    assert (others == words) is (decoding == "greedy")


def test_greedy_token_is_the_likeliest_other(masked: Checkpoint) -> None:
    refiller = Refiller(masked, PerturbConfig(decoding="greedy"))
    [word] = refiller.refill("The capital of France", [(11, 13)], 0)
    tokenizer = masked.tokenizer
    ids = tokenizer("The capital of France")["input_ids"]
    [at] = [n for n, token in enumerate(ids) if tokenizer.convert_ids_to_tokens(token) == "Ġof"]
    own, ids[at] = ids[at], tokenizer.mask_token_id
    with torch.no_grad():
        logits = masked.model(torch.tensor([ids])).logits[0, at]
    names = tokenizer.convert_ids_to_tokens([*range(320)])
    order = logits.argsort(descending=True).tolist()
    best = next(n for n in order if n != own and names[n][0] == "Ġ" and any(map(str.isalnum, names[n][1:])))
    assert word == names[best][1:]


def test_candidate_of_the_lowest_perplexity_is_kept(masked: Checkpoint) -> None:
    most = perturbed(masked, candidates=12).spans[0].text
    assert most.count("a") >= perturbed(masked, candidates=1).spans[0].text.count("a")
    assert perturbed(masked, candidates=12).spans[0].text == most
    assert perturbed(masked, seed=1, candidates=12).spans[0].text != most


def test_span_offsets_are_right_and_convert_to_records(masked: Checkpoint) -> None:
    found = perturbed(masked, controls=True)
    assert len({span.text for span in found.spans}) == 1
    assert {span.is_perturbed for span in found.spans} == {True, False}
    for span in found.spans:
        own = span.text[span.start : span.end]
        assert (own == span.original) is not span.is_perturbed
        item = hades_item(hades_record(span.text, (span.start, span.end)), "1")
        assert (item.output, item.span) == (span.text, (span.start, span.end))
    kept = TEXT.split(" The ", maxsplit=1)[0].replace(".", " .").split()
    assert found.spans[0].text.split()[: len(kept)] == kept


class Alike:
    """Finds some spans the same."""

    def similarities(self, pairs: list[tuple[str, str]]) -> list[float]:
        return [0.95 if old == "river" else 0.9 for old, _ in pairs]


def test_similar_or_swapped_replacements_are_dropped(masked: Checkpoint) -> None:
    plain = perturbed(masked, rate=1.0)
    filtered = perturbed(masked, rate=1.0, embedder=Alike())
    assert {span.original for span in plain.spans} - {span.original for span in filtered.spans} == {"river"}
    assert filtered.dropped == plain.dropped + 1
    for span in plain.spans:
        words = [word for word in by_rules(span.text) if word.start < span.end and word.end > span.start]
        assert not (span.original == "1999" and any(word.is_date for word in words))
        assert not (span.original == "Norway" and any(word.is_name for word in words))


def test_too_long_paragraph_is_reported(masked: Checkpoint) -> None:
    long = paragraph(TEXT + " And so it goes." * 60)
    model, refiller = Prefers(ModelSettings(backend="prefers")), Refiller(masked, PerturbConfig())
    found = Perturber(PerturbConfig(), refiller, model, None, by_rules, 0).perturb([long])
    [(what, number)] = found.failures.items()
    assert "are more than the context of 128" in what
    assert (number, found.spans) == (1, [])
