"""Finding the graph's entities in a text, the longest name first."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set

from msgspec import Struct

from factprobe.records import Entity, Question, RelationSummary
from factprobe.text import join_initials, normalise

_PIECE = re.compile(r"[,;\n|/•·]|\.(?=\s|$)|[!?:](?=\s|$)|[^\s,;|/•·]+")
_BREAKS = frozenset(",;\n|/•·.!?:")
_WITHIN_SENTENCES = frozenset(",;/|")
_BETWEEN_LINES = frozenset("\n;|•")
"""No name reaches over these; it may reach over a comma or a full stop: Washington, D.C., St. Louis."""
_NEGATIONS = frozenset({"not", "isnt", "wasnt", "never", "neither", "nor", "arent", "werent"})
_SMALL_WORDS = frozenset({"in", "at", "a", "an", "the", "from", "by", "to", "on", "is", "called", "named"})


class Word(Struct, frozen=True, gc=False):
    """A normalised word of a text and which line, sentence and list item it stands in, counted from 0."""

    text: str
    line: int
    sentence: int
    item: int
    introduces: bool
    """Whether its item ends in a colon: it says what comes, and is not part of it."""


class Mention(Struct, frozen=True, gc=False):
    """A name in a text: words `start` to `end` (exclusive), and the URIs that bear it."""

    start: int
    end: int
    uris: frozenset[str]
    negated: bool


def words_of(text: str) -> list[Word]:
    """The normalised words of a text; commas, semicolons, slashes, bullets and line ends part its items."""
    words: list[Word] = []
    open_item: list[str] = []
    line = sentence = item = 0

    def close(mark: str) -> None:
        words.extend(Word(word, line, sentence, item, mark == ":") for word in open_item)
        open_item.clear()

    for piece in _pieces(join_initials(unicodedata.normalize("NFC", text))):
        if piece in _BREAKS:
            close(piece)
            item += 1
            sentence += piece not in _WITHIN_SENTENCES
            line += piece in _BETWEEN_LINES
        else:
            open_item.extend(word for word in normalise(piece).split() if _is_word(word))
    close("")
    return words


def _pieces(text: str) -> Iterable[str]:
    for found in _PIECE.finditer(text.replace("\r\n", "\n").replace("\n", " \n ")):
        piece = found[0]
        # "Ulm." ends a sentence; "D.C." followed by more words is a name, which its whole words tell.
        if len(piece) > 1 and piece[-1] in ".!?:" and piece[:-1].strip("."):
            yield piece[:-1]
            yield piece[-1]
        else:
            yield piece


def _is_word(word: str) -> bool:
    return any(c.isalnum() or c in "+#&%$€£" for c in word)


class NameTable:
    """Normalised names with the URIs that bear them."""

    def __init__(self, entities: Iterable[tuple[str, Iterable[str]]]) -> None:
        self.uris: dict[str, frozenset[str]] = {}
        self.lengths: dict[str, list[int]] = {}
        for uri, names in entities:
            for name in names:
                self._add(uri, normalise(name))

    def _add(self, uri: str, name: str) -> None:
        words = [word for word in name.split() if _is_word(word)] or [name]
        key = " ".join(words)
        self.uris[key] = self.uris.get(key, frozenset()) | {uri}
        lengths = self.lengths.setdefault(words[0], [])
        if len(words) not in lengths:
            lengths.append(len(words))
            lengths.sort(reverse=True)


def asks_object(question: Question) -> bool:
    """Whether a question asks for the object of a subject rather than the reverse."""
    return question.form not in ("ask_subject", "multi_choices_sub")


class EntityIndex:
    """The entities of a relation by name, built once; both its sides.

    Args:
        summary: the relation summary; without one only a question's own answers are known.
    """

    def __init__(self, summary: RelationSummary | None = None) -> None:
        nodes = summary.node_summary if summary else None
        self._subjects: Mapping[str, Entity] = {u: n.entity for u, n in nodes.subjects.items()} if nodes else {}
        self._objects: Mapping[str, Entity] = {u: n.entity for u, n in nodes.objects.items()} if nodes else {}
        self._tables = {
            True: NameTable((uri, entity.names()) for uri, entity in self._objects.items()),
            False: NameTable((uri, entity.names()) for uri, entity in self._subjects.items()),
        }

    def asked_about(self, question: Question) -> Entity | None:
        """The entity that a question gives, where the graph knows it."""
        if asks_object(question):
            return self._subjects.get(question.subject_uri)
        return self._objects.get(question.object_uri)

    def mentions(self, words: list[Word], question: Question) -> list[Mention]:
        """The entities of the side that is asked for, and the question's own answers, left to right, longest first.

        The entity that the question gives is passed over: to repeat it is no answer.
        """
        known = self._tables[asks_object(question)]
        answers = () if isinstance(question.answers, str) else question.answers
        own = NameTable((answer.uri, answer.names()) for answer in answers)
        given = self.asked_about(question)
        echo = NameTable([("", given.names())] if given else [])
        right = {answer.uri for answer in answers}
        passed = _SMALL_WORDS | {word.text for word in words_of(question.prompts[-1].content)} - _NEGATIONS
        return [
            Mention(start, end, uris - {""}, _negated(words, start, passed))
            for start, end, uris in find((own, known, echo), words)
            if "" not in uris or uris & right
        ]


def find(tables: Sequence[NameTable], words: list[Word]) -> Iterator[tuple[int, int, frozenset[str]]]:
    """The names in a text, left to right and the longest at each place: start, end (exclusive), URIs."""
    texts = [word.text for word in words]
    i = 0
    while i < len(texts):
        length, uris = _longest(words, texts, i, tables)
        if length:
            yield i, i + length, uris
        i += length or 1


def _longest(
    words: list[Word], texts: list[str], start: int, tables: Iterable[NameTable]
) -> tuple[int, frozenset[str]]:
    best, uris = 0, frozenset[str]()
    for table in tables:
        for length in table.lengths.get(texts[start], ()):
            end = start + length
            if length < best or end > len(texts) or words[end - 1].line != words[start].line:
                continue
            bearers = table.uris.get(" ".join(texts[start:end]))
            if bearers:
                uris = bearers if length > best else uris | bearers
                best = length
                break
    return best, uris


def _negated(words: list[Word], start: int, passed: Set[str]) -> bool:
    """Whether a "not" stands before a name, with nothing but small words and the question's own between them."""
    i = start - 1
    while i >= 0 and words[i].item == words[start].item and words[i].text in passed:
        i -= 1
    return i >= 0 and words[i].item == words[start].item and words[i].text in _NEGATIONS
