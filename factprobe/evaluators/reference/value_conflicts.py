"""Rules against replies with another value or unit, or a date that is less precise than asked for.

The docstring of a rule completes "The reply …".
"""

from __future__ import annotations

import re
from itertools import product

from factprobe.evaluators.reference.features import NameEvidence
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
from factprobe.reading.tokenisation.tokens import Words, common_keys, key_of
from factprobe.reading.values.value import Value
from factprobe.records import Question

_TURNS = ("corrects", "answers")
"""Kinds of cues that take back what precedes them."""
_LINKS = frozenset(map(key_of, vocabulary("link_and", "link_or")))
_CLAUSE_END = re.compile(r"\n|[,;:!?()](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|=")


@rule("reference.not_value", "incorrect")
def not_value(reading: ReferenceReading, _: Question) -> Judgment | None:
    """Has no value but another than the right one: alone, with a day, or the right number with another unit."""
    reply, names = reading.reply_words, [*reading.right_names]
    rights = [name.value for name in names if name.value is not None]
    if len(rights) < len(names):
        return None
    is_short, known = len(reply) <= MAX_SHORT_WORDS, common_keys() | reading.question_tokens.keys
    is_alone = is_short and len(reply.values) == 1 and known.issuperset(Words(reply.without(reply.values[0])).keys)
    values = [*reply.values] if is_alone else []
    for value, right in product(reply.values, rights) if not values else ():
        is_number = is_short and None is not value.number == right.number
        if is_number and not value.unit:
            return None
        values += [value] if is_number or (value.day and right.day) else []
    if not values or any(may_be(value, name, reading.question_tokens) for value, name in product(values, names)):
        return None
    answer = reply.source[values[0].start : values[0].end]
    return reject(reading, f"has {answer!r} for {reading.evidence.name.text!r}")


@rejection_rule("other_value", when=is_short_and_complete)
def other_value(evidence: NameEvidence) -> str:
    """Gives another value, whose part of the sentence has more words of the question than that of the right value."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    right = [name.value for name in names if name.value is not None]
    values = reply.values if right else []
    if len(values) < 2:
        return ""
    turns = [cue.start for cue in cues_in(reply, question.keys) if cue.kind in _TURNS]
    places = [min(reply.word_at(value.start), len(reply) - 1) for value in values]
    candidates: list[tuple[frozenset[str], bool, Value]] = []
    for value, start, following in zip(values, places, [*places[1:], len(reply)], strict=True):
        first, last = bounds_of(reply, start, start + 1, _CLAUSE_END)
        end = next((i for i in range(start, min(following, last)) if reply.keys[i] in _LINKS), last)
        keys = question.keys.intersection(reply.keys[first:end]) - common_keys()
        is_right = any(map(value.answers, right))
        if is_right and last - first == 1:
            return ""  # it is alone: "Nine: one chief and eight others"
        is_asked = question.keys.issuperset(reply.keys[start : max(reply.word_at(value.end), start + 1)])
        before = reply.source[: value.start]
        is_aside = is_asked or before.count("(") > before.count(")") or any(start < turn for turn in turns)
        is_alike = any((value.year is None) == (one.year is None) for one in right)  # no fourth for 2003
        if is_right or (is_alike and not is_aside):
            candidates.append((keys, is_right, value))
    best = [(keys, value.unit) for keys, is_right, value in candidates if is_right]
    for keys, is_right, value in candidates if best else ():
        if not is_right and all(own < keys and unit == value.unit for own, unit in best):
            return f"gives {reply.source[value.start : value.end]!r} as the value that is asked for"
    return ""


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
