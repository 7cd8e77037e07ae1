"""The settings of a model under the library transformers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta

from factprobe.config import Filled, path_of
from factprobe.models.base import ModelSettings, SameAnswers


class TransformersSettings(ModelSettings, frozen=True, kw_only=True):
    """The settings of a model under the library transformers."""

    model: SameAnswers[Filled]
    """A name on the hub, a folder, or a GGUF file."""
    revision: SameAnswers[str | None] = None
    """Branch, tag or commit on the hub; by default its main branch."""
    gguf_file: SameAnswers[str | None] = None
    """The GGUF file of the model's folder or repository that is to be loaded."""
    kind: Literal["auto", "causal", "seq2seq", "masked"] = "auto"
    """What the model is; `auto` goes by its config."""
    device: SameAnswers[str] = "auto"
    """`cuda`, `cuda:1`, `mps`, `cpu`; `auto` takes the first that there is."""
    dtype: Literal["auto", "float32", "bfloat16", "float16"] = "auto"
    """The precision; `auto` is that of the checkpoint."""
    chat_template: bool = True
    """Whether the tokenizer's chat template is used, where it has one; else the messages are joined by blank lines."""
    trust_remote_code: bool = False
    """Whether code that comes with the model may run."""
    reduction: Literal["sum", "mean"] = "sum"
    """How the log-probabilities of a statement's tokens make the score of a ranked answer."""
    batch_size: SameAnswers[Annotated[int, Meta(ge=1)]] = 16
    """Questions that go through the model together. In half precision it matters to some greedy answers what else goes
    through: `dtype=float32` gives the same in any batch, and `batch_size=1` makes each answer its question's own."""
    batch_tokens: SameAnswers[Annotated[int, Meta(ge=1)] | None] = None
    """Tokens that go through the model at once when answers are ranked; by default 512 on a CPU, 2048 elsewhere."""
    max_concurrency: SameAnswers[Annotated[int, Meta(ge=1)]] = 64
    """Questions under way at once, from which those of like length are batched; several times `batch_size`."""

    @property
    def model_name(self) -> str:
        """The name, or that on the hub, or that of the folder or file."""
        path = Path(self.gguf_file or self.model)
        local = path_of(self.model).exists() or self.gguf_file
        return self.name or ((path.stem if path.suffix == ".gguf" else path.absolute().name) if local else self.model)
