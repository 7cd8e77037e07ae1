"""The one normaliser: what counts as the same name."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_TABLE = {ord(c): "'" for c in "’‘‛ʼ´´"} | {ord(c): '"' for c in "“”„‟«»"} | {ord(c): "-" for c in "‐‑‒–—―−"}
_OTHER_FORMS = re.compile(f"[{''.join(map(chr, _TABLE))}]")
_LETTERS = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"})
"""Letters with a stroke and ligatures, which Unicode does not take apart."""
_DIACRITICS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""Accents, Hebrew points and Arabic vowel signs, which texts may leave out."""
_PUNCTUATION = re.compile(r"[^\w\s+#&%$€£]|_")
_MINUS = re.compile(r"(?<![\w)\]%°])(-[$€£]?)\.?(?=\d)")
"""What makes a number negative; behind a letter, a figure or a bracket it joins or takes away: 1914-1918, BRCA-1."""
_PUNCTUATION_BUT_MINUS = re.compile(rf"(?!(?<![\w)\]%°])-[$€£]?\d)(?:{_PUNCTUATION.pattern})")
_POSSESSIVE = re.compile(r"(?<=\w)'(?=\w)")
_ARTICLES = re.compile(r"^(?:(?:the|an|a)\s+)+(?=\S)")
_NO_ARTICLE = re.compile(r"[\W_]*(?:(?:the|an|a)\s+)*?(?:a(?=\.\s?\w|-\w)|(?<=the )a(?=\s+\w))")
"""A letter that is none: A. Moore, a-ha, The A Team."""
_INITIALS = re.compile(r"\b([^\W\d_])\.(?: (?=[^\W\d_](?:\.|\Z))|(?=[^\W\d_]\b))")
"""Between initials with a space the second needs its dot as well: the I of "Vitamin C. I think" is no initial."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = 200
_DIGIT = re.compile(r"[^\D0-9]")
_UNEVEN_SPACE = re.compile(r"\s\s|[^\S ]")


_SPELLINGS = dict(
    re.findall(
        r"(\w+)=(\w+)",
        "haem=hem aemi=emi oedem=edem oesoph=esoph oestr=estr paed=ped anaes=anes gynaec=gynec foet=fet rhoea=rhea "
        "sulph=sulf archaeo=archeo mediaev=mediev tumour=tumor colour=color labour=labor honour=honor favour=favor "
        "harbour=harbor behaviour=behavior neighbour=neighbor vapour=vapor centre=center theatre=theater fibre=fiber "
        "metre=meter litre=liter defence=defense organis=organiz mould=mold programme=program grey=gray "
        "aluminium=aluminum",
    )
)
_BRITISH = re.compile("|".join(_SPELLINGS))
_MAY_BE_BRITISH = re.compile("ae|oe|our|oul|tre|bre|gre|gramm|gani|lph|fenc|umin")
"""A part of each of these spellings, which few other words have; it is told in a fraction of the time."""
_WITHOUT_PUNCTUATION = bytes(32 if _PUNCTUATION.fullmatch(chr(code)) else code for code in range(128)).ljust(256)
"""What each character of ASCII becomes."""


def normalise(text: str) -> str:
    """The form in which two spellings of one name are equal.

    Unicode NFKC, case folding, diacritics, the digits of other scripts, curly quotes and dashes, punctuation, leading
    articles, dots and spaces between initials (J. R. R., D.C.), white space and British spellings (haemophilia, Labour)
    are evened out; `+`, `#`, `&`, signs of currency and the minus of a number stay, for they tell names apart (C, C++,
    C#; 3, -3). A text of nothing but punctuation stays as it is, so that no name becomes empty. A first letter that is
    no article (A. Moore, A-ha, The A Team) has a dot behind it, which says so: "a. moore". Idempotent.
    """
    return _normalised_name(text) if len(text) <= _OFTEN else _normalised(text)


_OFTEN = 40
"""Letters of a text that may well come again: a label, a letter, a name."""


def _normalised(text: str) -> str:
    folded = fold(text)
    if "-" in folded and _MINUS.search(folded):
        folded = _MINUS.sub(r"\1", join_initials(folded))
        bare = _PUNCTUATION_BUT_MINUS.sub(_blank, _POSSESSIVE.sub("", folded))
    else:
        folded = join_initials(folded)
        bare = _POSSESSIVE.sub("", folded) if "'" in folded else folded
        is_plain = bare.isascii()
        bare = bare.encode().translate(_WITHOUT_PUNCTUATION).decode() if is_plain else _PUNCTUATION.sub(_blank, bare)
    words = bare.split()
    plain = " ".join(map(in_one_spelling, words) if _MAY_BE_BRITISH.search(bare) else words)
    if plain[:1] in ("a", "t") and (articles := _ARTICLES.match(plain)):
        plain = plain[articles.end() :]
        if _NO_ARTICLE.match(folded) and plain[0].isalnum() and plain[1:2].strip():  # a letter alone would join it
            plain = f"a. {plain}"
    return plain or one_line(folded) or one_line(unicodedata.normalize("NFC", text))


_normalised_name = lru_cache(maxsize=1 << 16)(_normalised)


def spelling(word: str) -> str:
    """A folded word with what British spelling has otherwise."""
    return _BRITISH.sub(lambda found: _SPELLINGS[found[0]], word) if _MAY_BE_BRITISH.search(word) else word


in_one_spelling = lru_cache(maxsize=1 << 16)(spelling)


def _blank(found: re.Match[str]) -> str:
    """White space for punctuation; a mark that no letter can do without, as in Hindi and Thai, stays."""
    return found[0] if unicodedata.category(found[0]).startswith("M") else " "


def join_initials(text: str) -> str:
    """The text with initials written together: J. R. R. Tolkien and J.R.R. Tolkien become JRR. Tolkien."""
    at = text.find(".", 1, -1)  # a full stop at the end is no initial's
    while at >= 0:
        if text[at - 1].isalnum() and not (at > 1 and text[at - 2].isalnum()):
            return _INITIALS.sub(r"\1", text)
        at = text.find(".", at + 1, -1)
    return text


def is_same(normalised: str, name: str) -> bool:
    """Whether a name's normalised form is this one; in ASCII none is longer than the name but for an initial's dot."""
    return not (len(normalised) > len(name) + 1 and name.isascii()) and normalised == normalise(name)


def one_line(text: str) -> str:
    """The text with every run of white space made one space: a label as a prompt shows it."""
    return " ".join(text.split())


def greek_name(letter: str) -> str:
    """Return the English name of a small Greek letter without an accent; empty for any other character."""
    name = unicodedata.name(letter, "").lower()
    found = re.fullmatch(r"greek small letter (?:final )?(\w+)", name)
    return found[1].replace("lamda", "lambda") if found else ""


def quoted(text: str) -> str:
    """A text between quotes, as a message shows it: of a long one the beginning and the end."""
    return _SHORT.repr(text)


def counted(count: int, noun: str, plural: str = "") -> str:
    """So many of something, for people: 1 text, 2,000 replies.

    Args:
        count: how many.
        noun: for one.
        plural: for several, where that is not the noun with an s.
    """
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def folded(text: str) -> tuple[str, Sequence[int]]:
    """The text folded letter by letter: case, diacritics, ligatures and forms of quotes, dashes and digits evened out,
    every run of white space one space.

    Returns:
        What is left, and for each letter of it where that begins in the text, with the text's length behind the last:
        one letter may become none (a combining accent) or several (`ß`, `ﬁ`).
    """
    if text.isascii() and not _UNEVEN_SPACE.search(text):
        return text.lower(), range(len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    spaced = False
    for place, letter in enumerate(text):
        found = " " if letter.isspace() else _fold_letter(letter)
        if not (spaced and found == " "):
            parts.append(found)
            starts.extend([place] * len(found))
        spaced = found == " " or (spaced and not found)
    return "".join(parts), [*starts, len(text)]


def straight(text: str) -> str:
    """The text with straight quotes and plain hyphens for all others, one character for each."""
    return text.translate(_TABLE) if not text.isascii() and _OTHER_FORMS.search(text) else text


def fold(text: str) -> str:
    """The text in lower case, without diacritics, with straight quotes, plain hyphens and the digits 0 to 9."""
    if text.isascii():
        return text.casefold()
    plain = straight(unicodedata.normalize("NFKC", straight(text))).casefold()
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFKD", plain)).casefold()
    if bare.isascii():
        return bare
    folded = unicodedata.normalize("NFKC", bare.translate(_LETTERS))
    return _DIGIT.sub(lambda found: str(unicodedata.decimal(found[0])), folded)


_fold_letter = lru_cache(maxsize=1 << 12)(fold)
