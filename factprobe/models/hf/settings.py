"""Settings of a model run with the library transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.models.base import ModelSettings, SameAnswers


class TransformersSettings(ModelSettings, frozen=True, kw_only=True):
    """Settings of a model run with the library transformers."""

    model: SameAnswers[Filled]
    """A name on the hub, a folder, or a GGUF file."""
    revision: SameAnswers[str | None] = None
    """Branch, tag or commit on the hub; by default its main branch."""
    gguf_file: SameAnswers[str | None] = None
    """The GGUF file to load from the model's folder or repository."""
    kind: Literal["auto", "causal", "seq2seq", "masked"] = "auto"
    """The kind of the model; `auto` uses its config."""
    device: SameAnswers[str] = "auto"
    """`cuda`, `cuda:1`, `mps` or `cpu`; `auto` takes the first available."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """The precision; `auto` is that of the checkpoint."""
    chat_template: bool = True
    """Use the tokenizer's chat template if it has one; else the messages are joined by blank lines."""
    trust_remote_code: bool = False
    """Allow code that comes with the model to run."""
    reduction: Literal["sum", "mean"] = "sum"
    """The combination of a statement's token log-probabilities into the score of a ranked answer."""
    batch_size: SameAnswers[Annotated[int, Meta(ge=1)]] = 16
    """Questions in a batch. In half precision some greedy answers depend on the other questions of the batch:
    `dtype=float32` gives the same answers in any batch, and `batch_size=1` makes answers independent."""
    batch_tokens: SameAnswers[Annotated[int, Meta(ge=1)] | None] = None
    """Tokens in a forward pass when answers are ranked; by default 512 on a CPU, 2048 elsewhere."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64
    """Questions under way at once, from which batches of similar length are formed; several times `batch_size`."""

    @property
    def model_name(self) -> str:
        """Name of the model, or that on the hub, or of the folder or file."""
        path = Path(self.gguf_file or self.model)
        local = path_of(self.model).exists() or self.gguf_file
        return self.name or ((path.stem if path.suffix == ".gguf" else path.absolute().name) if local else self.model)
