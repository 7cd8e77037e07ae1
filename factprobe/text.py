"""The one normaliser: what counts as the same name."""

from __future__ import annotations

import re
import unicodedata

_TABLE = {ord(c): "'" for c in "’‘‛ʼ´"} | {ord(c): '"' for c in "“”„‟«»"} | {ord(c): "-" for c in "‐‑‒–—―−"}
_DIACRITICS = re.compile("[\u0300-\u036f]")
_PUNCTUATION = re.compile(r"[^\w\s+#&%$€£]|_")
_POSSESSIVE = re.compile(r"(?<=\w)'(?=\w)")
_ARTICLE = re.compile(r"^(?:the|an|a)\s+(?=\S)")
_SPACE = re.compile(r"\s+")


def normalise(text: str) -> str:
    """The form in which two spellings of one name are equal.

    Unicode NFKC, case folding, diacritics, curly quotes and dashes, punctuation, a leading article and white space are
    evened out; `+`, `#`, `&` and signs of currency stay, for they tell names apart (C, C++, C#). A text of nothing
    but punctuation stays as it is, so that no name becomes empty. Idempotent.
    """
    folded = text.casefold() if text.isascii() else _fold(text)
    words = _SPACE.sub(" ", _PUNCTUATION.sub(" ", _POSSESSIVE.sub("", folded))).strip()
    while (shorter := _ARTICLE.sub("", words)) != words:
        words = shorter
    return words or _SPACE.sub(" ", folded).strip()


def one_line(text: str) -> str:
    """The text with every run of white space made one space: a label as a prompt shows it."""
    return _SPACE.sub(" ", text).strip()


def _fold(text: str) -> str:
    plain = unicodedata.normalize("NFKC", text.translate(_TABLE)).casefold()
    bare = _DIACRITICS.sub("", unicodedata.normalize("NFKD", plain))
    return unicodedata.normalize("NFKC", bare.casefold())
