"""A reply without what looks like a judgment of the statement and is none: of a saying, or of what it tells itself."""

from __future__ import annotations

import re
from collections.abc import Iterator

from factprobe.evaluators.true_false.labels import LABEL
from factprobe.reading.asked import Asked
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.tokens import key_of as key
from factprobe.reading.words import Text
from factprobe.text import normalise

_QUOTED = re.compile(
    rf"[\"“](?P<quoted>[^\"“”\n]{{3,80}})[\"”]\s+(?:{phrases('binary_of_quoted')})\b(?:[^.!?;\n–—]|[.](?=\w)|\S[–—]\S)*"
)
"""A quotation, and what is said of it."""
_OF_OTHER = re.compile(phrases("binary_of_other_not"), re.IGNORECASE)


def asides(text: Text, asked: Asked) -> Iterator[tuple[int, int]]:
    """Where a text judges what is not the statement, or has a label within words of it: right angles.

    Args:
        text: the reply.
        asked: what the question asks.
    """
    own = frozenset(map(key, asked.words))
    if '"' in text.source or "“" in text.source:
        for found in _QUOTED.finditer(text.source):
            quoted = normalise(found["quoted"])
            words = map(key, set(quoted.split()) - vocabulary("function"))
            if not (own.issuperset(words) or LABEL.search(quoted)):
                yield found.span()
    for found in _OF_OTHER.finditer(text.source):
        other = normalise(found["other"])
        if key(other) not in own and other not in vocabulary("function", "binary_frame"):
            yield found.span()
    pairs = {(first, key(second)) for first, second in zip(asked.words, asked.words[1:], strict=False)}
    for i, (word, behind) in enumerate(zip(text.words, text.words[1:], strict=False)):
        is_within = (word, key(behind)) in pairs and behind not in vocabulary("function")
        if is_within and not text.mark[i + 1].strip("-") and LABEL.fullmatch(word):
            yield text.span(i)
