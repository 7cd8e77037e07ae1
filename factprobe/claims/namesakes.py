"""Names that stand with where another bearer may be: Naples, Florida; Milan (Ohio).

What a sentence is about so is nobody that the graph knows; what it says of something else may be.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from factprobe.claims.another import is_another
from factprobe.claims.facts import EntityMention, GraphFacts
from factprobe.claims.names import REGION, RUN
from factprobe.claims.places import Located, Places
from factprobe.reading.language import table, vocabulary
from factprobe.records import Span

_BESIDE = re.compile(rf",\s+{REGION}(?=(,?)\s+([^\W\d_]+)(?:\s+(\w))?|\s*[.,;:!?)\"”’]|\Z)")
_BRACKET = re.compile(rf"\s*\(({RUN})\)")
_WORD_BEFORE = re.compile(r"([^\W\d_]+)\s+\Z")
_JOINS = vocabulary("link_and", "link_or")
_GOES_ON = vocabulary("preposition", "begins_clause", "relative", "asks_person")
_NO_SUBJECT = vocabulary("preposition", "copula")
_ABBREVIATED = 3
"""Letters of a short name of a month, which may be a word of a place's name: Mar del Plata."""
_MONTHS = {name for names in table("month").values() for name in names if len(name) > _ABBREVIATED}
_NO_PLACE = vocabulary("kind", "title") | _MONTHS
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
            if is_another(text, one, self._facts):
                names.append(EntityMention(one.start, one.end, (), text[one.start : one.end]))
                continue
            here = [place for place in kept if one.start <= place.inner.start and place.outer.end <= one.end]
            region = None if here else self._region(text, span, one)
            if not (here or region):
                names.append(one)
                continue
            is_first = _is_first(text, span, mentions, number)
            if region:
                end = self._end(text, span, region, mentions[number : number + 3], is_first=is_first)
            else:
                end = one.end if is_first and any(map(self._is_elsewhere, here)) else 0
                kept = [place for place in kept if not end or place not in here]
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

    def _region(self, text: str, span: Span, one: EntityMention) -> re.Match[str] | None:
        """What stands beside the name of a place, if it may be where that is."""
        found = _BRACKET.match(text, one.end, span[1]) or _BESIDE.match(text, one.end, span[1])
        return found if found and self._places.is_inner(one) else None

    def _end(
        self, text: str, span: Span, region: re.Match[str], mentions: Sequence[EntityMention], *, is_first: bool
    ) -> int:
        """Where a namesake's name ends, with where it is; 0 for a name that is none.

        Args:
            text: all of it.
            span: where the sentence begins and ends.
            region: what stands beside it.
            mentions: the name and those behind it.
            is_first: whether the sentence may be about it.
        """
        one, *others = mentions
        run, end = region[1], region.end()
        if region.re is _BRACKET:
            is_named = not (run.isupper() and run[0] == text[one.start].upper())  # United States (US)
        else:
            is_named = _is_closed(region, is_first=is_first)
        if not is_named or not _NO_PLACE.isdisjoint(run.lower().rstrip(".").split()):
            return 0
        known = [other for other in others if other.start < end]
        if any(map(self._is_person, known)) or (known and known[-1].end > end):
            return 0
        if known and region.re is _BESIDE and _is_listed(region) and known[-1].end == end:
            return 0  # Germany, Italy, Japan, the United Kingdom and
        return end - (text[end - 1] == "." and not any(map(str.isalnum, text[end : span[1]])))

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


def _is_listed(found: re.Match[str]) -> bool:
    """Whether words beside a name go on as a list does, with a comma, an article and one more name."""
    _, comma, behind, then = found.groups()
    return bool(comma and behind and then) and behind in vocabulary("article") and then[0].isupper()


def _is_first(text: str, span: Span, mentions: Sequence[EntityMention], number: int) -> bool:
    """Whether a name may be what its sentence is about: no preposition and no copula leads to it, and it goes on no
    list."""
    one = mentions[number]
    before = _WORD_BEFORE.search(text, max(one.start - _LONGEST, span[0]), one.start)
    goes_on = number > 0 and not text[mentions[number - 1].end : one.start].strip(" ,")
    return not goes_on and (before is None or before[1].lower() not in _NO_SUBJECT)
