"""Location of claims in the response and its references, by the embeddings of spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from factprobe.reading.tokenisation.sentences import sentences
from factprobe.records import Claim, ClaimedText, Location, Span, Spans

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from factprobe.models.embedders import Embedder

THRESHOLD = 0.5
"""Default for the minimal cosine similarity, chosen for `minilm`."""
_AT_ONCE = 64
"""Number of texts whose spans are embedded together."""
_SENTENCES = 2
"""Maximal number of sentences per passage and claim; two, since the subject may be named in the sentence before."""
_MORE_WORDS = 1
"""Maximal difference in words between a window and the part of the claim."""
_DIGITS = 3
_ORDER = (0, 2, 1)
"""Order in which the parts of a triplet are located: head, tail, then the relation in the remaining words."""
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")


def localise(
    texts: Iterable[ClaimedText], embedder: Embedder, threshold: float = THRESHOLD
) -> Iterator[tuple[tuple[Location, ...], ...]]:
    """Yield the locations of each claim of each text, in order; a claim has none if no span is similar enough.

    In each passage, these are the two sentences most similar to the claim. For a triplet, they are also the windows of
    those sentences that are most similar to its head and tail and, in the remaining words, to its relation. Literal
    occurrences are preferred. A claim's own spans in the response are kept whatever their similarity.

    Args:
        texts: Texts with claims and references.
        embedder: Embedding model.
        threshold: Minimal cosine similarity, in [-1, 1].

    Raises:
        ModelError: The embedding model cannot be loaded.
    """
    every = iter(texts)
    while some := list(islice(every, _AT_ONCE)):
        yield from _Localiser(some, embedder, threshold).locations()


class _Sought(NamedTuple):
    """Part of a claim with its candidate spans in a passage."""

    part: int
    words: str
    passage: _Passage
    spans: list[Span]
    is_known: bool = False


class _Passage:
    def __init__(self, text: str, reference: int | None) -> None:
        self.text, self.reference = text, reference
        self.sentences = sentences(text)

    def at(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def known(self, claim: Claim) -> Spans:
        """Return the claim's own spans of its parts, if they are of this passage; else empty."""
        are_here = self.reference is None and len(claim.spans) == len(claim.parts)
        return claim.spans if are_here and all(0 <= a < b <= len(self.text) for a, b in claim.spans) else ()

    def location(self, span: Span, similarity: float, part: int | None = None) -> Location:
        return Location(*span, round(min(similarity, 1.0), _DIGITS), self.reference, part)


class _Localiser:
    def __init__(self, texts: Sequence[ClaimedText], embedder: Embedder, threshold: float) -> None:
        self._texts, self._threshold = texts, threshold
        self._vectors = _Vectors(embedder)
        self._passages = [
            [_Passage(text.item.response, None), *(_Passage(r, i) for i, r in enumerate(text.item.references))]
            for text in texts
        ]

    def locations(self) -> Iterator[tuple[tuple[Location, ...], ...]]:
        every = [(claim, p) for text, p in zip(self._texts, self._passages, strict=True) for claim in text.claims]
        said = (passage.at(span) for p in self._passages for passage in p for span in passage.sentences)
        self._vectors.add(chain(said, (claim.text for claim, _ in every)))
        of_sentences = [self._sentences(claim, passages) for claim, passages in every]
        sought = [list(_sought(claim, found)) for (claim, _), found in zip(every, of_sentences, strict=True)]
        several = (one for of_claim in sought for parts in of_claim for one in parts)
        self._vectors.add(text for one in several for text in (one.words, *map(one.passage.at, one.spans)))
        found = (
            (*(passage.location(span, near) for passage, span, near in whole), *chain(*map(self._parts, of_claim)))
            for whole, of_claim in zip(of_sentences, sought, strict=True)
        )
        for text in self._texts:
            yield tuple(next(found) for _ in text.claims)

    def _sentences(self, claim: Claim, passages: Sequence[_Passage]) -> list[tuple[_Passage, Span, float]]:
        """Return the sentences that may state a claim, by passage and similarity."""
        found = []
        for passage in passages:
            near = self._vectors.nearest(claim.text, [passage.at(span) for span in passage.sentences])
            best = [(passage, passage.sentences[i], like) for i, like in near]
            if known := passage.known(claim):
                found += [one for one in best if _meets(one[1], known)]
            else:
                found += [one for one in best[:_SENTENCES] if one[2] >= self._threshold]
        return found

    def _parts(self, sought: Sequence[_Sought]) -> list[Location]:
        """Locate the parts of a triplet in a passage, without overlaps; return them in the order of the parts."""
        found: list[Location] = []
        for one in sought:
            spans = [span for span in one.spans if one.is_known or not _meets(span, [(p.start, p.end) for p in found])]
            near = self._vectors.nearest(one.words, [one.passage.at(span) for span in spans])
            if near and (one.is_known or near[0][1] >= self._threshold):
                found.append(one.passage.location(spans[near[0][0]], near[0][1], one.part))
        return sorted(found, key=lambda place: place.part or 0)


def _sought(claim: Claim, found: Sequence[tuple[_Passage, Span, float]]) -> Iterator[list[_Sought]]:
    """Yield the parts of a triplet with their candidate spans, one list per passage."""
    of_passage: dict[int, tuple[_Passage, list[Span]]] = {}
    for passage, span, _ in found if len(claim.parts) > 1 else ():
        of_passage.setdefault(id(passage), (passage, []))[1].append(span)
    for passage, spans in of_passage.values():
        known = dict(enumerate(passage.known(claim)))
        same = known or _same(claim.parts, passage, spans)
        yield [
            _Sought(n, words, passage, [same[n]] if n in same else _windows(passage, spans, words, same), bool(known))
            for n in _ORDER
            if (words := claim.parts[n]).strip()
        ]


def _same(parts: Sequence[str], passage: _Passage, spans: Sequence[Span]) -> dict[int, Span]:
    """Find literal occurrences of the parts of a triplet, without overlaps."""
    found: dict[int, Span] = {}
    for number in _ORDER:
        pattern = re.compile(rf"(?<!\w){re.escape(parts[number])}(?!\w)", re.IGNORECASE)
        every = (one.span() for span in spans for one in pattern.finditer(passage.text, *span))
        first = next((span for span in every if not _meets(span, found.values())), None)
        if first and parts[number].strip():
            found[number] = first
    return found


def _meets(span: Span, others: Iterable[Span]) -> bool:
    """Return whether a span overlaps any of several others."""
    return any(span[0] < end and start < span[1] for start, end in others)


class _Vectors:
    """Cache of text embeddings."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, NDArray[float32]] = {}

    def add(self, texts: Iterable[str]) -> None:
        """Embed the texts that are not cached, in one call."""
        new = [text for text in dict.fromkeys(map(str.casefold, texts)) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))

    def nearest(self, text: str, others: Sequence[str]) -> list[tuple[int, float]]:
        """Rank other texts by similarity; return index and similarity of each, ties in the given order."""
        here = self._known[text.casefold()]
        near = [(i, float(here @ self._known[other.casefold()])) for i, other in enumerate(others)]
        return sorted(near, key=lambda found: (-round(found[1], _DIGITS), found[0]))


def _windows(passage: _Passage, spans: Sequence[Span], words: str, others: Mapping[int, Span]) -> list[Span]:
    """Return windows of about as many consecutive words as a part has, without overlap with other parts."""
    size = max(len(_WORD.findall(words)), 1)
    found: list[Span] = []
    for span in spans:
        at = [word.span() for word in _WORD.finditer(passage.text, *span)]
        for count in range(max(size - _MORE_WORDS, 1), size + _MORE_WORDS + 1):
            found += [(at[i][0], at[i + count - 1][1]) for i in range(len(at) - count + 1)]
    return [span for span in found if not _meets(span, others.values())]
