"""Assertion status of relations between mentions: affirmed, denied or open.

Claim extraction by a graph uses it (stage 7 in `claims/by_graph/reader.py`).
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from functools import cache
from typing import Literal

from factprobe.reading.assertion import (
    OF_RELATIONS,
    PHRASES,
    REACH,
    REACH_AFTER,
    Kind,
    cues_in,
    is_possessor,
    kin_keys,
    status,
    that_keys,
)
from factprobe.reading.cue_tables import AssertionCue
from factprobe.reading.language import in_order, phrases, vocabulary
from factprobe.reading.tokenisation.segments import CLAUSE_END, SENTENCE_END, bounds_of
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.text import CAPITAL, straighten_quotes

RelationStatus = Literal["affirmed", "denied", "open"]
"""Assertion status of a relation: `denied` if negated, `open` if hedged, attributed to others, or former."""


_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_STATUS_KINDS = frozenset(("denies", "denied", "label", "belief", "doubts", "kin", "bounds", *OF_RELATIONS)) - {"fact"}
"""Kinds of cue that can change the status of a relation, which is affirmed without them."""


_OR = phrases("link_or")
_NAMES = rf"(?P<{{}}>(?:{CAPITAL}|\d)[\w'-]*(?:\s+(?:{CAPITAL}|\d)[\w'-]*)*)"
_ALTERNATIVES = re.compile(rf"{_NAMES.format('one')}\s+(?:{_OR})\s+(?:[a-z]+\s+)?{_NAMES.format('other')}")
"""Pattern of two alternative names: Vienna or Salzburg."""


@cache
def _verbs_of_belief() -> frozenset[str]:
    return frozenset(map(key_of, in_order("assertion_believes")))


@cache
def _decisive_words() -> frozenset[str]:
    """Return the stems of words before alternatives (or) or before clauses that are only reported (that, believe)."""
    return frozenset((*map(key_of, in_order("link_or")), *that_keys(), *_verbs_of_belief()))


@cache
def _decisive_cues(without: frozenset[Kind]) -> dict[str, tuple[frozenset[str], ...]]:
    """Return the cues that can change the status, without those of some kinds, as sets of stems by longest stem."""
    by_stem: dict[str, list[frozenset[str]]] = {}
    for kind, cues in {**PHRASES, **OF_RELATIONS}.items():
        for phrase in cues if kind in _STATUS_KINDS and kind not in without else ():
            keys = Words(phrase).keys
            by_stem.setdefault(max(keys, key=len), []).append(frozenset(keys))
    return {key: tuple(cues) for key, cues in by_stem.items()}


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

    The status is that of the last part. A cue of kind `denies` from the first part on, or `lacks` between both,
    denies the relation ("was not born in"). It is open if

    - a negation cue stands before the parts ("It is false that"), or the last part is in the scope of any other cue,
      except one of kind `kin`,
    - its first part is negated ("Rome, unlike Paris, is the capital of Italy"), or only identifies somebody else
      ("Marie Curie's husband was born in Paris"),
    - the clause is only reported ("They say that"), or the sentence is about fiction, or
    - a part is one of two alternative names ("Vienna or Salzburg").

    Args:
        text: Sentence.
        parts: Spans, in characters, of both ends and of the words that express the relation.
        own: Stems of the words in the templates of the relation, which are no cues.
        may_end: True if a former state leaves the relation open (the former capital).
        is_unique: True for a 1-1 relation, where the past tense means that the state has ended (was the capital of).
        is_of_value: True if the objects are dates or numbers, so that a limit (`before 1900`) leaves it open.
    """
    of_kinds: dict[Kind, bool] = {"past": may_end, "was": may_end and is_unique, "bounds": is_of_value}
    ignored = frozenset(kind for kind, leaves_open in of_kinds.items() if not leaves_open)
    decisive, keys = _decisive_cues(ignored), set(map(key_of, _WORD.findall(straighten_quotes(text))))
    is_possessive = "'" in text and not kin_keys().isdisjoint(keys)
    has_cue = any(cue <= keys for key in decisive.keys() & keys for cue in decisive[key])
    if not (is_possessive or has_cue or not _decisive_words().isdisjoint(keys)):
        return "affirmed"  # the common case
    words = Words(text)
    spans = [range(*(_words_before(words, text, place) for place in part)) for part in parts]
    cues, begin = cues_in(words, own, of_relation=True), min(span.start for span in spans)
    if any(cue.kind in ("denies", "lacks", "kin") and cue.end == begin for cue in cues):
        return "open"
    if is_possessor(words, _words_before(words, text, min(parts)[1]), own):
        return "open"
    if is_of_value and any(_limits_value(words, cue, spans) for cue in cues if cue.kind == "bounds"):
        return "open"
    if _has_alternative(text, parts) or not _is_stated(words, begin, cues):
        return "open"
    return _in_scope(words, text, parts, [cue for cue in cues if not _negates_name(words, cue, spans)], ignored)


def _in_scope(
    words: Words, text: str, parts: Sequence[tuple[int, int]], cues: Sequence[AssertionCue], ignored: Collection[Kind]
) -> RelationStatus:
    """Return the status that the cues in scope give a relation."""
    if not cues:
        return "affirmed"
    first, last = min(parts), max(parts)
    begin, start = (min(_words_before(words, text, part[0]), len(words) - 1) for part in (first, last))
    target = start, max(min(_words_before(words, text, last[1]), len(words)), start + 1)
    after_first = _words_before(words, text, first[1])
    clause, end = bounds_of(words, *target, CLAUSE_END)
    scope = max(min(clause, begin), target[0] - 2 * REACH)
    for cue in cues:
        is_behind = target[1] <= cue.start < min(end, target[1] + REACH_AFTER)
        is_before = scope <= cue.start and cue.end <= target[1]
        if cue.kind in ("hedge", "past") and (is_before or is_behind) and cue.kind not in ignored:
            return "open"
        if cue.kind == "was" and begin <= cue.start and is_before and "was" not in ignored:
            return "open"
        if cue.kind == "lacks" and max(after_first, clause) <= cue.start and is_before and cue.end <= start:
            return "denied"
    cue_status = status(words, target, cues)
    if cue_status == "denied":
        inside = any(cue.kind == "denies" and begin <= cue.start for cue in cues)
        return "denied" if inside else "open"
    return "open" if cue_status in ("believed", "doubted") else "affirmed"


def _limits_value(words: Words, cue: AssertionCue, spans: Sequence[range]) -> bool:
    """Return whether a cue of kind `bounds` limits a number or date in one of some spans.

    Only function words may separate them, or one number with its unit (`between 1000 km and 1500 km`).
    """
    for span in spans:
        if cue.start >= span.stop and words.keys[cue.start] not in vocabulary("link_or"):
            continue  # such as "or later"; others are before the value
        between = words.keys[cue.end : span.start] + words.keys[span.stop : cue.start]
        others = [key for key in between if key not in common_keys()]
        is_second = others[:1] != [] and others[0][0].isdigit() and between[-1] in vocabulary("link_and")
        is_value = any(key[0].isdigit() for key in words.keys[span.start : span.stop])
        if is_value and (not others or (is_second and len(others) <= 2)):  # a number and its unit
            return True
    return False


def _has_alternative(text: str, parts: Sequence[tuple[int, int]]) -> bool:
    """Return whether a part is one of two names joined by `or`; names that share a word are no alternatives."""
    for match in _ALTERNATIVES.finditer(text):
        is_of_part = any(start < match.end() and match.start() < end for start, end in parts)
        if is_of_part and {*match["one"].split()}.isdisjoint(match["other"].split()):
            return True
    return False


def _is_stated(words: Words, begin: int, cues: Sequence[AssertionCue]) -> bool:
    """Return whether a sentence states the relation that begins at word `begin`, instead of only reporting it.

    After a frame ("In the film, ...") or a label ("Myth: ...") at its beginning, a sentence states nothing.
    """
    first, _ = bounds_of(words, begin, begin + 1, SENTENCE_END)
    before = [cue for cue in cues if cue.end <= begin]
    is_framed = any(cue.kind == "frame" and cue.start == first for cue in before)
    labels = (cue.end for cue in before if cue.kind == "label" and cue.end < len(words))
    is_labelled = any(":" in words.source[words.ends[end - 1] : words.starts[end]] for end in labels)
    return not (is_framed or is_labelled or _is_reported(words, begin, before))


def _is_reported(words: Words, begin: int, before: Sequence[AssertionCue]) -> bool:
    """Return whether a relation follows "that" or a verb of belief, but not "the fact that" or "I believe"."""
    clause, _ = bounds_of(words, begin, begin + 1, CLAUSE_END)
    opening = that_keys() | _verbs_of_belief()
    skipped = common_keys() - opening - vocabulary("auxiliary")
    place = next((i for i in range(begin - 1, clause - 1, -1) if words.keys[i] not in skipped), begin)
    name = "".join(words.raw[begin : begin + 1])
    is_name = name[:1].isupper() or name in vocabulary("personal", "thing")
    if words.keys[place] not in opening or place in (begin, begin - (not is_name)):  # or the clause is relative
        return False
    verb = max(place - (words.keys[place] in that_keys()), 1)
    is_own = words.keys[verb] in _verbs_of_belief() and words.raw[verb - 1].lower() in vocabulary("unknown_speaker")
    is_fact = any(cue.kind == "fact" and cue.end == place + 1 for cue in before)
    return not (is_own or is_fact) or any(cue.kind == "denies" and clause <= cue.start <= place for cue in before)


def _negates_name(words: Words, cue: AssertionCue, parts: Sequence[range]) -> bool:
    """Return whether a negation between or after the parts negates another name ("Tokyo and not Berlin")."""
    is_between = cue.kind == "denies" and min(part.start for part in parts) <= cue.start < cue.end < len(words)
    return is_between and words.raw[cue.end][0].isupper() and not any(cue.end in part for part in parts)


def _words_before(words: Words, text: str, place: int) -> int:
    """Return the number of words of a text that begin before character `place`.

    If `Words` has changed the text (Roman numerals, signs), its offsets are others, and the part before is counted.
    """
    return bisect_left(words.starts, place) if words.source == text else len(Words(text[:place]))
