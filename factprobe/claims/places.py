"""A place with the larger one that it lies in beside it: Naples, Italy; Salzburg (Austria)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.claims.names import RUN
from factprobe.claims.nesting import Nesting
from factprobe.claims.wordings import Wordings
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_COMMA, _BRACKET = re.compile(r",\s+"), re.compile(r"\s*\(")
_GLUE = re.compile(rf",?\s+(?:{'|'.join(sorted(vocabulary('link_and', 'link_or')))})\s+|,\s+")
_CLOSED = re.compile(r"\s*(?:[.,;:!?)\"”’]|\Z)")
_WORD, _WORD_BEFORE = re.compile(r"\s+([^\W\d_]+)"), re.compile(r"([^\W\d_]+)\s+\Z")
_BEHIND_COMMA = re.compile(r",(?=\s+([^\W\d_]+))")
_A = "|".join(sorted(vocabulary("article")))
_IN_OR_OF = "|".join(sorted(vocabulary("place_preposition", "of")))
_UNKNOWN = re.compile(
    rf"\b({'|'.join(sorted(vocabulary('place_preposition', 'from', 'of')))})\s+(?:(?:{_A})\s+)?({RUN})(?:\s+[a-z]+)?,"
    rf"\s+(?:(?:{_A})\s+(?:[\w-]+\s+){{1,3}}(?:{_IN_OR_OF})\s+(?:(?:{_A})\s+)?)?\Z"
)
"""Words with capitals behind a preposition of places, and a comma, before a name; or before what that is a part of."""
_GOES_ON = vocabulary("preposition", "link_and", "but", "begins_clause", "relative", "asks_person")
_VERBS, _PREPOSITIONS = vocabulary("auxiliary", "becomes", "copula"), vocabulary("preposition")
_LONGEST = 40
"""Letters of a word before a name."""
_FAR_BEFORE = 80
"""Letters of a place that the graph does not know, and of what is said of it, before a name."""
_FAR = 3
"""Letters between a place and the larger one beside it."""


class Located(NamedTuple):
    """A place, the larger one beside it and their relation."""

    inner: EntityMention
    outer: EntityMention
    relation: str


class Places:
    """Finds the places that stand with a larger one.

    Their relations are those that have a wording of where something is and no more ("[X] lies in [Y]"), and the names
    have to be of the kinds of things at its ends.
    """

    def __init__(self, facts: GraphFacts, nesting: Nesting, wordings: Wordings) -> None:
        self._facts, self._nesting, self._relations = facts, nesting, wordings.of_places

    def located(
        self, text: str, span: Span, mentions: list[EntityMention]
    ) -> tuple[list[EntityMention], list[Located]]:
        """The names of a sentence, a place reaching over the larger one beside it, and these two by themselves.

        The larger one is no name of its own any more.

        Args:
            text: all of it.
            span: where the sentence begins and ends.
            mentions: the names in it.
        """
        found: list[Located] = []
        names = mentions[:1]
        for number, one in enumerate(mentions[1:], 1):
            before = mentions[number - 1]
            is_near = one.start - before.end <= _FAR
            relation = is_near and self._relation(text, span, mentions, number, is_chain=names[-1].end > before.end)
            if relation:
                found.append(Located(before, one, relation))
                names[-1] = _reaching(text, names[-1], one)
            else:
                names.append(one)
        return names, found

    def _relation(
        self, text: str, span: Span, mentions: Sequence[EntityMention], number: int, *, is_chain: bool
    ) -> str:
        """The relation of a name to the one before it, where that is a place in it; else empty."""
        inner, outer = mentions[number - 1], mentions[number]
        between = text[inner.end : outer.start]
        is_beside = _COMMA.fullmatch(between) is not None
        if not (_is_closed(text, span, inner, outer) if is_beside else _is_in_brackets(text, between, outer)):
            return ""
        fitting = [
            one for one in self._relations if self._is_at(inner, one, "subject") and self._is_at(outer, one, "object")
        ]
        last = mentions[number + 1 : number + 2]
        if is_beside and last and _GLUE.fullmatch(text, outer.end, last[0].start):
            fitting = [one for one in fitting if not self._is_at(last[0], one, "object")]  # Prague, Hungary and Poland
        first = mentions[number - 2 : number - 1] if number > 1 and not is_chain else ()
        if is_beside and first and _COMMA.fullmatch(text, first[0].end, inner.start):
            fitting = [one for one in fitting if not self._is_at(first[0], one, "subject")]  # Kyoto, Prague, Hungary
        return max(fitting, key=lambda one: self._likely(one, inner, outer), default="")

    def is_beside_unknown(self, text: str, start: int, name: EntityMention) -> bool:
        """Whether a name may be that of the larger place behind one that the graph does not know: in Itasca, Illinois;
        the capital of Campania, a region of Italy.

        Args:
            text: all of it.
            start: where the name before ends, or the sentence begins.
            name: the name.
        """
        found = _UNKNOWN.search(text, max(name.start - _FAR_BEFORE, start), name.start)
        if found is None or found[1] not in vocabulary("of"):
            return found is not None
        return self.is_any(name) and not self._facts.mentions(found[2])

    def is_inner(self, mention: EntityMention) -> bool:
        """Whether a name may be that of a place in a larger one."""
        return any(self._is_at(mention, one, "subject") for one in self._relations)

    def is_any(self, mention: EntityMention) -> bool:
        """Whether a name may be that of a place."""
        return self.is_inner(mention) or any(self._is_at(mention, one, "object") for one in self._relations)

    def is_within(self, inner: str, outer: str, relation: str) -> bool:
        """Whether the graph has a thing in another one, by a relation or otherwise."""
        return self._facts.holds(relation, inner, outer) or self._nesting.are_nested(inner, outer)

    def _is_at(self, mention: EntityMention, relation: str, end: End) -> bool:
        return any(
            self._facts.stands(uri, relation, end) or self._nesting.is_typical(uri, (relation, end))
            for uri in mention.uris
        )

    def _likely(self, relation: str, inner: EntityMention, outer: EntityMention) -> tuple[bool, int]:
        """First comes a relation by which the graph has anything of the place, then one with most such larger ones."""
        known = any(self._facts.partners(relation, uri, "subject") for uri in inner.uris)
        return known, max(len(self._facts.partners(relation, uri, "object")) for uri in outer.uris)


def _is_in_brackets(text: str, between: str, outer: EntityMention) -> bool:
    return _BRACKET.fullmatch(between) is not None and text[outer.end : outer.end + 1] == ")"


def _is_closed(text: str, span: Span, inner: EntityMention, outer: EntityMention) -> bool:
    """Whether a name behind a comma is no subject of what follows: in Paris, France won."""
    if _CLOSED.match(text, outer.end, span[1]):
        return True
    behind = _WORD.match(text, outer.end, span[1])
    if behind is None:
        return False
    if behind[1].lower() in _GOES_ON:
        return True
    before = _WORD_BEFORE.search(text, max(inner.start - _LONGEST, span[0]), inner.start)
    return before is None and behind[1].lower() in _VERBS


def _reaching(text: str, inner: EntityMention, outer: EntityMention) -> EntityMention:
    """A place that ends where the larger one behind it does, with the comma or bracket that closes this one."""
    end = outer.end + (text[outer.end : outer.end + 1] == ")")
    comma = _BEHIND_COMMA.match(text, end)
    if comma is not None and comma[1].lower() in _VERBS:
        end += 1  # Lyon, France, is
    return EntityMention(inner.start, end, inner.uris, inner.name or text[inner.start : inner.end])
