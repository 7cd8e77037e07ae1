"""Features of a span in HaDes: probabilities of a masked model, TF-IDF, PPMI, parts of speech and entities."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from math import log
from statistics import fmean

from msgspec import Struct

from factprobe.detectors.hades.windows import SpanWindow
from factprobe.models.hf.token_spans import MaskedSpan
from factprobe.reading.tokenisation.tags import TaggedWord, Tagger

NEIGHBOURS = 5
"""Maximum distance of co-occurring words, in words."""
_BETWEEN = " "


class WordCounts(Struct, frozen=True):
    """Counts of words in texts, and of their co-occurrences."""

    texts: int
    of: dict[str, int]
    """Number of texts that contain each word."""
    pairs: dict[str, int]
    """Number of co-occurrences of each pair of words; keys are like `lima peru`, in alphabetical order."""

    @classmethod
    def in_texts(cls, texts: Iterable[Sequence[str]]) -> WordCounts:
        """Count words and co-occurrences in texts, each given as its words."""
        number, of, pairs = 0, Counter[str](), Counter[str]()
        for words in texts:
            number += 1
            of.update({*words})
            for at, word in enumerate(words):
                pairs.update(_pair_key(word, other) for other in words[at + 1 : at + 1 + NEIGHBOURS])
        return cls(number, dict(sorted(of.items())), dict(sorted(pairs.items())))

    def idf(self, word: str) -> float:
        """Return the smoothed inverse document frequency: `ln((1 + texts) / (1 + texts with the word)) + 1`."""
        return log((1 + self.texts) / (1 + self.of.get(word, 0))) + 1


class Ppmi:
    """Positive pointwise mutual information of word pairs, in nats (Church and Hanks 1990; Niwa and Nitta 1994)."""

    def __init__(self, counts: WordCounts) -> None:
        self._pairs = counts.pairs
        self._of: Counter[str] = Counter()
        for pair, number in counts.pairs.items():
            for word in pair.split(_BETWEEN):
                self._of[word] += number
        self._all = sum(self._of.values())

    def __call__(self, one: str, other: str) -> float:
        """Return the PPMI of two words; 0 if they never co-occur."""
        together = self._pairs.get(_pair_key(one, other), 0) * (1 if one != other else 2)
        return max(0.0, log(together * self._all / (self._of[one] * self._of[other]))) if together else 0.0


class FeatureExtractor:
    """Extractor of the features of spans; with `masked`, also of a masked model's probabilities and entropies."""

    def __init__(
        self, counts: WordCounts, tag: Tagger, masked: Callable[[SpanWindow], MaskedSpan] | None = None
    ) -> None:
        self._counts, self._ppmi, self._tag, self._masked = counts, Ppmi(counts), tag, masked

    def of(self, window: SpanWindow) -> dict[str, float]:
        """Return the features of a span, 0 if not listed; raise a `CallError` if the model cannot read the span."""
        tagged = self._tag(window.text)
        inside = [at for at, word in enumerate(tagged) if word.start < window.end and word.end > window.start]
        words = [word.text.lower() for word in tagged]
        return {
            **dict(self._word_features(words, inside)),
            **dict(_tag_features([tagged[at] for at in inside])),
            **(dict(_masked_features(self._masked(window))) if self._masked else {}),
        }

    def _word_features(self, words: Sequence[str], inside: Sequence[int]) -> Iterator[tuple[str, float]]:
        if not inside:
            return
        counts = Counter(words)
        tf_idf = [counts[words[at]] / len(words) * self._counts.idf(words[at]) for at in inside]
        first, after = inside[0], inside[-1] + 1
        near = [*words[max(0, first - NEIGHBOURS) : first], *words[after : after + NEIGHBOURS]]
        ppmi = [self._ppmi(words[at], other) for at in inside for other in near] or [0.0]
        yield "words", float(len(inside))
        yield "tf_idf_mean", fmean(tf_idf)
        yield "tf_idf_max", max(tf_idf)
        yield "ppmi_mean", fmean(ppmi)
        yield "ppmi_max", max(ppmi)


def _tag_features(words: Sequence[TaggedWord]) -> Iterator[tuple[str, float]]:
    """Yield the shares of a span's words with each tag, and of stop words, as features with names."""
    for name, tags in (("pos", [word.pos for word in words]), ("entity", [word.entity for word in words])):
        yield from ((f"{name}={tag}", number / len(words)) for tag, number in sorted(Counter(tags).items()) if tag)
    if words:
        yield "stop", sum(word.is_stop for word in words) / len(words)


def _masked_features(prediction: MaskedSpan) -> Iterator[tuple[str, float]]:
    yield "probability_mean", fmean(prediction.probabilities)
    yield "probability_max", max(prediction.probabilities)
    yield "entropy_mean", fmean(prediction.entropies)
    yield "entropy_max", max(prediction.entropies)


def _pair_key(one: str, other: str) -> str:
    return _BETWEEN.join(sorted((one, other)))
