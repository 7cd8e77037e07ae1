"""Assertion status of relations between mentions: affirmed, denied or open.

Claim extraction by a graph uses it (stage 8 in `claims/by_graph/reader.py`). It looks for cues, which are words such as
"not", "perhaps" or "former"; `assertion.py` has their kinds and the status of a single mention.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from factprobe.reading.assertion import REACH_AFTER, Kind, cues_in, is_bound, rarest_stems, status
from factprobe.reading.cue_tables import AssertionCue, keys_of
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.segments import CLAUSE_END, SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import Words, key_of
from factprobe.text import straighten_quotes

_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
RelationStatus = Literal["affirmed", "denied", "open"]
"""Assertion status of a relation: `denied` if negated, `open` if hedged, attributed to others, or former."""


_KINDS: tuple[Kind, ...] = ("denies", "denied", "label", "belief", "doubts", "kin", "bounds", "hedge", "frame", "lacks")
"""Kinds of cue that can change the status of any relation, which is affirmed without them."""


def relation_status(
    text: str,
    parts: Sequence[tuple[int, int]],
    own: Collection[str] = (),
    *,
    may_end: bool = False,
    is_unique: bool = False,
    is_of_value: bool = False,
) -> RelationStatus:
    """Return the assertion status of a relation in a sentence.

    Of the cases below, the first one decides; the first and the last part are those in the text:

        "Not Rome", "the wife of Marx", "Myth: Rome"   open: the first part is not affirmed itself
        "In the film, Rome is", "Tom says that Rome"   open: the sentence does not state it (doubtful that, too)
        "Rome or Paris is the capital"                 open: alternatives
        "born before 1900"                             open: a bound of a value
        "Rome may be", "Rome is the former capital"    open: near a part, a hedge or a state that is over (`may_end`)
        "Rome is not the capital", "has no border"     denied
        "the capital of Italy is wrong"                open: the last part is not affirmed

    Args:
        text: Sentence.
        parts: Spans, in characters, of both ends and of the words that express the relation.
        own: Stems of the words in the wordings of the relation, which are no cues.
        may_end: True if a former state leaves the relation open (the former capital); "no longer" denies it otherwise.
        is_unique: True for a 1-1 relation; if it may end, the past tense means that it has (was the capital of).
        is_of_value: True if the objects are dates or numbers, so that a limit (`before 1900`) leaves it open.
    """
    ended: tuple[Kind, ...] = ("past", "was") if may_end and is_unique else ("past",) if may_end else ()
    if _decisive_stems(ended).isdisjoint(map(key_of, _WORD.findall(straighten_quotes(text)))):
        return "affirmed"  # the common case
    words = Words(text)
    spans = [range(_words_before(words, text, start), _words_before(words, text, end)) for start, end in sorted(parts)]
    first, last = spans[0], spans[-1]
    cues = [cue for cue in cues_in(words, own, of_relation=True) if not _negates_other_name(words, cue, spans)]
    before = [cue for cue in cues if cue.end <= first.start]
    if status(words, (first.start, first.stop), before) != "affirmed" or not _is_stated(words, first.start, before):
        return "open"
    if any(_is_alternative(words, span) or (is_of_value and _is_limit(words, span, cues)) for span in spans):
        return "open"
    clauses = {bounds_of(words, span.start, span.stop, CLAUSE_END) for span in spans}
    # a cue in these clauses, or in brackets or commas before them: "Perhaps, Rome is"
    near = [cue for cue in cues if any(start <= cue.end and cue.start < end for start, end in clauses)]
    kinds = {cue.kind for cue in near if cue.start < last.stop + REACH_AFTER}
    between = {cue.kind for cue in near if first.start <= cue.start < last.start}
    if "hedge" in kinds or ("past" in ended and "past" in kinds) or ("was" in ended and "was" in between):
        return "open"
    last_status = "denied" if "lacks" in between else status(words, (last.start, last.stop), cues)
    if last_status == "denied" and not between.isdisjoint(("denies", "lacks")):
        return "denied"
    return "affirmed" if last_status in ("affirmed", "related") else "open"  # "near" is a hedge, too


@cache
def _decisive_stems(ended: tuple[Kind, ...]) -> frozenset[str]:
    """Return stems without which a text has no cue that changes the status; `ended` has kinds besides the general."""
    return rarest_stems(*_KINDS, *ended) | keys_of("link_or", "judgment_that")


def _is_stated(words: Words, begin: int, before: Sequence[AssertionCue]) -> bool:
    """Return whether a sentence states the relation from word `begin` on: not after "In the film" or "says that"."""
    start, _ = bounds_of(words, begin, begin + 1, SENTENCE_END)
    if any(cue.kind == "frame" and cue.start == start for cue in before):
        return False
    clause, _ = bounds_of(words, begin, begin + 1, CLAUSE_END)
    that = max((i for i in range(max(clause, 1), begin) if words.keys[i] in keys_of("judgment_that")), default=0)
    if not that:
        return True
    is_own = that > 1 and words.raw[that - 2].lower() in vocabulary("unknown_speaker")
    return is_own or any(cue.kind == "fact" and cue.end == that + 1 for cue in before)


def _is_alternative(words: Words, span: range) -> bool:
    """Return whether "or" joins words to others: Vienna or (in) Salzburg, but not Salzburg or Salzburg City."""
    around = (*range(max(span.start - 2, 0), span.start), *range(span.stop, min(span.stop + 1, len(words))))
    places = (i for i in around if words.raw[i].lower() in vocabulary("link_or"))
    return any({*words.raw[max(i - 2, 0) : i]}.isdisjoint(words.raw[i + 1 : i + 3]) for i in places)


def _is_limit(words: Words, span: range, cues: Sequence[AssertionCue]) -> bool:
    is_value = any(key[0].isdigit() for key in words.keys[span.start : span.stop])
    return is_value and is_bound(words, (span.start, span.stop), cues)


def _negates_other_name(words: Words, cue: AssertionCue, spans: Sequence[range]) -> bool:
    """Return whether a negation is directly before a name that is no part of the relation: Ottawa, not Toronto, is."""
    is_between = cue.kind == "denies" and spans[0].start <= cue.start < cue.end < len(words)
    return is_between and words.raw[cue.end][0].isupper() and not any(cue.end in span for span in spans)


def _words_before(words: Words, text: str, place: int) -> int:
    """Return the number of words before a character; `Words` may have other offsets, for Roman numerals and signs."""
    return bisect_left(words.starts, place) if words.source == text else len(Words(text[:place]))
