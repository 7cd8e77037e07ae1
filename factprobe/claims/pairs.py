"""Third stage: pairs of mentions with words that may express a relation between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import Literal, NamedTuple

from factprobe.claims.mentions import Mention
from factprobe.claims.wordings import (
    AFTER,
    AND,
    BEFORE,
    BETWEEN,
    CLASSES,
    COMMA,
    MENTION,
    POSSESSIVE,
    VALUE,
    Found,
    RelationCue,
    tokens,
    word_of,
)
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.records import Span

REACH = 40
"""Maximal number of tokens between the ends of a pair."""
_AGENT, _OF, _PLACE = vocabulary("agent"), vocabulary("of"), vocabulary("place_preposition")
_HAS = vocabulary("has")
_PREPOSITION = CLASSES.index("preposition")
_RIVALS = 2
"""Maximal number of nearer mentions that also fit."""
Link = Literal["same", "other", ""]
"""Preposition between a cue and its end: the one of the cue's wording, another one, or none."""
FITS, RESEMBLES = 2, 1
Fits = Callable[[int, str, End], int]
"""Function that rates how well a mention fits an end of a relation: `FITS` by its facts or types, `RESEMBLES` by other
facts, 0 if it does not fit, -1 if nothing is known of it or only one of both is a value."""


class Sentence:
    """Words and mentions of a sentence, as parallel lists.

    Args:
        text: Whole text.
        span: Span of the sentence.
        mentions: Mentions in the sentence, from left to right.
    """

    __slots__ = ("chains", "classes", "depths", "keys", "mentions", "places", "span", "spans", "text")

    def __init__(self, text: str, span: Span, mentions: Sequence[Mention]) -> None:
        self.text, self.span, self.mentions = text, span, mentions
        self.keys: list[str] = []
        """Keys of words and marks, with `MENTION` and `VALUE` for mentions."""
        self.classes: list[int] = []
        self.spans: list[Span] = []
        self.places: list[int] = []
        """Index of the token of each mention."""
        at = span[0]
        for one in mentions:
            self._add(at, one.start)
            self.places.append(len(self.keys))
            self.keys.append(VALUE if one.kind == "value" else MENTION)
            self.classes.append(-1)
            self.spans.append((one.start, one.end))
            at = one.end
        self._add(at, span[1])
        self.depths = self._find_depths()
        self.chains = self._find_chains()

    def _add(self, start: int, end: int) -> None:
        for key, kind, (first, last) in tokens(self.text[start:end]) if start < end else ():
            if (key in (",", ";") and self.keys[-1:] == ["("]) or key == VALUE:
                continue  # remains of an omitted pronunciation
            self.keys.append(key)
            self.classes.append(kind)
            self.spans.append((start + first, start + last))

    def is_owner(self, mention: int) -> bool:
        """Return whether a mention is a possessor, so that what stands before it is said of what it has."""
        return self.keys[self.places[mention] + 1 :][:1] == [POSSESSIVE]

    def _find_depths(self) -> list[int]:
        """Return the depth of parentheses at each token."""
        if "(" not in self.keys:
            return [0] * len(self.keys)
        depths, depth = [], 0
        for key in self.keys:
            depth += key == "("
            depths.append(depth)
            depth -= key == ")" and depth > 0
        return depths

    def _find_chains(self) -> list[int]:
        """Return the number of the list to which each mention belongs; a single mention forms a list."""
        chains = list(range(len(self.places)))
        if AND not in self.classes:
            return chains
        joins = [self._join(i) for i in range(len(self.places) - 1)]
        start = 0
        for is_joined, group in groupby(joins, key=bool):
            size = len(some := list(group))
            if is_joined and "and" in some:
                for i in range(start, start + size):
                    chains[i + 1] = chains[start]
            start += size
        return chains

    def _join(self, i: int) -> str:
        """Return `and` or `comma` if that alone separates a mention from the next one, else an empty string."""
        between = range(self.places[i] + 1, self.places[i + 1])
        kinds = [self.classes[j] for j in between]
        if not kinds or len(kinds) > 2 or any(kind not in (AND, COMMA) for kind in kinds):
            return ""
        return "and" if AND in kinds else "comma"


class Pair(NamedTuple):
    """Two mentions with a cue of a relation."""

    cue: RelationCue
    subject: int
    object: int
    """Indices of subject and object among the mentions of the sentence."""
    zone: int
    """Position of the cue relative to the pair."""
    first: int
    last: int
    """First and last token of the cue."""
    link: Link
    """Preposition that links the cue to the end after it."""
    is_flipped: bool
    """Whether the direction follows from the types of the ends against the order of the words."""
    is_exact: bool
    """Whether the words between the mentions are a whole wording."""
    inner: tuple[int, ...]
    outer: tuple[int, ...]
    """Counts of tokens as `_Finder._gap` returns them: between the cue and its neighbour (inner), and in the other gap
    (outer). The neighbour is the end nearest to the cue, or the right end if the cue is between both."""


def pairs(sentence: Sentence, found: Found, fits: Fits) -> Iterator[Pair]:
    """Yield the pairs of a sentence that may be the ends of a relation, with each cue of it.

    Args:
        sentence: Sentence with its mentions.
        found: Cues in the sentence.
        fits: Rates how well a mention fits an end of a relation.
    """
    for cue, number in found.exact:
        pair = _exact(sentence, cue, number, fits)
        if pair is not None:
            yield pair
    finder = _Finder(sentence, fits)
    for cue, first, last in found.words:
        yield from finder.around(cue, first, last)


_NOTHING = (0,) * (len(CLASSES) + 2)


def _exact(sentence: Sentence, cue: RelationCue, number: int, fits: Fits) -> Pair | None:
    """Yield adjacent mentions that are joined by a whole wording."""
    before, between, after = cue.parts or ((), (), ())
    is_owner = cue.link in _OF and between[:1] == (POSSESSIVE,)
    subject_first = cue.follows if cue.zone != BETWEEN or is_owner else not cue.follows
    subject, object_ = (number, number + 1) if subject_first else (number + 1, number)
    both = fits(subject, cue.relation, "subject"), fits(object_, cue.relation, "object")
    is_telling = cue.source in ("template", "said") and bool(cue.keys)  # otherwise both ends have to fit
    if min(both) < 0 or max(both) == 0 or (min(both) == 0 and not is_telling):
        return None
    start, end = sentence.places[number], sentence.places[number + 1]
    if not after and sentence.is_owner(number + 1):
        return None
    words = range(start + 1, end) or range(end + 1, end + 1 + len(after)) or range(start - len(before), start)
    first, last = (words[0], words[-1]) if words else (end, end)
    return Pair(cue, subject, object_, cue.zone, first, last, "same", False, True, _NOTHING, _NOTHING)


class _Finder:
    """Finder of the pairs around a cue."""

    def __init__(self, sentence: Sentence, fits: Fits) -> None:
        self._sentence, self._fits = sentence, fits
        self._counted: dict[tuple[int, int, int], list[int]] = {}

    def around(self, cue: RelationCue, first: int, last: int) -> Iterator[Pair]:
        """Yield the pairs that a cue at some tokens may join."""
        relation = cue.relation
        near = self._near(first)
        least = FITS if cue.source == "learned" else RESEMBLES
        subjects = [i for i in near if self._fits(i, relation, "subject") >= least]
        objects = [i for i in near if self._fits(i, relation, "object") >= least] if subjects else ()
        for subject in subjects:
            for object_ in objects:
                if subject != object_:
                    pair = self._pair(cue, first, last, subject, object_)
                    if pair is not None:
                        yield pair

    def _near(self, first: int) -> range:
        """Return the range of the mentions in reach on both sides of a cue."""
        places = self._sentence.places
        return range(bisect_left(places, first - REACH), bisect_right(places, first + REACH))

    def _pair(self, cue: RelationCue, first: int, last: int, subject: int, object_: int) -> Pair | None:
        sentence = self._sentence
        left, right = sorted((subject, object_))
        start, end = sentence.places[left], sentence.places[right]
        zone = BETWEEN if start < first and last < end else BEFORE if last < start else AFTER if first > end else -1
        is_owner = zone != AFTER and sentence.is_owner(right)
        if zone < 0 or end - start > REACH or is_owner or (cue.source == "learned" and zone != cue.zone):
            return None
        if sentence.chains[left] == sentence.chains[right] and AFTER not in (zone, cue.zone):
            return None
        follows, link = self._direction(cue, first, last, left, right, zone)
        neighbour = left if zone == BEFORE else right
        is_flipped = (subject == neighbour) != (follows if zone != AFTER else not follows)
        ends: tuple[End, End] = ("subject", "object") if subject == left else ("object", "subject")
        if is_flipped and (
            cue.source == "learned"
            or all(self._fits(i, cue.relation, end) > 0 for i, end in zip((right, left), ends, strict=True))
        ):
            return None
        inner, outer = self._gaps(cue.relation, first, last, zone, (left, right), ends)
        if inner[-1] > _RIVALS:
            return None
        if cue.is_of_marks and not (sum(inner) < 2 and sentence.keys[sentence.places[subject] + 1 :][:1] == ["("]):
            return None
        return Pair(cue, subject, object_, zone, first, last, link, is_flipped, False, inner, outer)

    def _gaps(
        self, relation: str, first: int, last: int, zone: int, mentions: tuple[int, int], ends: tuple[End, End]
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return the counts between a cue and its neighbour, and in the other gap; a list counts as its first name."""
        places, chains = self._sentence.places, self._sentence.chains
        left, right = mentions
        if zone == AFTER:
            inner, outer = (places[right], first), (places[left], places[right])
        elif zone == BEFORE:
            inner, outer = (last, places[chains[left]]), (places[left], places[chains[right]])
        else:
            inner, outer = (last, places[chains[right]]), (places[self._tail(left)], first)
        near, far = (0, 1) if zone == BEFORE else (1, 0)
        return (
            self._gap(relation, *inner, mentions[near], ends[near]),
            self._gap(relation, *outer, mentions[far], ends[far]),
        )

    def _direction(
        self, cue: RelationCue, first: int, last: int, left: int, right: int, zone: int
    ) -> tuple[bool, Link]:
        """Return whether the subject is the end after the cue, and the preposition that links the cue to that end."""
        keys = self._sentence.keys
        if cue.source == "learned" or zone == AFTER:
            return cue.follows, ""
        if zone == BETWEEN and cue.link in _OF and self._is_owner(left, first):
            return not cue.follows, "same"
        place = self._sentence.places[self._sentence.chains[left if zone == BEFORE else right]]
        key = keys[place - 1]
        link = key if place - 1 > last and word_of(key)[1] == _PREPOSITION else ""
        is_active, is_passive = cue.link in _AGENT and not link, link in _AGENT and not cue.link
        if zone == BETWEEN and (is_active or is_passive):  # active or passive: Tolkien wrote, was written by Tolkien
            return not cue.follows, "same"
        if link == cue.link or (link in _PLACE and cue.link in _PLACE):
            return cue.follows, "same"
        return cue.follows, "other" if link else ""

    def _is_owner(self, mention: int, first: int) -> bool:
        """Return whether a mention is the possessor of the cue at a token (France's capital)."""
        between = self._sentence.keys[self._sentence.places[mention] + 1 : first]
        return between == [POSSESSIVE] or not _HAS.isdisjoint(between)

    def _tail(self, mention: int) -> int:
        """Return the last member of the list to which a mention belongs."""
        chains = self._sentence.chains
        return bisect_right(chains, chains[mention], mention, min(len(chains), mention + REACH)) - 1

    def _gap(self, relation: str, start: int, end: int, mention: int, role: End) -> tuple[int, ...]:
        """Count function words by class, unknown, known and rival names (which also fit) between two tokens."""
        sentence = self._sentence
        level = max(sentence.depths[start], sentence.depths[end]) if end < len(sentence.depths) else 0
        counts = self._counted.get((start, end, level))
        if counts is None:
            counts = [0] * (len(CLASSES) - 1)
            for i in range(start + 1, end):
                if sentence.depths[i] <= level and (kind := sentence.classes[i]) > 0:
                    counts[kind - 1] += 1
            self._counted[start, end, level] = counts
        rivals, unknown, known = 0, 0, 0
        places = sentence.places
        for other in range(bisect_right(places, start), bisect_left(places, end)):
            if sentence.depths[places[other]] <= level and sentence.chains[other] != sentence.chains[mention]:
                if sentence.mentions[other].kind == "unknown":
                    unknown += 1
                elif self._fits(other, relation, role) > 0:
                    rivals += 1
                elif sentence.mentions[other].kind != "value":
                    known += 1
        return (*counts, unknown, known, rivals)
