"""Third stage: pairs of mentions with words that may express a relation between them."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

from factprobe.claims.fact_index import Mention
from factprobe.claims.wordings import (
    AFTER,
    AND,
    BEFORE,
    BETWEEN,
    COMMA,
    MENTION,
    POSSESSIVE,
    PREPOSITION,
    VALUE,
    VERB,
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
Link = Literal["same", "other", ""]
"""Preposition between a cue and its end: the one of the cue's wording, another one, or none."""
FITS = 1
Fits = Mapping[End, Sequence[int]]
"""How each mention fits both ends of a relation: `FITS` by its facts or types, 0 if it does not fit, -1 if nothing is
known of it or only one of both is a value."""


class Sentence:
    """Words and mentions of a sentence, as parallel lists.

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

    def _find_chains(self) -> list[int]:
        """Return the first mention of the list to which each mention belongs; a single mention forms a list."""
        chains = list(range(len(self.places)))
        start = joined = 0
        for i in chains[1:]:
            kinds = set(self.classes[self.places[i - 1] + 1 : self.places[i]])
            if not kinds or not kinds <= {AND, COMMA}:
                start = joined = i
            elif AND in kinds:
                chains[joined : i + 1] = [start] * (i + 1 - joined)
                joined = i + 1
        return chains


class Gap(NamedTuple):
    """Counts of words between two tokens."""

    verbs: int = 0
    """Number of auxiliary verbs."""
    prepositions: int = 0
    names: int = 0
    rivals: int = 0
    """Number of names that also fit the relation."""


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
    is_exact: bool
    """Whether the words between the mentions are a whole wording."""
    is_fitting: bool
    """Whether both ends fit the relation."""
    inner: Gap
    outer: Gap
    """Words between the cue and its neighbour (inner), and in the other gap (outer).

    The neighbour is the end nearest to the cue, or the right end if the cue is between both.
    """


def pairs(sentence: Sentence, found: Found, fits: Mapping[str, Fits]) -> Iterator[Pair]:
    """Yield the pairs of a sentence that may be the ends of a relation, with each cue of it.

    Args:
        sentence: Sentence with its mentions.
        found: Cues in the sentence.
        fits: How the mentions fit the ends of relations; other relations are left out.
    """
    for cue, number in found.exact:
        if cue.relation in fits and (pair := _exact_pair(sentence, cue, number, fits[cue.relation])):
            yield pair
    places = sentence.places
    for cue, first, last in found.words:
        if cue.relation in fits:
            own = fits[cue.relation]
            near = range(bisect_left(places, first - REACH), bisect_right(places, first + REACH))
            subjects = [i for i in near if own["subject"][i] == FITS]
            objects = [i for i in near if own["object"][i] >= _least(cue)] if subjects else []
            for ends in product(subjects, objects):
                if pair := _pair(sentence, cue, (first, last), ends, own):
                    yield pair


def _least(cue: RelationCue) -> int:
    """Return how both ends have to fit: a wording with function words is telling enough to join another kind."""
    return FITS if cue.is_learned or cue.keys in ((), cue.parts and cue.parts[BETWEEN]) else 0


def _exact_pair(sentence: Sentence, cue: RelationCue, number: int, fits: Fits) -> Pair | None:
    """Return the pair of two adjacent mentions that a whole wording joins; None if it cannot join them."""
    before, _, after = cue.parts or ((), (), ())
    subject, object_ = (number, number + 1) if cue.subject_first else (number + 1, number)
    both = fits["subject"][subject], fits["object"][object_]
    if max(both) < FITS or min(both) < _least(cue) or (not after and sentence.is_owner(number + 1)):
        return None
    start, end = sentence.places[number], sentence.places[number + 1]
    words = range(start + 1, end) or range(end + 1, end + 1 + len(after)) or range(start - len(before), start)
    first, last = (words[0], words[-1]) if words else (end, end)
    return Pair(cue, subject, object_, cue.zone, first, last, "same", True, min(both) == FITS, Gap(), Gap())


def _pair(sentence: Sentence, cue: RelationCue, words: Span, ends: tuple[int, int], fits: Fits) -> Pair | None:
    """Return the pair of a subject and an object that a cue joins; None if it cannot join them.

    Args:
        sentence: Sentence of the pair.
        cue: Cue.
        words: First and last token of the cue.
        ends: Subject and object, which fit the relation.
        fits: How the mentions fit the ends of the relation.
    """
    places, chains = sentence.places, sentence.chains
    (first, last), (left, right) = words, sorted(ends)
    start, end = places[left], places[right]
    zone = BETWEEN if start < first and last < end else BEFORE if last < start else AFTER if first > end else -1
    if zone < 0 or end - start > REACH or (cue.is_learned and zone != cue.zone):
        return None
    if (zone != AFTER and sentence.is_owner(right)) or (
        chains[left] == chains[right] and AFTER not in (zone, cue.zone)
    ):
        return None
    if not cue.is_learned and VALUE in cue.keys and sentence.keys[places[ends[0]] + 1 :][:1] != ["("]:
        return None  # a cue of marks and a date: Ada Lovelace (1815 London
    near, far = (left, right) if zone == BEFORE else (right, left)
    is_subject_near, link = _direction(sentence, cue, words, zone, near, far)
    if left == right or is_subject_near != (near == ends[0]):
        return None
    own = {ends[0]: fits["subject"], ends[1]: fits["object"]}
    # a list counts as its first name
    inner = _gap(sentence, (end, first) if zone == AFTER else (last, places[chains[near]]), near, own[near])
    outer = _gap(sentence, (start, first if zone == BETWEEN else places[chains[right]]), far, own[far])
    is_fitting = own[ends[1]][ends[1]] == FITS
    if not is_fitting and (inner.names or outer.names):
        return None
    return Pair(cue, *ends, zone, first, last, link, False, is_fitting, inner, outer)


def _direction(sentence: Sentence, cue: RelationCue, words: Span, zone: int, near: int, far: int) -> tuple[bool, Link]:
    """Return whether the subject is the neighbour of a cue, and the preposition that links the cue to it."""
    keys, place = sentence.keys, sentence.places[sentence.chains[near]]
    if zone == AFTER:
        return not cue.follows, ""
    if cue.is_learned:
        return cue.follows, ""
    key = keys[place - 1]
    link = key if place - 1 > words[1] and word_of(key)[1] == PREPOSITION else ""
    if link == cue.link or (link in _PLACE and cue.link in _PLACE):
        return cue.follows, "same"
    before = keys[sentence.places[far] + 1 : words[0]]
    is_owned = cue.link in _OF and (before == [POSSESSIVE] or not _HAS.isdisjoint(before))  # France's capital
    is_other_voice = (cue.link in _AGENT and not link) or (link in _AGENT and not cue.link)  # Tolkien wrote, by Tolkien
    if zone == BETWEEN and (is_owned or is_other_voice):
        return not cue.follows, "same"
    return cue.follows, "other" if link else ""


def _gap(sentence: Sentence, between: Span, mention: int, fits: Sequence[int]) -> Gap:
    """Count auxiliary verbs, prepositions, names, and the names that also fit (rivals) between two tokens.

    Args:
        sentence: Sentence of the tokens.
        between: Two tokens.
        mention: Mention at one of them; the others of its list do not count.
        fits: How the mentions fit the end of this mention.
    """
    start, end = between
    kinds = sentence.classes[start + 1 : end]
    names = rivals = 0
    for other in range(bisect_right(sentence.places, start), bisect_left(sentence.places, end)):
        if sentence.chains[other] != sentence.chains[mention]:
            rivals += fits[other] > 0
            names += fits[other] > 0 or sentence.mentions[other].kind != "value"
    return Gap(kinds.count(VERB), kinds.count(PREPOSITION), names, rivals)
