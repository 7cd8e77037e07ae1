"""Features of each word of an output, for a model that predicts which words people mark as hallucinated.

They are based on shape, position, words of the question and logits of tokens. No feature depends on a language, so
that a model trained on some languages works for others.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from rapidfuzz.distance import Prefix

from factprobe.detectors.spans.alignment import align
from factprobe.reading.tokenisation.tokens import MARKS, WIDE
from factprobe.records import DetectorItem, Spans
from factprobe.text import fold

Array = np.ndarray[Any, Any]

_WORD = re.compile(rf"[{WIDE}]|\d+|(?:(?![{WIDE}])(?:[^\W\d_]|[{MARKS}]))+|\S")
"""Number, word, character of a script without spaces, or any other character."""
_SENTENCE_END = re.compile(r"[.!?](?=\s|$)|[。！？।؟]|\n")
_REPETITION = 0.75
"""Share of a word's letters in a prefix shared with a word of the question, above which it counts as a repetition."""
_MISSING = -1.0
"""Value of an unknown feature, below all known values."""
_SHIFTS = (-2, -1, 1, 2)
_SHIFTABLE = ("number", "capital", "sign", "likeness", "length", "least_rank")
_WINDOWS = {"number": (2,), "capital": (1, 4), "likeness": (1, 2, 4), "least_rank": (1, 3), "mean_rank": (1, 3)}


class SpanWords:
    """Words of a text, with properties of their letters."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.spans: Spans = tuple(match.span() for match in _WORD.finditer(text))
        self.raw = [text[start:end] for start, end in self.spans]
        self.folded = [fold(word) for word in self.raw]
        self.numbers = np.array([word[0].isnumeric() for word in self.raw], float)
        self.capitals = np.array([word[0].isupper() for word in self.raw], float)
        self.signs = np.array([not word[0].isalnum() for word in self.raw], float)

    def shared_prefix_share(self, question: SpanWords) -> Array:
        """Return each word's longest common prefix with a word of the question, as a share of its letters in [0, 1]."""
        others = {word for word in question.folded if word}
        shared = {word: max((Prefix.similarity(word, other) for other in others), default=0) for word in {*self.folded}}
        return np.array([shared[word] / max(len(word), 1) for word in self.folded])


def new_names(words: SpanWords, likeness: Array) -> Array:
    """Return a mask of numbers and of words capitalised within a sentence, without words of the question.

    `likeness` has, for each word, the share of its letters in the longest prefix shared with a word of the question.
    """
    starts = words_of_sentences(words)[1] == 0
    mask: Array = ((words.numbers > 0) | ((words.capitals > 0) & ~starts)) & (likeness <= _REPETITION)
    return mask


def words_of_sentences(words: SpanWords) -> tuple[Array, Array, Array]:
    """Return the index of each word's sentence, the word's index in the sentence, and the number of words after it."""
    ends = np.array([match.end() for match in _SENTENCE_END.finditer(words.text)])
    starts = np.array([start for start, _ in words.spans])
    sentence = np.searchsorted(ends, starts, side="right")
    _, sentence, counts = np.unique(sentence, return_inverse=True, return_counts=True)
    firsts = np.cumsum(counts) - counts
    place = np.arange(len(starts)) - firsts[sentence]
    return sentence, place, counts[sentence] - place - 1


def features_of(item: DetectorItem) -> tuple[SpanWords, Array]:
    """Return the words of an item's output, and their features in the order of `FEATURES`, shape (words, features)."""
    words, question = SpanWords(item.output), SpanWords(item.input)
    if not words.spans:
        return words, np.zeros((0, len(FEATURES)))
    columns = _feature_columns(words, question, item)
    return words, np.column_stack(
        [np.broadcast_to(np.asarray(col, float), len(words.spans)) for col in columns.values()]
    )


def _feature_columns(words: SpanWords, question: SpanWords, item: DetectorItem) -> dict[str, Any]:
    columns = _own_features(words, question, item)
    windows = {
        f"{name}_{width}": _window_means(columns[name], width) for name, widths in _WINDOWS.items() for width in widths
    }
    neighbours = {
        f"{name}{by:+d}": _shift_values(np.asarray(columns[name], float), by) for name in _SHIFTABLE for by in _SHIFTS
    }
    return columns | windows | neighbours


def _own_features(words: SpanWords, question: SpanWords, item: DetectorItem) -> dict[str, Any]:
    """Return the features of the words by name, without features taken from neighbouring words."""
    count = len(words.spans)
    places = np.arange(count)
    sentence, place, words_after = words_of_sentences(words)
    likeness = words.shared_prefix_share(question)
    names, new = new_names(words, likeness).astype(float), (words.signs == 0) & (likeness <= _REPETITION)
    times = Counter(words.folded)
    return {
        "relative_place": places / max(count - 1, 1),
        "before": np.log1p(places),
        "behind": np.log1p(count - 1 - places),
        "words": np.log1p(count),
        "characters": np.log1p(len(words.text)),
        "sentences": sentence[-1] + 1,
        "sentence": sentence,
        "before_in_sentence": place,
        "behind_in_sentence": words_after,
        "question_words": len(question.spans),
        "question_covered": question.shared_prefix_share(words).mean() if question.spans else 0.0,
        "likeness": likeness,
        "pair_of_question": _is_in_pair(words.folded, question.folded),
        "capital": words.capitals,
        "number": words.numbers,
        "sign": words.signs,
        "length": [end - start for start, end in words.spans],
        "has_case": words.text.lower() != words.text,
        "wide": [bool(re.match(f"[{WIDE}]", word)) for word in words.raw],
        "repeated": _is_repeated(words.folded),
        "share": [times[word] / count for word in words.folded],
        "new_name": names,
        "new_near": _window_means(new.astype(float), 4),
        "new_before": np.cumsum(new) - new,
        "names_before": np.cumsum(names) - names,
        "likeness_before": (np.cumsum(likeness) - likeness) / np.maximum(places, 1),
        "likeness_mean": likeness.mean(),
        "names_mean": names.mean(),
        "numbers_mean": words.numbers.mean(),
        **dict(zip(("least_rank", "mean_rank", "first_rank"), _logit_ranks(words, item), strict=True)),
    }


def _is_in_pair(words: Sequence[str], question: Sequence[str]) -> Array:
    """Return a mask of the words that form, with the word before or after, a pair that the question has too."""
    pairs = {*pairwise(question)}
    is_shared = [pair in pairs for pair in pairwise(words)]
    mask: Array = np.array([*is_shared, False]) | np.array([False, *is_shared])
    return mask


def _logit_ranks(words: SpanWords, item: DetectorItem) -> Sequence[Array]:
    """Return, for each word, the ranks of its minimum, mean and first logit within the output, from 0 to 1."""
    unknown = np.full(len(words.spans), _MISSING)
    owners = align(item.output, item.tokens) if item.logits else None
    if owners is None:
        return unknown, unknown, unknown
    of_words = [[item.logits[owner] for owner in owners[start:end] if owner >= 0] for start, end in words.spans]
    return [
        _rank_values(np.array([reduce(logits) if logits else np.nan for logits in of_words]))
        for reduce in (min, lambda logits: sum(logits) / len(logits), lambda logits: logits[0])
    ]


def _rank_values(values: Array) -> Array:
    """Return the rank of each known value in [0, 1]: the share of smaller values plus half the share of equal ones."""
    is_known = np.isfinite(values)
    ordered = np.sort(values[is_known])
    ranks = np.full(len(values), _MISSING)
    sides = [np.searchsorted(ordered, values[is_known], side) for side in ("left", "right")]
    ranks[is_known] = (sides[0] + sides[1]) / 2 / max(len(ordered), 1)
    return ranks


def _window_means(values: Array, width: int) -> Array:
    """Return, for each value, the mean over itself and up to `width` neighbours on each side."""
    sums = np.concatenate([[0.0], np.cumsum(values)])
    places = np.arange(len(values))
    start, end = np.maximum(places - width, 0), np.minimum(places + width + 1, len(values))
    means: Array = (sums[end] - sums[start]) / (end - start)
    return means


def _shift_values(values: Array, by: int) -> Array:
    """Return, for each position, the value `by` positions later, or earlier if `by` is negative."""
    at = np.arange(len(values)) + by
    inside = (at >= 0) & (at < len(values))
    return np.where(inside, values[np.clip(at, 0, len(values) - 1)], _MISSING)


def _is_repeated(words: Sequence[str]) -> list[bool]:
    first = {word: at for at, word in reversed([*enumerate(words)])}
    return [first[word] < at for at, word in enumerate(words)]


FEATURES = tuple(_feature_columns(SpanWords("a"), SpanWords(""), DetectorItem("", "a")))
