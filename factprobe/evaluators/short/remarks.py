"""The sentences behind a complete list: those that only tell more, and those that add another answer."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from factprobe.evaluators.short.reading import ShortReading
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.phrasing import Phrases
from factprobe.reading.stance.clauses import stem
from factprobe.reading.words import singulars_of

_FUNCTION, _KIND = vocabulary("function"), vocabulary("kind")
_OF_LISTS = vocabulary("article", "list_conjunction", "within_item")
"""Words of sentences without a verb, as of those that list names."""
_ALSO, _ANOTHER = vocabulary("list_also"), Phrases(phrases("list_another"))
_DENIES = vocabulary("list_denial", "says_no")
_LEAST = 3
"""Words of a sentence that tells something."""


class Behind(Struct, frozen=True):
    """The sentences behind the one in which the last right answer is named, by their number."""

    remarks: frozenset[int] = frozenset()
    """Those that only tell more, where a list names several of the answers; no name in them is an item."""
    adding: frozenset[int] = frozenset()
    """Those that say of another name that it is an answer."""


_NOTHING = Behind()


def behind_list(reading: ShortReading) -> Behind:
    """The sentences behind a complete list that only tell more, and those that add to it."""
    text = reading.text
    complete, together = _completed_in(reading) if text.sentences[-1] else (0, False)
    if complete == text.sentences[-1]:
        return _NOTHING
    spans: dict[int, list[int]] = {}
    for i, sentence in enumerate(text.sentences):
        if sentence > complete:
            spans.setdefault(sentence, []).append(i)
    told = {sentence: span for sentence, span in spans.items() if "•" not in text.mark[span[0]]}
    adding = frozenset([sentence for sentence, span in told.items() if _adds(reading, span)])
    remarks = [sentence for sentence, span in told.items() if together and _only_tells(reading, span)]
    return Behind(frozenset(remarks) - adding, adding)


def _completed_in(reading: ShortReading) -> tuple[int, bool]:
    """The sentence in which the last right answer is named, and whether some are named together; the last of all
    where one is not named."""
    text, right = reading.text, reading.right
    named: set[str] = set()
    together = False
    before = -1
    for mention in reading.mentions:
        new = (mention.uris & right) - named
        if not new:
            continue
        sentence = text.sentences[mention.start]
        together = together or sentence == before or "•" in text.mark[mention.start]
        named |= new
        before = sentence
        if named == right:
            return text.sentences[mention.end - 1], together  # the dots of initials seem to end one: F. W. de Klerk
    return text.sentences[-1], False


def _only_tells(reading: ShortReading, span: Sequence[int]) -> bool:
    """Whether a sentence, given by its words, says something, and not what was asked."""
    text = reading.text
    words = [text.words[i] for i in span]
    if len(span) < _LEAST or not _has_verb(reading, span):
        return False
    if _denies(reading, span):
        return True
    return _ALSO.isdisjoint(words) and not _says_again(reading, _content(reading, span))


def _adds(reading: ShortReading, span: Sequence[int]) -> bool:
    """Whether a sentence says that something else is an answer, too: Another one is Klingon. Klingon is as well."""
    words = [reading.text.words[i] for i in span]
    flat = " ".join(words)
    another = _ANOTHER.search(flat) is not None
    if not (another or not _ALSO.isdisjoint(words)) or _denies(reading, span):
        return False
    content = _content(reading, span)
    return another or not content or _says_again(reading, content)


def _denies(reading: ShortReading, span: Sequence[int]) -> bool:
    """Whether a sentence denies something, where what is asked for is not what denies it."""
    text = reading.text
    return any(text.words[i] in _DENIES for i in span) and _DENIES.isdisjoint(reading.question_words)


def _has_verb(reading: ShortReading, span: Sequence[int]) -> bool:
    """Whether the words of a sentence are more than names."""
    text = reading.text
    prose = any(text.words[i] in _FUNCTION and text.words[i] not in _OF_LISTS for i in span)
    return prose or (not reading.lower_case and len(_content(reading, span)) > 0)


def _content(reading: ShortReading, span: Sequence[int]) -> list[str]:
    """The words in small letters that say something of the first name of a sentence."""
    text = reading.text
    name = next((i for i in span if text.capital[i] and text.words[i] not in _FUNCTION), span[0])
    small = [text.words[i] for i in span if i > name and not text.capital[i] and text.words[i].isalpha()]
    return [word for word in small if word not in _FUNCTION and not _KIND.intersection((word, *singulars_of(word)))]


def _says_again(reading: ShortReading, content: Sequence[str]) -> bool:
    """Whether the first thing that is said of a name is what was asked: Eric Schmidt was a founder."""
    return bool(content) and stem(content[0]) in reading.predicate
