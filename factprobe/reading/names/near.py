"""Misspelt and otherwise transliterated names: near enough to be meant, with nothing nearer that could be."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable
from functools import cache, lru_cache

from factprobe.reading.language import phrases, vocabulary
from factprobe.reading.once import once

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
_NUMERAL = re.compile("[ivx]+")
_GERMAN = re.compile("(?<=[aeiou])ch")
"""What other spellings have kh for: Tschechow, Chekhov."""
_ALIKE = {
    "c": "kqt",
    "f": "p",
    "i": "jy",
    "j": "iy",
    "k": "cq",
    "p": "f",
    "q": "ck",
    "s": "z",
    "t": "c",
    "v": "w",
    "w": "v",
    "y": "ij",
    "z": "s",
}
"""First letters that transliterations exchange; a slip hardly ever changes the first letter."""


@lru_cache(maxsize=1 << 15)
def sound(name: str) -> str:
    """What is left of a name that several spellings in Latin letters share: its consonants, as they sound."""
    for pattern, letter in _SOUNDS:
        name = pattern.sub(letter, name)
    return name


class Known:
    """Names that are known, by their length, to find those that are near a text."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def has_near(self, said: str, slips: int, but: Collection[str]) -> bool:
        """Return whether another name than those in `but` is at most so many slips from a text."""
        from rapidfuzz import process

        names = self._by_length
        first = bisect_left(names, len(said) - slips, key=len)
        last = bisect_right(names, len(said) + slips, first, key=len)
        near = process.extract(said, names[first:last], scorer=_distance(), score_cutoff=slips, limit=len(but) + 1)
        return any(name not in but for name, _, _ in near)

    @once
    def _by_length(self) -> list[str]:
        return sorted(filter(None, self._names), key=len)


def misspelt(said: str, right: Collection[str], known: Known) -> str | None:
    """The right name that a normalised text misspells, or None.

    Never one when the text is another name that is known, or is nearer to one: of the relation, or a country.

    Args:
        said: the whole name as it was said.
        right: the normalised names of the right answers.
        known: those of the relation's entities.
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
    return best if distance == 0 or not known.has_near(said, distance, but=right) else None


def beginnings(right: Iterable[str]) -> tuple[str, ...]:
    """What a text may begin with that misspells one of some names."""
    return tuple({beginning for name in right for beginning in _beginnings(name)})


@lru_cache(maxsize=1 << 12)
def _beginnings(name: str) -> tuple[str, ...]:
    """The first letter of a name, those that are written for it, and the first two where they changed places."""
    return (name[:1], *_ALIKE.get(name[:1], ()), name[1::-1])


def _edits(said: str, name: str) -> int | None:
    """How many slips lead from a name to what was said; None when they are too many, or no slips."""
    longest = max(len(said), len(name))
    if abs(len(said) - len(name)) > 4 or not said:
        return None
    if longest < _LEAST:
        pairs = zip(said, name, strict=False)
        is_near = len(said) == len(name) == _LEAST - 1 and all(a == b or a in _ALIKE.get(b, "") for a, b in pairs)
        return 1 if is_near else None  # Kiew, Kiev
    if said.isdigit() or _digits(said) != _digits(name) or _kept(said) != _kept(name):
        return None
    most = max(int(longest * _SHARE), 1)
    edits = _distance()(said, name, score_cutoff=most)
    if edits > most and (" " in said) != (" " in name):  # Nay Pyi Taw, Naypyidaw
        said, name = said.replace(" ", ""), name.replace(" ", "")
        edits = _distance()(said, name, score_cutoff=most)
    if edits <= most and not _turns(said, name) and _words_near(said, name):
        return edits
    if longest == _LEAST or len(own := sound(name)) < 3:
        return None
    return most if own == sound(said) or own == sound(_GERMAN.sub("kh", said)) else None


def _digits(text: str) -> list[str]:
    return [] if text.isalpha() else [c for c in text if c.isdigit()]


@lru_cache(maxsize=1 << 12)
def _kept(name: str) -> list[str]:
    """The parts of a name in which no slip is forgiven: numerals and single letters, as in Henry VIII, Vitamin B."""
    return [word for word in name.split() if len(word) < 2 or _NUMERAL.fullmatch(word)]


def _words_near(said: str, name: str) -> bool:
    """Whether no single word is another one: Marie Curie and Pierre Curie share most of their letters."""
    distance = _distance()
    ours, theirs = said.split(), name.split()
    if len(ours) != len(theirs):
        return True
    return all(
        a == b or (max(len(a), len(b)) > 3 and distance(a, b) <= max(1, int(max(len(a), len(b)) * 0.25)))
        for a, b in zip(ours, theirs, strict=True)
    )


def _turns(said: str, name: str) -> bool:
    """Whether the two differ in a part that turns the meaning: hypotension and hypertension."""
    return _OPPOSITES.findall(said) != _opposites(name) and _OPPOSITES.sub("", said) == _OPPOSITES.sub("", name)


@lru_cache(maxsize=1 << 12)
def _opposites(name: str) -> list[str]:
    return _OPPOSITES.findall(name)


@cache
def _distance() -> Callable[..., int]:
    """Edits between two texts, where two letters that changed places are one; loaded where it is first needed."""
    from rapidfuzz.distance import OSA

    return OSA.distance
