"""Whether the words that were taken for a name are those of somebody else: John Quincy Adams for John Adams."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from factprobe.evaluators.open.surnames import parts, person_of
from factprobe.reading.essence import Place, key, names_of_person
from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.near import Known, misspelt
from factprobe.reading.names.regions import is_region
from factprobe.reading.values import ROMAN
from factprobe.reading.words import Text, name_words

_GENITIVE = in_order("genitive")


def is_another(name: str, text: Text, place: Place) -> bool:
    """Whether words that hold those of a name are another one.

    Somebody else has other names in the middle (George H. W. Bush, George W. Bush), another number (Elizabeth II), or
    is known by more of their name. A middle name that only one of the two has says nothing: people write John F.
    Kennedy for John Kennedy, and the reverse.

    Args:
        name: a right answer.
        text: the reply.
        place: where it says what matters of the name.
    """
    if _is_in_another_place(name, text, place) or _has_other_first_name(name, text, place):
        return True
    return _is_namesake(name, text, place) or _has_other_number(name, text, place) or _has_others(name, text, place)


def is_kin(text: Text, place: Place, asked: frozenset[str]) -> bool:
    """Whether a name only tells whose friend or relative somebody is: Charlotte Brontë, a friend of Jane Austen.

    Args:
        text: the reply.
        place: where the name stands.
        asked: the words of the question.
    """
    start, end = place
    words, kin = text.words, vocabulary("kin") - asked
    if text.raw[end - 1].endswith(_GENITIVE):
        return any(not text.mark[i] and words[i] in kin for i in range(end, min(end + 2, len(text))))
    at = start - 1
    while at > 0 and not text.mark[at + 1] and words[at] in vocabulary("title", "article"):
        at -= 1
    if at < 1 or text.mark[at + 1] or words[at] not in vocabulary("name_of") or words[at - 1] not in kin:
        return False
    opens = at - 1
    while opens > 0 and not text.mark[opens]:
        opens -= 1
    if text.mark[opens] != "," or text.capital[opens]:
        return False
    head = opens - 1
    while head > 0 and text.capital[head] and not text.mark[head]:
        head -= 1
    names = [word for word in words[head:opens] if word not in vocabulary("function", "title", "hedge", "exclamation")]
    return len(names) > 0 and text.capital[opens - 1] and asked.isdisjoint(names)


def _is_in_another_place(name: str, text: Text, place: Place) -> bool:
    """Whether a country or state stands only as a part of another one's name: New Mexico, Equatorial Guinea."""
    start, end = place
    if not is_region(name_words(name)) or start == 0 or text.mark[start]:
        return False
    return any(is_region(text.words[begin:end]) for begin in range(max(start - 2, 0), start))


def _is_namesake(name: str, text: Text, place: Place) -> bool:
    """Whether one of the two is a well-known name that holds the other, which is somebody else's."""
    right = f" {' '.join(name_words(name))} "
    said = " ".join(text.words[place[0] : place[1]])
    around = f" {' '.join(text.words[place[0] : place[1] + 2])} "
    for short, full in _namesakes():
        if f" {short} " in right and f" {full} " not in right and f" {full} " in around:
            return True
        if f" {full} " in right and said == short and f" {full} " not in around:
            return True
    return False


@cache
def _namesakes() -> tuple[tuple[str, str], ...]:
    pairs = (entry.partition(" = ") for entry in sorted(vocabulary("namesake")))
    return tuple((short, full) for short, _, full in pairs)


def _has_other_first_name(name: str, text: Text, place: Place) -> bool:
    """Whether words that are the surname of a right person alone stand behind another first name: Theo van Gogh."""
    person, (start, end) = person_of(name), place
    if person is None or end - start > 1 or text.words[start] != person.surname:
        return False
    return not (vocabulary("surname_particle").isdisjoint(name.split()) or person.is_called(text, start))


def _has_other_number(name: str, text: Text, place: Place) -> bool:
    """Whether another number stands behind a name that has one: Elizabeth I, Elizabeth the Second."""
    last, at = name_words(name)[-1], place[1]
    if last not in ROMAN or at >= len(text) or text.mark[at]:
        return False
    if text.words[at] in vocabulary("ordinal_the") and at + 1 < len(text):
        number = key(text.words[at + 1])
        return number.isdigit() and number != str(ROMAN.index(last) + 1)
    return text.raw[at].isupper() and text.words[at] in ROMAN and text.words[at] != last


def _has_others(name: str, text: Text, place: Place) -> bool:
    """Whether a person's first and last name stand around other names than the right ones."""
    names = names_of_person(name)
    if len(names) < 3:
        return False
    first, last = name_words(names[0]), name_words(names[-1])
    start, end = place[0] + len(first), place[1] - len(last)
    words = text.words
    if (*words[place[0] : start],) != first or (*words[end : place[1]],) != last or start >= end:
        return False
    said = [part for i in range(start, end) for part in parts(text.raw[i])]
    is_name = all(
        (text.capital[i] or not text.capital[place[0]]) and words[i] not in vocabulary("function", "link_and")
        for i in range(start, end)
        if len(words[i]) > 1
    )
    return is_name and not _agree(said, [part for one in names[1:-1] for part in parts(one)])


def _agree(said: Sequence[str], right: Sequence[str]) -> bool:
    """Whether one has all the names of the other in their order; initials leave out none before the last."""
    short, long = sorted((said, right), key=len)
    if any(len(one) == 1 for one in (*said, *right)):
        return all(_is_same(one, other) for one, other in zip(short, long, strict=False))
    rest = iter(long)
    return all(any(_is_same(one, other) for other in rest) for one in short)


def _is_same(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return long.startswith(short) or misspelt(one, (other,), Known(())) is not None
