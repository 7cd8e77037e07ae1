"""Checks that a reply gives no other value, bound or less precise date than the right one.

Each check returns the reason in words, or an empty string.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from factprobe.evaluators.reference.features import Evidence
from factprobe.reading.assertion import bounds_of, cues_in
from factprobe.reading.language import vocabulary
from factprobe.reading.tokens import common_keys
from factprobe.reading.values import Value, is_ordinal, values_in

_CLAUSE_END = re.compile(r"\n|[,;:!?()](?=\s|$)|(?<=\w\w\w\w)\.(?=\s|$)|(?<=\d)\.(?=\s|$)|=")


def check_bounds(evidence: Evidence) -> str:
    """Return why a reply gives a bound (more than 5, before 1990) or a decade in place of the value."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    if evidence.name.value is None or not evidence.mentions:
        return ""
    cues = {cue.end: cue for cue in cues_in(reply, question.keys) if cue.kind == "beyond"}
    is_round = (evidence.name.value.number or 1) % 100 == 0
    is_meant = any(cue.kind == "beyond" for name in names for cue in cues_in(name.words))
    if not is_round and not is_meant and all(start in cues for start, _ in evidence.mentions):
        return f"leaves {evidence.name.text!r} behind"
    is_decade = all(reply.source[reply.ends[end - 1] :][:1] == "s" for _, end in evidence.mentions)
    return f"says the decade, not {evidence.name.text!r}" if is_decade else ""


def check_values(evidence: Evidence) -> str:
    """Return why a reply gives another value, in a clause that has more words of the question than the right one's."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    right = [name.value for name in names if name.value is not None]
    values = values_in(reply.source) if right else []
    if len(values) < 2:
        return ""
    common = common_keys()
    told: list[tuple[frozenset[str], bool, Value]] = []
    for value in values:
        start = min(reply.word_at(value.start), len(reply) - 1)
        first, last = bounds_of(reply, start, start + 1, _CLAUSE_END)
        keys = frozenset(key for key in reply.keys[first:last] if key in question.keys and key not in common)
        if "?" in reply.source[reply.ends[last - 1] :][:2]:
            continue
        is_asked = question.keys.issuperset(reply.keys[start : max(reply.word_at(value.end), start + 1)])
        if not is_asked and not is_ordinal(reply.source[value.start : value.end]):
            told.append((keys, any(value.answers(one) for one in right), value))
    best = [keys for keys, is_right, _ in told if is_right]
    for keys, is_right, value in told:
        if not is_right and is_comparable(value, right) and best and all(one < keys for one in best):
            return f"gives {reply.source[value.start : value.end]!r} as the value that is asked for"
    return ""


def check_precision(evidence: Evidence) -> str:
    """Return why a reply gives a less precise date than the question asks for: it has no day."""
    reply, names, question = evidence.reply, evidence.names, evidence.question
    if vocabulary("asks_date").isdisjoint(question.raw):
        return ""
    right = [name.value for name in names]
    if not all(value is not None and value.day is not None for value in right):
        return ""
    said = [value for value in values_in(reply.source) if value.year is not None or value.month is not None]
    return "gives no day" if said and all(value.day is None for value in said) else ""


def is_comparable(value: Value, right: Iterable[Value]) -> bool:
    """Return whether a value is comparable with a right one: the same unit, and no month."""
    return any(value.month is one.month is None and value.unit == one.unit for one in right)
