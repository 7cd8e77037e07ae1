"""Checks that a mention is the whole name, and not a common word."""

from __future__ import annotations

from collections.abc import Set

from factprobe.reading.language import in_order, vocabulary
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.values.number_words import ROMAN

_NUMERALS = vocabulary("junior").union(ROMAN[1:20])
_AND = vocabulary("link_and")
_KINDS_IN_NAMES = vocabulary("kind_in_name")
_ADVERB_ENDINGS = in_order("adverb_ending")
_ORDINARY_WORDS = vocabulary("function", "exclamation", "hedge")
_ARTICLES, _FUNCTION, _HEDGES = vocabulary("article"), vocabulary("function"), vocabulary("hedge")
_PREFIXES, _PARTICLES = vocabulary("prefix", "contrast"), vocabulary("particle")
_NOT_IN_NAMES = vocabulary("function", "title", "kind", "hedge")


def is_meant(text: Text, mention: NameMention) -> bool:
    """Return whether the words of a mention are used as a name.

    Ordinary words ("It") are used as a name only if they are capitalised within a sentence, or if only an article
    stands beside them in their item: the part between commas, slashes or bullets.
    """
    start, end = mention.start, mention.end
    if not _ORDINARY_WORDS.issuperset(text.words[start:end]) or (end - start > 1 and all(text.capital[start:end])):
        return True
    first = start - (start > 0 and text.words[start - 1] in _ARTICLES and not text.mark[start])
    if text.items[start] not in text.items[first - 1 : first] + text.items[end : end + 1]:
        return True
    is_within = first > 0 and text.sentences[first - 1] == text.sentences[start] and text.capital[start]
    return is_within and (end - start > 1 or text.words[start] not in _ARTICLES)


def is_whole(text: Text, mention: NameMention, starts: Set[int]) -> bool:
    """Return whether a mention is not part of a longer unknown name (Hermann Einstein, Ulm University).

    `starts` has the indices at which other mentions begin.
    """
    start, end = mention.start, mention.end
    if start and (text.mark[start] == "-" or not text.mark[start]) and _grows_left(text, start, end):
        return False
    return end in starts or not name_continues(text, end)


def name_continues(text: Text, end: int) -> bool:
    """Return whether a name that ends before word `end` continues there (Guinea-Bissau, Elizabeth II)."""
    return end < len(text) and (text.mark[end] == "-" or not text.mark[end]) and _word_continues_name(text, end)


def _grows_left(text: Text, start: int, end: int) -> bool:
    """Return whether the words before a name belong to it (Hermann Einstein, Neu-Ulm, the University of Ulm)."""
    i = start - 1
    word = text.words[i]
    if text.mark[start] == "-":
        return not word.isdigit() and word not in vocabulary("arabic_article")
    if word in vocabulary("name_of") and text.capital[start] and not text.mark[i] and i > 0:
        return text.words[i - 1] in vocabulary("institution")
    if not (text.capital[i] and text.capital[start]) or text.shouts or word.isdigit():
        return False
    if word in _PREFIXES and word not in _PARTICLES:
        return True
    if word in _NOT_IN_NAMES:
        return False
    begins = i == 0 or text.sentences[i - 1] != text.sentences[i] or text.items[i - 1] != text.items[i]
    return not begins or (end - start == 1 and len(word) > 1 and not word.endswith(_ADVERB_ENDINGS))


def _word_continues_name(text: Text, end: int) -> bool:
    """Return whether word `end` continues the name before it; at most a hyphen separates them."""
    word, raw = text.words[end], text.raw[end]
    if text.mark[end] == "-":
        return text.capital[end] or word.isdigit()
    if not text.capital[end - 1] or text.shouts:
        return False
    if word.isdigit():
        return len(word) < 3
    if word in _NUMERALS and (raw.isupper() or word in vocabulary("junior")):
        return True
    is_common = word in _FUNCTION or word in _HEDGES
    is_kind = word in vocabulary("kind") and word not in _KINDS_IN_NAMES  # Kansas City is not Kansas
    return text.capital[end] and not is_common and not is_kind
