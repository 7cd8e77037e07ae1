"""Stage 4: pairs of mentions that fit a relation, with words in the sentence that may express it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Literal, NamedTuple

from factprobe.claims.fact_index import ENDS, GraphFacts
from factprobe.claims.sentence import POSSESSIVE, PREPOSITION, VALUE, VERB, Mention, Sentence, word_of
from factprobe.claims.wordings import AFTER, BEFORE, BETWEEN, FoundCues, RelationCue
from factprobe.question_types import End
from factprobe.reading.language import vocabulary
from factprobe.records import Span

REACH = 40
"""Maximal number of tokens between the ends of a pair."""
_BY, _OF, _PLACE, _HAS = vocabulary("agent"), vocabulary("of"), vocabulary("place_preposition"), vocabulary("has")
UNKNOWN, MISFIT, FITS = -1, 0, 1
"""How a mention fits an end of a relation.

It fits by its entities or their types, or as a value of the right kind. It is unknown if it has no entity, or if only
one of mention and end is a value.
"""
Fits = Mapping[End, Sequence[int]]
"""How each mention of a sentence fits both ends of a relation."""


class Gap(NamedTuple):
    """Counts of words between two tokens."""

    verbs: int = 0
    """Number of auxiliary verbs."""
    prepositions: int = 0
    names: int = 0
    rivals: int = 0
    """Number of names that also fit the relation."""


class Pair(NamedTuple):
    """Two mentions with a cue of a relation.

    The neighbour of the cue is the end nearest to it, or the right end if the cue is between both.
    """

    cue: RelationCue
    subject: int
    object: int
    """Indices of subject and object among the mentions of the sentence."""
    zone: int
    """Position of the cue relative to the pair."""
    first: int
    last: int
    """First and last token of the cue."""
    link: Literal["same", "other", ""]
    """Preposition between cue and neighbour: the one of the cue's wording, another one, or none."""
    is_whole: bool
    """Whether the words between the mentions are a whole wording."""
    is_fitting: bool
    """Whether both ends fit the relation."""
    inner: Gap
    """Words between the cue and its neighbour."""
    outer: Gap
    """Words between the cue and the other end, or between both ends if the cue is before or after them."""


def fits_of(facts: GraphFacts, mentions: Sequence[Mention], relations: Iterable[str]) -> dict[str, Fits]:
    """Return how each mention fits both ends of each relation."""
    return {
        relation: {end: [_fit(facts, mention, relation, end) for mention in mentions] for end in ENDS}
        for relation in relations
    }


def _fit(facts: GraphFacts, mention: Mention, relation: str, end: End) -> int:
    """Return how a mention fits an end of a relation; relations of numbers also take dates."""
    if end == "object" and relation in facts.value_relations:
        value, kind = mention.value, facts.value_relations[relation]
        return FITS if value is not None and (kind == "number" or value.year is not None) else UNKNOWN
    if not mention.uris:
        return UNKNOWN
    return FITS if any(facts.stands(uri, relation, end) for uri in mention.uris) else MISFIT


def pairs(sentence: Sentence, cues: FoundCues, fits: Mapping[str, Fits]) -> Iterator[Pair]:
    """Yield the pairs of a sentence that may be the ends of a relation, with each cue of it.

    `fits` tells how the mentions fit each relation of the cues.
    """
    for cue, mention in cues.wholes:
        if pair := _whole_pair(sentence, cue, mention, fits[cue.relation]):
            yield pair
    for cue, first, last in cues.words:
        own = fits[cue.relation]
        near = range(bisect_left(sentence.positions, first - REACH), bisect_right(sentence.positions, first + REACH))
        subjects = [i for i in near if own["subject"][i] == FITS]
        objects = [i for i in near if own["object"][i] >= _least_fit(cue)] if subjects else []
        for ends in product(subjects, objects):
            if pair := _pair(sentence, cue, (first, last), ends, own):
                yield pair


def _least_fit(cue: RelationCue) -> int:
    """Return how the other end has to fit if one does.

    A wording with function words ("was born in") is telling enough to join a misfit; content words alone are not.
    """
    return FITS if cue.is_learned or cue.keys in ((), cue.whole and cue.whole[BETWEEN]) else MISFIT


def _whole_pair(sentence: Sentence, cue: RelationCue, left: int, fits: Fits) -> Pair | None:
    """Return the pair of two adjacent mentions that a whole wording joins; None if it cannot join them."""
    before, _, after = cue.whole or ((), (), ())
    subject, object_ = (left, left + 1) if cue.is_subject_first else (left + 1, left)
    both = fits["subject"][subject], fits["object"][object_]
    if max(both) < FITS or min(both) < _least_fit(cue) or (not after and sentence.is_owner(left + 1)):
        return None
    start, end = sentence.positions[left], sentence.positions[left + 1]
    words = range(start + 1, end) or range(end + 1, end + 1 + len(after)) or range(start - len(before), start)
    first, last = (words[0], words[-1]) if words else (end, end)
    return Pair(cue, subject, object_, cue.zone, first, last, "same", True, min(both) == FITS, Gap(), Gap())


def _pair(sentence: Sentence, cue: RelationCue, words: Span, ends: tuple[int, int], fits: Fits) -> Pair | None:
    """Return the pair of ends, subject and object, that a cue joins; None if it cannot join them.

    `words` are the first and last token of the cue.
    """
    positions, list_starts = sentence.positions, sentence.list_starts
    (first, last), (left, right) = words, sorted(ends)
    start, end = positions[left], positions[right]
    zone = BETWEEN if start < first and last < end else BEFORE if last < start else AFTER if first > end else -1
    if zone < 0 or left == right or end - start > REACH or (cue.is_learned and zone != cue.zone):
        return None
    is_one_list = list_starts[left] == list_starts[right]
    if (zone != AFTER and sentence.is_owner(right)) or (is_one_list and AFTER not in (zone, cue.zone)):
        return None
    if not cue.is_learned and VALUE in cue.keys and sentence.keys[positions[ends[0]] + 1 :][:1] != ["("]:
        return None  # a cue of marks and a date needs its bracket: "Ada Lovelace (1815 London"
    neighbour, other = (left, right) if zone == BEFORE else (right, left)
    is_subject_neighbour, link = _direction(sentence, cue, words, zone, neighbour, other)
    if is_subject_neighbour != (neighbour == ends[0]):
        return None
    own = {ends[0]: fits["subject"], ends[1]: fits["object"]}
    # a list counts as its first name
    inside = (end, first) if zone == AFTER else (last, positions[list_starts[neighbour]])
    outside = (start, first if zone == BETWEEN else positions[list_starts[right]])
    inner = _gap(sentence, inside, neighbour, own[neighbour])
    outer = _gap(sentence, outside, other, own[other])
    is_fitting = fits["object"][ends[1]] == FITS
    if not is_fitting and (inner.names or outer.names):
        return None
    return Pair(cue, *ends, zone, first, last, link, False, is_fitting, inner, outer)


def _direction(
    sentence: Sentence, cue: RelationCue, words: Span, zone: int, neighbour: int, other: int
) -> tuple[bool, Literal["same", "other", ""]]:
    """Return whether the subject is the neighbour of a cue, and the preposition that links the cue to it."""
    if zone == AFTER or cue.is_learned:
        return cue.is_subject_next != (zone == AFTER), ""
    keys, before = sentence.keys, sentence.positions[sentence.list_starts[neighbour]] - 1
    preposition = keys[before] if before > words[1] and word_of(keys[before])[1] == PREPOSITION else ""
    if preposition == cue.preposition or (preposition in _PLACE and cue.preposition in _PLACE):
        return cue.is_subject_next, "same"
    between = keys[sentence.positions[other] + 1 : words[0]]
    # "France's capital" for "the capital of France"
    is_owned = cue.preposition in _OF and (between == [POSSESSIVE] or not _HAS.isdisjoint(between))
    # "Tolkien wrote" for "written by Tolkien"
    is_other_voice = (cue.preposition in _BY and not preposition) or (preposition in _BY and not cue.preposition)
    if zone == BETWEEN and (is_owned or is_other_voice):
        return not cue.is_subject_next, "same"
    return cue.is_subject_next, "other" if preposition else ""


def _gap(sentence: Sentence, between: Span, mention: int, fits: Sequence[int]) -> Gap:
    """Count auxiliary verbs, prepositions, names, and rivals of a mention between two tokens.

    Names in the list of the mention do not count. `fits` tells how all mentions fit the mention's end of the relation.
    """
    start, end = between
    classes = sentence.classes[start + 1 : end]
    names = rivals = 0
    for other in range(bisect_right(sentence.positions, start), bisect_left(sentence.positions, end)):
        if sentence.list_starts[other] != sentence.list_starts[mention]:
            rivals += fits[other] == FITS
            names += fits[other] == FITS or sentence.mentions[other].kind != "value"
    return Gap(classes.count(VERB), classes.count(PREPOSITION), names, rivals)
