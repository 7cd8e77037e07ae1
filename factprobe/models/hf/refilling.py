"""Replacement of words in a text by other words that a masked model samples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from factprobe.config import PerturbConfig
from factprobe.errors import CallError, ModelError
from factprobe.models.hf.checkpoints import Checkpoint, silence_transformers
from factprobe.models.hf.statement_likelihood import logits_at

if TYPE_CHECKING:
    import torch

_CONTINUATION, _AFTER_SPACE = "##", ("Ġ", "▁")
"""Prefixes of tokens that continue a word, and of tokens that start a word after a space."""


class Refiller:
    """Replacer of spans by samples of a masked model; `decoding`, `top_k` and `top_p` set how tokens are sampled."""

    def __init__(self, checkpoint: Checkpoint, settings: PerturbConfig) -> None:
        if not checkpoint.tokenizer.is_fast:
            raise ModelError("its tokenizer is no fast one", where="perturb.masked", hint="name a model that has one")
        self._checkpoint, self._settings = checkpoint, settings

    @cached_property
    def is_uncased(self) -> bool:
        """True if the model's tokenizer ignores case."""
        tokenize = self._checkpoint.tokenizer.tokenize
        return bool(tokenize("A") == tokenize("a"))

    def refill(self, text: str, spans: Sequence[tuple[int, int]], seed: int) -> list[str]:
        """Return a replacement for each span, with as many tokens as the span.

        Tokens are sampled from left to right, given the rest of the text with later ones still masked. A token is never
        replaced by itself, and one that continues a word is replaced by one that does. The spans are in order, with
        spaces around them. Raise a `CallError` if the text is too long, or no token can replace one.
        """
        import torch

        tokenizer, model = self._checkpoint.tokenizer, self._checkpoint.model
        with silence_transformers():
            encoding = tokenizer(text, return_offsets_mapping=True, split_special_tokens=True)
        ids, offsets = list(encoding["input_ids"]), encoding["offset_mapping"]
        if self._checkpoint.context is not None and len(ids) > self._checkpoint.context:
            raise CallError(f"{len(ids):,} tokens are more than the context of {self._checkpoint.context:,}")
        places = [
            [at for at, (first, last) in enumerate(offsets) if first < end and last > max(start, first)]
            for start, end in spans
        ]
        original_ids = {at: ids[at] for span in places for at in span}
        for at in original_ids:
            ids[at] = tokenizer.mask_token_id
        generator = torch.Generator().manual_seed(seed)
        forms, usable = self._token_forms
        for at, token in original_ids.items():
            logits = logits_at(model, (torch.tensor([0]), torch.tensor([at])), input_ids=torch.tensor([ids]))[0].cpu()
            is_barred = ~usable | (forms != forms[token])
            is_barred[token] = True
            ids[at] = self._sample_token(logits.masked_fill(is_barred, -torch.inf), generator)
        return [tokenizer.decode([ids[at] for at in span], skip_special_tokens=True).strip() for span in places]

    def _sample_token(self, logits: torch.Tensor, generator: torch.Generator) -> int:
        import torch

        decoding = self._settings.decoding
        values, tokens = logits.sort(descending=True, stable=True)
        if not torch.isfinite(values[0]):
            raise CallError("the model has no other token of that form")
        top = len(values) if decoding == "top_p" else 1 if decoding == "greedy" else self._settings.top_k
        chances = values[:top].softmax(-1)
        if decoding == "top_p":
            chances = torch.where(chances.cumsum(-1) - chances < self._settings.top_p, chances, 0)
        return int(tokens[torch.multinomial(chances, 1, generator=generator)])

    @cached_property
    def _token_forms(self) -> tuple[torch.Tensor, torch.Tensor]:
        """Form of each token (2: continues a word, 1: after a space, 0: other), and if it is a word without symbols."""
        import torch

        tokenizer, size = self._checkpoint.tokenizer, self._checkpoint.model.config.vocab_size
        ids = [*range(min(size, len(tokenizer)))]
        names, special = tokenizer.convert_ids_to_tokens(ids), {*tokenizer.all_special_ids}
        texts = [tokenizer.decode([number]).removeprefix(_CONTINUATION).strip() for number in ids]
        forms = [2 if name.startswith(_CONTINUATION) else int(name.startswith(_AFTER_SPACE)) for name in names]
        usable = [text.isalnum() and number not in special for number, text in enumerate(texts)]
        rest = [0] * (size - len(ids))
        return torch.tensor([*forms, *rest]), torch.tensor([*usable, *rest], dtype=torch.bool)
