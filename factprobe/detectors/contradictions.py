"""Comparison of negations in two replies to a question: do they contradict each other, or negate the same thing?"""

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

_BOUNDARY = re.compile(r"(?<=[.,;:!?])\s+|\n")
_NEGATION_WORDS = vocabulary("negation_said") - vocabulary("negation_do")
_CONTRAST_WORDS = vocabulary("but")
_YES_NO = vocabulary("truth_value")
_NO_CONTENT = vocabulary("function") | _NEGATION_WORDS | _YES_NO


class _Clause(Struct, frozen=True):
    """Content words of a clause, as stems."""

    words: frozenset[str]
    negated: frozenset[str] | None
    """Stems after the first negation cue; None if the clause has no negation cue."""


def contradict_each_other(one: str, other: str, question: str) -> bool:
    """Return whether one reply negates what the other says ("It is not Paris." and "Paris.").

    Words after a negation cue are negated unless the reply also has them without one; those of the question count last.
    """
    question_stems = _stem_words(normalise(question).split())
    return _has_negation_of(one, other, question_stems) or _has_negation_of(other, one, question_stems)


def negate_the_same(one: str, other: str) -> bool:
    """Return whether both replies have the same clauses, at least one of them negated; cues may differ."""
    clauses = set(_split_clauses(one))
    return clauses == set(_split_clauses(other)) and any(clause.negated for clause in clauses)


def agree_in_short(one: str, other: str) -> bool:
    """Return whether both replies begin with the same yes or no, and one of them has no other content word."""
    words, others = normalise(one).split(), normalise(other).split()
    begin_alike = words[:1] == others[:1] and not _YES_NO.isdisjoint(words[:1])
    return begin_alike and (_NO_CONTENT.issuperset(words) or _NO_CONTENT.issuperset(others))


def _has_negation_of(one: str, other: str, question_stems: frozenset[str]) -> bool:
    affirmed, others = (
        [clause.words for clause in _split_clauses(text) if clause.negated is None] for text in (one, other)
    )
    negated = [clause.negated - question_stems or clause.negated for clause in _split_clauses(one) if clause.negated]
    return any(any(map(words.issubset, others)) and not any(map(words.issubset, affirmed)) for words in negated)


@lru_cache(maxsize=1 << 10)
def _split_clauses(text: str) -> tuple[_Clause, ...]:
    """Return the clauses of a text that have content words, except questions."""
    parts = [normalise(part).split() for part in _BOUNDARY.split(text) if part.strip() and not part.endswith("?")]
    clauses = []
    for part in parts:
        cuts = [i for i, word in enumerate(part) if word in _CONTRAST_WORDS]
        clauses += [_parse_clause(part[start:end]) for start, end in pairwise([0, *cuts, len(part)])]
    return tuple(clause for clause in clauses if clause.words)


def _parse_clause(words: Sequence[str]) -> _Clause:
    ends = range(1, len(words) + 1)
    by_phrase = ends if denies(" ".join(words)) else ()
    cue_end = next((end for end in by_phrase if denies(" ".join(words[:end]))), 0)
    cue_end = cue_end or next((end for end in ends if words[end - 1] in _NEGATION_WORDS), 0)
    affirmed_words = _stem_words([*words[: max(cue_end - 1, 0)], *words[cue_end:]])
    return _Clause(affirmed_words, _stem_words(words[cue_end:]) if cue_end else None)


def _stem_words(words: Iterable[str]) -> frozenset[str]:
    return frozenset(key(word) for word in words if word not in _NO_CONTENT)
