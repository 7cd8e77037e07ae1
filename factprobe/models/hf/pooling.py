"""Pooling of a span's hidden states into one vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factprobe.models.hf.checkpoints import Checkpoint
from factprobe.models.hf.packing import batch_by_length, pad_rows
from factprobe.models.hf.token_spans import TokenSpan

if TYPE_CHECKING:
    import torch


def pool_spans(checkpoint: Checkpoint, spans: Sequence[TokenSpan]) -> torch.Tensor:
    """Return the last hidden states, each unit's maximum over the span; shape (spans, hidden size)."""
    import torch

    model = checkpoint.model
    batch = pad_rows([span.ids for span in spans], checkpoint.pad)
    inside = torch.zeros(batch["input_ids"].shape, dtype=torch.bool)
    for row, span in enumerate(spans):
        inside[row, span.places] = True
    states = model(**{name: values.to(model.device) for name, values in batch.items()}).last_hidden_state
    found: torch.Tensor = states.float().masked_fill(~inside.to(model.device)[..., None], -torch.inf).amax(1)
    return found


def pool_in_batches(checkpoint: Checkpoint, spans: Sequence[TokenSpan], at_once: int) -> torch.Tensor:
    """Return the pooled states of any number of spans, without gradients, in batches of `at_once` tokens."""
    import torch

    found = torch.zeros(len(spans), checkpoint.model.config.hidden_size, device=checkpoint.model.device)
    with torch.inference_mode():
        for numbers in batch_by_length([len(span.ids) for span in spans], at_once):
            found[numbers] = pool_spans(checkpoint, [spans[number] for number in numbers])
    return found


def is_bidirectional(checkpoint: Checkpoint) -> bool:
    """Return whether the hidden state of a token depends on those after it."""
    ids = [[1, 2, 3], [1, 2, 4]]
    one, other = (pool_spans(checkpoint, [TokenSpan(row, [0])]) for row in ids)
    return not bool((one == other).all())
