"""Stage 3: sentences as tokens with mentions and lists; `Mention` is the result of stages 1 and 2."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct

from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.values.value import Value
from factprobe.records import Span
from factprobe.text import normalise, straighten_quotes

MENTION, VALUE = "@", "#"
"""Keys of a name and of a date or number, in sentences and in wordings."""
POSSESSIVE = in_order("possessive_ending")[0]
MARKS = frozenset((",", ";", ":", "(", ")", "-"))
_DASHES = frozenset(("--", "–", "—", "-"))
_TOKEN = re.compile(rf"(?:{phrases('possessive_ending')})\b|[^\W_]+(?:['.][^\W_]+)*|[,;:()]|#|--|[–—]|(?<=\s)-(?=\s)")
"""Possessive ending, word (o'neill, u.s), mark or separate dash: "'s son (b. 1735 - " is 's son ( b 1735 -."""
CONTENT, AND, VERB, PREPOSITION, COMMA, OTHER = range(6)
"""Classes of words: content words, conjunctions of lists, auxiliary verbs, prepositions, the comma, and all others."""
_COPULA = in_order("copula")[0]
_COPULAS = vocabulary("copula", "copula_denied")
_CLASSES = {
    **dict.fromkeys(vocabulary("preposition"), PREPOSITION),
    **dict.fromkeys(vocabulary("auxiliary"), VERB),
    **dict.fromkeys(vocabulary("link_and", "link_or"), AND),
}


@lru_cache(maxsize=1 << 16)
def word_of(text: str) -> tuple[str, int]:
    """Return the key of a lower-case word (its stem, or "is" for each form of "to be"), and its class."""
    if text in _DASHES:
        return "-", OTHER
    if text == VALUE or text in MARKS:
        return text, COMMA if text == "," else OTHER
    plain = normalise(text)
    if plain in _COPULAS:
        return _COPULA, VERB
    if plain in _CLASSES:
        return plain, _CLASSES[plain]
    return key_of(text), OTHER if not text[0].isalpha() or plain in vocabulary("function") else CONTENT


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[tuple[str, int, Span], ...]:
    """Return the key, the class and the span of each word of a text, without articles."""
    words = ((match[0].lower(), match.span()) for match in _TOKEN.finditer(straighten_quotes(text)))
    return tuple([(*word_of(word), span) for word, span in words if word not in vocabulary("article", "circa")])


class Mention(Struct, frozen=True, gc=False):
    """Mention of an entity, value or unknown name in a text."""

    start: int
    end: int
    """Span in characters; the end is exclusive."""
    uris: tuple[str, ...] = ()
    """Candidate entities, in the order of the graph; several for an ambiguous name, none for an unknown one."""
    kind: Literal["name", "surname", "pronoun", "value", "unknown"] = "name"
    """Type: nouns like "the singer" are pronouns, `unknown` is a capitalised name that the graph lacks."""
    name: str = ""
    """Name of the antecedent, for pronouns, surnames and nouns."""
    value: Value | None = None
    """Date or number, for mentions of values."""


class Sentence:
    """Tokens of a sentence as parallel lists, in which each mention is one token.

    Args:
        text: Whole text.
        span: Span of the sentence.
        mentions: Mentions in the sentence, from left to right.
    """

    def __init__(self, text: str, span: Span, mentions: Sequence[Mention]) -> None:
        self.text, self.span, self.mentions = text, span, mentions
        self.keys: list[str] = []
        """Keys of words and marks, with `MENTION` and `VALUE` for mentions."""
        self.classes: list[int] = []
        self.spans: list[Span] = []
        self.positions: list[int] = []
        """Index of the token of each mention."""
        start = span[0]
        for mention in mentions:
            self._add_words(start, mention.start)
            self.positions.append(len(self.keys))
            self.keys.append(VALUE if mention.kind == "value" else MENTION)
            self.classes.append(OTHER)
            self.spans.append((mention.start, mention.end))
            start = mention.end
        self._add_words(start, span[1])
        self.list_starts = self._find_lists()
        """For each mention, the first mention of its list; a single mention forms a list."""

    def _add_words(self, start: int, end: int) -> None:
        for key, word_class, (first, last) in tokens(self.text[start:end]) if start < end else ():
            if key == VALUE or (key in (",", ";") and self.keys[-1:] == ["("]):
                continue  # remains of an omitted pronunciation
            self.keys.append(key)
            self.classes.append(word_class)
            self.spans.append((start + first, start + last))

    def is_owner(self, mention: int) -> bool:
        """Return whether a mention is a possessor, so that what stands before it is said of what it has."""
        return self.keys[self.positions[mention] + 1 :][:1] == [POSSESSIVE]

    def _find_lists(self) -> list[int]:
        """Find lists: mentions with only commas and conjunctions between, up to the one after the last conjunction.

        "Bonn, Ulm and Berlin" is a list; "Ulm, Germany" is none, and "Bonn and Ulm, Germany" is one of Bonn and Ulm.
        """
        starts = list(range(len(self.positions)))
        start = pending = 0
        for i in starts[1:]:
            between = set(self.classes[self.positions[i - 1] + 1 : self.positions[i]])
            if not between or not between <= {AND, COMMA}:
                start = pending = i
            elif AND in between:
                starts[pending : i + 1] = [start] * (i + 1 - pending)
                pending = i + 1
        return starts
