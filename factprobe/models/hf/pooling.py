"""The hidden states of a span, as one vector."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from factprobe.models.hf.checkpoints import Checkpoint
from factprobe.models.hf.packing import padded, rows_of_like_length
from factprobe.models.hf.spans import TokenSpan

if TYPE_CHECKING:
    import torch


def pooled(checkpoint: Checkpoint, spans: Sequence[TokenSpan]) -> torch.Tensor:
    """The last hidden states, of each unit the largest over the span; shape (spans, hidden size).

    Args:
        checkpoint: of the kind `encoder`.
        spans: which go through it together.
    """
    import torch

    model = checkpoint.model
    batch = padded([span.ids for span in spans], checkpoint.pad)
    inside = torch.zeros(batch["input_ids"].shape, dtype=torch.bool)
    for row, span in enumerate(spans):
        inside[row, span.places] = True
    states = model(**{name: values.to(model.device) for name, values in batch.items()}).last_hidden_state
    found: torch.Tensor = states.float().masked_fill(~inside.to(model.device)[..., None], -torch.inf).amax(1)
    return found


def all_pooled(checkpoint: Checkpoint, spans: Sequence[TokenSpan], at_once: int) -> torch.Tensor:
    """The same of any number, without gradients, so many tokens at once."""
    import torch

    found = torch.zeros(len(spans), checkpoint.model.config.hidden_size, device=checkpoint.model.device)
    with torch.inference_mode():
        for numbers in rows_of_like_length([len(span.ids) for span in spans], at_once):
            found[numbers] = pooled(checkpoint, [spans[number] for number in numbers])
    return found


def reads_both_sides(checkpoint: Checkpoint) -> bool:
    """Whether what stands behind a token changes its hidden state."""
    ids = [[1, 2, 3], [1, 2, 4]]
    one, other = (pooled(checkpoint, [TokenSpan(row, [0])]) for row in ids)
    return not bool((one == other).all())
