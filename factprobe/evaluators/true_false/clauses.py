"""Division of a reply to a true/false question into clauses."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from itertools import pairwise
from operator import attrgetter

from factprobe.evaluators.true_false.judged_clauses import Clause, judgment_cues, keys_of
from factprobe.reading.cue_tables import match_cues
from factprobe.reading.tokenisation.segments import starts_of_parts
from factprobe.reading.tokenisation.tokens import Words

_BREAK = re.compile(r"[,;:.!?()\[\]\n…—、。，；：！？।|]|\s[-–]\s")


def clauses_of(words: Words, statement: Sequence[str], *, has_passage: bool) -> list[Clause]:
    """Return the clauses of a reply.

    Args:
        words: Tokens of the reply, with placeholders for entities.
        statement: Stems of the statement's words, in order.
        has_passage: True if a passage precedes the statement; clauses about it do not judge the statement.
    """
    cues = [*match_cues(words, judgment_cues())]
    clauses: list[Clause] = []
    within = {i for cue in cues for i in range(cue.start, cue.end)}
    for span in _spans(words, within):
        first, last = (bisect_left(cues, at, key=attrgetter("start")) for at in (span.start, span.stop))
        is_taken_up = bool(clauses) and clauses[-1].has_passage
        is_of_passage = has_passage and _judges_passage(words, span, is_taken_up=is_taken_up)
        clauses.append(Clause(words, span, cues[first:last], statement, is_of_passage=is_of_passage))
    return clauses


def _spans(words: Words, within: AbstractSet[int]) -> list[range]:
    """Return the spans of the clauses of a reply, which also end before "but" (not a planet but a dwarf planet).

    Args:
        words: Tokens of a reply.
        within: Indices of words of cues; a "but" in or directly after one joins no clauses (nothing but).
    """
    buts = (i for i, key in enumerate(words.keys) if key in keys_of("but") and within.isdisjoint((i - 1, i)))
    starts = starts_of_parts(words, _BREAK) if len(words) else ()
    return [range(*span) for span in pairwise(sorted({*starts, *buts, len(words)}))]


def _judges_passage(words: Words, span: range, *, is_taken_up: bool) -> bool:
    """Return whether a clause is about the passage before the statement.

    Args:
        words: Tokens of the reply.
        span: Indices of the words of the clause.
        is_taken_up: True if the previous clause mentions the passage, so that "which" or "this" may refer to it.
    """
    keys = words.keys[span.start : span.stop]
    if not keys_of("judgment_statement").isdisjoint(keys):
        return False
    passage = max((i for i, key in enumerate(keys) if key in keys_of("judgment_passage")), default=len(keys))
    if passage < len(keys):
        return keys_of("judgment_that").isdisjoint(keys[passage:])
    is_same_sentence = "." not in words.source[words.ends[span.start - 1] : words.starts[span.start]]
    return is_taken_up and is_same_sentence and not keys_of("judgment_takes_up").isdisjoint(keys[:2])
