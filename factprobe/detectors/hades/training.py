"""Classification head of a transformer detector, and its seeded training with a checkpoint after each epoch."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from msgspec import Meta

from factprobe.config import Filled
from factprobe.detectors.hades.trained import TrainedSettings
from factprobe.errors import DataError
from factprobe.models.hf.checkpoints import Checkpoint
from factprobe.models.hf.token_spans import TokenSpan, pool_in_batches, pool_spans
from factprobe.progress import progress
from factprobe.storage import whole_file

if TYPE_CHECKING:
    import torch

_HEAD, _ENCODER, _OPTIMISER = "head.", "encoder.", "optimiser."


class TransformerSettings(TrainedSettings, frozen=True, kw_only=True):
    """Settings of the transformer detector; the defaults are from the authors of HaDes."""

    encoder: Filled | None = None
    """Encoder, as a name on the hub or a folder, such as BERT, RoBERTa or XLNet; a causal model such as GPT-2 needs
    `task_mode=online`. By default `bert-large-uncased`."""
    freeze: bool = True
    """Leave the encoder unchanged, and train only the two layers of the classification head."""
    epochs: Annotated[int, Meta(ge=1)] = 10
    """Number of epochs."""
    batch_size: Annotated[int, Meta(ge=1)] = 8
    """Number of spans in a training batch."""
    learning_rate: Annotated[float, Meta(gt=0)] = 1e-3
    """Learning rate, for a frozen encoder; training the encoder needs far less, such as 1e-5."""
    weight_decay: Annotated[float, Meta(ge=0)] = 1e-5
    """Weight decay of AdamW."""
    dropout: Annotated[float, Meta(ge=0, lt=1)] = 0.0
    """Dropout rate in training, applied to the pooled hidden state of the span."""
    device: str = "auto"
    """Device: `cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first available."""
    batch_tokens: Annotated[int, Meta(ge=1)] = 8_192
    """Maximum number of tokens in a forward pass of an encoder that is not trained."""


def build_head(hidden: int, dropout: float) -> torch.nn.Sequential:
    """Return an untrained head: two linear layers, from the hidden size to half of it and to two labels."""
    from torch import nn

    return nn.Sequential(nn.Dropout(dropout), nn.Linear(hidden, hidden // 2), nn.Sigmoid(), nn.Linear(hidden // 2, 2))


class HeadTrainer:
    """Trainer of a classification head; resumes from the checkpoint in `file` with the same `fingerprint` of inputs."""

    def __init__(
        self, checkpoint: Checkpoint, settings: TransformerSettings, seed: int, file: Path, fingerprint: str
    ) -> None:
        import torch

        self._checkpoint, self._settings, self._seed = checkpoint, settings, seed
        self._file, self._fingerprint = file, fingerprint
        torch.manual_seed(seed)
        self.head = build_head(checkpoint.model.config.hidden_size, settings.dropout).to(checkpoint.model.device)
        trained = [*self.head.parameters(), *([] if settings.freeze else checkpoint.model.parameters())]
        self._optimiser = torch.optim.AdamW(trained, settings.learning_rate, weight_decay=settings.weight_decay)

    def run(self, spans: Sequence[TokenSpan], positive: Sequence[bool]) -> int:
        """Train the remaining epochs, weighting the rarer label more, and return how many epochs the checkpoint had."""
        import torch

        settings, model = self._settings, self._checkpoint.model
        truth = torch.tensor(positive, dtype=torch.long)
        weights = 1 - truth.bincount(minlength=2) / len(truth)
        loss_of = torch.nn.CrossEntropyLoss(weights.to(model.device))
        truth = truth.to(model.device)
        states = pool_in_batches(self._checkpoint, spans, settings.batch_tokens).clone() if settings.freeze else None
        first_epoch = self._load_checkpoint()
        for epoch in progress(range(first_epoch, settings.epochs), "train", "epoch"):
            torch.manual_seed(self._seed + epoch + 1)  # so that a resumed run samples as an uninterrupted one
            self.head.train()
            model.train(not settings.freeze)
            for indices in torch.randperm(len(spans)).split(settings.batch_size):  # type: ignore[no-untyped-call]  # of torch
                chosen = indices.tolist()
                batch = pool_spans(self._checkpoint, [spans[n] for n in chosen]) if states is None else states[chosen]
                loss = loss_of(self.head(batch), truth[chosen])
                self._optimiser.zero_grad()
                loss.backward()
                self._optimiser.step()
            self._save_tensors(epoch + 1)
        self.head.eval()
        model.eval()
        return first_epoch

    def _save_tensors(self, epochs: int) -> None:
        from safetensors.torch import save

        tensors = {f"{_HEAD}{name}": value for name, value in self.head.state_dict().items()}
        if not self._settings.freeze:
            tensors |= {f"{_ENCODER}{name}": value for name, value in self._checkpoint.model.state_dict().items()}
        for number, state in self._optimiser.state_dict()["state"].items():
            tensors |= {f"{_OPTIMISER}{number}.{name}": value for name, value in state.items()}
        metadata = {"epochs": str(epochs), "fingerprint": self._fingerprint}
        with whole_file(self._file) as file:
            file.write(save({name: value.contiguous().clone() for name, value in tensors.items()}, metadata))

    def _load_checkpoint(self) -> int:
        """Load an interrupted run's checkpoint and return its epochs, or 0; raise a `DataError` if it is unreadable."""
        from safetensors import SafetensorError, safe_open

        if not self._file.is_file():
            return 0
        try:
            with safe_open(self._file, "pt") as file:
                metadata = file.metadata() or {}
                if metadata.get("fingerprint") != self._fingerprint:
                    return 0
                names = file.keys()
                tensors = {name: file.get_tensor(name) for name in names}
        except (SafetensorError, OSError) as error:
            raise DataError(f"cannot be read: {error}", where=self._file, hint="delete it to begin anew") from error
        self.head.load_state_dict(_tensors_under(tensors, _HEAD))
        if not self._settings.freeze:
            self._checkpoint.model.load_state_dict(_tensors_under(tensors, _ENCODER))
        state: dict[int, dict[str, Any]] = {}
        for name, value in _tensors_under(tensors, _OPTIMISER).items():
            number, _, key = name.partition(".")
            state.setdefault(int(number), {})[key] = value
        self._optimiser.load_state_dict({**self._optimiser.state_dict(), "state": state})
        return int(metadata["epochs"])


def _tensors_under(tensors: dict[str, torch.Tensor], prefix: str) -> dict[str, torch.Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
