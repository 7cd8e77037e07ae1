"""Spans of texts as tokens: their probabilities under a masked model, and their pooled hidden states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.errors import CallError
from factprobe.models.hf.checkpoints import Checkpoint, silence_transformers
from factprobe.models.hf.packing import batch_by_length, pad_rows
from factprobe.models.hf.statement_likelihood import logits_at

if TYPE_CHECKING:
    import torch


class TokenSpan(NamedTuple):
    """Text as token ids, with a marked span."""

    ids: list[int]
    places: list[int]
    """Indices of the span's tokens."""


class MaskedSpan(NamedTuple):
    """Prediction of a masked model for a span whose tokens are all masked."""

    probabilities: list[float]
    """Probability of each token of the span, in [0, 1]."""
    entropies: list[float]
    """Entropy of the model's distribution at each token, in nats."""


def token_span(tokenizer: Any, context: int | None, text: str, start: int, end: int) -> TokenSpan:
    """Return a text as tokens, without those farthest from the span if it is longer than the context.

    `tokenizer` must be a fast one, and `context` is the model's maximum number of tokens, or None. Raise a `CallError`
    if the span has no tokens, or more than the model takes.
    """
    plain = {"return_offsets_mapping": True, "split_special_tokens": True}
    with silence_transformers():
        spans = tokenizer(text, add_special_tokens=False, **plain)["offset_mapping"]
    inside = _tokens_inside(spans, start, end)
    if not inside:
        raise CallError("the span has no tokens")
    room = len(spans) if context is None else context - tokenizer.num_special_tokens_to_add()
    while True:
        if len(inside) > room:
            raise CallError(f"the span has {len(inside):,} tokens, more than the model takes")
        first = max(0, min(inside[0] - (room - len(inside)) // 2, len(spans) - room))
        last = min(len(spans), first + room)
        begin = spans[first][0]
        encoding = tokenizer(text[begin : spans[last - 1][1]], **plain, return_special_tokens_mask=True)
        if context is None or len(encoding["input_ids"]) <= context:  # a word cut elsewhere may have more tokens
            break
        room -= 1
    token_spans = zip(encoding["offset_mapping"], encoding["special_tokens_mask"], strict=True)
    places = _tokens_inside([(0, 0) if special else span for span, special in token_spans], start - begin, end - begin)
    return TokenSpan(list(encoding["input_ids"]), places)


def _tokens_inside(spans: Sequence[tuple[int, int]], start: int, end: int) -> list[int]:
    return [number for number, (first, last) in enumerate(spans) if first < last and first < end and last > start]


def masked_span(checkpoint: Checkpoint, text: str, start: int, end: int) -> MaskedSpan:
    """Return a masked model's prediction for a span, with its tokens masked; the errors are those of `token_span`."""
    import torch

    tokenizer = checkpoint.tokenizer
    tokens = token_span(tokenizer, checkpoint.context, text, start, end)
    ids = torch.tensor([tokens.ids])
    original_ids = ids[0, tokens.places].clone()
    ids[0, tokens.places] = tokenizer.mask_token_id
    where = torch.zeros(len(tokens.places), dtype=torch.long), torch.tensor(tokens.places)
    logprobs = logits_at(checkpoint.model, where, input_ids=ids).log_softmax(-1).cpu()
    entropies = -(logprobs.exp() * logprobs).nan_to_num().sum(-1)
    return MaskedSpan(logprobs[torch.arange(len(original_ids)), original_ids].exp().tolist(), entropies.tolist())


def pool_spans(checkpoint: Checkpoint, spans: Sequence[TokenSpan]) -> torch.Tensor:
    """Return the maximum of the last hidden states over each span's tokens, shape (spans, hidden size)."""
    import torch

    model = checkpoint.model
    batch = pad_rows([span.ids for span in spans], checkpoint.pad_id)
    inside = torch.zeros(batch["input_ids"].shape, dtype=torch.bool)
    for row, span in enumerate(spans):
        inside[row, span.places] = True
    states = model(**{name: values.to(model.device) for name, values in batch.items()}).last_hidden_state
    pooled: torch.Tensor = states.float().masked_fill(~inside.to(model.device)[..., None], -torch.inf).amax(1)
    return pooled


def pool_in_batches(checkpoint: Checkpoint, spans: Sequence[TokenSpan], max_tokens: int) -> torch.Tensor:
    """Return the pooled hidden states of spans without gradients, computed in batches of up to `max_tokens` tokens."""
    import torch

    pooled = torch.zeros(len(spans), checkpoint.model.config.hidden_size, device=checkpoint.model.device)
    with torch.inference_mode():
        for numbers in batch_by_length([len(span.ids) for span in spans], max_tokens):
            pooled[numbers] = pool_spans(checkpoint, [spans[number] for number in numbers])
    return pooled


def is_bidirectional(checkpoint: Checkpoint) -> bool:
    """Return whether the hidden state of a token depends on tokens after it."""
    ids = [[1, 2, 3], [1, 2, 4]]
    one, other = (pool_spans(checkpoint, [TokenSpan(row, [0])]) for row in ids)
    return not bool((one == other).all())
