"""Base class of embedders, their registry, and the one of static token vectors."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from factprobe.errors import ConfigError, require
from factprobe.models.base import Model
from factprobe.registry import Registry

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class Embedder(ABC):
    """Base class of embedders, which map texts to vectors."""

    endpoint: ClassVar[type[Model] | None] = None
    """Class of the model that an embedder behind an endpoint asks, by a function that it is constructed with; the reply
    is the vector as JSON. Other embedders are constructed with their name."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return the embeddings of texts as rows of length 1.

        Raises:
            ModelError: The embedder cannot be loaded, or does not answer.
        """

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """Return the cosine similarity of the two texts of each pair; 1 for identical texts."""
        differ = [pair for pair in pairs if pair[0] != pair[1]]
        if not differ:
            return [1.0] * len(pairs)
        texts = list(dict.fromkeys(text for pair in differ for text in pair))
        vectors = dict(zip(texts, self.embed(texts), strict=True))
        return [1.0 if first == second else float(vectors[first] @ vectors[second]) for first, second in pairs]


embedders: Registry[Embedder] = Registry("embedders", "embedder")
_DEFAULT = "sentence_transformers"


def get_embedder(name: str) -> Embedder:
    """Return the embedder registered under a name (not one behind an endpoint), or the sentence-transformers model."""
    found: Any = embedders.get(name if name in embedders.names() else _DEFAULT)
    if found.endpoint is not None:
        what = f"{name} is an endpoint, and its model is not set"
        hint = f"for a detector or checker set {{backend: {name}, model: text-embedding-3-small}}; else use another"
        raise ConfigError(what, where="embedder", hint=hint)
    embedder: Embedder = found(name)
    return embedder


class StaticEmbedder(Embedder):
    """Embedder whose vector of a text is the mean of WordLlama's token vectors.

    They were trained from those of a large language model, have 256 dimensions, and come with the package.
    """

    def __init__(self, name: str) -> None:
        require("wordllama", extra="quality", where=f"embedder={name}")

    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """Return the mean token vectors of texts, as rows of length 1."""
        vectors: NDArray[float32] = self._model.embed(list(texts), norm=True)
        return vectors

    @cached_property
    def _model(self) -> Any:
        import wordllama

        # its own search looks for `tokenizer` in the package, whose folder is called `tokenizers`
        return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
