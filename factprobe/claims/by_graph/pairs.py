"""Stage 4: pairs of mentions that may be the ends of a relation, with a cue in the sentence that may express it.

Both ends have to fit the relation, as the levels in `cues.py` explain, and of the mentions that fit, a cue reaches the
nearest on each side, or the list of this one. If the wording has function words between its ends ("was born in"), its
cue also takes a misfit as object, unless a name is nearer; a whole such wording needs only one end that fits.
`attachment.py` finds the noun or name that a cue belongs to.

Example: the cue `born` of "[X] was born in [Y]", whose next end is the object, and the whole wording.

    Albert Einstein was born in Ulm         between; Ulm is next, so the object; the same "in"       0.96
    Albert Einstein was born in Germany     Germany, no birthplace in the graph, is a misfit         0.78
    In Ulm, Albert Einstein was born        after; Einstein is next, and now the subject             0.81
    Albert Einstein was born near Ulm       another preposition than that of the wording             no pair
    Albert Einstein left Ulm and was born   after; Ulm is next, but would be the subject             no pair
    Albert Einstein's wife was born in Ulm  "wife" is next to the cue, so it is said of her          no pair
    Albert Einstein was born in Ulm's old town   Ulm is a possessor, so not what is meant            no pair
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import NamedTuple

from factprobe.claims.by_graph.attachment import end_next_to
from factprobe.claims.by_graph.cues import AFTER, BEFORE, BETWEEN, FIT, MISFIT, NO_FIT, ZONES, CueMatch, RelationCue
from factprobe.claims.by_graph.fact_index import GraphFacts
from factprobe.claims.by_graph.mentions import Mention
from factprobe.claims.by_graph.sentence import Sentence
from factprobe.kgs.fact_lookup import ENDS
from factprobe.question_types import End

MAX_TOKENS = 40
"""Maximum number of tokens between a cue and the ends of a pair."""
_NAME_OR_PREPOSITION = re.compile("[@nipo]")
"""Pattern of what makes it less likely that a cue belongs to a mention beyond it."""
FitLevels = Mapping[End, Sequence[int]]
"""Level of fit of each mention of a sentence, as subject and as object of a relation."""


class MentionPair(NamedTuple):
    """Two mentions that a cue joins as subject and object of a relation.

    The near mention is the one next to the cue, or the right one if the cue is between both; the other is the far one.
    """

    cue: RelationCue
    subject: int
    object: int
    """Indices of subject and object among the mentions of the sentence."""
    first: int
    last: int
    """First and last token of the cue."""
    has_same_link: bool
    """True if the preposition between cue and near mention is the one in the wording.

    A possessor ("France's capital") or the other voice ("Tolkien wrote") counts as the same. Whole wordings always have
    the same link. Learned cues, and words after both ends, never have it.
    """
    has_misfit: bool
    """True if the object (with a whole wording, one of the ends) does not fit the relation."""
    distance: int = 0
    """Number of names and prepositions between the cue and the far mention; of a cue around both, between these."""
    score: float = 0.0
    """Probability that the sentence states that the relation holds between both."""


def fit_levels(facts: GraphFacts, mentions: Sequence[Mention], relation: str) -> FitLevels:
    """Return the levels of fit of the mentions of a sentence."""
    levels: dict[End, list[int]] = {"subject": [], "object": []}
    value_type = facts.value_types.get(relation)
    for mention in mentions:
        is_subject = facts.fits(mention.uris, relation, "subject")
        is_object = facts.fits(mention.uris, relation, "object")
        is_of_other = (is_subject or is_object) and relation in facts.disjoint_relations
        misfit = NO_FIT if is_of_other or not mention.uris or mention.kind == "pronoun" else MISFIT
        levels["subject"].append(FIT if is_subject else misfit)
        if value_type is not None:  # relations of numbers also take dates
            is_object = mention.value is not None and (value_type == "number" or mention.value.year is not None)
            misfit = NO_FIT
        levels["object"].append(FIT if is_object else misfit)
    return levels


def find_pairs(sentence: Sentence, matches: Sequence[CueMatch], levels: Mapping[str, FitLevels]) -> list[MentionPair]:
    """Return the pairs of mentions in a sentence that a cue joins; `levels` has the levels of fit by relation.

    Two mentions joined by several cues come several times; `select` keeps one. If a whole wording that is not
    learned joins the only two mentions, no other cue is tried.
    """
    wordings = (match for match in matches if match.cue.wording is not None)
    found = [pair for match in wordings for pair in _whole_pairs(sentence, match, levels[match.cue.relation])]
    if len(sentence.mentions) > 2 or not any(pair.cue.is_whole_wording for pair in found):
        for match in matches:
            fits = levels[match.cue.relation]
            if match.cue.wording is None and FIT in fits["subject"] and max(fits["object"]) >= match.cue.min_level:
                found += _pairs_around(sentence, match, fits)
    return found


def _whole_pairs(sentence: Sentence, match: CueMatch, levels: FitLevels) -> Iterator[MentionPair]:
    """Yield the pair of mentions that the whole wording of a cue joins, if they fit."""
    cue, first, last, left = match
    subject, object_ = (left, left + 1) if cue.is_subject_first else (left + 1, left)
    both = levels["subject"][subject], levels["object"][object_]
    before, _, after = cue.wording or ((), (), ())
    is_of_other = (not after and sentence.is_possessor(left + 1)) or (not before and sentence.is_complement(left))
    if max(both) == FIT and min(both) >= cue.min_level and not is_of_other:
        yield MentionPair(cue, subject, object_, first, last, not cue.is_learned, min(both) < FIT)


def _pairs_around(sentence: Sentence, match: CueMatch, levels: FitLevels) -> Iterator[MentionPair]:
    """Yield the pairs of mentions that the words of a cue join."""
    cue, first, last, _ = match
    positions, lists = sentence.positions, sentence.lists
    before = range(bisect_left(positions, first - MAX_TOKENS), bisect_left(positions, first))
    after = range(bisect_right(positions, last), bisect_right(positions, last + MAX_TOKENS))
    min_levels: Mapping[End, int] = {"subject": FIT, "object": cue.min_level}
    for zone, (near_end, far_end) in product((cue.zone,) if cue.is_learned else ZONES, (ENDS, ENDS[::-1])):
        near_side = before[::-1] if zone == AFTER else after
        for near in _reached(sentence, near_side, levels[near_end], min_levels[near_end]):
            if zone == BEFORE:
                far_side = range(lists[near].stop, after.stop)
            else:  # after both ends, these may be in one list: "France and Spain are neighbours"
                far_side = range(before.start, near if zone == AFTER else before.stop)[::-1]
            for far in _reached(sentence, far_side, levels[far_end], min_levels[far_end]):
                end, has_same_link = end_next_to(sentence, match, zone, near, far)
                if end == near_end:
                    left, right = sorted((near, far))
                    stop = first if zone == BETWEEN else positions[lists[right].start]
                    between = _NAME_OR_PREPOSITION.findall(sentence.shape, positions[lists[left].stop - 1] + 1, stop)
                    subject, object_ = (near, far) if near_end == "subject" else (far, near)
                    has_misfit = levels["object"][object_] < FIT
                    yield MentionPair(cue, subject, object_, first, last, has_same_link, has_misfit, len(between))


def _reached(sentence: Sentence, side: range, levels: Sequence[int], min_level: int) -> Iterator[int]:
    """Yield the mentions on a side of a cue that it reaches, from the nearest one on.

    These are the members of the nearest list with a mention that fits, and a misfit with no name before it.
    """
    last_list: range | None = None
    is_found = has_name = False
    for mention in side:
        if sentence.lists[mention] != last_list:
            if is_found:
                return
            last_list, min_level_in_list = sentence.lists[mention], FIT if has_name else min_level
        if levels[mention] >= min_level_in_list:
            yield mention
        is_found = is_found or levels[mention] == FIT
        has_name = has_name or sentence.mentions[mention].kind != "value"
