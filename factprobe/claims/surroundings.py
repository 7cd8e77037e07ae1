"""What stands around two names of which words tell a relation."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.claims.pairs import Pair
from factprobe.claims.tokens import Token
from factprobe.claims.told import Told
from factprobe.reading.language import vocabulary

_JOINS = vocabulary("link_and", "but")
_HARMLESS = vocabulary("harmless", "light_verb")


class Surroundings:
    """The words around two names, and which of them tell the relation.

    Args:
        text: all of it.
        pair: the names and the words.
        told: the relation as its wording is met by them.
    """

    def __init__(self, text: str, pair: Pair, told: Told) -> None:
        self.text, self.pair, self.told = text, pair, told
        self.before, self.between, self.after = pair.around
        self.parts, self.places = told.wording.parts, told.places
        self.own = told.wording.keys
        first, last = self.places[1]
        turns = first <= last
        self.lead: Sequence[Token] = self.between[:first] if turns else ()
        self.tail: Sequence[Token] = self.between[last + 1 :] if turns else self.between
        said = self.between[: last + 1]
        self.has_verb = any(word.is_verb for word in said)
        self.is_active = told.wording.is_passive if told.turned and not told.wording.is_noun else not told.wording.is_be
        self.is_finite = self.has_verb or self.is_active
        """Whether the words have a verb of their own, and are no participle or noun that is put beside a name."""
        self.turns = turns
        self.is_joined = any(word.text in _JOINS for word in self.lead)

    def says(self, word: Token) -> bool:
        """Whether a word says something that the wording does not."""
        return word.says and word.key not in self.own and word.text not in _HARMLESS
