"""Similarity of a reply's words to the options, for replies that misspell, translate or shorten an option."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.reading.tokenisation.tokens import common_keys, key_of
from factprobe.reading.tokenisation.words import name_words

_MIN_SIMILARITY = 0.75
"""Minimum similarity of the most similar option."""
_MARGIN = 0.05
"""Minimum difference between the similarities of the two most similar options."""


def most_similar(words: Sequence[str], choices: Sequence[str]) -> int | None:
    """Return the number of the option that a reply resembles clearly more than the others; None if there is none.

    Args:
        words: Content words of a reply.
        choices: Texts of the options.
    """
    scores = [_similarity(words, choice) for choice in choices]
    ranked = sorted(range(len(choices)), key=lambda i: -scores[i])
    best, second = scores[ranked[0]], max((scores[i] for i in ranked[1:]), default=0.0)
    return ranked[0] if best >= _MIN_SIMILARITY and best - second >= _MARGIN else None


def _similarity(said: Sequence[str], choice: str) -> float:
    """Return the similarity of a reply's content words to an option, in [0, 1].

    It is the similarity in letters or, if greater, the share of the option's words that the reply has; this share is 1
    if the reply has no other words (China for People's Republic of China).
    """
    from rapidfuzz.distance import JaroWinkler

    words = name_words(choice)
    ours, theirs = " ".join(said), " ".join(words)
    similarity = JaroWinkler.similarity
    letters = similarity(ours, theirs)
    if len(said) > 1:  # each word of a name counts: Leonardo DiCaprio
        letters = min(letters, *(max(similarity(reply_word, word) for word in words) for reply_word in said))
    keys, said_keys = (set(map(key_of, some)) - common_keys() for some in (words, said))
    shared = len(keys & said_keys) / max(len(keys), 1)
    return max(letters, 1.0 if shared and said_keys <= keys else shared)
