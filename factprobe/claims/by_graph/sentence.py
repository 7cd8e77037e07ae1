"""Stage 3: tokens of a sentence, in which each mention is one token, and its lists of mentions."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from functools import lru_cache

from factprobe.claims.by_graph.mentions import Mention
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.records import Span
from factprobe.text import normalise, straighten_quotes

MENTION, VALUE = "@", "#"
"""Keys that replace a name, and a date or number, in sentences and wordings."""
POSSESSIVE, _WHOSE = in_order("possessive_ending")[0], in_order("possessive_relative")
_POSSESSIVES = vocabulary("possessive_relative", "possessive_pronoun")
MARKS = frozenset((",", ";", ":", "(", ")", "-"))
_DASHES = frozenset(("--", "–", "—", "-"))
_TOKEN = re.compile(
    rf"(?:{phrases('possessive_ending')})\b|(?<=s)'(?=\s)|(?:,\s+)?\b(?:{'|'.join(_WHOSE)})\b|[^\W_]+(?:['.][^\W_]+)*"
    r"|[,;:()]|#|--|[–—]|(?<=\s)-(?=\s)"
)
"""Pattern of a possessive, word, punctuation mark or separate dash: "'s son (b. 1735 - " has 's, son, (, b, 1735, -."""
CONTENT, CONJUNCTION, AUXILIARY, PREPOSITION, COMMA, OTHER = range(6)
"""Classes of tokens: content words, "and" and "or", auxiliary verbs, prepositions, the comma, and all others."""
COPULA = in_order("copula")[0]
_COPULAS = vocabulary("copula", "copula_denied")
_CLASSES = {
    **dict.fromkeys(vocabulary("preposition"), PREPOSITION),
    **dict.fromkeys(vocabulary("auxiliary"), AUXILIARY),
    **dict.fromkeys(vocabulary("link_and", "link_or"), CONJUNCTION),
}


@lru_cache(maxsize=1 << 16)
def word_of(text: str) -> tuple[str, int]:
    """Return the key of a lower-case word (its stem; "is" for all forms of "to be"), and its class."""
    if text in _DASHES:
        return "-", OTHER
    if text == VALUE or text in MARKS:
        return text, COMMA if text == "," else OTHER
    if text == "'" or text.rsplit(maxsplit=1)[-1] in _POSSESSIVES:
        return POSSESSIVE, OTHER  # "France, whose capital is Paris" as "France's capital is Paris"
    plain = normalise(text)
    if plain in _COPULAS:
        return COPULA, AUXILIARY
    if plain in _CLASSES:
        return plain, _CLASSES[plain]
    return key_of(text), OTHER if not text[0].isalpha() or plain in vocabulary("function") else CONTENT


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[tuple[str, int, Span], ...]:
    """Return key, class and span of each token of a text, without articles and "circa"."""
    words = ((match[0].lower(), match.span()) for match in _TOKEN.finditer(straighten_quotes(text)))
    return tuple([(*word_of(word), span) for word, span in words if word not in vocabulary("article", "circa")])


LIGHT_WORDS = frozenset(word_of(word)[0] for word in vocabulary("light_verb", "kind", "part_of"))
"""Keys of words that add nothing to a relation: light verbs, and nouns as in "the city of Ulm", "a range of cars"."""


class Sentence:
    """Tokens of a sentence as parallel lists, in which each mention is one token.

    Args:
        text: Text that contains the sentence.
        span: Span of the sentence.
        mentions: Mentions in the sentence, from left to right.
    """

    def __init__(self, text: str, span: Span, mentions: Sequence[Mention]) -> None:
        self.text, self.span, self.mentions = text, span, mentions
        self.keys: list[str] = []
        """Key of each token: `VALUE` for dates and numbers, `MENTION` for other mentions, else the word's key."""
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
            if mention.kind == "pronoun" and text[mention.start : mention.end].lower() in _POSSESSIVES:
                self._add_words(mention.start, mention.end)  # "its capital" as "Spain's capital"
            start = mention.end
        self._add_words(start, span[1])
        self.lists: list[range] = []
        """For each mention, the range of mentions that form a list with it; a single mention is a list too."""
        self._find_lists()
        self._clauses = [place for i, place in enumerate(self.positions) if self._class_after(i) == AUXILIARY]

    def _add_words(self, start: int, end: int) -> None:
        for key, word_class, (first, last) in tokens(self.text[start:end]) if start < end else ():
            if key == VALUE or (key in (",", ";") and self.keys[-1:] == ["("]):
                continue  # "#" would be taken for a value; "(, " is left where a source cut out a pronunciation
            self.keys.append(key)
            self.classes.append(word_class)
            self.spans.append((start + first, start + last))

    def is_owner(self, mention: int) -> bool:
        """Return whether a mention is a possessor; the words before "Ulm's king" are about the king."""
        place = self.positions[mention] + 1
        return self.keys[place : place + 1] == [POSSESSIVE]

    def next_clause(self, token: int) -> int:
        """Return where the next clause after a token begins in the text: at a mention before an auxiliary verb.

        Without such a mention it is the end of the sentence.
        """
        place = bisect_right(self._clauses, token)
        return self.spans[self._clauses[place]][0] if place < len(self._clauses) else self.span[1]

    def _find_lists(self) -> None:
        """Set `lists`: mentions with only commas and "and" or "or" between them, up to the one after the last "and".

        "Bonn, Ulm and Berlin" is a list; "Ulm, Germany" is none, and "Bonn and Ulm, Germany" is one of Bonn and Ulm.
        """
        first = last = 0  # first and last member of the list so far
        for i in range(1, len(self.mentions) + 1):
            between = self.classes[self.positions[i - 1] + 1 : self.positions[i]] if i < len(self.mentions) else []
            is_list = between and {*between} <= {CONJUNCTION, COMMA} and not self._begins_clause(i, first)
            if is_list:
                last = i if CONJUNCTION in between else last
                continue
            self.lists += [range(first, last + 1)] * (last + 1 - first)
            self.lists += [range(single, single + 1) for single in range(last + 1, i)]
            first = last = i

    def _begins_clause(self, mention: int, first: int) -> bool:
        """Return whether a mention begins a clause, instead of continuing the list that begins with mention `first`.

        A pronoun or possessor does. So does a name if the word after it also stands before the list: Germany in
        "France borders Spain and Germany borders Poland".
        """
        if self.mentions[mention].kind == "pronoun" or self.is_owner(mention):
            return True
        if not first or self._class_after(mention) not in (CONTENT, AUXILIARY):
            return False
        return (
            self.keys[self.positions[mention] + 1] in self.keys[self.positions[first - 1] + 1 : self.positions[first]]
        )

    def _class_after(self, mention: int) -> int:
        place = self.positions[mention] + 1
        return self.classes[place] if place < len(self.classes) else OTHER
