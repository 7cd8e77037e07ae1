"""Fuzzy matching of misspelt names."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Iterable, Mapping
from functools import cache, lru_cache
from itertools import product
from operator import itemgetter
from typing import Any

from factprobe.reading.language import vocabulary
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.frequency import is_known, rarity
from factprobe.reading.tokenisation.tokenised_text import Text

_MAX_EDITS_PER_LETTER = 0.2
"""Maximum number of edits per letter of the name: one edit in five letters, two in ten."""
_MIN_LENGTH = 5
"""Minimum length of a name that may be misspelt by any edit; shorter names have too many neighbours (Iran, Iraq)."""
_NUMERAL = re.compile("[ivx]+")
_DOUBLED = re.compile(r"(.)\1")
_ALIKE = ("ckq", "ct", "fp", "ijy", "pv", "sz", "vw")
"""Groups of letters that transliterations exchange; a misspelling hardly ever changes the first letter otherwise."""
_VOWELS = frozenset("aeiouy")
_MIN_TERM_RARITY = 0.8
"""Minimum rarity of a technical term; in these, another vowel makes another term (hexane, hexene)."""
_SEARCHED_WORDS = 400
"""Number of words at the beginning of a text in which misspelt names are searched for."""
_MAX_WHOLE_REPLY = 4
"""Maximum number of words of a reply that is also compared as a whole."""
_MAX_ABBREVIATION = 3
"""Maximum number of letters of an abbreviation (St. for Saint)."""
RightNames = tuple[Mapping[str, str], Container[str]]
"""URIs by normalised right names, and the right names that are written in lower case."""


def misspellings_in(
    text: Text, right: RightNames, known: Container[str], asked: frozenset[str], mentions: Iterable[NameMention]
) -> list[NameMention]:
    """Return the mentions of right names that are misspelt.

    Args:
        text: Reply, split into words.
        right: Right names.
        known: Normalised names of the relation's entities, which are no misspellings of others.
        asked: Normalised words of the question; a mention needs another word.
        mentions: Mentions that match exactly; their words are not searched.
    """
    (names, terms), words, lines = right, text.words, text.lines
    beginnings = tuple({beginning for name in names for beginning in _beginnings(name)})
    starts = [i for i, word in enumerate(words[:_SEARCHED_WORDS]) if word.startswith(beginnings)]
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0} if starts else set()
    lengths.update([len(words)] if len(words) <= _MAX_WHOLE_REPLY else ())
    covered = {i for mention in mentions for i in range(mention.start, mention.end)}
    misspellings: list[NameMention] = []
    for start, length in product(starts, sorted(lengths, reverse=True)):
        span = words[start : start + length]
        end = start + len(span)
        is_one = len(span) == length and lines[start] == lines[end - 1] and covered.isdisjoint(range(start, end))
        if not is_one or asked.issuperset(span) or not vocabulary("function").isdisjoint((span[0], span[-1])):
            continue
        name = misspelt(" ".join(span), names, known, terms)
        mention = NameMention(start, end, frozenset((names[name],))) if name is not None else None
        if mention and is_whole(text, mention, set()):
            misspellings.append(mention)
            covered.update(range(start, end))
    return misspellings


def misspelt(written: str, right: Collection[str], known: Container[str], terms: Container[str] = ()) -> str | None:
    """Return the right name that a normalised text misspells or equals; None if there is none.

    It is also None if the text is a known name of the relation, or of another country or state, if it has fewer than
    four letters, if both have a word of the dictionary where they differ (hypotension, hypertension), or if several
    adjacent letters differ (prednisone, prednisolone).

    Args:
        written: Normalised text of the reply.
        right: Normalised names of the right answers.
        known: Normalised names of the relation's entities.
        terms: Right names that are written in lower case.
    """
    near = [(edits, name) for name in right if (edits := _edits(written, name)) is not None]
    name = min(near, key=itemgetter(0))[1] if near else None
    if name in (None, written):
        return None if written in known else name
    is_other = written in known or written in vocabulary("region") or is_other_word(written, name, name in terms)
    return None if is_other else name


def is_other_word(written: str, name: str, is_term: bool) -> bool:
    """Return whether a text that resembles a name has another word, or differs from it by more than a slip."""
    own, new = name.split(), written.split()
    own, new = [word for word in own if word not in new], [word for word in new if word not in own]
    if len(own) != len(new):
        own, new = (["".join(words)] if own and new else [] for words in (own, new))
    return any(_is_another(*pair, is_term, is_alone=" " not in name) for pair in zip(new, own, strict=True))


def _is_another(written: str, word: str, is_term: bool, *, is_alone: bool) -> bool:
    is_long = min(len(word), len(written)) > _MAX_ABBREVIATION
    if len(word) > _MAX_ABBREVIATION and not written.startswith(_beginnings(word)):
        return True  # Perry for Kerry
    if (is_term or is_alone) and word != written and is_known(word) and is_known(written):
        return True  # hypotension for hypertension
    one, two = _DOUBLED.sub(r"\1", word), _DOUBLED.sub(r"\1", written)
    start = _distances().Prefix.similarity(one, two)
    one, two = one[start:], two[start:]
    end = _distances().Postfix.similarity(one, two)
    one, two = one[: len(one) - end], two[: len(two) - end]
    is_vowel = is_term and len(one) == len(two) == 1 and {one, two} <= _VOWELS and rarity(word) >= _MIN_TERM_RARITY
    is_syllable = is_long and 1 < max(len(one), len(two)) == _distances().OSA.distance(one, two)
    return (is_vowel or is_syllable) and two[:1] not in _alike(one[:1])


@lru_cache(maxsize=1 << 12)
def _beginnings(name: str) -> tuple[str, ...]:
    """Return the first letter of a name, the letters that may replace it, and its first two letters transposed."""
    return (name[:1], *_alike(name[:1]), name[1::-1])


def _alike(letter: str) -> set[str]:
    return {other for letters in _ALIKE if letter in letters for other in letters if letter}


def _edits(written: str, name: str) -> int | None:
    """Return the edit distance of a text from a name, without spaces if one has none; None if it is no misspelling."""
    plain, right = written.replace(" ", ""), name.replace(" ", "")
    if plain == right:
        return 0
    plain, right = (plain, right) if (" " in written) != (" " in name) else (written, name)
    longest = max(len(plain), len(right))
    if not plain or plain.isdigit() or _exact_parts(written) != _exact_parts(name):
        return None
    if longest < _MIN_LENGTH:  # Kiew, Kiev
        is_near = len(plain) == len(right) == _MIN_LENGTH - 1
        return 1 if is_near and all(a in (b, *_alike(b)) for a, b in zip(plain, right, strict=True)) else None
    most = max(int(longest * _MAX_EDITS_PER_LETTER), 1)
    edits: int = _distances().OSA.distance(plain, right, score_cutoff=most)
    return edits if edits <= most else None


@lru_cache(maxsize=1 << 12)
def _exact_parts(name: str) -> list[str]:
    """Return the words of a name that must match exactly: numerals, single letters and codes (Henry VIII, CYP2D6)."""
    return [w for w in name.split() if len(w) < 2 or any(map(str.isdigit, w)) or _NUMERAL.fullmatch(w)]


@cache
def _distances() -> Any:
    """Return rapidfuzz's distances, which load slowly; OSA is the edit distance with transpositions."""
    from rapidfuzz import distance

    return distance
