"""Made-up names that resemble the labels of a relation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from random import Random

from factprobe.text import normalise

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+")
"""Word of two letters or more."""
_MIN_COMMON = 3
"""Minimum number of labels with a word that is common and therefore kept: a first name, "of", "Island"."""
_MAX_LABELS = 5000
"""Maximum number of labels from which the Markov chains are learned."""
_ORDERS = (3, 2, 1)
"""Orders of the Markov chains of letters, in the order in which they are tried; low ones suit few labels."""
_TRIES = 20
"""Number of tries with each chain."""
_MAX_WORD = 24
"""Maximum length of a made-up word, since a chain may loop."""
_MIN_WORD = 4
"""Minimum length of a made-up word, unless all words in labels are shorter."""
_MAX_SHARED = 0.7
"""Share of a made-up word's letters, at least three, that it may not have in common with a real word: at the beginning,
at the end, or as a run inside the real word."""
_MIN_INNER_RUN = 5
"""Minimum length of a run inside a real word to count ("ilippine" of Chilippine in Philippines)."""
_END = "\0"


class MadeUpNames:
    """Generator of made-up names, which keep common words of real labels and replace the others.

    Markov chains of letters, learned from the labels, make the words (Shannon 1948, A Mathematical Theory of
    Communication, section 3). Words that resemble a real one are rejected, since they would look like typing errors.
    The normalised `existing_names` are never made. If there are many labels, `rng` selects those to learn from.
    """

    def __init__(self, labels: Iterable[str], existing_names: Collection[str], rng: Random) -> None:
        names = list(dict.fromkeys(labels))
        self._labels = names if len(names) <= _MAX_LABELS else rng.sample(names, _MAX_LABELS)
        self._existing_names = existing_names
        shared = Counter(word for label in self._labels for word in {*_WORD.findall(label)})
        self._common = {word for word, count in shared.items() if count >= _MIN_COMMON}
        known_words = {word.casefold() for word in shared}
        self._starts = {word[:size] for word in known_words for size in range(1, len(word) + 1)}
        self._ends = {word[-size:] for word in known_words for size in range(1, len(word) + 1)}
        self._words = _END.join(known_words)
        self._min_length = min(_MIN_WORD, max(map(len, known_words), default=0))
        self._labels = [label for label in self._labels if _WORD.search(label)]
        rare = [word for label in self._labels for word in self._replaceable_words(label)]
        self._chains = [_learn_chain(rare, order) for order in _ORDERS]

    def make(self, rng: Random) -> str | None:
        """Return a made-up name; None if the labels are too few or have no words."""
        for chain, order in zip(self._chains, _ORDERS, strict=True):
            for _ in range(_TRIES if self._labels else 0):
                name = self._make_name(rng.choice(self._labels), chain, order, rng)
                if name is not None and normalise(name) not in self._existing_names:
                    return name
        return None

    def _replaceable_words(self, label: str) -> Sequence[str]:
        """Return the words of a label to replace: all that are not common, or else the longest word."""
        words = _WORD.findall(label)
        return [word for word in words if word not in self._common] or [max(words, key=len)]

    def _make_name(self, label: str, chain: dict[str, str], order: int, rng: Random) -> str | None:
        """Return a label with made-up words; None if one of them is too short or resembles a real word."""
        made_up: dict[str, str] = {}
        for word in self._replaceable_words(label):
            new = _sample_word(chain, order, rng)
            if len(new) < self._min_length or self._resembles_real_word(new.casefold()):
                return None
            made_up[word] = new[0].upper() + new[1:] if word[0].isupper() else new.lower()
        return _WORD.sub(lambda match: made_up.get(match[0], match[0]), label)

    def _resembles_real_word(self, word: str) -> bool:
        """Return whether a word shares most of its letters, in a row, with a word of a label."""
        most = max(3, round(_MAX_SHARED * len(word)))
        if word[:most] in self._starts or word[-most:] in self._ends:
            return True
        return most >= _MIN_INNER_RUN and any(word[at : at + most] in self._words for at in range(len(word) - most + 1))


def _learn_chain(words: Iterable[str], order: int) -> dict[str, str]:
    """Return the letters that follow each sequence of up to `order` letters, each as often as it occurs."""
    followers: dict[str, list[str]] = {}
    for word in words:
        for at, letter in enumerate(word + _END):
            followers.setdefault(word[max(at - order, 0) : at], []).append(letter)
    return {context: "".join(letters) for context, letters in followers.items()}


def _sample_word(chain: dict[str, str], order: int, rng: Random) -> str:
    word = ""
    while len(word) < _MAX_WORD:
        letter = rng.choice(chain[word[-order:]])
        if letter == _END:
            break
        word += letter
    return word
