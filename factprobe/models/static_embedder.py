"""Embeddings by static word vectors, without a neural network at run time."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factprobe.errors import require
from factprobe.models.embedders import Embedder

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class StaticEmbedder(Embedder):
    """Embedder whose vector of a text is the mean of WordLlama's token vectors.

    WordLlama's vectors were trained from those of a large language model. The package holds vectors of 256 dimensions,
    so that nothing is downloaded.
    """

    def __init__(self, name: str) -> None:
        require("wordllama", extra="quality", where=f"embedder={name}")

    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return the mean token vectors of texts, as rows of length 1."""
        found: NDArray[float32] = self._model.embed(list(texts), norm=True)
        return found

    @cached_property
    def _model(self) -> Any:
        import wordllama

        # its own search looks for `tokenizer` in the package, whose folder is called `tokenizers`
        return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
