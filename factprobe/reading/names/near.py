"""Misspelt and otherwise transliterated names: near enough to be meant, with nothing nearer that could be."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache

from factprobe.reading.language import phrases, vocabulary

_SHARE = 0.2
"""Edits per letter that a slip may take: one in five letters, two in ten."""
_LEAST = 5
"""Shorter names have too many neighbours: Iran and Iraq."""
_OPPOSITES = re.compile(phrases("opposite_part"))
_SOUNDS = [
    (re.compile(pattern), sound)
    for pattern, sound in (
        ("tsch|tch|cz|ch|sch|sh|zh|dsch|dj|dzh", "s"),
        ("ph", "f"),
        ("kh|gh|q|ck|x", "k"),
        ("c(?=[eiy])|ts|tz|z", "s"),
        ("c", "k"),
        ("w|f", "v"),
        ("th", "t"),
        ("[yj]", "i"),
        (r"\Biu|\Bie|\Bii", "i"),
        (r"(?<=[aeiou])h|h(?=[bcdfgklmnprstv])", ""),
        (r"(?<!^)[aeiou]+", ""),
        (r"^[aeiou]+", "a"),
        (r"(.)\1+", r"\1"),
    )
]
_GERMAN = re.compile("(?<=[aeiou])ch")
"""What other spellings have kh for: Tschechow, Chekhov."""
_ALIKE = frozenset(
    pair
    for letters in ("ck", "kq", "cq", "fp", "jy", "iy", "ij", "vw", "sz", "ct")
    for pair in (letters, letters[::-1])
)
"""First letters that transliterations exchange; a slip hardly ever changes the first letter."""


@lru_cache(maxsize=1 << 15)
def sound(name: str) -> str:
    """What is left of a name that several spellings in Latin letters share: its consonants, as they sound."""
    for pattern, letter in _SOUNDS:
        name = pattern.sub(letter, name)
    return name


def misspelt(said: str, right: Collection[str], known: Collection[str]) -> str | None:
    """The right name that a normalised text misspells, or None.

    Never one when the text is another name that is known, or is nearer to one: of the relation, or a country.

    Args:
        said: the whole name as it was said.
        right: the normalised names of the right answers.
        known: those of the relation's entities.
    """
    best, distance = None, 0
    first = said[:1]
    for name in right:
        if first != name[:1] and (first + name[:1] not in _ALIKE) and said[:2] != name[1::-1]:
            continue
        found = _edits(said, name)
        if found is not None and (best is None or found < distance):
            best, distance = name, found
    if best is None or said in known or (said in vocabulary("region") and best != said):
        return None
    return best if distance == 0 or not _has_neighbour(said, right, distance, known) else None


def _edits(said: str, name: str) -> int | None:
    """How many slips lead from a name to what was said; None when they are too many, or no slips."""
    from rapidfuzz.distance import OSA

    longest = max(len(said), len(name))
    if len(said) == len(name) == _LEAST - 1 and all(a == b or a + b in _ALIKE for a, b in zip(said, name, strict=True)):
        return 1  # Kiew, Kiev
    if longest < _LEAST or not said or said.isdigit() or abs(len(said) - len(name)) > 4:
        return None
    digits = [c for c in said if c.isdigit()]
    if digits != [c for c in name if c.isdigit()] or _kept(said) != _kept(name):
        return None
    most = max(int(longest * _SHARE), 1)
    edits = OSA.distance(said, name, score_cutoff=most)
    if edits > most and (" " in said) != (" " in name):  # Nay Pyi Taw, Naypyidaw
        said, name = said.replace(" ", ""), name.replace(" ", "")
        edits = OSA.distance(said, name, score_cutoff=most)
    if edits <= most and not _turns(said, name) and _words_near(said, name):
        return int(edits)
    same_sound = (
        longest > _LEAST and sound(name) in (sound(said), sound(_GERMAN.sub("kh", said))) and len(sound(name)) > 2
    )
    return most if same_sound else None


def _kept(name: str) -> list[str]:
    """The parts of a name in which no slip is forgiven: numerals and single letters, as in Henry VIII, Vitamin B."""
    return [word for word in name.split() if len(word) < 2 or re.fullmatch(r"[ivx]+", word)]


def _words_near(said: str, name: str) -> bool:
    """Whether no single word is another one: Marie Curie and Pierre Curie share most of their letters."""
    from rapidfuzz.distance import OSA

    ours, theirs = said.split(), name.split()
    if len(ours) != len(theirs):
        return True
    return all(
        a == b or (max(len(a), len(b)) > 3 and OSA.distance(a, b) <= max(1, int(max(len(a), len(b)) * 0.25)))
        for a, b in zip(ours, theirs, strict=True)
    )


def _turns(said: str, name: str) -> bool:
    """Whether the two differ in a part that turns the meaning: hypotension and hypertension."""
    return _OPPOSITES.sub("", said) == _OPPOSITES.sub("", name) and _OPPOSITES.findall(said) != _OPPOSITES.findall(name)


def _has_neighbour(said: str, right: Collection[str], distance: int, known: Collection[str]) -> bool:
    """Whether another entity's name is as near."""
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    others = [name for name in known if abs(len(name) - len(said)) <= distance and name not in right]
    return process.extractOne(said, others, scorer=OSA.distance, score_cutoff=distance) is not None
