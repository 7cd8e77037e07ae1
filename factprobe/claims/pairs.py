"""Stage 4: pairs of mentions that may be the ends of a relation, with a cue in the sentence that may express it.

The subject has to fit the relation. So has the object, but a wording of the graph with function words also joins one
that misfits, if no name is in between; two adjacent mentions with such a whole wording need only one end that fits.

Example: the cue `born` of "[X] was born in [Y]", whose next end is the object. Scores below 0.7 are dropped later.

    Albert Einstein was born in Ulm       between; Ulm is next, so the object; link "same" (in)          0.94
    Albert Einstein was born near Ulm     the same, but link "other" (near); open in stage 7             0.82
    Albert Einstein was born in Germany   Germany, no birthplace in the graph, is a misfit               0.75
    In Ulm, Albert Einstein was born      after; Einstein is next, and now the subject; inner verb (is)  0.50
    Albert Einstein left Ulm and was born   after; Ulm is next, but would be the subject                 no pair
    Albert Einstein was born in Ulm's king  Ulm is a possessor, so not what is meant                     no pair
"""

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
UNKNOWN, MISFIT, FIT = -1, 0, 1
"""Levels of fit of a mention to an end of a relation: by its entities or their types, or as a value of the right kind.

It is unknown if the mention has no entity, if only one of mention and end is a value, or if the mention fits the other
end of a relation between two kinds of entities; no cue joins unknown ones.
"""
FitLevels = Mapping[End, Sequence[int]]
"""Level of fit of each mention of a sentence to both ends of a relation."""


class WordGap(NamedTuple):
    """Counts of words between two tokens."""

    verbs: int = 0
    """Number of auxiliary verbs."""
    prepositions: int = 0
    names: int = 0
    rivals: int = 0
    """Number of names that also fit the relation; verbs and rivals are scored in the inner gap only."""


class MentionPair(NamedTuple):
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
    """First and last token of the cue, or of what a whole wording has between both ends, else after or before them."""
    link: Literal["same", "other", ""]
    """Preposition between cue and neighbour: "same" as in the cue's wording, another one, or empty if missing.

    It is "same" if neither has one, and for a possessor or other voice; empty for learned cues and ones after both.
    """
    is_whole: bool
    """Whether the words between the mentions are a whole wording."""
    has_misfit: bool
    """Whether one end misfits the relation."""
    inner: WordGap
    """Words between the cue and its neighbour."""
    outer: WordGap
    """Words between the cue and the other end, or between both ends if the cue is before or after them."""


def fit_levels(facts: GraphFacts, mentions: Sequence[Mention], relations: Iterable[str]) -> dict[str, FitLevels]:
    """Return the level of fit of each mention to both ends of each relation."""
    return {
        relation: {end: [_fit_level(facts, mention, relation, end) for mention in mentions] for end in ENDS}
        for relation in relations
    }


def _fit_level(facts: GraphFacts, mention: Mention, relation: str, end: End) -> int:
    """Return the level of fit of a mention to an end of a relation; relations of numbers also take dates."""
    if end == "object" and relation in facts.value_relations:
        value, kind = mention.value, facts.value_relations[relation]
        return FIT if value is not None and (kind == "number" or value.year is not None) else UNKNOWN
    if not mention.uris:
        return UNKNOWN
    if any(facts.fits(uri, relation, end) for uri in mention.uris):
        return FIT
    other: End = "subject" if end == "object" else "object"
    is_of_other = relation in facts.two_kinds and any(facts.fits(uri, relation, other) for uri in mention.uris)
    return UNKNOWN if is_of_other else MISFIT


def pairs(sentence: Sentence, cues: FoundCues, levels: Mapping[str, FitLevels]) -> Iterator[MentionPair]:
    """Yield the pairs of a sentence with each cue of a relation, given the levels of fit to each relation."""
    for cue, mention in cues.wholes:
        if pair := _whole_pair(sentence, cue, mention, levels[cue.relation]):
            yield pair
    for cue, first, last in cues.words:
        own = levels[cue.relation]
        near = range(bisect_left(sentence.positions, first - REACH), bisect_right(sentence.positions, first + REACH))
        subjects = [i for i in near if own["subject"][i] == FIT]
        objects = [i for i in near if own["object"][i] >= _least_level(cue)] if subjects else []
        for ends in product(subjects, objects):
            if pair := _pair(sentence, cue, (first, last), ends, own):
                yield pair


def _least_level(cue: RelationCue) -> int:
    """Return the level of fit that the other end needs if one fits.

    Only a wording with content and function words ("was born in", not "wrote" or "is in") may join a misfit.
    """
    has_one_kind = not cue.keys or (cue.whole is not None and cue.keys == cue.whole[BETWEEN])
    return FIT if cue.is_learned or has_one_kind else MISFIT


def _whole_pair(sentence: Sentence, cue: RelationCue, left: int, levels: FitLevels) -> MentionPair | None:
    """Return the pair of two adjacent mentions that a whole wording joins; None if it cannot join them."""
    before, _, after = cue.whole or ((), (), ())
    subject, object_ = (left, left + 1) if cue.is_subject_first else (left + 1, left)
    both = levels["subject"][subject], levels["object"][object_]
    if max(both) < FIT or min(both) < _least_level(cue) or (not after and sentence.is_owner(left + 1)):
        return None
    start, end = sentence.positions[left], sentence.positions[left + 1]
    # the words between both ends, else those after them, else those before; there are none in "[X] [Y]"
    words = range(start + 1, end) or range(end + 1, end + 1 + len(after)) or range(start - len(before), start)
    first, last = (words[0], words[-1]) if words else (end, end)
    return MentionPair(
        cue, subject, object_, cue.zone, first, last, "same", True, min(both) < FIT, WordGap(), WordGap()
    )


def _pair(
    sentence: Sentence, cue: RelationCue, words: Span, ends: tuple[int, int], levels: FitLevels
) -> MentionPair | None:
    """Return the pair of subject and object that a cue (first and last token) joins; None if it cannot join them."""
    positions, list_starts = sentence.positions, sentence.list_starts
    (first, last), (left, right) = words, sorted(ends)
    start, end = positions[left], positions[right]
    zone = BETWEEN if start < first and last < end else BEFORE if last < start else AFTER if first > end else -1
    if zone < 0 or left == right or end - start > REACH or (cue.is_learned and zone != cue.zone):
        return None
    # only a cue after both ends says something of two members of a list: "Bonn and Ulm are twin towns"
    is_one_list = list_starts[left] == list_starts[right]
    if (zone != AFTER and sentence.is_owner(right)) or (is_one_list and AFTER not in (zone, cue.zone)):
        return None
    if not cue.is_learned and VALUE in cue.keys and sentence.keys[positions[ends[0]] + 1 :][:1] != ["("]:
        return None  # a cue of marks and a date needs its bracket: "Ada Lovelace (1815 London"
    neighbour, other = (left, right) if zone == BEFORE else (right, left)
    is_subject_neighbour, link = _direction(sentence, cue, words, zone, neighbour, other)
    if is_subject_neighbour != (neighbour == ends[0]):
        return None
    own = {ends[0]: levels["subject"], ends[1]: levels["object"]}
    # a list counts as its first name
    inside = (end, first) if zone == AFTER else (last, positions[list_starts[neighbour]])
    outside = (start, first if zone == BETWEEN else positions[list_starts[right]])
    inner = _gap(sentence, inside, neighbour, own[neighbour])
    outer = _gap(sentence, outside, other, own[other])
    has_misfit = levels["object"][ends[1]] < FIT
    if has_misfit and (inner.names or outer.names):
        return None
    return MentionPair(cue, *ends, zone, first, last, link, False, has_misfit, inner, outer)


def _direction(
    sentence: Sentence, cue: RelationCue, words: Span, zone: int, neighbour: int, other: int
) -> tuple[bool, Literal["same", "other", ""]]:
    """Return whether the subject is the neighbour of a cue, and the preposition that links the cue to it."""
    if zone == AFTER:
        # the flag is about the left end, as if the words stood before both; their neighbour is the right one
        return not cue.is_subject_next, ""
    if cue.is_learned:
        return cue.is_subject_next, ""
    keys, before = sentence.keys, sentence.positions[sentence.list_starts[neighbour]] - 1
    preposition = keys[before] if before > words[1] and word_of(keys[before])[1] == PREPOSITION else ""
    if preposition == cue.preposition or (preposition in _PLACE and cue.preposition in _PLACE):
        return cue.is_subject_next, "same"
    if preposition in cue.reversing:
        return not cue.is_subject_next, "same"
    between = keys[sentence.positions[other] + 1 : words[0]]
    # "France's capital" for "the capital of France"
    is_owned = cue.preposition in _OF and (between == [POSSESSIVE] or not _HAS.isdisjoint(between))
    # "Tolkien wrote" for "written by Tolkien"
    is_other_voice = (cue.preposition in _BY and not preposition) or (preposition in _BY and not cue.preposition)
    if zone == BETWEEN and (is_owned or is_other_voice):
        return not cue.is_subject_next, "same"
    return cue.is_subject_next, "other" if preposition else ""


def _gap(sentence: Sentence, between: Span, mention: int, levels: Sequence[int]) -> WordGap:
    """Count auxiliary verbs, prepositions, names outside a mention's list, and its rivals there between two tokens."""
    start, end = between
    classes = sentence.classes[start + 1 : end]
    names = rivals = 0
    for other in range(bisect_right(sentence.positions, start), bisect_left(sentence.positions, end)):
        if sentence.list_starts[other] != sentence.list_starts[mention]:
            rivals += levels[other] == FIT
            names += levels[other] == FIT or sentence.mentions[other].kind != "value"
    return WordGap(classes.count(VERB), classes.count(PREPOSITION), names, rivals)
