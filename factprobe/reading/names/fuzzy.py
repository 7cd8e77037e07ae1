"""Fuzzy matching of misspelt names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable
from functools import cache, lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.frequency import is_known, rarity

_SHARE = 0.2
"""Maximum number of edits per letter: one for five letters, two for ten."""
_LEAST = 5
"""Minimum length of names for fuzzy matching; shorter ones have too many neighbours, such as Iran and Iraq."""
_NUMERAL = re.compile("[ivx]+")
_DOUBLED = re.compile(r"(.)\1")
_ALIKE = ("ckq", "ct", "fp", "ijy", "pv", "sz", "vw")
"""First letters that transliterations exchange; misspellings hardly ever change the first letter."""
_VOWELS = frozenset("aeiouy")
_RARE = 0.8
"""Minimum rarity of technical terms, in which another vowel makes another term (hexane, hexene)."""
_SHORT = 3
"""Maximum number of letters of a word that may be an abbreviation (St. for Saint)."""


def misspelt(said: str, right: Collection[str], known: Container[str], terms: Container[str] = ()) -> str | None:
    """Return the right name that a normalised text misspells, or None.

    It returns None if the text is another known name (of the relation, or of a country), or if it differs by a word of
    the dictionary or by several letters in one place (prednisone, prednisolone).

    Args:
        said: Normalised name in the reply.
        right: Normalised names of the right answers.
        known: Normalised names of the relation's entities.
        terms: Those of the right names that are written in lower case.
    """
    best, distance = None, 0
    for name in right:
        if not said.startswith(_beginnings(name)):
            continue
        found = _edits(said, name)
        if found is not None and (best is None or found < distance):
            best, distance = name, found
    if best is None or said in known or (said in vocabulary("region") and best != said):
        return None
    return None if best != said and _is_other(said, best, best in terms) else best


def _is_other(said: str, name: str, is_term: bool) -> bool:
    """Return whether a word of a similar text is another word, or differs by more than slips."""
    own, new = ([word for word in one.split() if word not in two.split()] for one, two in ((name, said), (said, name)))
    if len(own) != len(new):
        own, new = (["".join(words)] if own and new else [] for words in (own, new))
    for word, other in zip(own, new, strict=True):
        if (is_term or " " not in name) and word != other and is_known(word) and is_known(other):
            return True  # hypotension for hypertension
        one, two = _unlike_parts(word, other)
        is_vowel = is_term and len(one) == len(two) == 1 and {one, two} <= _VOWELS and rarity(word) >= _RARE
        is_syllable = (most := max(len(one), len(two))) > 1 and _distance()(one, two) == most
        if (is_vowel or (is_syllable and min(len(word), len(other)) > _SHORT)) and two[:1] not in _alike(one[:1]):
            return True
    return False


def _unlike_parts(one: str, other: str) -> tuple[str, str]:
    """Return two words without doubled letters, and without the letters with which both begin and end."""
    one, other = _DOUBLED.sub(r"\1", one), _DOUBLED.sub(r"\1", other)
    for _ in range(2):
        start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        one, other = one[start:][::-1], other[start:][::-1]
    return one, other


def beginnings(right: Iterable[str]) -> tuple[str, ...]:
    """Return the prefixes of texts that may misspell any of the given names."""
    return tuple({beginning for name in right for beginning in _beginnings(name)})


@lru_cache(maxsize=1 << 12)
def _beginnings(name: str) -> tuple[str, ...]:
    """Return the first letter of a name, its common replacements, and the first two letters transposed."""
    return (name[:1], *_alike(name[:1]), name[1::-1])


def _alike(letter: str) -> set[str]:
    return {other for letters in _ALIKE if letter in letters for other in letters if letter}


def _edits(said: str, name: str) -> int | None:
    """Return the edit distance between a text and a name; None if they are not close enough."""
    longest = max(len(said), len(name))
    if abs(len(said) - len(name)) > 4 or not said:
        return None
    if longest < _LEAST:
        pairs = zip(said, name, strict=False)
        is_near = len(said) == len(name) == _LEAST - 1 and all(a == b or a in _alike(b) for a, b in pairs)
        return 1 if is_near else None  # as in Kiew, Kiev
    if said.isdigit() or (_exact_parts(said) != _exact_parts(name) and said.replace(" ", "") != name.replace(" ", "")):
        return None
    most = max(int(longest * _SHARE), 1)
    edits = _distance()(said, name, score_cutoff=most)
    if edits > most and (" " in said) != (" " in name):  # as in Nay Pyi Taw, Naypyidaw
        said, name = said.replace(" ", ""), name.replace(" ", "")
        edits = _distance()(said, name, score_cutoff=most)
    return edits if edits <= most else None


@lru_cache(maxsize=1 << 12)
def _exact_parts(name: str) -> list[str]:
    """Return the words of a name that must match exactly: numerals, single letters, codes ("Henry VIII", "CYP2D6")."""
    return [w for w in name.split() if len(w) < 2 or any(map(str.isdigit, w)) or _NUMERAL.fullmatch(w)]


@cache
def _distance() -> Callable[..., int]:
    """Return the function for the edit distance with transpositions (OSA), which is imported on first use."""
    from rapidfuzz.distance import OSA

    return OSA.distance
