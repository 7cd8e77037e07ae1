"""Invented names in the manner of a relation's labels."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING

from factprobe.text import normalise

if TYPE_CHECKING:
    from random import Random

_WORD = re.compile(r"[^\W\d_](?:[^\W\d_]|['’-](?=[^\W\d_]))+")
"""A word of two letters or more."""
_COMMON = 3
"""Number of labels that share a word which is kept, such as a first name, "of" or "Island"."""
_LEARNT = 5000
"""Most labels to learn from."""
_ORDERS = (3, 2, 1)
"""Numbers of letters that predict the next one: fewer if the labels are too few for new words."""
_TRIES = 20
"""Tries with each of these."""
_LONGEST = 24
"""Most letters of a word, since a chain of letters may loop."""
_LEAST = 4
"""Fewest letters of an invented word, unless all labels have shorter ones."""
_NEAR = 0.7
"""Largest share of a word that may equal the beginning or end of a real one."""
_END = "\0"


class MadeUpNames:
    """Invented names after given labels: shared words are kept, the others are invented.

    A word is made letter by letter, each as likely behind the last three as it is in the labels (a Markov chain:
    Shannon 1948, A Mathematical Theory of Communication, section 3). It is no word of a label, and none with another
    beginning or end, which would be taken for a slip of the pen.

    Args:
        labels: of the entities to be taken for one of.
        taken: normalised names that none is to be.
        rng: draws the labels to learn from, where there are many.
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
        self._least = min(_LEAST, max(map(len, known_words), default=0))
        self._labels = [label for label in self._labels if _WORD.search(label)]
        rare = [word for label in self._labels for word in self._replaced(label)]
        self._chains = [_chain(rare, order) for order in _ORDERS]

    def make(self, rng: Random) -> str | None:
        """Return a new name; None if the labels are too few or have no words."""
        for chain, order in zip(self._chains, _ORDERS, strict=True):
            for _ in range(_TRIES if self._labels else 0):
                name = self._name(rng.choice(self._labels), chain, order, rng)
                if name is not None and normalise(name) not in self._taken:
                    return name
        return None

    def _replaced(self, label: str) -> Sequence[str]:
        """Return the words of a label to replace: those that few labels have, else the longest."""
        words = _WORD.findall(label)
        return [word for word in words if word not in self._common] or [max(words, key=len)]

    def _name(self, label: str, chain: dict[str, str], order: int, rng: Random) -> str | None:
        """Return a label with invented words in place of its own; None if one of them is real."""
        made: dict[str, str] = {}
        for word in self._replaced(label):
            new = _word(chain, order, rng)
            if len(new) < self._least or self._is_near(new.casefold()):
                return None
            made[word] = new[0].upper() + new[1:] if word[0].isupper() else new.lower()
        return _WORD.sub(lambda found: made.get(found[0], found[0]), label)

    def _is_near(self, word: str) -> bool:
        """Return whether most of a word is the beginning or end of a label's word."""
        most = max(3, round(_NEAR * len(word)))
        return word[:most] in self._starts or word[-most:] in self._ends


def _chain(words: Iterable[str], order: int) -> dict[str, str]:
    """Return the letters that follow each sequence of letters, with their frequency."""
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
