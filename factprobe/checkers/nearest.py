"""Which relation words mean that no wording of a graph fits, by the likeness of embeddings."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

from factprobe.reading.language import table, vocabulary
from factprobe.records import Relation
from factprobe.templating import templates_of
from factprobe.text import normalise

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from factprobe.models.embedders import Embedder

THRESHOLD = 0.65
"""The least similarity at which `minilm` takes few relations for another one; see benchmarks/README.md."""
_LONGEST = 200
"""Characters of a text that may be a relation's name; longer ones are none, and take long to embed."""
_DIGITS = 2


class CloseRelation(NamedTuple):
    """A relation that words may mean."""

    relation: str
    name: str
    """Its label, else its id."""
    similarity: float
    is_near: bool
    """Whether it is near enough for the words to be taken for it."""

    def __str__(self) -> str:
        return f"{self.name!r} (similarity {self.similarity:.2f})"


class Nearest:
    """The relations of a graph by how alike words are to their labels and templates.

    Args:
        relations: by their ids.
        embedder: gives the embeddings.
        threshold: the least similarity at which words are taken for a relation.
    """

    def __init__(self, relations: Mapping[str, Relation], embedder: Embedder, threshold: float) -> None:
        self._relations, self._embedder, self._threshold = relations, embedder, threshold
        self._vectors: dict[str, NDArray[float32]] = {}

    def read(self, every: Iterable[tuple[str, Collection[str]]]) -> None:
        """Embeds the words of claims, each with the relations that these could mean, all at once.

        Raises:
            ModelError: the embedder cannot be loaded, or does not answer.
        """
        wanted = [(_words(text), relations) for text, relations in every if _is_telling(text) and relations]
        among = dict.fromkeys(relation for _, relations in wanted for relation in relations)
        texts = dict.fromkeys(
            [*(name for relation in among for name in self._names(relation)), *(words for words, _ in wanted)]
        )
        if wanted:
            self._vectors = dict(zip(texts, self._embedder.embed([*texts]), strict=True))

    def of(self, text: str, among: Collection[str]) -> CloseRelation | None:
        """The relation that words are most like; None where they can mean none, or have not been read.

        Args:
            text: the words.
            among: the relations that they could mean; of equally near ones the first is taken.
        """
        here = self._vectors.get(_words(text)) if _is_telling(text) else None
        if here is None:
            return None
        near = {
            relation: round(max(float(here @ self._vectors[name]) for name in names), _DIGITS)
            for relation in among
            if (names := [name for name in self._names(relation) if name in self._vectors])
        }
        if not near:
            return None
        best = max(near, key=lambda relation: near[relation])
        info, similarity = self._relations[best], min(near[best], 1.0)
        return CloseRelation(best, info.label or best, similarity, similarity >= self._threshold)

    def _names(self, relation: str) -> list[str]:
        """The label of a relation, and its templates and what else its label is said by, without their ends."""
        info = self._relations[relation]
        others = table("relation_said").get(info.label.strip(), ())
        bare = [template.replace("[X]", " ").replace("[Y]", " ") for template in templates_of(info)]
        bare += [other.format(label=info.label, subject=" ", object=" ") for other in others]
        return [_words(text) for text in (info.label, *bare) if _is_telling(text)]


def _is_telling(text: str) -> bool:
    """Whether a text may be a relation's name: it has a word of its own, as "from" and "is a" have not."""
    common = vocabulary("function", "copula")
    return len(text) <= _LONGEST and any(word[0].isalpha() and word not in common for word in _words(text).split())


def _words(text: str) -> str:
    """A text as it is embedded: in one spelling, without lone surrogates, which no tokenizer takes."""
    return normalise(text.encode(errors="ignore").decode())
