"""Made-up names that resemble the labels of a relation."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from factprobe.text import normalise

if TYPE_CHECKING:
    from random import Random

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+")
"""Word of two letters or more."""
_COMMON = 3
"""Minimum number of labels with a word for it to be kept, such as a first name, "of" or "Island"."""
_LEARNT = 5000
"""Maximum number of labels to learn from."""
_ORDERS = (3, 2, 1)
"""Orders of the Markov chains, in the order of trial; lower ones serve small sets of labels."""
_TRIES = 20
"""Number of tries with each chain."""
_LONGEST = 24
"""Maximum length of a word, since a chain of letters may loop."""
_LEAST = 4
"""Minimum length of a made-up word, unless all words of labels are shorter."""
_NEAR = 0.7
"""Share of the letters of a made-up word that, in a row, must not begin, end or be within a real word."""
_INNER = 5
"""Minimum number of such letters for a match within a real word, as in Chilippine and Philippines."""
_END = "\0"


class MadeUpNames:
    """Generator of made-up names, which keep common words of real labels and replace the others.

    A Markov chain of letters, learnt from the labels, makes a word (Shannon 1948, A Mathematical Theory of
    Communication, section 3). Words that resemble a real one are rejected, since they would look like typing errors. No
    name is in `taken`, the normalised names of real entities. `rng` selects the labels to learn from, if there are
    many.
    """

    def __init__(self, labels: Iterable[str], taken: Collection[str], rng: Random) -> None:
        known = list(dict.fromkeys(labels))
        self._labels = known if len(known) <= _LEARNT else rng.sample(known, _LEARNT)
        self._taken = taken
        shared = Counter(word for label in self._labels for word in {*_WORD.findall(label)})
        self._common = {word for word, count in shared.items() if count >= _COMMON}
        known_words = {word.casefold() for word in shared}
        self._starts = {word[:size] for word in known_words for size in range(1, len(word) + 1)}
        self._ends = {word[-size:] for word in known_words for size in range(1, len(word) + 1)}
        self._words = _END.join(known_words)
        self._least = min(_LEAST, max(map(len, known_words), default=0))
        self._labels = [label for label in self._labels if _WORD.search(label)]
        rare = [word for label in self._labels for word in self._replaceable_words(label)]
        self._chains = [_chain(rare, order) for order in _ORDERS]

    def make(self, rng: Random) -> str | None:
        """Make up a name; return None if the labels are too few or have no words."""
        for chain, order in zip(self._chains, _ORDERS, strict=True):
            for _ in range(_TRIES if self._labels else 0):
                name = self._name(rng.choice(self._labels), chain, order, rng)
                if name is not None and normalise(name) not in self._taken:
                    return name
        return None

    def _replaceable_words(self, label: str) -> Sequence[str]:
        """Return the words of a label to replace: the rare ones, or else the longest."""
        words = _WORD.findall(label)
        return [word for word in words if word not in self._common] or [max(words, key=len)]

    def _name(self, label: str, chain: dict[str, str], order: int, rng: Random) -> str | None:
        """Replace words of a label by made-up ones; return None if one is too short or resembles a real word."""
        made: dict[str, str] = {}
        for word in self._replaceable_words(label):
            new = _word(chain, order, rng)
            if len(new) < self._least or self._is_near(new.casefold()):
                return None
            made[word] = new[0].upper() + new[1:] if word[0].isupper() else new.lower()
        return _WORD.sub(lambda found: made.get(found[0], found[0]), label)

    def _is_near(self, word: str) -> bool:
        """Return whether a word shares most of its letters, in a row, with a word of a label."""
        most = max(3, round(_NEAR * len(word)))
        if word[:most] in self._starts or word[-most:] in self._ends:
            return True
        return most >= _INNER and any(word[at : at + most] in self._words for at in range(len(word) - most + 1))


def _chain(words: Iterable[str], order: int) -> dict[str, str]:
    """Return the letters that follow each sequence of letters, repeated by frequency."""
    found: dict[str, list[str]] = {}
    for word in words:
        for at, letter in enumerate(word + _END):
            found.setdefault(word[max(at - order, 0) : at], []).append(letter)
    return {context: "".join(letters) for context, letters in found.items()}


def _word(chain: dict[str, str], order: int, rng: Random) -> str:
    word = ""
    while len(word) < _LONGEST:
        letter = rng.choice(chain[word[-order:]])
        if letter == _END:
            break
        word += letter
    return word
