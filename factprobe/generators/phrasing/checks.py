"""Rules for the form of a fact's phrasing by a model: names, punctuation, negation cues; its meaning is not checked."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TypeVar

from factprobe.components.prompts import load_prompt
from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.records import Entity, Span, Statement
from factprobe.text import one_line, straighten_quotes

T = TypeVar("T")

_MAX_CASED = 3
"""Maximum length of a name whose case must match, so that "US" is not in "us"."""
_MIN_QUESTION_WORDS = 3
"""Minimum number of words in a question; a name counts as one word: "Who wrote Emma?"."""
_NAME = "Name"
_CAPITALISED = re.compile(r"\s+([A-Z]\w*)")
_PLACEHOLDER = re.compile(r"[\[\]{}<>|]|_{2,}")
_UNFINISHED = re.compile(r"(?:[:;,(\-–—…]|\.\.)$")
_BOLD = re.compile(r"\*\*([^*\n]+)\*\*")
_QUOTES = {'"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "„": "“", "`": "`", "*": "*"}


_DENIAL = re.compile(
    rf"\b(?:{phrases('binary_denial')}|{phrases('binary_denial_of_name')}|{phrases('binary_untrue')})\b"
)


class BrokenRuleError(Exception):
    """Error for a phrasing that breaks a rule; its only argument is the name of the rule."""


class NameIndex:
    """Index of entity names by their words, for texts that may contain one of many names."""

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._names: dict[tuple[str, ...], dict[str, None]] = {}
        for entity in entities:
            for name in entity.names():
                self._names.setdefault(_word_forms(unicodedata.normalize("NFC", name)), {})[name] = None
        self._lengths = {len(words) for words in self._names}

    def maybe_in(self, text: str) -> Iterator[str]:
        """Yield the names whose words occur in a text in sequence; callers check punctuation and case."""
        words = _word_forms(text)
        rows = {words[at : at + length] for length in self._lengths for at in range(len(words) - length + 1)}
        return (name for row in rows for name in self._names.get(row, ()))


def _word_forms(text: str) -> tuple[str, ...]:
    return tuple(word.casefold() for word in re.findall(r"\w+", straighten_quotes(text)))


def read_statement(reply: str, subject: Entity, object_: Entity, others: Sequence[NameIndex] = ()) -> Statement:
    """Return the sentence in a reply as a statement, with the spans of both names.

    The sentence must name subject and object once each, and none of the names in `others`, which are right answers.
    Raise a `BrokenRuleError` if the reply breaks a rule.
    """
    return _read_after_lead_in(reply, lambda text: _check_statement(text, subject, object_, others))


def read_question(reply: str, known: Entity, answers: NameIndex, known_is_subject: bool) -> str:
    """Return the question in a reply; raise a `BrokenRuleError` if it breaks a rule.

    It must name the entity `known`, and no answer, except within that name.
    """
    missing = "no_subject" if known_is_subject else "no_object"
    return _read_after_lead_in(reply, lambda text: _check_question(text, known, answers, missing))


def default_faults() -> dict[str, str]:
    """Return the message about a rejected phrasing, by the rule that it broke, as in `conf/prompts/`."""
    return load_prompt("phrasing_faults", dict[str, str])


def one_sentence_fault(text: str) -> str:
    """Return why a text is not a single statement without gaps; empty if it is."""
    try:
        _words_of_one_sentence(text)
        _check_end(text)
    except BrokenRuleError as broken:
        return default_faults()[broken.args[0]]
    return ""


def _read_after_lead_in(reply: str, read: Callable[[str], T]) -> T:
    """Return what `read` finds in the text after a lead-in ("Sure! Here it is:"), else in the whole reply."""
    for text in _texts_after_lead_in(reply):
        try:
            return read(text)
        except BrokenRuleError:
            continue
    return read(_strip_markup(without_reasoning(reply)))


def _texts_after_lead_in(reply: str) -> Iterator[str]:
    text = without_reasoning(reply).strip()
    for lead_in in ("\n", " "):
        lead, colon, rest = text.partition(f":{lead_in}")
        if colon and lead.strip() and rest.strip():
            yield _strip_markup(rest)


def _strip_markup(text: str) -> str:
    """Return a text without bold type and without quotes around the whole."""
    text = _BOLD.sub(r"\1", "\n".join(filter(None, map(one_line, text.splitlines()))))
    text = unicodedata.normalize("NFC", text)
    while len(text) > 1 and _QUOTES.get(text[0]) == text[-1] and text[0] not in text[1:-1]:
        text = text[1:-1].strip()
    return text


def _check_statement(text: str, subject: Entity, object_: Entity, others: Sequence[NameIndex]) -> Statement:
    spans = _mentions(text, subject.names()), _mentions(text, object_.names())
    subjects, objects = (_outside(own, others) for own, others in (spans, spans[::-1]))
    for mentions, name in ((subjects, "subject"), (objects, "object")):
        if not mentions:
            raise BrokenRuleError("overlap" if all(spans) else f"no_{name}" if text else "empty")
        if len(mentions) > 1:
            raise BrokenRuleError(f"{name}_twice")
    statement = Statement(text, subjects[0], objects[0])
    if max(statement.subject[0], statement.object[0]) < min(statement.subject[1], statement.object[1]):
        raise BrokenRuleError("overlap")
    own, beside = {*subject.names(), *object_.names()}, [statement.subject, statement.object]
    if any(_has_name(text, names, beside, own) for names in others):
        raise BrokenRuleError("names_answer")
    if _DENIAL.search(" ".join(_words_of_one_sentence(_mask_names(text, beside)))):
        raise BrokenRuleError("denies")
    _check_end(text)
    return statement if text.endswith((".", "!", "。")) else Statement(f"{text}.", statement.subject, statement.object)


def _check_end(text: str) -> None:
    if text.endswith("?") or _UNFINISHED.search(text):
        raise BrokenRuleError("not_a_statement")


def _check_question(text: str, known: Entity, answers: NameIndex, missing: str) -> str:
    own = _mentions(text, known.names())
    if not own:
        raise BrokenRuleError(missing if text else "empty")
    if _has_name(text, answers, own):
        raise BrokenRuleError("names_answer")
    words = _words_of_one_sentence(_mask_names(text, own))
    if len(words) < _MIN_QUESTION_WORDS or not text.endswith(("?", "？")):
        raise BrokenRuleError("not_a_question")
    if words[0] in vocabulary("auxiliary"):
        raise BrokenRuleError("yes_or_no")
    return text


def _words_of_one_sentence(text: str) -> list[str]:
    """Return the words of a text; raise a `BrokenRuleError` if it has a gap or several sentences."""
    if _PLACEHOLDER.search(text):
        raise BrokenRuleError("placeholder")
    words = Text(text)
    if len({*words.sentences} - words.introduces) > 1:
        raise BrokenRuleError("several_sentences")
    return words.words


def _has_name(text: str, names: NameIndex, beside: Sequence[Span], own: Container[str] = ()) -> bool:
    """Return whether a text contains one of some names; names in `own`, and mentions within `beside`, do not count."""
    spans = (span for name in names.maybe_in(text) if name not in own for span in _mentions(text, (name,)))
    return not all(any(begin <= start and stop <= end for begin, end in beside) for start, stop in spans)


def _mentions(text: str, names: tuple[str, ...]) -> list[Span]:
    """Return the spans of names in a text, as whole words; of nested names, the longest."""
    return [match.span() for match in _names_pattern(names).finditer(straighten_quotes(text))]


@lru_cache(maxsize=1 << 8)
def _names_pattern(names: tuple[str, ...]) -> re.Pattern[str]:
    plain = {one_line(straighten_quotes(unicodedata.normalize("NFC", name))) for name in names}
    names = tuple(sorted(plain, key=lambda name: (-len(name), name)))
    either = "|".join(re.escape(name) if len(name) <= _MAX_CASED else f"(?i:{re.escape(name)})" for name in names)
    return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _outside(spans: Iterable[Span], others: Sequence[Span]) -> list[Span]:
    """Return the spans that are not within a longer other span: "Paris Saint-Germain" does not mention Paris."""
    return [
        (start, stop)
        for start, stop in spans
        if not any(begin <= start and stop <= end and end - begin > stop - start for begin, end in others)
    ]


def _mask_names(text: str, spans: Iterable[Span]) -> str:
    """Return a text with masked names; the full stop of a name is kept if a sentence begins after it ("D.C. Its")."""
    for start, stop in sorted(spans, reverse=True):
        following = _CAPITALISED.match(text, stop)
        ends = text[stop - 1] == "." and following and following[1].lower() in vocabulary("function")
        text = f"{text[:start]}{_NAME}{'.' if ends else ''}{text[stop:]}"
    return text
