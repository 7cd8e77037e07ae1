"""Names that stand with where another bearer may be: Naples, Florida; Milan (Ohio).

What a sentence is about so is nobody that the graph knows; what it says of something else may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.claims.names import RUN
from factprobe.claims.places import Located, Places
from factprobe.reading.language import vocabulary
from factprobe.records import Span

_BESIDE = re.compile(rf",\s+({RUN}(?:,\s+{RUN})?)(?=(,?)\s+([^\W\d_]+)(?:\s+(\w))?|\s*[.,;:!?)\"”’]|\Z)")
_BRACKET = re.compile(rf"\s*\(({RUN})\)")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\s+\Z")
_JOINS = vocabulary("link_and", "link_or")
_GOES_ON = vocabulary("preposition", "begins_clause", "relative", "asks_person")
_NO_SUBJECT = vocabulary("preposition", "copula")
_NO_PLACE = vocabulary("kind", "title")
_LONGEST = 40
"""Letters of a word before a name."""


class Namesakes:
    """Finds the places beside whose name stands where they are, and that is nowhere that the graph knows of."""

    def __init__(self, facts: GraphFacts, places: Places) -> None:
        self._facts, self._places = facts, places

    def without(
        self, text: str, span: Span, mentions: Sequence[EntityMention], located: Iterable[Located]
    ) -> tuple[list[EntityMention], list[Located]]:
        """The names of a sentence, those of namesakes as such, and the places that lie in larger ones.

        Args:
            text: all of it.
            span: where the sentence begins and ends.
            mentions: the names in it.
            located: the places of these that stand with a larger one.
        """
        kept, names = list(located), list[EntityMention]()
        for number, one in enumerate(mentions):
            if names and one.start < names[-1].end:
                continue
            here = [place for place in kept if one.start <= place.inner.start and place.outer.end <= one.end]
            is_first = _is_first(text, span, mentions, number)
            if here:
                end = one.end if is_first and any(map(self._is_elsewhere, here)) else 0
                kept = [place for place in kept if not end or place not in here]
            else:
                end = self._end(text, span, mentions[number : number + 3], is_first=is_first)
            uris = () if is_first else one.uris
            names.append(EntityMention(one.start, end, uris, text[one.start : end], is_open=True) if end else one)
        return names, kept

    def _is_elsewhere(self, place: Located) -> bool:
        """Whether the graph has places in a relation's larger ones, and not in this one."""
        inner, outer, relation = place
        known = [uri for uri in inner.uris if self._facts.partners(relation, uri, "subject")]
        return bool(known) and not any(
            self._places.is_within(uri, other, relation) for uri in known for other in outer.uris
        )

    def _end(self, text: str, span: Span, mentions: Sequence[EntityMention], *, is_first: bool) -> int:
        """Where a namesake's name ends, with where it is; 0 for a name that is none."""
        one = mentions[0]
        if not self._places.is_inner(one):
            return 0
        found = _BRACKET.match(text, one.end, span[1])
        if found is not None:
            is_short = found[1].isupper() and found[1][0] == text[one.start].upper()  # United States (US)
            is_named = not is_short
        else:
            found = _BESIDE.match(text, one.end, span[1])
            is_named = found is not None and _is_closed(found, is_first=is_first)
        if found is None or not is_named or not _NO_PLACE.isdisjoint(found[1].lower().rstrip(".").split()):
            return 0
        known = [other for other in mentions[1:] if other.start < found.end()]
        if any(map(self._is_person, known)) or (known and known[-1].end > found.end()):
            return 0
        return found.end() - (text[found.end() - 1] == "." and not any(map(str.isalnum, text[found.end() : span[1]])))

    def _is_person(self, mention: EntityMention) -> bool:
        return any(map(self._facts.is_person, mention.uris))


def _is_closed(found: re.Match[str], *, is_first: bool) -> bool:
    """Whether words beside a name are told of it, and are no next name of a list and no subject of what follows."""
    run, comma, behind, then = found.groups()
    if run.endswith(("'s", "’s")):
        return False
    if behind is None or not behind[0].islower():
        return behind is None
    if behind in _JOINS:
        return bool(comma) and then is not None and then.islower()  # born in Ulm, Württemberg, and raised in
    return bool(comma) or is_first or behind in _GOES_ON


def _is_first(text: str, span: Span, mentions: Sequence[EntityMention], number: int) -> bool:
    """Whether a name may be what its sentence is about: no preposition and no copula leads to it, and it goes on no
    list."""
    one = mentions[number]
    before = _WORD_BEFORE.search(text, max(one.start - _LONGEST, span[0]), one.start)
    goes_on = number > 0 and not text[mentions[number - 1].end : one.start].strip(" ,")
    return not goes_on and (before is None or before[1].lower() not in _NO_SUBJECT)
