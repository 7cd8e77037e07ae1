"""Where a claim stands: the spans of the response and of its references that say it, by the embeddings of spans."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from factprobe.reading.sentences import sentences
from factprobe.records import Claim, ClaimedText, Location, Span, Spans

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from factprobe.models.embedders import Embedder

THRESHOLD = 0.5
"""The least similarity at which `minilm` mostly means the same."""
_AT_ONCE = 64
"""Texts whose spans are embedded together."""
_SENTENCES = 2
"""The most sentences of a passage that a claim is looked for in: who is meant may be said in the one before."""
_MORE_WORDS = 1
"""By which the words of a text may be more or fewer than those of the part that they say."""
_DIGITS = 3
_ORDER = (0, 2, 1)
"""Of the parts of a triplet: its relation is looked for outside of the words of head and tail."""
_WORD = re.compile(r"\w+(?:[-'’.]\w+)*")


def localise(
    texts: Iterable[ClaimedText], embedder: Embedder, threshold: float = THRESHOLD
) -> Iterator[tuple[tuple[Location, ...], ...]]:
    """Where each claim of each text stands, in the order of the claims; nothing where no span is near enough.

    Of each passage, those are the two sentences nearest to the claim, and of a triplet the words in them that are
    nearest to its head and tail, and among the others to its relation; words that are the same letter by letter have a
    similarity of 1. What a claim knows itself of its place in the response is kept, however near that is.

    Args:
        texts: with their claims and references.
        embedder: gives the embeddings.
        threshold: the least similarity, in [-1, 1].

    Raises:
        ModelError: the model of the embeddings cannot be loaded.
    """
    every = iter(texts)
    while some := list(islice(every, _AT_ONCE)):
        yield from _Localiser(some, embedder, threshold).locations()


class _Sought(NamedTuple):
    """A part of a claim, and what in a passage may say it."""

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
        """Where each part of a claim stands, if it knows that of this passage."""
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
        """The sentences that say a claim, those of each passage in the order of their likeness."""
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
        """Where the parts of a triplet stand in a passage, in their order; no words say two of them."""
        found: list[Location] = []
        for one in sought:
            spans = [span for span in one.spans if one.is_known or not _meets(span, [(p.start, p.end) for p in found])]
            near = self._vectors.nearest(one.words, [one.passage.at(span) for span in spans])
            if near and (one.is_known or near[0][1] >= self._threshold):
                found.append(one.passage.location(spans[near[0][0]], near[0][1], one.part))
        return sorted(found, key=lambda place: place.part or 0)


def _sought(claim: Claim, found: Sequence[tuple[_Passage, Span, float]]) -> Iterator[list[_Sought]]:
    """What may say the parts of a triplet, for each passage."""
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
    """Where parts of a triplet stand letter by letter, none within another."""
    found: dict[int, Span] = {}
    for number in _ORDER:
        pattern = re.compile(rf"(?<!\w){re.escape(parts[number])}(?!\w)", re.IGNORECASE)
        every = (one.span() for span in spans for one in pattern.finditer(passage.text, *span))
        first = next((span for span in every if not _meets(span, found.values())), None)
        if first and parts[number].strip():
            found[number] = first
    return found


def _meets(span: Span, others: Iterable[Span]) -> bool:
    """Whether a span has a letter in common with one of several."""
    return any(span[0] < end and start < span[1] for start, end in others)


class _Vectors:
    """The embeddings of texts; each is made once."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self._known: dict[str, NDArray[float32]] = {}

    def add(self, texts: Iterable[str]) -> None:
        """Has those that are not known embedded together."""
        new = [text for text in dict.fromkeys(map(str.casefold, texts)) if text not in self._known]
        if new:
            self._known.update(zip(new, self._embedder.embed(new), strict=True))

    def nearest(self, text: str, others: Sequence[str]) -> list[tuple[int, float]]:
        """Which of the other texts are nearest, and how near; of equal ones the first is first."""
        here = self._known[text.casefold()]
        near = [(i, float(here @ self._known[other.casefold()])) for i, other in enumerate(others)]
        return sorted(near, key=lambda found: (-round(found[1], _DIGITS), found[0]))


def _windows(passage: _Passage, spans: Sequence[Span], words: str, others: Mapping[int, Span]) -> list[Span]:
    """As many words of sentences, one after the other, as a part has, or one more or fewer; none of other parts."""
    size = max(len(_WORD.findall(words)), 1)
    found: list[Span] = []
    for span in spans:
        at = [word.span() for word in _WORD.finditer(passage.text, *span)]
        for count in range(max(size - _MORE_WORDS, 1), size + _MORE_WORDS + 1):
            found += [(at[i][0], at[i + count - 1][1]) for i in range(len(at) - count + 1)]
    return [span for span in found if not _meets(span, others.values())]
