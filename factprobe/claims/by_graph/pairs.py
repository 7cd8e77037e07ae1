"""Stage 4: pairs of mentions that may be the ends of a relation, with a cue in the sentence that may express it.

Both ends have to fit the relation, as `UNKNOWN`, `MISFIT` and `FIT` explain. A wording of the graph with function words
also joins an object that misfits, if no name is in between; for a whole such wording it is enough that one end fits.
`attachment.py` finds the noun or name that a cue belongs to.

Example: the cue `born` of "[X] was born in [Y]", whose next end is the object.

    Albert Einstein was born in Ulm         between; Ulm is next, so the object; "in" agrees         0.95
    Albert Einstein was born in Germany     Germany, no birthplace in the graph, is a misfit         0.78
    In Ulm, Albert Einstein was born        after; Einstein is next, and now the subject             0.88
    Albert Einstein was born near Ulm       another preposition than that of the wording             no pair
    Albert Einstein left Ulm and was born   after; Ulm is next, but would be the subject             no pair
    Albert Einstein's wife was born in Ulm  "wife" is next to the cue, so it is said of her          no pair
    Albert Einstein was born in Ulm's king  Ulm is a possessor, so not what is meant                 no pair
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple

from factprobe.claims.by_graph.attachment import has_other_noun, has_other_subject, relation_end_of
from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN, CueMatch, FoundCues, RelationCue
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.mentions import Mention
from factprobe.claims.by_graph.sentence import PREPOSITION, VALUE, Sentence

MAX_TOKENS = 40
"""Maximum number of tokens between the ends of a pair."""
UNKNOWN, MISFIT, FIT = -1, 0, 1
"""Levels of how well a mention fits an end of a relation.

    FIT      the graph has the entity, or one of its type, at this end of a fact; or it is a value of the right kind
    UNKNOWN  no entity (a name that the graph lacks), a pronoun that does not fit, only one of mention and end is a
             value, or the mention fits the other end of a relation between two kinds (`of_two_kinds`)
    MISFIT   any other mention

No cue joins unknown mentions. Without types, as in `kgs/trex`, only entities count.
"""


class FitLevels(NamedTuple):
    """Level of fit of each mention of a sentence, as subject and as object of a relation."""

    subject: list[int]
    object: list[int]


class MentionPair(NamedTuple):
    """Two mentions that a cue joins as subject and object of a relation.

    The neighbour of the cue is the mention next to it; if the cue is between both, the right one.
    """

    cue: RelationCue
    subject: int
    object: int
    """Indices of subject and object among the mentions of the sentence."""
    zone: int
    """Zone of the cue: before, between or after both mentions."""
    first: int
    last: int
    """First and last token of the cue; of a whole wording, those between both ends, else after or before them."""
    agrees: bool
    """True if the preposition between cue and neighbour is the one in the wording.

    A possessor ("France's capital") or the other voice ("Tolkien wrote") counts as the same. False if the preposition
    is missing ("born 1879, Ulm"), for learned cues, and for cues after both ends; always true of whole wordings.
    """
    is_whole: bool
    """True if the words between the mentions are all words of a wording."""
    has_misfit: bool
    """True if the object (with a whole wording, one of the ends) does not fit the relation."""
    rivals: int = 0
    """Number of mentions between the cue and its neighbour that fit the same end of the relation."""
    names: int = 0
    prepositions: int = 0
    """Numbers between the cue and the other end, or between both ends if the cue is before or after them."""


class LevelsByRelation(dict[str, FitLevels]):
    """Levels of fit of the mentions of a sentence, by relation; computed on first use."""

    def __init__(self, facts: GraphFacts, mentions: Sequence[Mention]) -> None:
        self._facts, self._mentions = facts, mentions

    def __missing__(self, relation: str) -> FitLevels:
        facts, kind = self._facts, self._facts.kinds.of_values.get(relation)
        levels = self[relation] = FitLevels([], [])
        for mention in self._mentions:
            is_subject = facts.fits(mention.uris, relation, "subject")
            is_object = facts.fits(mention.uris, relation, "object")
            is_of_other = (is_subject or is_object) and relation in facts.kinds.of_two_kinds
            misfit = UNKNOWN if is_of_other or not mention.uris or mention.kind == "pronoun" else MISFIT
            levels.subject.append(FIT if is_subject else misfit)
            if kind is not None:  # relations of numbers also take dates
                is_object = mention.value is not None and (kind == "number" or mention.value.year is not None)
            levels.object.append(FIT if is_object else misfit if kind is None else UNKNOWN)
        return levels


def pairs(sentence: Sentence, cues: FoundCues, levels: Mapping[str, FitLevels]) -> list[MentionPair]:
    """Return the pairs of mentions in a sentence that a cue joins; `levels` has the levels of fit by relation.

    Two mentions joined by several cues come several times; `select` keeps one. If a whole wording of the graph joins
    the only two mentions, no other cue is tried.
    """
    wholes = (_whole_pair(sentence, cue, mention, levels[cue.relation]) for cue, mention in cues.whole_matches)
    all_pairs = [pair for pair in wholes if pair]
    if len(sentence.mentions) > 2 or all(pair.cue.is_learned for pair in all_pairs):
        all_pairs += chain.from_iterable(
            _pairs_around(sentence, match, levels[match.cue.relation]) for match in cues.words
        )
    return all_pairs


def _pairs_around(sentence: Sentence, match: CueMatch, levels: FitLevels) -> Iterator[MentionPair]:
    """Yield the pairs of mentions that a cue joins."""
    positions = sentence.positions
    near = range(bisect_left(positions, match.first - MAX_TOKENS), bisect_right(positions, match.first + MAX_TOKENS))
    subjects = [i for i in near if levels.subject[i] == FIT]
    objects = [i for i in near if levels.object[i] >= _min_object_level(match.cue)] if subjects else ()
    for subject in subjects:
        for object_ in objects:
            if subject != object_ and (pair := _pair(sentence, match, subject, object_, levels)):
                yield pair


def _min_object_level(cue: RelationCue) -> int:
    return MISFIT if cue.accepts_misfit else FIT


def _whole_pair(sentence: Sentence, cue: RelationCue, left: int, levels: FitLevels) -> MentionPair | None:
    """Return mention `left` and the next one as a pair, if a whole wording can join them; else None."""
    before, _, after, is_subject_first = cue.whole or ((), (), (), True)
    subject, object_ = (left, left + 1) if is_subject_first else (left + 1, left)
    both = levels.subject[subject], levels.object[object_]
    if max(both) < FIT or min(both) < _min_object_level(cue) or (not after and sentence.is_owner(left + 1)):
        return None
    start, end = sentence.positions[left], sentence.positions[left + 1]
    # the words between both ends, else those after them, else those before; there are none in "[X] [Y]"
    if not before and start + 1 < end and has_other_subject(sentence, cue, left, start + 1):
        return None
    words = range(start + 1, end) or range(end + 1, end + 1 + len(after)) or range(start - len(before), start)
    first, last = (words[0], words[-1]) if words else (end, end)
    return MentionPair(cue, subject, object_, cue.zone, first, last, True, True, min(both) < FIT)


def _pair(sentence: Sentence, match: CueMatch, subject: int, object_: int, levels: FitLevels) -> MentionPair | None:
    """Return two mentions as a pair, if a cue can join them as subject and object; else None."""
    cue, first, last = match
    positions = sentence.positions
    left, right = (subject, object_) if subject < object_ else (object_, subject)
    start, end = positions[left], positions[right]
    zone = BETWEEN if start < first and last < end else BEFORE if last < start else AFTER if first > end else -1
    if zone < 0 or _is_excluded(sentence, match, zone, left, right):
        return None
    if not cue.is_learned and VALUE in cue.keys and sentence.keys[positions[subject] + 1 :][:1] != ["("]:
        return None  # a cue of marks and a date needs its bracket: "Ada Lovelace (1815 London"
    neighbour, other = (left, right) if zone == BEFORE else (right, left)
    end_found, agrees = relation_end_of(sentence, match, zone, neighbour, other)
    if end_found != ("subject" if neighbour == subject else "object"):
        return None
    near, far = levels if neighbour == subject else (levels.object, levels.subject)
    inside = (end, first) if zone == AFTER else (last, positions[neighbour])
    outside = (start, first if zone == BETWEEN else end)
    inner_names, rivals = _count_between(sentence, inside, neighbour, near)
    names, _ = _count_between(sentence, outside, other, far)
    has_misfit = levels.object[object_] < FIT
    if has_misfit and (inner_names or names):
        return None
    prepositions = sentence.classes[slice(*outside)].count(PREPOSITION)
    return MentionPair(cue, subject, object_, zone, first, last, agrees, False, has_misfit, rivals, names, prepositions)


def _is_excluded(sentence: Sentence, match: CueMatch, zone: int, left: int, right: int) -> bool:
    """Return whether a cue in a zone around mentions `left` and `right` cannot join them, in either direction."""
    cue = match.cue
    if cue.is_learned and zone != cue.zone:
        return True
    if zone == AFTER:
        return False
    # "visited France and Spain": only a cue after both says something of two members of a list
    if sentence.lists[left] == sentence.lists[right]:
        return True
    # "born in Ulm's king", "the capital of Spain's neighbour": the relation is of the possession
    if sentence.is_owner(right) or (zone == BEFORE and sentence.is_owner(left)):
        return True
    if zone == BETWEEN and has_other_subject(sentence, cue, left, match.first):
        return True
    return not cue.is_learned and has_other_noun(sentence, match.last, left if zone == BEFORE else right)


def _count_between(
    sentence: Sentence, between: tuple[int, int], mention: int, levels: Sequence[int]
) -> tuple[int, int]:
    """Count names and rivals between two tokens, except in the list of mention `mention`; `levels` are of its end.

    Names are all but values that do not fit; rivals are mentions that fit.
    """
    names = rivals = 0
    for other in range(bisect_right(sentence.positions, between[0]), bisect_left(sentence.positions, between[1])):
        if other not in sentence.lists[mention]:
            rivals += levels[other] == FIT
            names += levels[other] == FIT or sentence.mentions[other].kind != "value"
    return names, rivals
