"""Rules against replies with another value or unit, or a date that is less precise than asked for.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

import re

from factprobe.evaluators.reference.features import NameEvidence
from factprobe.evaluators.reference.prepared_texts import ReplyWords
from factprobe.evaluators.reference.reference_reading import (
    MAX_SHORT_WORDS,
    ReferenceReading,
    is_short_and_complete,
    reject,
    rejection_rule,
)
from factprobe.evaluators.reference.value_matching import may_be
from factprobe.evaluators.rules.base import Judgment, rule
from factprobe.reading.assertion import cues_in
from factprobe.reading.language import table, vocabulary
from factprobe.reading.tokenisation.segments import bounds_of
from factprobe.reading.tokenisation.tokens import common_keys, key_of
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import is_ordinal
from factprobe.records import Question

_TURNS = ("corrects", "answers")
"""Kinds of cues that take back what precedes them."""
_LINKS = frozenset(map(key_of, vocabulary("link_and", "link_or")))
_CLAUSE_END = re.compile(r"\n|[,;:!?()](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|=")


@rule("reference.not_value", "incorrect")
def not_value(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has only words of the question and another date or number than the right one."""
    value, names = reading.bare_value, [*reading.right_names]
    if value is None or any(name.value is None for name in names):
        return None
    answer = reading.reply_words.source[value.start : value.end]
    if any(may_be(value, name, answer, reading.question_tokens) for name in names):
        return None
    return reject(reading, f"is not {reading.evidence.name.text!r}")


@rejection_rule("other_date")
def other_date(evidence: NameEvidence) -> str:
    """Has dates with a day, none of which may be the right date, which has a day as well."""
    reply, rights = evidence.reply, [name.value for name in evidence.names if name.value is not None]
    is_asked = len(rights) == len(evidence.names) and all(right.day is not None for right in rights)
    dates = [value for value in reply.values if value.day is not None] if is_asked else []
    if not dates or any(date.may_be(right) for date in dates for right in rights):
        return ""
    return f"has {reply.source[dates[0].start : dates[0].end]!r} for {evidence.name.text!r}"


@rejection_rule("other_value", when=is_short_and_complete)
def other_value(evidence: NameEvidence) -> str:
    """Gives another value, whose part of the sentence has more words of the question than that of the right value."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    right = [name.value for name in names if name.value is not None]
    values = reply.values if right else []
    if len(values) < 2:
        return ""
    common, cues = common_keys(), cues_in(reply, question.keys)
    places = [min(reply.word_at(value.start), len(reply) - 1) for value in values]
    turns = [cue.start for cue in cues if cue.kind in _TURNS]
    last_right = max((i for i, one in zip(places, values, strict=True) if any(map(one.answers, right))), default=0)
    candidates: list[tuple[frozenset[str], bool, Value]] = []
    for value, start in zip(values, places, strict=True):
        first, last = bounds_of(reply, start, start + 1, _CLAUSE_END)
        following = min((i for i in places if i > start), default=start)
        end = next((i for i in range(start, min(following, last)) if reply.keys[i] in _LINKS), last)
        keys = frozenset(key for key in reply.keys[first:end] if key in question.keys and key not in common)
        is_right, before = any(map(value.answers, right)), reply.source[: value.start]
        if is_right and last - first == 1:
            return ""  # it is alone: "Nine: one chief and eight others"
        is_aside = before.count("(") > before.count(")") or any(start < turn <= last_right for turn in turns)
        if "?" in reply.source[reply.ends[last - 1] :][:2] or (is_aside and not is_right):
            continue
        is_asked = question.keys.issuperset(reply.keys[start : max(reply.word_at(value.end), start + 1)])
        if not is_asked and not is_ordinal(reply.source[value.start : value.end]) and not is_calculated(reply, value):
            candidates.append((keys, is_right, value))
    units = {one.unit for one in right}.union(value.unit for _, is_right, value in candidates if is_right)
    best = [keys for keys, is_right, _ in candidates if is_right]
    for keys, is_right, value in candidates:
        if not is_right and value.unit in units and best and all(stems < keys for stems in best):
            return f"gives {reply.source[value.start : value.end]!r} as the value that is asked for"
    return ""


@rejection_rule("other_unit", when=lambda reading: len(reading.reply_words) <= MAX_SHORT_WORDS)
def other_unit(evidence: NameEvidence) -> str:
    """Has the right number only with another unit than the right one: 8,849 cm for 8,849 m."""
    reply, rights = evidence.reply, [name.value for name in evidence.names if name.value is not None]
    same = [(value, right) for value in reply.values for right in rights if None is not value.number == right.number]
    if not same or not all(value.unit and not value.answers(right) for value, right in same):
        return ""
    return f"has {reply.source[same[0][0].start : same[0][0].end]!r} for {evidence.name.text!r}"


@rejection_rule("less_exact")
def less_exact(evidence: NameEvidence) -> str:
    """Gives a date without a part for which the question asks: day, month or year."""
    reply, question = evidence.reply, evidence.question
    right = [name.value for name in evidence.names if name.value is not None]
    is_asked = len(right) == len(evidence.names)
    dates = [value for value in reply.values if value.year is not None or value.month is not None] if is_asked else []
    for part, words in table("date_part").items() if dates else ():
        parts = {getattr(value, part) for value in right}
        is_known = None in parts or not {*map(str, parts)}.isdisjoint(question.raw)
        if not (is_known or {*words}.isdisjoint(question.raw) or any(getattr(value, part) for value in dates)):
            return f"gives no {part}"
    return ""


def is_calculated(reply: ReplyWords, value: Value) -> bool:
    """Return whether a value is an operand or result of a calculation (3 · 4 = 12)."""
    before, after = reply.source[: value.start].rstrip(" $€£"), reply.source[value.end :].lstrip()
    return before.endswith(("=", "+", "*", "×", "÷")) or after.startswith(("=", "+", "*", "×", "÷"))
