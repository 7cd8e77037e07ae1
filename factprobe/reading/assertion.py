"""Assertion status of mentions: affirmed, negated, attributed to others, hedged, or only related to the answer.

Cues have a direction and a scope, as in NegEx (Chapman et al., 2001) and ConText (Harkema et al., 2009): the scope is
the clause, up to a contrasting word. The cues of each language are data (`assertion.toml` in its pack).
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Collection, Sequence
from functools import cache
from operator import attrgetter
from typing import Literal, get_args

from factprobe.reading.cue_tables import AssertionCue, CueTable, cue_table, keys_of, match_cues
from factprobe.reading.language import in_order, table, vocabulary
from factprobe.reading.tokenisation.segments import CLAUSE_END, SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.reading.values.value_parsing import values_in

Status = Literal["affirmed", "denied", "believed", "doubted", "related"]
"""Assertion status of a mention.

`denied` if it is negated, `believed` if it is attributed to others, `doubted` if it is hedged, `related` if the answer
is only described by it (`near Ulm`, `the brother of Max`), else `affirmed`.
"""

_Negating = Literal["neutral", "denies", "denied", "label", "sure"]
_EndingScope = Literal["contrast", "concedes", "answers"]
_OfMention = Literal["belief", "doubts", "kin", "corrects", "concludes", "bounds"]
_OfRelation = Literal["hedge", "frame", "fact", "lacks", "past", "was"]
Kind = Literal[_Negating, _EndingScope, _OfMention, _OfRelation]
"""Kind of cue.

Cues of mentions: `denies` negates what follows, `denied` what precedes, and `label` a name next to it after a colon
(`wrong: Ulm`); `sure` cancels a negation before it (`not sure that`); `neutral` contains a negation and does not negate
(`not only`); `belief` attributes to others; `doubts` doubts what follows (`not sure whether`); `kin` makes a name a
related one (`brother of`, `near`). `contrast` (`but`), `concedes` (`although`) and `answers` (`my answer is`) end the
scope of earlier cues. `corrects` retracts (`wait`), `concludes` introduces a conclusion (`so`), `bounds` a limit of a
value (`before 1945`).

Cues of relations: `hedge` (`perhaps`, anywhere in the clause), `frame` (`in the film` at the start of a sentence),
`fact` (`know that`: the clause is stated), `lacks` (`no border`), `past` (`former`) and `was` (the past tense of a
unique state).
"""


PHRASES: dict[Kind, tuple[str, ...]] = {kind: in_order(f"assertion_{kind}") for kind in get_args(Kind)}
_OF_RELATIONS, _ENDS_SCOPE = frozenset(get_args(_OfRelation)), frozenset(get_args(_EndingScope))
_IN_SCOPE: dict[str, Status] = {"denies": "denied", "sure": "affirmed", "doubts": "doubted"}
"""Status of a mention in the scope of a cue before it."""
_STATEMENT_END = re.compile(r"[.:;!?\n。！？।—]|\s[-–]\s")
REACH = 8
"""Maximum distance in words of a cue before a mention."""
REACH_AFTER = 3
"""Maximum distance in words of a cue after a mention."""
_MAX_CUES = 50
"""Maximum number of cues in the sentence of a mention that affect its status, so that lists take linear time."""


@cache
def _cues(*, of_relation: bool = False) -> CueTable:
    return cue_table({kind: PHRASES[kind] for kind in PHRASES if of_relation or kind not in _OF_RELATIONS})


@cache
def rarest_stems(*kinds: Kind) -> frozenset[str]:
    """Return stems of cues of some kinds; a text without any of these stems has none of the cues.

    These are the cues of one word, and the longest word of each other cue without such a word ("was not" has "not").
    """
    cues = [Words(phrase).keys for kind in kinds for phrase in PHRASES[kind]]
    stems = frozenset(keys[0] for keys in cues if len(keys) == 1)
    return stems.union(max(reversed(keys), key=len) for keys in cues if stems.isdisjoint(keys))


def cues_in(words: Words, asked: Collection[str] = (), *, of_relation: bool = False) -> list[AssertionCue]:
    """Return the cues of a text from left to right, the longest at each word; a date has none (1er mai).

    Args:
        words: Tokens of the text.
        asked: Stems of the question's words. A cue that consists of these and function words is ignored, since the
            reply only repeats the question.
        of_relation: True to include the cues that only affect relations.
    """
    matches = match_cues(words, _cues(of_relation=of_relation), asked)
    cues = [cue for cue in matches if not (_is_prefix(words, cue.end) or _is_in_title(words, cue.start))]
    dates = [(value.start, value.end) for value in values_in(words.source) if value.month] if cues else []
    return [cue for cue in cues if not any(start <= words.starts[cue.start] < end for start, end in dates)]


def _is_prefix(words: Words, end: int) -> bool:
    """Return whether a hyphen joins the word before index `end` to the next one (non-fiction, not-for-profit)."""
    return end < len(words) and words.source[words.ends[end - 1] : words.starts[end]] == "-"


def _is_in_title(words: Words, i: int) -> bool:
    """Return whether a word is capitalised within a sentence, as in a title (Can't Help Falling in Love)."""
    raw = words.raw[i]
    if not raw[0].isupper() or (len(raw) > 1 and raw.isupper()) or i == 0:
        return False
    return not CLAUSE_END.search(words.source, words.ends[i - 1], words.starts[i])


def status(words: Words, span: tuple[int, int], cues: Sequence[AssertionCue], asked: Collection[str] = ()) -> Status:
    """Return the assertion status of a mention.

    Args:
        words: Tokens of the text.
        span: Index of the first word of the mention, and index after the last.
        cues: Cues of the text, from `cues_in`.
        asked: Stems of the question's words. In `Ulm was not the birthplace`, the question asks for the birthplace,
            so that the negation after the name denies it. Ignored if the question itself has a negation.
    """
    start, end = span
    if not cues:
        return "affirmed"
    first, last = bounds_of(words, start, end, CLAUSE_END)
    scope = max(first, start - REACH)
    sentence, _ = bounds_of(words, start, end, SENTENCE_END)
    statement, _ = bounds_of(words, start, end, _STATEMENT_END)
    result: Status = "affirmed"
    position = attrgetter("start")
    stop = bisect_right(cues, end + REACH_AFTER, key=position)
    for cue in cues[max(bisect_left(cues, sentence, key=position), stop - _MAX_CUES) : stop]:
        is_of_next = cue.kind == "denied" and not keys_of("judgment_that").isdisjoint(words.keys[cue.end : cue.end + 1])
        kind = "denies" if is_of_next else cue.kind  # it is false that
        if kind in _ENDS_SCOPE and sentence <= cue.start < start:
            result = "affirmed"
        elif kind in _IN_SCOPE and scope <= cue.start and cue.end <= start:
            result = _IN_SCOPE[kind]
        elif _is_labelled_by(words, cue, start, end) or _is_negated_after(words, cue, range(end, last), asked):
            return "denied"
        elif kind == "belief" and statement <= cue.start and cue.end <= start:
            result = "believed"
        elif kind == "kin" and first <= cue.start and start - 2 <= cue.end <= start:
            result = "related"
    return result


def is_bound(words: Words, span: tuple[int, int], cues: Sequence[AssertionCue]) -> bool:
    """Return whether a number is only mentioned as a bound: more than 8, 8 or more.

    Args:
        words: Tokens of the text.
        span: Index of the first word of the number, and index after the last.
        cues: Cues of the text, from `cues_in`.
    """
    start, end = span
    for cue in cues:
        is_after = cue.start >= end and words.keys[cue.start] in vocabulary("link_or")
        gap = words.keys[end : cue.start] if is_after else words.keys[cue.end : start]
        is_near = all(key in common_keys() or key[0].isdigit() for key in gap)
        if cue.kind == "bounds" and (is_after or cue.end <= start) and is_near:
            return True
    return False


def _is_negated_after(words: Words, cue: AssertionCue, after: range, asked: Collection[str]) -> bool:
    """Return whether a cue in the rest of a mention's clause denies it: `Ulm is not`, `Ulm is not the capital`."""
    if cue.kind == "denied":
        return cue.start in after[:REACH_AFTER]
    if cue.kind != "denies" or cue.start not in after[:2] or not keys_of("unknown_lack").isdisjoint(asked):
        return False
    keys = words.keys[cue.end : after.stop]
    no_predicate = common_keys() | keys_of("preposition", "assertion_proform")  # is not one, are not among them
    predicate = next((key for key in keys if key not in no_predicate), "")
    return bool(asked) and (not predicate or not _verb_forms(predicate).isdisjoint(asked))


@cache
def _verb_forms(key: str) -> frozenset[str]:
    """Return the keys of a verb's forms: wrote and writes for write; only the given one for any other word."""
    verbs = (frozenset(map(key_of, (verb, *forms))) for verb, forms in table("negation_irregular").items())
    return frozenset({key}.union(*[keys for keys in verbs if key in keys]))


def is_possessor(words: Words, end: int, asked: Collection[str] = ()) -> bool:
    """Return whether a mention that ends before word `end` is the possessor of a relative (Austen's sister)."""
    is_possessive = 0 < end < len(words) and "'" in words.raw[end - 1]
    return is_possessive and words.keys[end] in kin_keys() and words.keys[end] not in asked


@cache
def kin_keys() -> frozenset[str]:
    """Return the stems of the words for relatives (brother, widow)."""
    phrases = (phrase.split() for phrase in in_order("assertion_kin"))
    return frozenset(key_of(words[0]) for words in phrases if len(words) == 2 and words[1] in vocabulary("function"))


def _is_labelled_by(words: Words, cue: AssertionCue, start: int, end: int) -> bool:
    """Return whether a label cue directly precedes a mention with a colon, or follows it with a colon or bracket."""
    if cue.kind != "label":
        return False
    if cue.end == start < len(words):
        return ":" in words.source[words.ends[start - 1] : words.starts[start]]
    return cue.start == end and re.search("[:(]", words.source[words.ends[end - 1] : words.starts[end]]) is not None


def denies(text: str) -> bool:
    """Return whether a text has a negation cue."""
    return any(cue.kind in ("denies", "denied", "label") for cue in cues_in(Words(text)))
