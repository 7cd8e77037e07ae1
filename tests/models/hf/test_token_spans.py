"""Spans in tokens, and what a masked model says of them, against the model itself."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers
from hypothesis import given
from hypothesis import strategies as st

from factprobe.errors import CallError
from factprobe.models.hf.checkpoints import load_checkpoint
from factprobe.models.hf.token_spans import masked_span, token_span
from tests.models.hf import tiny

pytestmark = pytest.mark.slow

TOKENIZER = tiny.tokenizer("masked")


def test_masked_span_has_the_probabilities_of_the_model(tmp_path: Path) -> None:
    folder = tiny.save(tmp_path, "bert")
    text = "The capital of France is Paris, so."
    found = masked_span(load_checkpoint(folder, "masked", "cpu", "auto"), text, 25, 30)
    model, tokenizer = transformers.AutoModelForMaskedLM.from_pretrained(folder).eval(), TOKENIZER
    ids = tokenizer(text, return_tensors="pt")["input_ids"]
    offsets = enumerate(tokenizer(text, return_offsets_mapping=True)["offset_mapping"])
    places = [number for number, (start, end) in offsets if end > 25 and start < min(end, 30)]
    own = ids[0, places].clone()
    ids[0, places] = tokenizer.mask_token_id
    with torch.no_grad():
        distribution = model(ids).logits[0, places].softmax(-1)
    assert found.probabilities == pytest.approx(distribution[range(len(own)), own].tolist(), rel=1e-3)
    entropies = torch.distributions.Categorical(distribution).entropy()  # type: ignore[no-untyped-call]
    assert found.entropies == pytest.approx(entropies.tolist(), rel=1e-3)


@given(st.text("abc 1.", min_size=1, max_size=60), st.data())
def test_span_tokens_cover_the_span_in_any_context(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    found = token_span(TOKENIZER, 24, text, start, start + 1)
    assert len(found.ids) <= 24
    assert text[start] in TOKENIZER.decode([found.ids[place] for place in found.places])


def test_too_long_span_is_an_error() -> None:
    with pytest.raises(CallError, match="the span has 40 tokens, more than the model takes"):
        token_span(TOKENIZER, 24, "?" * 40, 0, 40)
    with pytest.raises(CallError, match="the span has no tokens"):
        token_span(TOKENIZER, 24, "abc", 3, 3)


def test_special_tokens_in_a_text_are_text() -> None:
    found = token_span(TOKENIZER, None, "a </s> b", 2, 6)
    assert TOKENIZER.eos_token_id not in [found.ids[place] for place in found.places]
