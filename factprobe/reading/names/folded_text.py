"""Spelling variants of a graph's names, and checks that a place where one occurs in a text is a mention."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from factprobe.reading.language import vocabulary
from factprobe.reading.tokenisation.words import space_wide_characters
from factprobe.text import fold_with_offsets

_OPEN_INITIALS = re.compile(r"\b([^\W\d_]\.) (?=[^\W\d_]\.)")
_CLOSED_INITIALS = re.compile(r"\b([^\W\d_]\.)(?=[^\W\d_]\.)")
_SENTENCE_BEGINS = re.compile(r"(?:\A|[.!?:…\n])[\s\"'“‘(\[]*\Z")
RUN = r"[^\W\d_a-z][\w'’.-]*(?:\s+[^\W\d_a-z][\w'’.-]*){0,3}"
"""Pattern of up to four consecutive capitalised words."""
REGION = rf"(?:(?:{'|'.join(sorted(vocabulary('place_preposition')))})\s+)?({RUN}(?:,\s+{RUN})?)"
"""Pattern of the region after a place name and a comma, as in "Naples, Florida" and "Naples, in Florida"."""
_WITH_REGION = re.compile(rf"(.+?)(?:,\s+{REGION}|\s*\(({RUN})\))", re.DOTALL)
_SIGNS = frozenset("+#")
"""Signs that distinguish names, so that "C" is not found in "C++"."""


def forms(name: str) -> Iterator[str]:
    """Yield the normalised forms of a name: as it is, with initials joined or separated, and without its article.

    A name without letters and digits has no forms.
    """
    form = fold_with_offsets(name)[0].strip()
    if not any(map(str.isalnum, form)):
        return
    yield form
    if "." in form:
        for other in (_OPEN_INITIALS.sub(r"\1", form), _CLOSED_INITIALS.sub(r"\1 ", form)):
            if other != form:
                yield other
    first, _, rest = form.partition(" ")
    if rest and first in vocabulary("article") and any(map(str.isalnum, rest)) and not is_ordinary(rest):
        yield rest


@lru_cache(maxsize=1 << 14)
def is_ordinary(name: str) -> bool:
    """Return whether a normalised name consists of ordinary words (a band called The Who, an album called It)."""
    return _ordinary().issuperset(name.split())


@cache
def _ordinary() -> frozenset[str]:
    return vocabulary("function", "exclamation", "speaker")


def is_meant(text: str, start: int, end: int) -> bool:
    """Return whether ordinary words that form a name (The Who) are capitalised where ordinary words would not be."""
    words = text[start:end].split()
    if not all(word[0].isupper() for word in words):
        return False
    if len(words) > 1:
        return True
    begins = _SENTENCE_BEGINS.search(text[max(start - 20, 0) : start]) is not None
    return not begins and words[0].lower() not in vocabulary("speaker")


def without_region(name: str) -> tuple[str, str]:
    """Split "Munich, Bavaria" or "Milan (Ohio)" into place and region; both are empty without a region."""
    match = _WITH_REGION.fullmatch(name)
    return (match[1], match[2] or match[3]) if match else ("", "")


def is_whole(text: str, plain: str, places: Sequence[int], start: int, end: int) -> bool:
    """Return whether a span of a normalised text begins and ends at word boundaries of the original text.

    "Ulm" is no whole word in "Neu-Ulm", nor "Guinea" in "Guinea-Bissau", but "Paris" is one in "Paris-based".

    Args:
        text: Original text.
        plain: Normalised text.
        places: Index in the original text of each character of the normalised one.
        start: Start of the span in the normalised text.
        end: End of the span in the normalised text.
    """
    before, after = plain[max(start - 2, 0) : start], plain[end : end + 2]
    if before and (places[start - 1] == places[start] or _joins(before[-1], plain[start])):
        return False
    if after and (places[end - 1] == places[end] or after[0] in _SIGNS or _joins(plain[end - 1], after[0])):
        return False
    if before[1:] == "-" and before[0].isalnum():
        return False
    return not (len(after) == 2 and after[0] == "-" and text[places[end + 1]].isupper())


def _joins(left: str, right: str) -> bool:
    """Return whether two adjacent characters belong to one word; False in scripts without spaces."""
    return left.isalnum() and right.isalnum() and space_wide_characters(left + right) == left + right
