"""Similarity of a reply that names no option to the options: misspellings, other languages, other words."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from factprobe.reading.language import vocabulary
from factprobe.reading.tokens import Words, common_keys
from factprobe.reading.words import Text
from factprobe.text import normalise

_LEAST = 0.6
"""Minimal similarity of the option."""
_MARGIN = 0.2
"""Minimal difference from the similarity of the second one."""


def most_similar(text: Text, choices: Sequence[str], asked: Collection[str]) -> int | None:
    """Return the number of the option that a reply resembles clearly more than the others, or None.

    Args:
        text: the reply.
        choices: the options.
        asked: words of the question, which do not count.
    """
    empty = vocabulary("function", "hedge", "exclamation", "task", "task_options").union(asked)
    said = [word for word in text.words if word not in empty]
    if not said:
        return None
    scores = [_similarity(said, choice) for choice in choices]
    ranked = sorted(range(len(choices)), key=lambda i: -scores[i])
    second = scores[ranked[1]] if len(ranked) > 1 else 0.0
    best = scores[ranked[0]]
    return ranked[0] if best >= _LEAST and best - second >= _MARGIN else None


def _similarity(said: Sequence[str], choice: str) -> float:
    """Return the similarity of words to an option: of letters if they are few, or the share of the option's words."""
    from rapidfuzz.distance import JaroWinkler

    words = Text(normalise(choice)).words
    initials = "".join(word[0] for word in words)
    if len(said) == 1 and len(initials) > 1 and said[0] == initials:
        return 1.0
    letters = JaroWinkler.similarity(" ".join(said), " ".join(words)) if len(said) <= 2 * len(words) else 0.0
    keys = set(Words(choice).keys) - common_keys()
    shared = keys.intersection(Words(" ".join(said)).keys)
    return max(letters, len(shared) / max(len(keys), 1))
