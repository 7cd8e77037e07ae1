"""Normalisation of names, and formatting of texts for messages."""

from __future__ import annotations

import re
import reprlib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache

_TYPOGRAPHIC_TABLE = (
    {ord(c): "'" for c in "’‘‛ʼ´´"} | {ord(c): '"' for c in "“”„‟«»"} | {ord(c): "-" for c in "‐‑‒–—―−"}
)
_TYPOGRAPHIC = re.compile(f"[{''.join(map(chr, _TYPOGRAPHIC_TABLE))}]")
_LETTER_REPLACEMENTS = str.maketrans(
    {"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "æ": "ae", "œ": "oe", "þ": "th"}
)
"""Replacements of letters that Unicode does not decompose: ligatures and letters with a stroke."""
_DIACRITICS = re.compile("[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u0652\u0670]")
"""Pattern of accents, Hebrew points and Arabic vowel signs, which texts may omit."""
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u2060\ufeff"))
"""Characters that no reader sees: soft hyphen, zero-width space, word joiner and byte-order mark."""
_PUNCTUATION = re.compile(r"[^\w\s+#&%$€£]|_")
_MINUS = re.compile(r"(?<![\w)\]%°])(-[$€£]?)\.?(?=\d)")
"""Pattern of the minus sign of a number; after a letter, digit or bracket a `-` is a hyphen or a subtraction."""
_PUNCTUATION_BUT_MINUS = re.compile(rf"(?!(?<![\w)\]%°])-[$€£]?\d)(?:{_PUNCTUATION.pattern})")
_POSSESSIVE = re.compile(r"(?<=\w)'(?=\w)")
_ARTICLES = re.compile(r"^(?:(?:the|an|a)\s+)+(?=\S)")
_NO_ARTICLE = re.compile(r"[\W_]*(?:(?:the|an|a)\s+)*?(?:a(?=\.\s?\w|-\w)|(?<=the )a(?=\s+\w))")
"""Pattern of an initial `a` that is no article, as in "A. Moore", "a-ha" and "The A Team"."""
_INITIALS = re.compile(r"\b([^\W\d_])\.(?: (?=[^\W\d_](?:\.|\Z))|(?=[^\W\d_]\b))")
"""Pattern of initials; one after a space needs its own dot, since the I in "Vitamin C. I think" is no initial."""
_QUOTING = reprlib.Repr()
_QUOTING.maxstring = 200
_DIGIT = re.compile(r"[^\D0-9]")
_UNEVEN_SPACE = re.compile(r"\s\s|[^\S ]")
CAPITAL = f"[{''.join(filter(str.isupper, map(chr, range(0x530))))}]"
"""Pattern of a Latin, Greek, Cyrillic or Armenian capital."""
LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Pattern of a lone surrogate, which JSON can express but UTF-8 cannot."""


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
"""Pattern of letters in British spellings that are rare in other words; a fast test before the full one."""
_WITHOUT_PUNCTUATION = bytes(32 if _PUNCTUATION.fullmatch(chr(code)) else code for code in range(128)).ljust(256)
"""Translation table for ASCII that replaces punctuation by spaces."""


def normalise(text: str) -> str:
    """Normalise a name, so that different spellings of one name become equal.

    This applies Unicode NFKC and case folding, and normalises diacritics, digits of other scripts, quotes and dashes,
    punctuation, leading articles, dots and spaces between initials (J. R. R., D.C.), white space and British spellings
    (haemophilia, Labour). Signs that distinguish names are kept: `+`, `#`, `&`, currency symbols and the minus of a
    number (C, C++, C#; 3, -3). Text of punctuation alone is unchanged, so that no name becomes empty. A first letter
    that is not an article (A. Moore, A-ha, The A Team) is marked by a dot: "a. moore". The function is idempotent.
    """
    return _normalised_name(text) if len(text) <= _MAX_CACHED_LENGTH else _normalised(text)


_MAX_CACHED_LENGTH = 40
"""Maximum length of texts whose normalised form is cached, such as names, which occur repeatedly."""


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
        if _NO_ARTICLE.match(folded) and plain[0].isalnum() and plain[1:2].strip():  # else it would join the next word
            plain = f"a. {plain}"
    return plain or one_line(folded) or one_line(unicodedata.normalize("NFC", text))


_normalised_name = lru_cache(maxsize=1 << 16)(_normalised)


def spelling(word: str) -> str:
    """Return a folded word in American spelling."""
    return _BRITISH.sub(lambda match: _SPELLINGS[match[0]], word) if _MAY_BE_BRITISH.search(word) else word


in_one_spelling = lru_cache(maxsize=1 << 16)(spelling)


def _blank(match: re.Match[str]) -> str:
    """Return a space for a punctuation character; keep a combining mark, which belongs to a letter (Hindi, Thai)."""
    return match[0] if unicodedata.category(match[0]).startswith("M") else " "


def join_initials(text: str) -> str:
    """Join initials, so that "J. R. R. Tolkien" and "J.R.R. Tolkien" become "JRR. Tolkien"."""
    at = text.find(".", 1, -1)  # a full stop at the end does not follow an initial
    while at >= 0:
        if text[at - 1].isalnum() and not (at > 1 and text[at - 2].isalnum()):
            return _INITIALS.sub(r"\1", text)
        at = text.find(".", at + 1, -1)
    return text


def is_same(normalised: str, name: str) -> bool:
    """Return whether `normalised` is the normalised form of a name; a fast test of the lengths comes first."""
    return not (len(normalised) > len(name) + 1 and name.isascii()) and normalised == normalise(name)


def one_line(text: str) -> str:
    """Replace each run of white space by one space."""
    return " ".join(text.split())


one_line_label = lru_cache(maxsize=1 << 14)(one_line)
"""Cached version of `one_line` for labels, which occur repeatedly."""


def greek_name(letter: str) -> str:
    """Return the English name of a small Greek letter without an accent; empty for any other character."""
    name = unicodedata.name(letter, "").lower()
    match = re.fullmatch(r"greek small letter (?:final )?(\w+)", name)
    return match[1].replace("lamda", "lambda") if match else ""


def quote(text: str) -> str:
    """Quote a text for a message; a long one is shortened to its beginning and end."""
    return _QUOTING.repr(text)


def format_count(count: int, noun: str, plural: str = "") -> str:
    """Format a count with its noun, whose plural has an s by default: "1 text", "2,000 replies"."""
    return f"{count:,} {noun if count == 1 else plural or f'{noun}s'}"


def fold_with_offsets(text: str) -> tuple[str, Sequence[int]]:
    """Fold a text letter by letter: case, diacritics, ligatures, quotes, dashes, digits and white space.

    A letter may vanish (a combining accent) or become several (`ß`, `ﬁ`).

    Returns:
        The folded text, and for each letter in it the offset in the original, followed by the length of the original.
    """
    if text.isascii() and not _UNEVEN_SPACE.search(text):
        return text.lower(), range(len(text) + 1)
    parts: list[str] = []
    starts: list[int] = []
    spaced = False
    for place, letter in enumerate(text):
        letters = " " if letter.isspace() else _fold_letter(letter)
        if not (spaced and letters == " "):
            parts.append(letters)
            starts.extend([place] * len(letters))
        spaced = letters == " " or (spaced and not letters)
    return "".join(parts), [*starts, len(text)]


def without_invisible(text: str) -> str:
    """Return the text without invisible characters, such as soft hyphens and zero-width spaces."""
    return text if text.isascii() else text.translate(_INVISIBLE)


_MIXED_NUMBER = re.compile(r"(?<=\d)(?=[¼-¾⅐-⅞])")


def compose(text: str) -> str:
    """Return the text in Unicode's NFKC form, with a space within a mixed number: 2½ is 2 1⁄2, and not 21⁄2."""
    return unicodedata.normalize("NFKC", _MIXED_NUMBER.sub(" ", text))


def straighten_quotes(text: str) -> str:
    """Return the text with straight quotes and plain hyphens; its length stays the same."""
    return text.translate(_TYPOGRAPHIC_TABLE) if not text.isascii() and _TYPOGRAPHIC.search(text) else text


def fold(text: str) -> str:
    """Return the text in lower case, without diacritics, with straight quotes, plain hyphens and the digits 0 to 9."""
    if text.isascii():
        return text.casefold()
    visible = without_invisible(text)
    plain = straighten_quotes(compose(straighten_quotes(visible))).casefold()
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFKD", plain)).casefold()
    if bare.isascii():
        return bare
    folded = unicodedata.normalize("NFKC", bare.translate(_LETTER_REPLACEMENTS))
    return _DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), folded)


_fold_letter = lru_cache(maxsize=1 << 12)(fold)
