"""Comparison of negations in two replies to one question: they may contradict each other, or negate the same."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from msgspec import Struct

from factprobe.reading.assertion import denies
from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.tokens import key_of as key
from factprobe.text import normalise

_PARTED = re.compile(r"(?<=[.,;:!?])\s+|\n")
_NO = vocabulary("negation_said") - vocabulary("negation_do")
_BUT = vocabulary("but")
_SIDES = vocabulary("truth_value")
_EMPTY = vocabulary("function") | _NO | _SIDES


class _Clause(Struct, frozen=True):
    """Stems of the content words in a clause."""

    words: frozenset[str]
    denied: frozenset[str] | None
    """Stems after the first negation cue; None without one."""


def contradict_each_other(one: str, other: str, asked: str) -> bool:
    """Return whether one reply negates what the other says ("It is not Paris." and "Paris.").

    Words after a negation cue are negated, unless the reply has them elsewhere too. Words of the question are ignored
    if there are other words.
    """
    given = _stem_words(normalise(asked).split())
    return _is_denied_by(one, other, given) or _is_denied_by(other, one, given)


def negate_the_same(one: str, other: str) -> bool:
    """Return whether both replies negate the same and state nothing else, with any negation cues ("never", "not")."""
    clauses = set(_split_clauses(one))
    return clauses == set(_split_clauses(other)) and any(clause.denied for clause in clauses)


def agree_in_short(one: str, other: str) -> bool:
    """Return whether both replies begin with the same yes or no, and one has nothing else: "Yes." and "Yes, it is"."""
    words, others = normalise(one).split(), normalise(other).split()
    begin_alike = words[:1] == others[:1] and not _SIDES.isdisjoint(words[:1])
    return begin_alike and (_EMPTY.issuperset(words) or _EMPTY.issuperset(others))


def _is_denied_by(one: str, other: str, given: frozenset[str]) -> bool:
    said, told = ([clause.words for clause in _split_clauses(text) if clause.denied is None] for text in (one, other))
    denied = [clause.denied - given or clause.denied for clause in _split_clauses(one) if clause.denied]
    return any(any(map(words.issubset, told)) and not any(map(words.issubset, said)) for words in denied)


@lru_cache(maxsize=1 << 10)
def _split_clauses(text: str) -> tuple[_Clause, ...]:
    """Return the clauses of a text that have content words, leaving out questions."""
    parts = [normalise(part).split() for part in _PARTED.split(text) if part.strip() and not part.endswith("?")]
    found = []
    for part in parts:
        cuts = [i for i, word in enumerate(part) if word in _BUT]
        found += [_parse_clause(part[start:end]) for start, end in pairwise([0, *cuts, len(part)])]
    return tuple(clause for clause in found if clause.words)


def _parse_clause(words: Sequence[str]) -> _Clause:
    upto = range(1, len(words) + 1)
    by_phrase = upto if denies(" ".join(words)) else ()
    ends = next((end for end in by_phrase if denies(" ".join(words[:end]))), 0)
    ends = ends or next((end for end in upto if words[end - 1] in _NO), 0)
    said = _stem_words([*words[: max(ends - 1, 0)], *words[ends:]])
    return _Clause(said, _stem_words(words[ends:]) if ends else None)


def _stem_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(key(word) for word in words if word not in _EMPTY)
