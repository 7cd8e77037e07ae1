"""What an embedder is, and the registry of those there are."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from factprobe.models.base import Model
from factprobe.registry import Registry

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray


class Embedder(ABC):
    """Turns texts into vectors, by which they are more or less alike."""

    endpoint: ClassVar[type[Model] | None] = None
    """Of one behind an endpoint: the model that is asked, each text being a request and its vector, as JSON, the reply.
    It is built with what asks that in the place of a name."""

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> NDArray[float32]:
        """The embeddings of texts, in rows of length 1.

        Raises:
            ModelError: it cannot be loaded, or does not answer.
        """

    def similarities(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        """The cosine of the embeddings of both texts of each pair, at most 1; equal texts are 1 without the model.

        Raises:
            ModelError: as `embed`.
        """
        differ = [pair for pair in pairs if pair[0] != pair[1]]
        if not differ:
            return [1.0] * len(pairs)
        texts = list(dict.fromkeys(text for pair in differ for text in pair))
        vectors = dict(zip(texts, self.embed(texts), strict=True))
        return [1.0 if one == other else float(vectors[one] @ vectors[other]) for one, other in pairs]


embedders: Registry[Embedder] = Registry(
    "embedders",
    "embedder",
    {
        "minilm": "factprobe.models.hf.similarity:SentenceEmbedder",
        "openai": "factprobe.models.providers.embeddings:EndpointEmbedder",
        "sentence_transformers": "factprobe.models.hf.similarity:SentenceEmbedder",
    },
)
_USUAL = "sentence_transformers"


def embedder_named(name: str) -> Embedder:
    """The embedder that is registered under a name, or the model of sentence-transformers that has it.

    Raises:
        ConfigError: it is behind an endpoint, and needs more than a name.
        MissingExtraError: what runs it is not installed.
    """
    found = embedders.get(name if name in embedders.names() else _USUAL)
    if found.endpoint is not None:
        from factprobe.errors import ConfigError

        what = f"{name} is an endpoint, and its model is not said"
        hint = (
            f"for a detector or checker set {{backend: {name}, model: text-embedding-3-small}}; elsewhere name another"
        )
        raise ConfigError(what, where="embedder", hint=hint)
    build: type = found
    made: Embedder = build(name)
    return made
