"""What of a name must be said for people to take it as said, and where a reply says it; for names outside any graph."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from factprobe.reading.language import in_order, phrases, table, vocabulary
from factprobe.reading.names.forms import other_forms
from factprobe.reading.values import NUMBER_WORDS, ROMAN
from factprobe.reading.words import Text, name_words

_FIGURES = re.compile(rf"(\d+)(?:{phrases('nth')})?")
_FOOTNOTED = re.compile(r"([^\W\d_]{3,}|(?:1\d|20)\d\d)\d{1,2}")
"""A word or a year with the number of a footnote glued to it."""
_SEAM = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[^\W\d_])(?=\d)|(?<=\d)(?=[^\W\d_]{3})")
_HYPHEN = re.compile(r"(?<=\w)-(?=\w)")
_DECIMAL = re.compile(r"\d+\.\d+(?!\w|\.\d)")
_KIND_BEFORE = re.compile(r"(?:(?:.*\s)?[a-z][\w'’-]*\s+)(?=[^\W\d_a-z])")
_INITIALS = re.compile(r"(?:[^\W\d_]\.)+")
_BYNAME = re.compile(rf"\s(?:{'|'.join(in_order('byname_before'))})\s")
_MOST_NAMES = 4
"""Words of a person's name."""
_OF_RULER = 2
"""Words of a name with a number: James I."""
_ROOM = 4
"""Words that may stand between those of a name, for each of them."""

Place = tuple[int, int]
"""The first of some words of a text, and the one behind the last."""


def keys_of(text: Text) -> dict[str, list[int]]:
    """Where each word of a reply stands, by what its forms share."""
    found, decimals = glued_in(text), _decimals_in(text)
    for i, (word, stem) in enumerate(zip(text.words, map(key, text.words), strict=True)):
        if number := decimals.get(i, stem):
            found.setdefault(number, []).append(i)
        if len(word) == 1 and i > 0 and not text.mark[i].strip("-") and word in _common():
            found.setdefault(f"{key(text.words[i - 1])} {word}", []).append(i)
    return found


def glued_in(text: Text) -> dict[str, list[int]]:
    """The same of the words that others hold, or that stand with a hyphen."""
    words, count = text.words, len(text)
    found = [(part, i) for i, parts in enumerate(map(_glued, text.raw)) if parts for part in parts]
    if "-" in text.mark:
        hyphens = [i for i, mark in enumerate(text.mark) if mark == "-" and not words[i].isdigit()]
        found += [(words[i - 1] + words[i], i) for i in hyphens]
    for i in text.inflected if count > 1 else ():
        ends = words[i][-1].isdigit() and (i + 1 == count or text.mark[i + 1]) and not _is_code(text.raw[i])
        if ends and (footnoted := _FOOTNOTED.fullmatch(words[i])):
            found.append((footnoted[1], i))
    places: dict[str, list[int]] = {}
    for part, i in sorted(found, key=itemgetter(1)):
        places.setdefault(key(part), []).append(i)
    return places


@lru_cache(maxsize=1 << 16)
def _glued(raw: str) -> tuple[str, ...]:
    """The words of one that was glued together where a link stood: byBonnie, in2013after."""
    parts = () if _is_code(raw) else _SEAM.split(raw)
    return tuple(word for part in parts for word in name_words(part)) if len(parts) > 1 else ()


def _is_code(raw: str) -> bool:
    """Whether a word with figures is all in capitals, so that these belong to it: HTT2 is not HTT."""
    return raw.isupper() and raw.isalnum()


def _decimals_in(text: Text) -> dict[int, str]:
    """What `decimal_at` finds in a text, by the words."""
    if _DECIMAL.search(text.source) is None:
        return {}
    return {i: number for i in range(len(text)) if (number := decimal_at(text, i)) is not None}


def decimal_at(text: Text, i: int) -> str | None:
    """The decimal number that begins with a word, empty for the rest of one, None for any other word: 2.5 is no 2."""
    if not text.words[i].isdigit():
        return None
    found = _DECIMAL.match(text.source, text.starts[i])
    if found is None:
        return None
    return found[0] if i == 0 or text.starts[i - 1] != text.starts[i] else ""


@lru_cache(maxsize=1 << 16)
def key(word: str) -> str:
    """What the forms of a normalised word share: its stem, or the figures of a number."""
    if figures := _FIGURES.fullmatch(word):
        return figures[1]
    number = NUMBER_WORDS.get(word)
    return str(_stemmer().stemWord(word)) if number is None else str(number)


@lru_cache(maxsize=1 << 12)
def keys_in(words: tuple[str, ...]) -> frozenset[str]:
    """The keys of the words of a question, which several systems may have answered."""
    return frozenset(map(key, words))


@cache
def _stemmer() -> Any:
    from Stemmer import Stemmer

    return Stemmer("english")


def said(name: str, places: Mapping[str, Sequence[int]], asked: Collection[str]) -> Place | None:
    """Where a reply says a name, in the least room; None where it does not.

    Words that say nothing by themselves and those of the question need not be said again.

    Args:
        name: a right answer.
        places: of the words of the reply, by `keys_of`.
        asked: the keys of the question's words.
    """
    ways = _ways(name)
    wanted = [[found for found in words if found not in asked] for words in ways]
    if not (wanted and wanted[0]) or ("," in name and is_given(name, asked)):
        return _least([*map(key, name_words(_without_region(name)))], places, 0)
    return next((place for words in wanted if words and (place := _least(words, places)) is not None), None)


def fraction_said(name: str, text: Text) -> Place | None:
    """Where a text says a fraction in words: one half."""
    for said_so in table("fraction").get(name.strip(), ()):
        words = list(name_words(said_so))
        for i in range(len(text) - len(words) + 1):
            if text.words[i : i + len(words)] == words:
                return i, i + len(words)
    return None


def is_given(name: str, asked: Collection[str]) -> bool:
    """Whether a question has all that tells a name from others; the region that a place lies in tells nothing."""
    own = _content(_without_region(name))
    return bool(own) and all(one in asked for one in own)


def _without_region(name: str) -> str:
    """A name without what stands behind its last comma, unless it is a date or an amount: Portland, Oregon."""
    place, _, _ = name.rpartition(",")
    return name if any(letter.isdigit() for letter in name) else place or name


@lru_cache(maxsize=1 << 14)
def _ways(name: str) -> tuple[tuple[str, ...], ...]:
    """The words that must be said of a name, in each of the ways in which people take it as said."""
    return tuple(dict.fromkeys(words for words in map(_content, _shorter(name)) if words))


def _shorter(name: str) -> Iterator[str]:
    """A name whole; without its kind or title, without the region that a place lies in, without middle names."""
    yield name
    if "-" in name:
        yield _HYPHEN.sub("", name)
    yield from (" ".join(words) for words in other_forms(name_words(name)))
    if (kind := _KIND_BEFORE.match(name)) is not None and any(
        word[0].islower() and word not in _common() for word in kind[0].split()
    ):
        yield name[kind.end() :]
    first, comma, _ = name.partition(",")
    if comma and not any(letter.isdigit() for letter in name):
        yield first
    before = without_byname(name)
    if before != name and is_number_of_ruler(before.split()[-1]):
        yield from _shorter(before)  # Charles II of England, and not another Charles of England
        return
    names = names_of_person(name)
    if names:
        yield " ".join(names)
        yield f"{names[0]} {names[-1]}"
    ruler = [word for word in name.split() if word.lower() not in vocabulary("title")]
    if len(ruler) == _OF_RULER and ruler[1].lower() == ROMAN[0]:
        yield ruler[0]  # whom nobody called the first before there was a second


@lru_cache(maxsize=1 << 14)
def names_of_person(name: str) -> tuple[str, ...]:
    """The names of what may be a person: two to four words with capitals, without titles; empty of anything else."""
    every, titles = name.split(), vocabulary("title")
    words = [
        word
        for i, word in enumerate(every, start=1)
        if _is_letter(word)
        or ((plain := word.lower().strip(".,")) not in _common() and (plain not in titles or i == len(every) > 2))
    ]  # Billie Jean King
    is_person = 1 < len(words) <= _MOST_NAMES and all(word[0].isupper() and word[-1] != "," for word in words)
    return tuple(words) if is_person else ()


def without_byname(name: str) -> str:
    """A name without a realm or a byname, which is nobody's surname: Charles II of England, Cyrus the Great."""
    return _BYNAME.split(name, 1)[0]


def is_number_of_ruler(word: str) -> bool:
    """Whether a word is the number that a ruler has: Charles II."""
    return word.isupper() and word.lower() in ROMAN


def _is_letter(word: str) -> bool:
    """Whether a word is an initial, or the first number of all."""
    return _INITIALS.fullmatch(word) is not None or (word.isupper() and word.lower() == ROMAN[0])


@lru_cache(maxsize=1 << 14)
def _content(name: str) -> tuple[str, ...]:
    """The words of a name that say something, by what their forms share."""
    text = Text(name)
    common = _common()
    decimals = _decimals_in(text)
    found = [decimals[i] if i in decimals else key(word) for i, word in enumerate(text.words)]
    if (last := _last_letter(text)) is not None:
        found[last] = f"{found[last - 1]} {text.words[last]}"
        common = common - {text.words[last]}
    if len(first := name_words(name)[0]) == 1:  # no article: A. Moore
        common = common - {first}
    return tuple(dict.fromkeys(one for one, word in zip(found, text.words, strict=True) if one and word not in common))


def _last_letter(text: Text) -> int | None:
    """Where a name ends in a letter that is a word elsewhere, and says something behind another: Vitamin A, Rocky I."""
    last = len(text) - 1
    is_letter = last > 0 and len(text.raw[last]) == 1 and text.raw[last].isupper() and text.words[last] in _common()
    return last if is_letter and not text.mark[last].strip("-") else None


def _least(wanted: Sequence[str], places: Mapping[str, Sequence[int]], room: int = _ROOM) -> Place | None:
    """The least room that holds each of some words; None where one is missing or they stand far apart."""
    if any([word not in places for word in wanted]):  # noqa: C419  a list takes half the time
        return None
    wanted = [*dict.fromkeys(wanted)]
    events = sorted([(i, number) for number, word in enumerate(wanted) for i in places[word]])
    best: Place | None = None
    inside: Counter[int] = Counter()
    first = 0
    for i, number in events:
        inside[number] += 1
        while inside[events[first][1]] > 1:
            inside[events[first][1]] -= 1
            first += 1
        start = events[first][0]
        if len(inside) == len(wanted) and (best is None or i + 1 - start < best[1] - best[0]):
            best = (start, i + 1)
    widest = len(wanted) + room * (len(wanted) - 1)
    return best if best is not None and best[1] - best[0] <= widest else None


@lru_cache(maxsize=1 << 14)
def is_common(name: str) -> bool:
    """Whether a name is nothing but words that stand in any sentence: No, Her, In Time."""
    return vocabulary("function").issuperset(name_words(name))


@cache
def _common() -> frozenset[str]:
    """The words that say nothing of a name; those that tell two names apart do: New Mexico."""
    return vocabulary("function") - vocabulary("prefix", "tells_apart")
