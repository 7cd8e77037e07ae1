"""People who are called by their surnames, and what may stand before these: Dr. King, W. A. Mozart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from msgspec import Struct

from factprobe.reading.essence import is_number_of_ruler, names_of_person, without_byname
from factprobe.reading.language import vocabulary
from factprobe.reading.words import Text, name_words

_MOST_INITIALS = 3
_PART = re.compile(r"[^\W\d_]+")


class Person(Struct, frozen=True):
    """A person's names, normalised."""

    given: tuple[str, ...]
    """The first names, and initials each for itself."""
    surname: str
    """Or the only name of a ruler."""
    reigns: bool
    """Whether it is a ruler, who is called so behind a title only."""

    @property
    def is_kind(self) -> bool:
        """Whether it is a thing that is called by a name: Team LeBron."""
        return self.given[:1] != () and self.given[0] in vocabulary("kind")

    def is_called(self, text: Text, i: int) -> bool:
        """Whether what stands before a surname is nothing, a title, or what this person has before it."""
        if text.mark[i] == "-":
            return text.words[i - 1] in self.given  # Joliot-Curie
        first, initials = _before(text, i)
        if self.reigns or (not first and not initials and self.surname in vocabulary("title", "kind")):
            return first in vocabulary("title")
        own = "".join(one[0] for one in self.given)
        if not (own.startswith(initials) or initials.startswith(own)):
            return False
        if first in ("", *self.given) or first in vocabulary("title"):
            return True
        letters = self.given[:1] if len(self.given[0]) == 1 else self.given
        return any(len(one) == 1 and first.startswith(one) for one in letters)


@lru_cache(maxsize=1 << 14)
def person_of(name: str) -> Person | None:
    """The person whose name it may be; None where it is none's, or has no first name and no number."""
    small = vocabulary("surname_particle")
    before = without_byname(name)
    words = [word for word in before.split() if word not in small]
    plain = [word.lower().strip(".,") for word in words]
    has_number = len(plain) > 1 and is_number_of_ruler(words[-1])
    ruler = [one for one in plain[: -1 if has_number else None] if one not in vocabulary("title")]
    if len(ruler) == 1 and (has_number or before != name):
        return Person((), name_words(ruler[0])[0], reigns=True)
    if has_number:
        return None
    while plain and plain[-1] in vocabulary("name_suffix"):
        plain.pop()
    names = names_of_person(" ".join(words[: len(plain)]))
    if not names:
        return None
    *given, surname = (part for one in names for part in parts(one))
    return Person(tuple(given), surname, reigns=False) if given and len(surname) > 1 else None


def parts(word: str) -> Sequence[str]:
    """The words of a name, or each of the initials that are written together."""
    found = _PART.findall(word)
    if len(found) == 1 and word.rstrip(".").isupper() and len(found[0]) <= _MOST_INITIALS:
        return list(found[0].lower())
    return name_words(word)


def _before(text: Text, i: int) -> tuple[str, str]:
    """The first name or title before a surname, and the initials between the two; either may be empty."""
    at, initials = i - 1, ""
    while at >= 0 and not text.mark[at + 1] and text.words[at] in vocabulary("surname_particle"):
        at -= 1
    while at >= 0 and text.mark[at + 1] in ("", ".") and _is_initials(text, at):
        initials, at = text.words[at] + initials, at - 1
    is_name = at >= 0 and not text.mark[at + 1] and text.capital[at]
    return (text.words[at] if is_name else ""), initials


def _is_initials(text: Text, i: int) -> bool:
    word = text.words[i]
    short = len(word) == 1 or (len(word) <= _MOST_INITIALS and not text.shouts())
    return short and text.raw[i].isalpha() and text.raw[i].isupper()
