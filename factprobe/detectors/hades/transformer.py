"""Transformer detector of HaDes: a classification head on the hidden states of the span."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from factprobe.components.base import PartSettings
from factprobe.detectors.hades.trained import ABOUT, Labelled, TrainedDetector, TrainedModel, detection, positives
from factprobe.detectors.hades.training import HeadTrainer, TransformerSettings, build_head
from factprobe.detectors.hades.windows import SpanWindow, window_of
from factprobe.errors import CallError, ConfigError, DataError, ModelError, require
from factprobe.models.hf.checkpoints import (
    Checkpoint,
    explain_out_of_memory,
    load_checkpoint,
    resolve_source,
    silence_transformers,
)
from factprobe.models.hf.token_spans import TokenSpan, token_span
from factprobe.records import Detection, DetectorItem
from factprobe.storage import short_hash, whole_file, write_json

_DEFAULT = "bert-large-uncased"
_SPANS_SORTED_TOGETHER = 64
_HEAD, _ENCODER = "head.safetensors", "encoder"
"""Names, in the folder of the trained detector, of the head's file and the encoder's folder."""


class _Stored(TrainedModel, frozen=True, forbid_unknown_fields=True):
    """Description of a trained detector, stored in the folder of its weights."""

    encoder: str
    """Name or folder of the encoder before training."""
    freeze: bool
    """True if training left the encoder unchanged."""


class TransformerDetector(TrainedDetector):
    """Detector by the hidden states of a span; needs `pip install 'factprobe[hf]'`."""

    settings_type: ClassVar[type[PartSettings]] = TransformerSettings
    kind = "transformer"

    def __init__(self, settings: TransformerSettings) -> None:
        super().__init__(settings)
        require("torch", "transformers", extra="hf", where=f"detector={settings.name}")

    def train(self, labelled: Labelled, folder: Path, seed: int) -> dict[str, Any]:
        """Train on labelled spans, store the detector, and return the numbers of spans and epochs."""
        import torch

        from factprobe.models.hf.token_spans import is_bidirectional

        settings = self.settings
        positive = positives(labelled, f"detector={settings.name}")
        torch.manual_seed(seed)  # some encoders have unused layers that their checkpoint lacks
        named = settings.encoder or _DEFAULT
        encoder = self._load_encoder(named)
        if settings.mode == "offline" and not is_bidirectional(encoder):
            what = f"{named} reads from left to right and sees nothing behind a span"
            raise ConfigError(what, where="detector.task_mode", hint="set detector.task_mode=online")
        spans = []
        for item, _ in labelled:
            try:
                spans.append(_token_span(encoder, window_of(item, settings.context_words, settings.mode)))
            except CallError as error:
                raise ModelError(f"cannot read {item.id}: {error}", where=named) from error
        fixed = "freeze", "epochs", "batch_size", "learning_rate", "weight_decay", "dropout"
        options = (*(getattr(settings, name) for name in fixed), seed, settings.batch_tokens)
        fingerprint = short_hash((named, options, spans, positive))
        trainer = HeadTrainer(encoder, settings, seed, folder / "checkpoint.safetensors", fingerprint)
        less = _memory_hint("batch_tokens" if settings.freeze else "batch_size", encoder)
        with explain_out_of_memory(named, encoder.model.device, less):
            first_epoch = trainer.run(spans, positive)
        self._store_weights(folder, encoder, trainer.head)
        return {"spans": len(spans), "hallucinated": sum(positive), "epochs": settings.epochs - first_epoch}

    def _store_weights(self, folder: Path, encoder: Checkpoint, head: Any) -> None:
        """Write the weights, then the description; an old one is removed first, as it marks the weights as complete."""
        from safetensors.torch import save

        settings = self.settings
        (folder / ABOUT).unlink(missing_ok=True)
        if not settings.freeze:
            with silence_transformers():
                encoder.model.save_pretrained(folder / _ENCODER)
                encoder.tokenizer.save_pretrained(folder / _ENCODER)
        with whole_file(folder / _HEAD) as file:
            file.write(save(head.state_dict()))
        about = _Stored(self.kind, settings.mode, settings.context_words, settings.encoder or _DEFAULT, settings.freeze)
        write_json(folder / ABOUT, about)

    def detect_spans(self, items: Sequence[DetectorItem]) -> Iterator[Detection]:
        """Yield the detection of each item's span."""
        from factprobe.models.hf.token_spans import pool_in_batches

        folder, stored = self.folder, self.load_trained(_Stored)
        encoder = self._load_encoder(stored.encoder if stored.freeze else str(folder / _ENCODER))
        head = _load_head(folder / _HEAD, encoder)
        for start in range(0, len(items), _SPANS_SORTED_TOGETHER):
            results: list[TokenSpan | Detection] = []
            for item in items[start : start + _SPANS_SORTED_TOGETHER]:
                try:
                    results.append(_token_span(encoder, self.window(item, stored)))
                except CallError as error:
                    results.append(Detection(None, None, reasons=(str(error),)))
            spans = [span for span in results if isinstance(span, TokenSpan)]
            with explain_out_of_memory(str(folder), encoder.model.device, _memory_hint("batch_tokens", encoder)):
                states = pool_in_batches(encoder, spans, self.settings.batch_tokens)
            probabilities = iter(head(states).softmax(-1)[:, 1].tolist())
            yield from (item if isinstance(item, Detection) else detection(next(probabilities)) for item in results)

    def _load_encoder(self, name: str) -> Checkpoint:
        return load_checkpoint(resolve_source(name), "encoder", self.settings.device, "float32", "detector.encoder")


def _token_span(encoder: Checkpoint, window: SpanWindow) -> TokenSpan:
    return token_span(encoder.tokenizer, encoder.context, window.text, window.start, window.end)


def _memory_hint(setting: str, encoder: Checkpoint) -> str:
    elsewhere = "" if encoder.model.device.type == "cpu" else ", or detector.device=cpu"
    return f"set a smaller detector.{setting}={elsewhere}"


def _load_head(file: Path, encoder: Checkpoint) -> Any:
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    head = build_head(encoder.model.config.hidden_size, 0.0)
    try:
        head.load_state_dict(load_file(file))
    except (SafetensorError, OSError, RuntimeError) as error:
        reason = str(error).partition("\n")[0]
        raise DataError(f"cannot be used: {reason}", where=file, hint="train the detector again") from error
    return head.to(encoder.model.device).eval().requires_grad_(False)
