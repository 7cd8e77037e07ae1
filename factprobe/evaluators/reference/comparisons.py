"""Rule against replies with the right name on the wrong side of a comparison, a contest or a passive verb.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.prepared_texts import QuestionTokens, ReplyWords
from factprobe.evaluators.reference.reference_reading import is_short_and_complete, rejection_rule
from factprobe.reading.cue_tables import AssertionCue, CueTable, cue_table, match_cues
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.segments import SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import common_keys

_REACH = 4
"""Maximum number of words between a name and the phrase that compares it."""
_MIN_SUPERLATIVE = 5
"""Minimum number of letters of a superlative."""
_NEGATION = re.compile(phrases("negation_said"), re.IGNORECASE)
_ABOVE, _BELOW = "above", "below"


@rejection_rule("wrong_side", when=is_short_and_complete)
def wrong_side(evidence: NameEvidence) -> str:
    """Has the right name on the wrong side of a comparison or contest: K2 is higher than Mount Everest."""
    reply, question, mentions = evidence.reply, evidence.question, evidence.mentions
    is_second = not question.keys - question.fixed <= {"1"}  # the second largest
    if is_second or evidence.name.value is not None or any(map(_NEGATION.fullmatch, reply.raw)):
        return ""
    for cue in _comparisons(reply, question):
        first, last = bounds_of(reply, cue.start, cue.end, SENTENCE_END)
        is_before = any(first <= start and end <= cue.start <= end + _REACH for start, end in mentions)
        is_behind = any(cue.end <= start <= cue.end + 1 for start, _ in mentions)
        others = range(cue.end, min(cue.end + _REACH, last)) if is_before else range(first, cue.start)
        if is_before == is_behind or not any(_is_other_name(evidence, i) for i in others):
            continue
        is_wrong = is_before == (cue.kind == _BELOW)
        return f"has {evidence.name.text!r} on the wrong side of {reply.text_of(cue[1:])!r}" if is_wrong else ""
    return ""


def _is_other_name(evidence: NameEvidence, i: int) -> bool:
    """Return whether word `i` of the reply may be another name: it is capitalised or in the question."""
    key = evidence.reply.keys[i]
    is_name = evidence.reply.raw[i][0].isupper() or key in evidence.question.keys
    return is_name and key not in common_keys() and key not in evidence.name.keys


def _comparisons(reply: ReplyWords, question: QuestionTokens) -> Iterator[AssertionCue]:
    """Yield the phrases with the asked one before them (`above`) or after them (`below`)."""
    winner = _asked_rank(question)
    if winner:
        kinds = {_ABOVE: _ABOVE, _BELOW: _BELOW} if winner > 0 else {_ABOVE: _BELOW, _BELOW: _ABOVE}
        yield from (cue._replace(kind=kinds[cue.kind]) for cue in match_cues(reply, _rank_cues()))
    verbs = {
        one for raw, one in zip(question.raw, question.words.keys[1:], strict=False) if raw in vocabulary("asks_person")
    } - common_keys()
    for i, key in enumerate(reply.keys[:-1]):
        next_word = reply.raw[i + 1].lower()
        is_comparative = next_word in vocabulary("than") and _is_asked_degree(reply, i, question)
        is_passive = key in verbs and next_word in vocabulary("agent") and reply.raw[i - 1] in vocabulary("auxiliary")
        if is_comparative or is_passive:
            yield AssertionCue(_ABOVE if is_comparative else _BELOW, i, i + 2)


@cache
def _rank_cues() -> CueTable:
    return cue_table({_ABOVE: in_order("rank_above"), _BELOW: in_order("rank_below")})


def _asked_rank(question: QuestionTokens) -> int:
    """Return 1 if a question asks for the winner or first one, -1 for the loser, 0 if it does not tell."""
    raw = question.raw
    if not vocabulary("negation_do").isdisjoint(raw):  # Whom did Dole lose to?
        return 0
    is_winner = not vocabulary("asks_winner").isdisjoint(raw) or any(map(_superlative_base, raw))
    return is_winner - (not vocabulary("asks_loser").isdisjoint(raw))


def _is_asked_degree(reply: ReplyWords, i: int, question: QuestionTokens) -> bool:
    """Return whether the comparative that ends with word `i` of a reply is the one that the question asks for."""
    degrees = vocabulary("degree")
    if not degrees.isdisjoint(map(str.lower, reply.raw[max(i - 2, 0) : i + 1])):
        return not degrees.isdisjoint(question.raw)
    base = _comparative_base(reply.raw[i].lower())
    return base != "" and any(base in (_superlative_base(raw), _comparative_base(raw)) for raw in question.raw)


def _comparative_base(word: str) -> str:
    """Return a word without the ending of a comparative; empty if it has none."""
    return next((word.removesuffix(ending) for ending in in_order("comparative_ending") if word.endswith(ending)), "")


def _superlative_base(word: str) -> str:
    """Return a word without the ending of a superlative; empty if it has none or is short (west)."""
    endings = in_order("superlative_ending") if len(word) >= _MIN_SUPERLATIVE else ()
    return next((word.removesuffix(ending) for ending in endings if word.endswith(ending)), "")
