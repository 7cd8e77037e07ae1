"""Stage 4: pairs of mentions that may be the ends of a relation, with a cue in the sentence that may express it.

A cue is words that express a relation, compared as keys, which are stems. `wordings.py` makes cues of wordings such as:

    wording                       keys      zone     next_end  preposition
    [X] was born in [Y].          born      BETWEEN  object    in
    [X] was written by [Y].       written   BETWEEN  object    by
    The capital of [X] is [Y].    capit     BEFORE   subject   of
    [X] and [Y] are neighbours.   neighbor  AFTER    subject
    [X] is in [Y].                is in     BETWEEN  object               only as a whole

Each wording is also a cue as a whole: with just its words between both ends, before them and after them.

On each side, a cue reaches the nearest mention that fits the relation (`FIT`), with its list. Some cues also reach the
nearest name as object, though it does not fit (`MISFIT`). For the cue `born` of "[X] was born in [Y]":

    Albert Einstein, of Bonn, was born in Ulm    Bonn does not fit as subject, so the cue reaches Einstein
    Albert Einstein was born in Germany          Germany, no birthplace in the graph, is a misfit
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from msgspec import Struct

from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.mentions import Mention
from factprobe.claims.by_graph.sentence import MENTION, VALUE, Sentence
from factprobe.question_types import ENDS, End

ZONES = BEFORE, BETWEEN, AFTER = range(3)
"""Zones of words: before both ends of a relation, between them, or after both."""
Wording = tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Keys of all words of a wording: before, between and after both ends."""
NO_FIT, MISFIT, FIT = range(3)
"""Levels of how well a mention fits an end of a relation.

    NO_FIT   an unknown name, a value, or a pronoun that does not fit
             an entity as object of a relation to values
             an entity that fits the other end, if no entity is at both ends (`disjoint_relations`)
    MISFIT   another entity of the graph
    FIT      the graph has the entity, or one of its type, at this end of a fact; or it is a value of the right kind

In a graph without types, such as `kgs/trex`, an entity fits only the ends at which it occurs.
"""
MAX_TOKENS = 40
"""Maximum distance, in tokens, of a cue and an end of a pair, and of the ends of a pair that cues are learned from."""
FitLevels = Mapping[End, Sequence[int]]
"""Level of fit of each mention of a sentence, as subject and as object of a relation."""
_Ends = tuple[int, bool, int, int]
"""Zone, whether the ends are in order (`MentionPair.is_in_order`), and indices of the mentions: subject and object."""


class RelationCue(NamedTuple):
    """Words that express a relation; the table at the top of the module has examples."""

    relation: str
    keys: tuple[str, ...]
    """Keys to find: content words and what is among them, or all words of a whole wording in their zone.

    They may also be a mark with a date or, if learned, with a word.
    """
    zone: int
    """Zone of the words: before, between or after both ends."""
    is_subject_first: bool
    """True if the subject is the left end of the wording."""
    preposition: str
    """Preposition between the words and the next end; empty if there is none."""
    is_learned: bool
    takes_misfit: bool = False
    """True if the object may be an entity that does not fit; of a whole wording either end, but not both.

    That is so if the wording has, between its ends, words besides the content words of its cue: "[X] was born in [Y]"
    and "the capital of [X] is [Y]", but not "[X] borders [Y]".
    """
    wording: Wording | None = None
    """Keys of all words before, between and after both ends, of a whole wording; None of other cues."""

    @property
    def is_given_wording(self) -> bool:
        """True if the cue is a whole wording that is not learned."""
        return self.wording is not None and not self.is_learned

    @property
    def next_end(self) -> End:
        """End of the relation that follows the words in the wording; of words after both ends, the left one."""
        return "subject" if self.is_subject_first != (self.zone == BETWEEN) else "object"


class CueMatch(NamedTuple):
    """Cue found in a sentence."""

    cue: RelationCue
    first: int
    last: int
    """First and last token of the cue."""
    left: int
    """Index of the mention at the left end of a whole wording; of no meaning for other cues."""


class RelationCues:
    """Index of the cues of all relations."""

    def __init__(self, cues: Iterable[RelationCue]) -> None:
        self._by_first_key: dict[str, dict[tuple[str, ...], list[RelationCue]]] = {}
        for cue in dict.fromkeys(cues):
            self._by_first_key.setdefault(cue.keys[0], {}).setdefault(cue.keys, []).append(cue)
        self.find = lru_cache(maxsize=1 << 14)(self._find)

    def _find(self, keys: tuple[str, ...]) -> tuple[CueMatch, ...]:
        """Return the cues in the keys of a sentence, whole wordings first; `find` is the cached version."""
        positions = [i for i, key in enumerate(keys) if key in (MENTION, VALUE)]
        matches: list[CueMatch] = []
        for first, key in enumerate(keys):
            for cue_keys, cues in self._by_first_key.get(key, {}).items():
                end = first + len(cue_keys)
                if keys[first:end] == cue_keys:
                    mentions_before = bisect_left(positions, first)  # `zone` of these are ends of a whole wording
                    found = (CueMatch(cue, first, end - 1, mentions_before - cue.zone) for cue in cues)
                    matches += (match for match in found if _has_wording(match, keys, positions))
        return tuple(sorted(matches, key=lambda match: match.cue.wording is None))


def _has_wording(match: CueMatch, keys: tuple[str, ...], positions: Sequence[int]) -> bool:
    """Return whether a whole wording is around two mentions, with no other words between them; True of other cues."""
    if match.cue.wording is None:
        return True
    if not 0 <= match.left < len(positions) - 1:
        return False
    before, _, after = match.cue.wording
    start, end = positions[match.left : match.left + 2]
    around = keys[max(start - len(before), 0) : start], keys[start + 1 : end], keys[end + 1 : end + 1 + len(after)]
    return match.cue.wording == around


class MentionPair(Struct, frozen=True, gc=False):
    """Two mentions that a cue may join as subject and object of a relation.

    Which one is near depends on the zone of the cue; so do the gaps, which are ranges of tokens:

        BEFORE     cue (near gap) near (far gap) far    The capital of France is Paris
        BETWEEN    far (far gap) cue (near gap) near    Albert Einstein was born in Ulm
        AFTER      far (far gap) near (near gap) cue    In Ulm, Albert Einstein was born
    """

    cue: RelationCue
    subject: int
    object: int
    """Indices of subject and object among the mentions of the sentence."""
    first: int
    last: int
    """First and last token of the cue."""
    zone: int = BETWEEN
    near_gap: slice = slice(0, 0)
    far_gap: slice = slice(0, 0)
    is_in_order: bool = True
    """True if the end after the cue (or, if both are before it, the left one) is `cue.next_end`."""
    has_misfit: bool = False
    """True if the object (with a whole wording, one of both ends) does not fit the relation."""
    has_same_link: bool = False
    """True if cue and mentions are linked as in the wording, maybe in the other voice; set in stage 5."""
    score: float = 0.0
    """Probability that the sentence states the relation between both; set in stage 6."""


def fit_levels(facts: GraphFacts, mentions: Sequence[Mention], relation: str) -> FitLevels:
    """Return the levels of fit of the mentions of a sentence."""
    levels: dict[End, list[int]] = {"subject": [], "object": []}
    value_type = facts.value_types.get(relation)
    for mention in mentions:
        is_subject = facts.fits(mention.uris, relation, "subject")
        is_object = facts.fits(mention.uris, relation, "object")
        fits_only_other = (is_subject or is_object) and relation in facts.disjoint_relations
        otherwise = NO_FIT if fits_only_other or not mention.uris or mention.kind == "pronoun" else MISFIT
        levels["subject"].append(FIT if is_subject else otherwise)
        if value_type is not None:  # relations of numbers also take dates
            is_object = mention.value is not None and (value_type == "number" or mention.value.year is not None)
            otherwise = NO_FIT
        levels["object"].append(FIT if is_object else otherwise)
    return levels


def find_pairs(
    sentence: Sentence, matches: Iterable[CueMatch], levels: Callable[[str], FitLevels]
) -> list[MentionPair]:
    """Return the pairs of mentions in a sentence that a cue joins; `levels` returns the levels of fit for a relation.

    On each side a cue reaches only the nearest mention that fits, with its list, even if stage 5 then drops that. Two
    mentions joined by several cues come several times; `select` keeps one. If a whole wording that is not learned joins
    the only two mentions, only whole wordings are tried; they come first in `matches`.
    """
    found: list[MentionPair] = []
    levels_by_relation: dict[str, FitLevels] = {}
    for match in matches:
        cue, first, last, _ = match
        if cue.wording is None and len(sentence.mentions) == 2 and any(pair.cue.is_given_wording for pair in found):
            break
        if cue.relation not in levels_by_relation:
            levels_by_relation[cue.relation] = levels(cue.relation)
        fits, min_level = levels_by_relation[cue.relation], MISFIT if cue.takes_misfit else FIT
        ends = _ends(sentence, match, fits, min_level) if cue.wording is None else [_ends_of_wording(match)]
        for zone, is_in_order, subject, object_ in ends:
            both = fits["subject"][subject], fits["object"][object_]
            if max(both) == FIT and min(both) >= min_level:
                gaps = _gaps(sentence, match, zone, subject, object_)
                found.append(MentionPair(cue, subject, object_, first, last, zone, *gaps, is_in_order, min(both) < FIT))
    return found


def _ends_of_wording(match: CueMatch) -> _Ends:
    """Return the two mentions in a whole wording."""
    left, right = match.left, match.left + 1
    return match.cue.zone, True, *((left, right) if match.cue.is_subject_first else (right, left))


def _ends(sentence: Sentence, match: CueMatch, levels: FitLevels, min_level: int) -> Iterator[_Ends]:
    """Yield the mentions around a cue that it may join, found from the near one to the far one.

    All zones and both orders are tried; of a learned cue, only its own.
    """
    cue, first, last, _ = match
    min_levels: dict[End, int] = {"subject": FIT, "object": min_level}
    if any(max(levels[end]) < min_levels[end] for end in ENDS):
        return
    positions = sentence.positions
    before = range(bisect_left(positions, first - MAX_TOKENS), bisect_left(positions, first))[::-1]
    after = range(bisect_right(positions, last), bisect_right(positions, last + MAX_TOKENS))
    for zone, (near_end, far_end) in product((cue.zone,) if cue.is_learned else ZONES, (ENDS, ENDS[::-1])):
        is_in_order = cue.next_end == (far_end if zone == AFTER else near_end)
        if cue.is_learned and not is_in_order:
            continue
        for near in _reached(sentence, before if zone == AFTER else after, levels[near_end], min_levels[near_end]):
            if zone == BEFORE:
                far_side = [mention for mention in after if mention >= sentence.lists[near].stop]
            else:  # with a cue after them, both may be in one list: "France and Spain are neighbours"
                far_side = [mention for mention in before if zone == BETWEEN or mention < near]
            for far in _reached(sentence, far_side, levels[far_end], min_levels[far_end]):
                yield zone, is_in_order, *((near, far) if near_end == "subject" else (far, near))


def _gaps(sentence: Sentence, match: CueMatch, zone: int, *ends: int) -> tuple[slice, slice]:
    """Return the near gap and the far gap of a pair, as `MentionPair` has them."""
    left, right = sorted(ends)
    near = left if zone == BEFORE else right
    bounds = (sentence.list_end(near), match.first) if zone == AFTER else (match.last + 1, sentence.list_start(near))
    far_gap = slice(sentence.list_end(left), match.first if zone == BETWEEN else sentence.list_start(right))
    return slice(*bounds), far_gap


def _reached(sentence: Sentence, side: Sequence[int], levels: Sequence[int], min_level: int) -> list[int]:
    """Return the mentions that a cue reaches on a side, which begins with the nearest.

    These are the nearest one that fits, with its list, and, where misfits count, the nearest name, with its list.
    """
    fitting = (mention for mention in side if levels[mention] == FIT)
    names = (mention for mention in side if sentence.mentions[mention].kind != "value" and min_level == MISFIT)
    lists = [sentence.lists[mention] for mention in (next(fitting, None), next(names, None)) if mention is not None]
    return [mention for mention in side if levels[mention] >= min_level and sentence.lists[mention] in lists]
