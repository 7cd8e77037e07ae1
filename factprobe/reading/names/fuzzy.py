"""Fuzzy matching of misspelt names."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Container, Iterable, Mapping
from functools import cache, lru_cache

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
    (names, terms), words = right, text.words
    prefixes = tuple({beginning for name in names for beginning in _beginnings(name)})
    starts = [i for i, word in enumerate(words[:_SEARCHED_WORDS]) if word.startswith(prefixes)]
    if not starts:
        return []
    covered = {i for mention in mentions for i in range(mention.start, mention.end)}
    misspellings: list[NameMention] = []
    function_words, lines, count = vocabulary("function"), text.lines, len(words)
    lengths = {len(name.split()) + more for name in names for more in (-1, 0, 1)} - {0}
    sizes = sorted(lengths | ({count} if count <= _MAX_WHOLE_REPLY else set()), reverse=True)
    for start in starts:
        if start in covered or words[start] in function_words:
            continue
        for size in sizes:
            end = start + size
            if end > count or words[end - 1] in function_words or lines[start] != lines[end - 1]:
                continue
            if not covered.isdisjoint(range(start, end)) or asked.issuperset(words[start:end]):
                continue
            name = misspelt(" ".join(words[start:end]), names, known, terms)
            if name is not None:
                mention = NameMention(start, end, frozenset((names[name],)))
                if is_whole(text, mention, set()):
                    misspellings.append(mention)
                    covered.update(range(start, end))
                break
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
    best, distance = None, 0
    for name in right:
        if not written.startswith(_beginnings(name)):
            continue
        edits = _edits(written, name)
        if edits is not None and (best is None or edits < distance):
            best, distance = name, edits
    if best is None or written in known or (written in vocabulary("region") and best != written):
        return None
    return None if best != written and is_other_word(written, best, is_term=best in terms) else best


def is_other_word(written: str, name: str, *, is_term: bool) -> bool:
    """Return whether a text that resembles a name has another word, or differs from it by more than a slip."""
    own, new = (
        [word for word in one.split() if word not in two.split()] for one, two in ((name, written), (written, name))
    )
    if len(own) != len(new):
        own, new = (["".join(words)] if own and new else [] for words in (own, new))
    for word, other in zip(own, new, strict=True):
        if len(word) > _MAX_ABBREVIATION and not other.startswith(_beginnings(word)):
            return True  # Perry for Kerry
        if (is_term or " " not in name) and word != other and is_known(word) and is_known(other):
            return True  # hypotension for hypertension
        one, two = _unlike_parts(word, other)
        is_vowel = is_term and len(one) == len(two) == 1 and {one, two} <= _VOWELS and rarity(word) >= _MIN_TERM_RARITY
        is_syllable = (most := max(len(one), len(two))) > 1 and _distance()(one, two) == most
        if (is_vowel or (is_syllable and min(len(word), len(other)) > _MAX_ABBREVIATION)) and two[:1] not in _alike(
            one[:1]
        ):
            return True
    return False


def _unlike_parts(one: str, other: str) -> tuple[str, str]:
    """Return two words without doubled letters, common beginning and common end."""
    one, other = _DOUBLED.sub(r"\1", one), _DOUBLED.sub(r"\1", other)
    for _ in range(2):
        start = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
        one, other = one[start:][::-1], other[start:][::-1]
    return one, other


@lru_cache(maxsize=1 << 12)
def _beginnings(name: str) -> tuple[str, ...]:
    """Return the first letter of a name, the letters that may replace it, and its first two letters transposed."""
    return (name[:1], *_alike(name[:1]), name[1::-1])


def _alike(letter: str) -> set[str]:
    return {other for letters in _ALIKE if letter in letters for other in letters if letter}


def _edits(written: str, name: str) -> int | None:
    """Return the edit distance between a text and a name; None if the text cannot be a misspelling of the name.

    It cannot if the distance is above the limit for their length, if the text is a number, or if a numeral or a code
    differs. Names of four letters may differ only in letters that transliterations exchange.
    """
    longest = max(len(written), len(name))
    if abs(len(written) - len(name)) > 4 or not written:
        return None
    if longest < _MIN_LENGTH:  # Kiew, Kiev
        is_near = len(written) == len(name) == _MIN_LENGTH - 1 and all(
            a in (b, *_alike(b)) for a, b in zip(written, name, strict=False)
        )
        return 1 if is_near else None
    if written.isdigit() or (
        _exact_parts(written) != _exact_parts(name) and written.replace(" ", "") != name.replace(" ", "")
    ):
        return None
    most = max(int(longest * _MAX_EDITS_PER_LETTER), 1)
    edits = _distance()(written, name, score_cutoff=most)
    if edits > most and (" " in written) != (" " in name):  # as in Nay Pyi Taw, Naypyidaw
        written, name = written.replace(" ", ""), name.replace(" ", "")
        edits = _distance()(written, name, score_cutoff=most)
    return edits if edits <= most else None


@lru_cache(maxsize=1 << 12)
def _exact_parts(name: str) -> list[str]:
    """Return the words of a name that must match exactly: numerals, single letters and codes (Henry VIII, CYP2D6)."""
    return [w for w in name.split() if len(w) < 2 or any(map(str.isdigit, w)) or _NUMERAL.fullmatch(w)]


@cache
def _distance() -> Callable[..., int]:
    """Return the function for the edit distance with transpositions (optimal string alignment)."""
    from rapidfuzz.distance import OSA

    return OSA.distance
