"""Tokens of names, questions and replies, and the keys (stems, or digits of numbers) by which they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache, lru_cache
from itertools import pairwise

from factprobe.lazy import lazy
from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.values.number_words import NUMBER_WORDS
from factprobe.text import compose, fold, greek_name, in_one_spelling, join_initials, straighten_quotes

UMLAUTS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "Ä": "Ae", "Ö": "Oe", "Ü": "Ue"})
"""Spelling of umlauts in two letters."""
_GREEK = str.maketrans({letter: greek_name(letter) for letter in "αβγδεζηθικλμνξοπρσςτυφχψω"})
_SIGNS = {sign: word for word, signs in table("sign").items() for sign in signs}
_SIGN_KEYS = {word: sign for sign, words in table("sign_word").items() for word in (sign, *words)}
_SIGN = re.compile(r"(?<=[^\W_+]|\+)[+♭♯#]|(?<=[^\W_])[-−](?=[\s.,;:!?)\]\"']|$)")
"""Pattern of a sign at the end of a name: O+, C++, C#, E♭, A-."""
_ROMAN = re.compile(r"[ -](?=[IVX](?![\w'])|[IVXL]{2})(?<=\w.)((?:XL|L?X{0,3})(?:IX|IV|V?I{0,3}))(?![\w'])")
_ROMAN_VALUES = {"I": 1, "V": 5, "X": 10, "L": 50}
MARKS = "".join(chr(i) for i in range(0x300, 0x1D00) if unicodedata.category(chr(i)) in ("Mn", "Mc"))
"""Accents and vowel signs that are parts of words."""
WIDE = "\u0e00-\u0e7f\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"


def _words(letter: str, sign: str) -> re.Pattern[str]:
    """Return a pattern of a word with an English contraction, of a number, or of a sign that is a token."""
    figures = r"\d+(?:,\d{3})+(?:\.\d+)?|(?<!\d,)\d+,\d{1,2}(?![,\d])|\d+(?:\.\d+)?"
    word = rf"{letter}+(?i:'(?:s|t|re|ve|ll|d|m)(?![^\W\d_]))?"
    return re.compile(rf"{word}|(?:{figures})(?:(?i:{phrases('nth')})(?![^\W_]))?|{sign}")


_WORD = _words(rf"(?:[^\W\d_{WIDE}]|[{MARKS}])", f"[{WIDE}°%$€£]")
"""Pattern of tokens, of which each letter of a script without spaces is one."""
_ASCII_WORD = _words("[A-Za-z]", "[%$]")
"""Pattern of tokens in ASCII, which takes less time."""
_NTH = re.compile(r"(?<=\d)\D+$")
_GROUPED = re.compile(r"\d{1,3}(?:,\d{3})+(?:\.\d+)?")


class Words:
    """Tokens of a text, as parallel lists: `raw` as written, `keys` as compared, and offsets `starts` and `ends`."""

    def __init__(self, text: str, *, is_name: bool = False) -> None:
        """Split a text.

        Args:
            text: Name, question or reply.
            is_name: True if the text is only a name, so that an I or V after a word is a numeral.
        """
        if not text.isascii():
            text = straighten_quotes(compose(text))
        if " I" in text or " V" in text or " X" in text or "-I" in text:
            text = _ROMAN.sub(lambda match: _convert_numeral(match, is_name=is_name), text)
        if "." in text:
            text = join_initials(text)
        if "+" in text or "#" in text or "-" in text or not text.isascii():
            text = _SIGN.sub(lambda match: f" {_SIGNS[match[0]]} ", text)
        self.source = text
        """Text to which the offsets refer, with digits for Roman numerals and words for signs."""
        self._word = _ASCII_WORD if text.isascii() else _WORD
        self.raw: list[str] = self._word.findall(text)

    def __len__(self) -> int:
        return len(self.raw)

    @lazy
    def keys(self) -> list[str]:
        """Key of each token: the stem of a word, or the digits of a number."""
        return [*map(key_of, self.raw)]

    @lazy
    def starts(self) -> list[int]:
        """Index of the first character of each token."""
        return [match.start() for match in self._word.finditer(self.source)]

    @lazy
    def ends(self) -> list[int]:
        """Index after the last character of each token."""
        return [start + len(raw) for start, raw in zip(self.starts, self.raw, strict=True)]


def _convert_numeral(match: re.Match[str], *, is_name: bool) -> str:
    """Return the digits for a Roman numeral; a letter is one in a name, or after a capital but not before a word."""
    figure, text = match[1], match.string
    if len(figure) == 1 and not is_name:
        before = text[text.rfind(" ", 0, match.start()) + 1 : match.start()]
        after = text[match.end() :].lstrip(" ").partition(" ")[0]
        if before == before.lower() or (after[:1].islower() and after not in vocabulary("within_name")):
            return match[0]
    values = [_ROMAN_VALUES[letter] for letter in figure]
    return f"{match[0][0]}{sum(-one if one < other else one for one, other in pairwise([*values, 0]))}"


@lru_cache(maxsize=1 << 16)
def key_of(raw: str) -> str:
    """Return the key by which a token is compared: its stem in American spelling, a number's digits, or a sign."""
    word = fold(raw)
    if raw[0].isdigit():
        figures = _NTH.sub("", word)
        return figures.replace(",", "") if _GROUPED.fullmatch(figures) else figures.replace(",", ".")
    word = word if word.isascii() else word.translate(_GREEK)
    word = word.partition("'")[0] if word.endswith("'s") else word.replace("'", "")
    if word in _SIGN_KEYS:
        return _SIGN_KEYS[word]
    number = NUMBER_WORDS.get(word)
    stem = _stemmer()(in_one_spelling(word)) if number is None else str(number)
    return stem or raw  # a lone accent normalises to nothing


@cache
def _stemmer() -> Callable[[str], str]:
    from Stemmer import Stemmer

    return Stemmer("english", 0).stemWord  # type: ignore[no-any-return]  # without its own cache


@cache
def common_keys() -> frozenset[str]:
    """Return the stems of function words, except number words and words that distinguish names ("New Mexico")."""
    words = vocabulary("function") - vocabulary("prefix", "contrast", "tells_apart")
    return frozenset(key for word in words if not (key := key_of(word))[0].isdigit())


def is_sign(key: str) -> bool:
    """Return whether the key of a token is the key of a sign, such as `#`."""
    return key in _SIGN_KEYS


def bare_keys(words: Words) -> Sequence[str]:
    """Return the stems of a name's words without leading articles."""
    start = 0
    while start < len(words) - 1 and words.raw[start].lower() in vocabulary("article"):
        if words.source[words.ends[start] : words.starts[start + 1]] != " ":
            break  # the initial of A. Moore
        start += 1
    return words.keys[start:]
