"""The names and titles in a text, which are no words of whoever speaks: I Don't Know How She Does It."""

from __future__ import annotations

from collections.abc import Iterator

from factprobe.reading.abstention import only_declines
from factprobe.reading.language import vocabulary
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.names.tables import find
from factprobe.reading.words import Text, joined

_LONG_NAME = 4
"""Words of a name that nobody writes by chance."""
_OF_SPEAKER = vocabulary("speaker")


def without_names(text: Text, index: EntityIndex) -> str:
    """The words of a text with a sign for each name of the graph, and for each run of words in capitals."""
    words = list(text.words)
    named = [(start, end) for start, end, _ in find(index.tables(), text) if _is_title(text, start, end)]
    for start, end in [*named, *_titles(text)]:
        words[start:end] = ["…"] * (end - start)
    return joined(words)


def _is_title(text: Text, start: int, end: int) -> bool:
    begins = start == 0 or text.sentences[start - 1] != text.sentences[start]
    return end - start >= _LONG_NAME or (text.capital[end - 1] and (end - start > 1 or not begins))


def _titles(text: Text) -> Iterator[tuple[int, int]]:
    """The runs of words in capitals: Unknown Mortal Orchestra; where all words have capitals, they tell nothing."""
    words, capital, count = text.words, text.capital, len(text)
    start = 0
    for i in range(count + 1) if not all(capital) else ():
        goes_on = i < count and capital[i] and words[i] not in _OF_SPEAKER
        if not goes_on or text.mark[i]:
            if i - start > 1 and not only_declines(" ".join(words[start:i])):
                yield start, i
            start = i if goes_on else i + 1
