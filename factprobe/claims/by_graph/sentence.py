"""Stage 3: tokens of a sentence, in which each mention is one token, and lists: mentions joined by commas and "and".

Each token has a key, by which words are compared, and a class, which is a letter. The classes of a sentence are its
`shape`, so that regular expressions can describe the words around a mention:

    Marx 's friend , a man from Ulm , was born in Trier      (articles are no tokens)
    @    ' w       ,   w   p    @   , b   w    p  @

    @ name            n name in lower case    i pronoun      # date or number
    w content word    l light word            x other word   . other mark, or word with a digit or full stop
    a auxiliary verb  b is, was, are ...      ' possessive   r relative pronoun
    p preposition     o "of"                  & "and", "or"  , comma    ( opening bracket

Light words are verbs such as "share", titles and types (king, city) and groups (series); other words are "not", "very".
"""

from __future__ import annotations

import re
from bisect import bisect_left
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
_TOKEN = re.compile(
    rf"(?:{phrases('possessive_ending')})\b|(?<=s)'(?=\s)|(?:,\s+)?\b(?:{'|'.join(_WHOSE)})\b|[^\W_]+(?:['.][^\W_]+)*"
    r"|(?<![(,;])(?<![(,;]\s)[,;]|[:()#–—]|--|(?<=\s)-(?=\s)"
)
"""Pattern of a possessive, word, punctuation mark or separate dash: "'s son (b. 1735 - " has 's, son, (, b, 1735, -.

Marks right after a bracket are left out: "(, ; " is left where a source cut out a pronunciation.
"""
CONTENT, CONJUNCTION = "wl", "&"
"""Classes of content words, among them light ones, and of conjunctions."""
COPULA, OF = in_order("copula")[0], in_order("of")[0]
_FIXED = {
    **{word: (word, "p") for word in vocabulary("preposition")},
    **{word: (word, "a") for word in vocabulary("auxiliary")},
    **{word: (word, CONJUNCTION) for word in vocabulary("link_and", "link_or")},
    **{word: (word, "r") for word in vocabulary("interrogative", "relative")},
    **dict.fromkeys(vocabulary("copula", "copula_denied"), (COPULA, "b")),
    **{mark: (mark, mark if mark in ",(" else ".") for mark in (*MARKS, VALUE)},
    **dict.fromkeys(("--", "–", "—"), ("-", ".")),
    OF: (OF, "o"),
}
"""Key and class of function words and marks; is, was, isn't and their like have one key, and all dashes."""
_LIGHT_KEYS = frozenset(map(key_of, vocabulary("light_verb", "kind", "part_of")))
_LISTED = re.compile(r"[@ni#](?:[,&]+[@n#](?!'))+")
"""Pattern of mentions with only commas and conjunctions between them, the last of which has no 's after it."""
NEXT_CLAUSE = re.compile(r"[@ni#][ab]")
"""Pattern of a mention that begins a clause, as it is before an auxiliary verb."""


@lru_cache(maxsize=1 << 16)
def word_of(text: str) -> tuple[str, str]:
    """Return the key of a lower-case word or mark, which is for most words their stem, and its class."""
    if text[0] == "'" or text.rsplit(maxsplit=1)[-1] in _POSSESSIVES:
        return POSSESSIVE, "'"  # "France, whose capital is Paris" as "France's capital is Paris"
    plain, key = normalise(text), key_of(text)
    if fixed := _FIXED.get(text) or _FIXED.get(plain):
        return fixed
    if key in _LIGHT_KEYS or not key.isalpha():
        return key, "l" if key in _LIGHT_KEYS else "."
    return key, "x" if plain in vocabulary("function") else "w"


@lru_cache(maxsize=1 << 14)
def tokens(text: str) -> tuple[tuple[str, str, Span], ...]:
    """Return key, class and span of each token of a text, without articles and words such as "about"."""
    words = ((match[0].lower(), match.span()) for match in _TOKEN.finditer(straighten_quotes(text)))
    return tuple([(*word_of(word), span) for word, span in words if word not in vocabulary("article", "circa")])


class Sentence:
    """Tokens of a sentence as parallel sequences, in which each mention is one token.

    Args:
        text: Text that contains the sentence.
        span: Span of the sentence.
        mentions: Mentions in the sentence, from left to right.
    """

    def __init__(self, text: str, span: Span, mentions: Sequence[Mention]) -> None:
        self.text, self.span, self.mentions = text, span, mentions
        self.positions: list[int] = []
        """Index of the token of each mention."""
        rows: list[tuple[str, str, Span]] = []
        start = span[0]
        for mention in mentions:
            rows += self._words(start, mention.start)
            self.positions.append(len(rows))
            rows.append(
                (VALUE if mention.kind == "value" else MENTION, _class_of(mention, text), (mention.start, mention.end))
            )
            if mention.kind == "pronoun" and text[mention.start : mention.end].lower() in _POSSESSIVES:
                rows += self._words(mention.start, mention.end)  # "its capital" as "Spain's capital"
            start = mention.end
        rows += self._words(start, span[1])
        self.keys, classes, self.spans = zip(*rows, strict=True)
        """Key of each token: `VALUE` for dates and numbers, `MENTION` for other mentions, else the word's key."""
        self.shape = "".join(classes)
        """Class of each token."""
        self.lists = self._find_lists()
        """For each mention, the range of mentions that form a list with it; a single mention is a list too."""

    def _words(self, start: int, end: int) -> list[tuple[str, str, Span]]:
        """Return the tokens between two mentions; "#" is left out, since it would be taken for a value."""
        words = tokens(self.text[start:end]) if start < end else ()
        return [(key, word_class, (start + a, start + b)) for key, word_class, (a, b) in words if key != VALUE]

    def is_possessor(self, mention: int) -> bool:
        """Return whether a mention is a possessor; the words before "Ulm's king" are about the king."""
        return self.shape.startswith("'", self.positions[mention] + 1)

    def is_complement(self, mention: int) -> bool:
        """Return whether a noun (w) and "of" (o) precede a mention: the widow of Marx, but not the city (l) of Ulm."""
        return self.shape.endswith("wo", 0, self.list_start(mention))

    def list_start(self, mention: int) -> int:
        """Return the first token of the list of a mention."""
        return self.positions[self.lists[mention].start]

    def list_end(self, mention: int) -> int:
        """Return the token after the list of a mention."""
        return self.positions[self.lists[mention].stop - 1] + 1

    def _find_lists(self) -> list[range]:
        """Return the list of each mention, which ends with the mention after its last "and" or "or".

        "Bonn, Ulm and Berlin" is a list; "Ulm, Germany" is none, and "Bonn and Ulm, Germany" is one of Bonn and Ulm.
        In "France borders Spain and Germany borders Poland", Germany begins a clause and is left out: the word after
        it, "borders", is also before the list.
        """
        lists = [range(i, i + 1) for i in range(len(self.mentions))]
        for listed in _LISTED.finditer(self.shape):
            start, end = listed.span()
            first, last = bisect_left(self.positions, start), bisect_left(self.positions, end - 1)
            before = self.keys[self.positions[first - 1] + 1 : start] if first else []
            if self.shape[end : end + 1] in (*CONTENT, "a", "b") and self.keys[end] in before:
                last -= 1  # it begins a clause
            while last > first and CONJUNCTION not in self.shape[self.positions[last - 1] : self.positions[last]]:
                last -= 1
            for mention in range(first, last + 1):
                lists[mention] = range(first, last + 1)
        return lists


def _class_of(mention: Mention, text: str) -> str:
    if mention.kind in ("pronoun", "value"):
        return "i" if mention.kind == "pronoun" else VALUE
    return "n" if text[mention.start : mention.end].islower() else MENTION
