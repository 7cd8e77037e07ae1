"""Classification of text pairs, such as premise and hypothesis, by a model of the Hugging Face hub."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from factprobe.errors import ModelError
from factprobe.models.hf.checkpoints import (
    Checkpoint,
    explain_out_of_memory,
    load_checkpoint,
    resolve_source,
    silence_transformers,
)
from factprobe.models.hf.packing import batch_by_length, pad_rows

_DECIMAL_PLACES = 6
"""Decimal places of probabilities; further places vary with the other pairs in a batch."""


class PairClassifier:
    """Sequence-classification model, loaded on first use; its own code is never run. `setting` is for errors."""

    def __init__(self, source: str, revision: str | None, device: str, dtype: str, setting: str) -> None:
        self._source = resolve_source(source)
        self._options = {} if revision is None else {"revision": revision}
        self._device, self._dtype, self._setting = device, dtype, setting

    @cached_property
    def _checkpoint(self) -> Checkpoint:
        path = f"{self._setting}.path"
        checkpoint = load_checkpoint(self._source, "classifier", self._device, self._dtype, path, **self._options)
        if not checkpoint.tokenizer.is_fast:
            what = "its tokenizer cannot cut a long text into windows"
            raise ModelError(what, where=self._source, hint=f"name a model with a fast tokenizer with {path}=")
        return checkpoint

    @property
    def labels(self) -> list[str]:
        """Names of the model's outputs in its config; a `ModelError` is raised if it cannot be loaded."""
        names = self._checkpoint.model.config.id2label
        return [str(names[number]) for number in range(len(names))]

    def probabilities(
        self, pairs: Sequence[tuple[str, str]], overlap: int, batch_tokens: int
    ) -> list[list[tuple[float, ...]]]:
        """Return the probabilities of the outputs for each pair; a long first text is split into windows.

        Consecutive windows share `overlap` tokens; a forward pass has at most `batch_tokens`. The result has, for each
        pair, a tuple of probabilities for each window; an empty list if the second text is too long.
        """
        windows, pair_of = self._make_windows(pairs, overlap)
        by_pair: list[list[tuple[float, ...]]] = [[] for _ in pairs]
        rows: list[tuple[float, ...]] = [()] * len(windows)
        for numbers in batch_by_length([len(window["input_ids"]) for window in windows], batch_tokens):
            probabilities = self._classify_windows([windows[number] for number in numbers])
            for number, row in zip(numbers, probabilities, strict=True):
                rows[number] = row
        for pair, row in zip(pair_of, rows, strict=True):
            by_pair[pair].append(row)
        return by_pair

    def _make_windows(
        self, pairs: Sequence[tuple[str, str]], overlap: int
    ) -> tuple[list[dict[str, list[int]]], list[int]]:
        """Return the tokens of the windows, and for each window the index of its pair."""
        if not pairs:
            return [], []
        tokenizer, context = self._checkpoint.tokenizer, self._checkpoint.context
        with silence_transformers():
            plain = {"split_special_tokens": True}  # "</s>" in a text is ordinary text
            seconds = tokenizer([second for _, second in pairs], add_special_tokens=False, **plain)["input_ids"]
            room = context - tokenizer.num_special_tokens_to_add(pair=True) - overlap if context else None
            fit = [number for number, second in enumerate(seconds) if room is None or len(second) < room]
            if not fit:
                return [], []
            encoding = tokenizer(
                [pairs[number][0] for number in fit],
                [pairs[number][1] for number in fit],
                truncation="only_first" if context else False,
                max_length=context,
                stride=overlap,
                return_overflowing_tokens=True,
                **plain,
            )
        pair_of = [fit[number] for number in encoding.pop("overflow_to_sample_mapping")]
        return [{name: encoding[name][row] for name in encoding} for row in range(len(pair_of))], pair_of

    def _classify_windows(self, windows: Sequence[dict[str, list[int]]]) -> list[tuple[float, ...]]:
        import torch

        model, pad_id = self._checkpoint.model, self._checkpoint.pad_id
        batch = pad_rows([window["input_ids"] for window in windows], pad_id)
        if "token_type_ids" in windows[0]:
            batch["token_type_ids"] = pad_rows([window["token_type_ids"] for window in windows], 0)["input_ids"]
        device = f"{model.device} with {batch['input_ids'].numel():,} tokens at once"
        fewer = f"set a smaller {self._setting}.batch_tokens="
        try:
            with torch.inference_mode(), explain_out_of_memory(self._source, device, fewer):
                logits = model(**{name: values.to(model.device) for name, values in batch.items()}).logits
        except (RuntimeError, ValueError, IndexError) as error:
            hint = f"name another model with {self._setting}.path="
            raise ModelError(f"cannot be run: {error}", where=self._source, hint=hint) from error
        return [tuple(round(value, _DECIMAL_PLACES) for value in row) for row in logits.float().softmax(-1).tolist()]
