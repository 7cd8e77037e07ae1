"""Location of claims in a response and its references, by embeddings of their spans."""

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
"""Default for the minimum cosine similarity, chosen for `minilm`."""
_BATCH_SIZE = 64
"""Number of texts that are embedded in one batch."""
_MAX_SENTENCES = 2
"""Maximum number of sentences of a passage for a claim; two, since the one before may name the subject."""
_LENGTH_TOLERANCE = 1
"""Maximum difference in length, in words, between a part of a claim and a window of the text."""
_DIGITS = 3
_PART_ORDER = (0, 2, 1)
"""Order in which the parts of a triplet are located: head, tail, then the relation in the remaining words."""
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")


def localise(
    texts: Iterable[ClaimedText], embedder: Embedder, threshold: float = THRESHOLD
) -> Iterator[tuple[tuple[Location, ...], ...]]:
    """Yield the locations of each claim of each text, in order; a claim has none if no span is similar enough.

    The response and each reference are searched separately. The locations in each are the two sentences most similar
    to the claim and, for a triplet, the windows of these sentences that are most similar to its head, its tail and, in
    the remaining words, its relation. Literal occurrences are preferred. Spans in the response that a claim already has
    are kept, however similar.

    Args:
        texts: Texts with claims and references.
        embedder: Embedding model.
        threshold: Minimum cosine similarity, in [-1, 1].

    Raises:
        ModelError: The embedding model cannot be loaded.
    """
    remaining = iter(texts)
    while batch := list(islice(remaining, _BATCH_SIZE)):
        yield from _Localiser(batch, embedder, threshold).locations()


class _PartCandidates(NamedTuple):
    """Part of a triplet (0 head, 1 relation, 2 tail) with its candidate spans in a passage."""

    part: int
    words: str
    passage: _Passage
    spans: list[Span]
    is_known: bool = False
    """True if the claim already has these spans, which are kept however similar they are."""


class _Passage:
    def __init__(self, text: str, reference: int | None) -> None:
        self.text, self.reference = text, reference
        self.sentences = sentences(text)

    def at(self, span: Span) -> str:
        return self.text[span[0] : span[1]]

    def spans_of(self, claim: Claim) -> Spans:
        """Return the spans that a claim already has, if this passage is the response; else empty."""
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
        claims = [(claim, p) for text, p in zip(self._texts, self._passages, strict=True) for claim in text.claims]
        sentence_texts = (passage.at(span) for p in self._passages for passage in p for span in passage.sentences)
        self._vectors.add(chain(sentence_texts, (claim.text for claim, _ in claims)))
        of_sentences = [self._sentences(claim, passages) for claim, passages in claims]
        of_parts = [
            list(_part_candidates(claim, sentences)) for (claim, _), sentences in zip(claims, of_sentences, strict=True)
        ]
        candidates = (part for of_claim in of_parts for parts in of_claim for part in parts)
        self._vectors.add(text for part in candidates for text in (part.words, *map(part.passage.at, part.spans)))
        locations = (
            (*(passage.location(span, near) for passage, span, near in whole), *chain(*map(self._parts, of_claim)))
            for whole, of_claim in zip(of_sentences, of_parts, strict=True)
        )
        for text in self._texts:
            yield tuple(next(locations) for _ in text.claims)

    def _sentences(self, claim: Claim, passages: Sequence[_Passage]) -> list[tuple[_Passage, Span, float]]:
        """Return the sentences that may state a claim, with passage and similarity, the most similar first."""
        sentences = []
        for passage in passages:
            near = self._vectors.nearest(claim.text, [passage.at(span) for span in passage.sentences])
            best = [(passage, passage.sentences[i], similarity) for i, similarity in near]
            if claim_spans := passage.spans_of(claim):
                sentences += [sentence for sentence in best if _overlaps(sentence[1], claim_spans)]
            else:
                sentences += [sentence for sentence in best[:_MAX_SENTENCES] if sentence[2] >= self._threshold]
        return sentences

    def _parts(self, candidates: Sequence[_PartCandidates]) -> list[Location]:
        """Return the locations of the parts of a triplet in a passage, without overlaps, in the order of the parts."""
        locations: list[Location] = []
        for candidate in candidates:
            spans = [
                span
                for span in candidate.spans
                if candidate.is_known or not _overlaps(span, [(p.start, p.end) for p in locations])
            ]
            near = self._vectors.nearest(candidate.words, [candidate.passage.at(span) for span in spans])
            if near and (candidate.is_known or near[0][1] >= self._threshold):
                locations.append(candidate.passage.location(spans[near[0][0]], near[0][1], candidate.part))
        return sorted(locations, key=lambda place: place.part or 0)


def _part_candidates(claim: Claim, places: Sequence[tuple[_Passage, Span, float]]) -> Iterator[list[_PartCandidates]]:
    """Yield, for each passage with sentences for a triplet, its parts with their candidate spans."""
    of_passage: dict[int, tuple[_Passage, list[Span]]] = {}
    for passage, span, _ in places if len(claim.parts) > 1 else ():
        of_passage.setdefault(id(passage), (passage, []))[1].append(span)
    for passage, spans in of_passage.values():
        claim_spans = dict(enumerate(passage.spans_of(claim)))
        same = claim_spans or _literal_occurrences(claim.parts, passage, spans)
        yield [
            _PartCandidates(
                n, words, passage, [same[n]] if n in same else _windows(passage, spans, words, same), bool(claim_spans)
            )
            for n in _PART_ORDER
            if (words := claim.parts[n]).strip()
        ]


def _literal_occurrences(parts: Sequence[str], passage: _Passage, spans: Sequence[Span]) -> dict[int, Span]:
    """Return the first literal occurrence of each part of a triplet, without overlaps."""
    occurrences: dict[int, Span] = {}
    for number in _PART_ORDER:
        pattern = re.compile(rf"(?<!\w){re.escape(parts[number])}(?!\w)", re.IGNORECASE)
        every = (match.span() for span in spans for match in pattern.finditer(passage.text, *span))
        first = next((span for span in every if not _overlaps(span, occurrences.values())), None)
        if first and parts[number].strip():
            occurrences[number] = first
    return occurrences


def _overlaps(span: Span, others: Iterable[Span]) -> bool:
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
        """Return index and similarity of other texts, the most similar first; ties keep their order."""
        vector = self._known[text.casefold()]
        near = [(i, float(vector @ self._known[other.casefold()])) for i, other in enumerate(others)]
        return sorted(near, key=lambda pair: (-round(pair[1], _DIGITS), pair[0]))


def _windows(passage: _Passage, spans: Sequence[Span], words: str, others: Mapping[int, Span]) -> list[Span]:
    """Return the windows of about as many words as a part has that overlap no literal occurrence of another part."""
    size = max(len(_WORD.findall(words)), 1)
    windows: list[Span] = []
    for span in spans:
        at = [word.span() for word in _WORD.finditer(passage.text, *span)]
        for count in range(max(size - _LENGTH_TOLERANCE, 1), size + _LENGTH_TOLERANCE + 1):
            windows += [(at[i][0], at[i + count - 1][1]) for i in range(len(at) - count + 1)]
    return [span for span in windows if not _overlaps(span, others.values())]
