"""Linking of relation words to the relations of a graph by embedding similarity."""

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
"""Minimum cosine similarity for `minilm`, chosen for few wrong links; see benchmarks/README.md."""
_MAX_CHARS = 200
"""Maximum length of relation words in characters; longer texts are not embedded."""
_DIGITS = 2


class CloseRelation(NamedTuple):
    """Relation linked to relation words by embeddings."""

    relation: str
    name: str
    """Label of the relation, or its id if it has none."""
    similarity: float
    is_near: bool
    """True if the similarity reaches the threshold."""

    def __str__(self) -> str:
        return f"{self.name!r} (similarity {self.similarity:.2f})"


class RelationEmbeddings:
    """Index of a graph's relations by the embeddings of their names and templates."""

    def __init__(self, relations: Mapping[str, Relation], embedder: Embedder, threshold: float) -> None:
        self._relations, self._embedder, self._threshold = relations, embedder, threshold
        self._vectors: dict[str, NDArray[float32]] = {}

    def read(self, phrases: Iterable[tuple[str, Collection[str]]]) -> None:
        """Embed relation words, each given with its candidate relations, and the relations' names, in one batch."""
        wanted = [
            (_embedded_text(text), relations) for text, relations in phrases if _can_name_relation(text) and relations
        ]
        candidates = dict.fromkeys(relation for _, relations in wanted for relation in relations)
        names = (name for relation in candidates for name in self._names(relation))
        texts = dict.fromkeys([*names, *(words for words, _ in wanted)])
        if wanted:
            self._vectors = dict(zip(texts, self._embedder.embed([*texts]), strict=True))

    def of(self, text: str, among: Collection[str]) -> CloseRelation | None:
        """Return the candidate relation most similar to some words, or None; of equally similar ones, the first."""
        vector = self._vectors.get(_embedded_text(text)) if _can_name_relation(text) else None
        if vector is None:
            return None
        similarities = {
            relation: round(max(float(vector @ self._vectors[name]) for name in names), _DIGITS)
            for relation in among
            if (names := [name for name in self._names(relation) if name in self._vectors])
        }
        if not similarities:
            return None
        best = max(similarities, key=lambda relation: similarities[relation])
        info, similarity = self._relations[best], min(similarities[best], 1.0)
        return CloseRelation(best, info.label or best, similarity, similarity >= self._threshold)

    def _names(self, relation: str) -> list[str]:
        """Return the label, templates and usual wordings of a relation, without placeholders."""
        info = self._relations[relation]
        others = table("relation_said").get(normalise(info.label), ())
        bare = [template.replace("[X]", " ").replace("[Y]", " ") for template in templates_of(info)]
        bare += [other.format(label=info.label, subject=" ", object=" ") for other in others]
        return [_embedded_text(text) for text in (info.label, *bare) if _can_name_relation(text)]


def _can_name_relation(text: str) -> bool:
    """Return whether a text is short and has a content word, so that it can name a relation (not "from" or "is a")."""
    common = vocabulary("function", "copula")
    return len(text) <= _MAX_CHARS and any(
        word[0].isalpha() and word not in common for word in _embedded_text(text).split()
    )


def _embedded_text(text: str) -> str:
    """Normalise a text for embedding, and remove lone surrogates, which tokenizers reject."""
    return normalise(text.encode(errors="ignore").decode())
