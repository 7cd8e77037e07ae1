"""Rules for a model's phrasing of a fact; the first broken rule rejects it.

They check the form; the meaning is up to the model.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.reasoning import without_reasoning
from factprobe.reading.words import Text
from factprobe.records import Entity, Span, Statement
from factprobe.text import one_line, straighten_quotes

T = TypeVar("T")

FAULTS = {
    "no_reply": "there is no reply",
    "cut_off": "it breaks off before its end",
    "empty": "it says nothing",
    "no_subject": "it does not name {subject}",
    "no_object": "it does not name {object}",
    "subject_twice": "it names {subject} more than once",
    "object_twice": "it names {object} more than once",
    "overlap": "one name in it is a part of the other",
    "names_answer": "it gives the answer away",
    "denies": "it denies what it is to state",
    "several_sentences": "it is more than one sentence",
    "not_a_statement": "it is not a statement",
    "not_a_question": "it is not a question",
    "yes_or_no": "it asks for a yes or no",
    "placeholder": "it has a gap, or brackets that are none of a name",
}
"""Rules by name, with a description of words that break each."""

_SHORT = 3
"""Names up to this length are matched with their case: "US" is not in "us"."""
_FEWEST = 3
"""Fewest words of a question, with a name as one word: "Who wrote Emma?"."""
_NAME = "Name"
_PLACEHOLDER = re.compile(r"[\[\]{}<>|]|_{2,}")
_UNFINISHED = re.compile(r"(?:[:;,(\-–—…]|\.\.)$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`", "*": "*"}


_DENIAL = re.compile(
    rf"\b(?:{phrases('binary_denial')}|{phrases('binary_denial_of_name')}|{phrases('binary_untrue')})\b"
)


class Broken(Exception):  # noqa: N818  # words that are not taken are no error of anybody's
    """A broken rule; its name is the only argument."""


class NameIndex:
    """Index of entity names by their words, for lookups in a text whose time does not grow with the names.

    Args:
        entities: whose names they are.
    """

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._names: dict[tuple[str, ...], dict[str, None]] = {}
        for entity in entities:
            for name in entity.names():
                self._names.setdefault(_word_forms(unicodedata.normalize("NFC", name)), {})[name] = None
        self._lengths = {len(words) for words in self._names}

    def maybe_in(self, text: str) -> Iterator[str]:
        """Return the names whose words a text has in sequence, including all that it contains as whole words."""
        words = _word_forms(text)
        rows = {words[at : at + length] for length in self._lengths for at in range(len(words) - length + 1)}
        return (name for row in rows for name in self._names.get(row, ()))


def _word_forms(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"\w+", straighten_quotes(text)))


def read_statement(reply: str, subject: Entity, object_: Entity, others: Sequence[NameIndex] = ()) -> Statement:
    """Return the sentence of a reply with the spans of both names.

    Args:
        reply: as the model gave it.
        subject: what is to be named once.
        object_: likewise.
        others: what is right in the place of one of them, and would give an answer away; either of them may be there.

    Raises:
        Broken: it is not one sentence that names both once, and none of the others.
    """
    return _first(reply, lambda text: _statement(text, subject, object_, others))


def read_question(reply: str, known: Entity, answers: NameIndex, known_is_subject: bool) -> str:
    """Return the question of a reply.

    Args:
        reply: as the model gave it.
        known: the entity that it asks about.
        answers: all that is right; none may be named, but within the name of what is asked about.
        known_is_subject: for the name of the rule that it is named.

    Raises:
        Broken: it is not one question that names what is asked about and none of the answers.
    """
    missing = "no_subject" if known_is_subject else "no_object"
    return _first(reply, lambda text: _question(text, known, answers, missing))


def one_sentence_fault(text: str) -> str:
    """Return why a text is not one statement without gaps; empty if it is one."""
    try:
        _words_of_one_sentence(text)
        _check_end(text)
    except Broken as broken:
        return FAULTS[broken.args[0]]
    return ""


def _first(reply: str, read: Callable[[str], T]) -> T:
    """Read the text after a lead-in ("Sure! Here it is:"), or the whole if that fails.

    Raises:
        Broken: neither is taken; by the rule that the whole breaks.
    """
    for text in _behind_lead_ins(reply):
        try:
            return read(text)
        except Broken:
            continue
    return read(_tidy(without_reasoning(reply)))


def _behind_lead_ins(reply: str) -> Iterator[str]:
    text = without_reasoning(reply).strip()
    for lead_in in ("\n", " "):
        lead, colon, rest = text.partition(f":{lead_in}")
        if colon and lead.strip() and rest.strip():
            yield _tidy(rest)


def _tidy(text: str) -> str:
    """Return each line of the text without bold type and surrounding quotes."""
    text = _BOLD.sub(r"\1", "\n".join(filter(None, map(one_line, text.splitlines()))))
    text = unicodedata.normalize("NFC", text)
    while len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _statement(text: str, subject: Entity, object_: Entity, others: Sequence[NameIndex]) -> Statement:
    spans = _mentions(text, subject.names()), _mentions(text, object_.names())
    subjects, objects = (_outside(own, others) for own, others in (spans, spans[::-1]))
    for found, name in ((subjects, "subject"), (objects, "object")):
        if not found:
            raise Broken("overlap" if all(spans) else f"no_{name}" if text else "empty")
        if len(found) > 1:
            raise Broken(f"{name}_twice")
    said = Statement(text, subjects[0], objects[0])
    if max(said.subject[0], said.object[0]) < min(said.subject[1], said.object[1]):
        raise Broken("overlap")
    own, beside = {*subject.names(), *object_.names()}, [said.subject, said.object]
    if any(_names_any(text, names, beside, own) for names in others):
        raise Broken("names_answer")
    if _DENIAL.search(" ".join(_words_of_one_sentence(said.with_ends(_NAME, _NAME).text))):
        raise Broken("denies")
    _check_end(text)
    return said if text.endswith((".", "!", "。")) else Statement(f"{text}.", said.subject, said.object)


def _check_end(text: str) -> None:
    if text.endswith("?") or _UNFINISHED.search(text):
        raise Broken("not_a_statement")


def _question(text: str, known: Entity, answers: NameIndex, missing: str) -> str:
    own = _mentions(text, known.names())
    if not own:
        raise Broken(missing if text else "empty")
    if _names_any(text, answers, own):
        raise Broken("names_answer")
    words = _words_of_one_sentence(_without(text, own))
    if len(words) < _FEWEST or not text.endswith(("?", "？")):
        raise Broken("not_a_question")
    if words[0] in vocabulary("auxiliary"):
        raise Broken("yes_or_no")
    return text


def _words_of_one_sentence(text: str) -> list[str]:
    """Return the words of a text with a plain name in place of each name, if it is one sentence without gaps."""
    if _PLACEHOLDER.search(text):
        raise Broken("placeholder")
    words = Text(text)
    if len({*words.sentences} - words.introduces) > 1:
        raise Broken("several_sentences")
    return words.words


def _names_any(text: str, names: NameIndex, beside: Sequence[Span], own: Container[str] = ()) -> bool:
    """Return whether a text has one of some names besides its own ones, outside these spans."""
    found = (span for name in names.maybe_in(text) if name not in own for span in _mentions(text, (name,)))
    return any(not _is_within(span, beside) for span in found)


def _is_within(span: Span, others: Iterable[Span]) -> bool:
    return any(begin <= span[0] and span[1] <= end for begin, end in others)


def _mentions(text: str, names: tuple[str, ...]) -> list[Span]:
    """Find these names in a text, as whole words; of nested names the longest."""
    return [found.span() for found in _any_of(names).finditer(straighten_quotes(text))]


@lru_cache(maxsize=1 << 8)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    plain = {one_line(straighten_quotes(unicodedata.normalize("NFC", name))) for name in names}
    either = "|".join(_spelled(name) for name in sorted(plain, key=lambda name: (-len(name), name)))
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _spelled(name: str) -> str:
    return re.escape(name) if len(name) <= _SHORT else f"(?i:{re.escape(name)})"


def _outside(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """Return mentions outside longer ones of the others: "Paris Saint-Germain" does not mention Paris."""
    return [
        (start, stop)
        for start, stop in spans
        if not any(begin <= start and stop <= end and end - begin > stop - start for begin, end in others)
    ]


def _without(text: str, spans: Iterable[Span]) -> str:
    for start, stop in sorted(spans, reverse=True):
        text = f"{text[:start]}{_NAME}{text[stop:]}"
    return text
