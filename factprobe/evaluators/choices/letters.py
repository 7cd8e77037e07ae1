"""The letters by which a reply names options, alone or with the option's text: B, Option B, B) Ulm, Ulm (B)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from string import ascii_uppercase

from factprobe.reading.language import phrases, table, vocabulary
from factprobe.reading.names.tables import Mention
from factprobe.reading.words import Text

_LINK = f"{phrases('link_and')}|{phrases('link_or')}"
_NOUN, _IS = phrases("option_noun"), phrases("option_is")
_SIGNED = rf"\((?:{'|'.join(words[0] for words in table('option_sign').values())})\)"
_FIRST = re.compile(
    r"(?:^|\n|•|:|[.!?;]\s)\s{0,9}(?P<o>[A-Za-z])(?=[).:,]|/(?!\w\w)|\s\(|\s*(?:$|\n)|\s*[-–—]\s|"
    rf"\s+(?:{_LINK}|&)\s+[A-Za-z]\b)"
)
_LED = re.compile(rf"\b(?i:{_NOUN})\s*(?:(?i:{_IS})\b)?\s*[:=#]?\s*(?P<o>[A-Za-z])\b(?!['’]|\s+[a-z])")
_LED_BEFORE = re.compile(
    rf"\b(?i:{_NOUN}|{phrases('option_led')})\s+[:=]?\s*(?P<o>[A-HJ-Z]|I(?=[.!]?\s*\Z))\b"
    rf"(?!['’])(?=\s+(?:(?:{phrases('option_goes_on')})\b|[-–—])|\s*$|\s*[.,;:!?)\n])"
)
_BRACKETED = re.compile(r"(?<![\w'’])(?P<o>[A-Z])\)")
_SMALL = re.compile(r"(?<![\w'’(])(?P<o>[a-z])\)")
_ALONE = re.compile(
    rf"(?<![\w'’&-])(?P<o>[A-HJ-Z])(?=\s*(?:[.,;!?/&。！，、]|$|{_SIGNED})|\s+(?:{phrases('option_alone')})\b)",
    re.MULTILINE,
)
_OPENS = re.compile(
    rf"(?:^|[.!?:;,…]\s+|\b(?:{phrases('option_opening')})\s+)(?P<o>[B-HJ-Z])(?=\s+(?:[a-z]|I\b)|\s*[→=])",
    re.MULTILINE,
)
"""A capital that opens a clause and is no word: B it is."""
_SMALL_ALONE = re.compile(r"(?<![\w'’&.-])(?P<o>[b-df-hj]|a(?=[.!]?$))(?![\w'’&-]|/\w\w)")
_MARKED = re.compile(r"(?:^|\n)\s{0,9}(?P<o>[A-Za-z])(?=[).:]\s|\s*(?:$|\n)|\s+[-–—]\s)")
"""A letter that opens a line before a mark, or is all of it."""
_WORD = re.compile(r"(?<![\w.'’])[A-Z](?![\w.'’])")
_ARTICLE = re.compile(r"^A\s+[a-z]")
_LONE = re.compile(r"(?<!\w)[A-Za-z](?![\w'’])")
"""What all of them hold."""
_LATIN = re.compile(r"[A-Za-z]+")
_NUMBERED = re.compile(r"#\s?([A-Z])(?!\w)")
_BY_MARK = (_MARKED, _LED, _BRACKETED, _SMALL)
"""By these a letter names an option even where it is a word of one."""
_THE = vocabulary("option_the")
_SHORT = 60
"""Characters of a reply in which a small letter alone is an option: definitely b."""


def option(number: int, start: int, end: int) -> Mention:
    """A mention of an option by its number."""
    return Mention(start, end, frozenset({str(number)}))


def letters_in(text: Text, texts: Sequence[Mention], shown: Sequence[str]) -> list[Mention]:
    """The letters that stand for an option; not those within its text: the B of Vitamin B.

    Args:
        text: the reply.
        texts: the options' texts in it.
        shown: the options.
    """
    count = len(shown)
    inside = {i for mention in texts if mention.end - mention.start > 1 for i in range(mention.start, mention.end)}
    found = {i: option(number, i, i + 1) for i, number in _marked(text, texts, shown) if i not in inside}
    only = "".join(filter(str.isalnum, text.source))
    if len(only) == 1 and 0 <= (number := ascii_uppercase.find(only.upper())) < count:
        found[text.raw.index(only) if only in text.raw else 0] = option(number, 0, 1)
    elif not (found or texts) and (lone := _only_letter(text.source)):
        number = ascii_uppercase.find(lone)
        if number < count and lone in text.raw:
            found[text.raw.index(lone)] = option(number, text.raw.index(lone), text.raw.index(lone) + 1)
    for mention in texts:
        i = mention.start - 1
        number = ascii_uppercase.find(text.raw[i][:1]) if _is_bare_before(text, mention) else -1
        if 0 <= number < count:
            found[i] = option(number, i, i + 1)
    return list(found.values())


def _only_letter(source: str) -> str:
    """The capital that is the only Latin letter of a reply in another script, or stands behind a number sign."""
    latin = _LATIN.findall(source)
    if (
        len(latin) == 1
        and len(latin[0]) == 1
        and latin[0].isupper()
        and any(map(str.isalpha, source.replace(latin[0], "")))
    ):
        return str(latin[0])
    numbered = _NUMBERED.findall(source)
    return str(numbered[0]) if len(numbered) == 1 else ""


def _marked(text: Text, texts: Sequence[Mention], shown: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The words that are one of the first letters in a place where no word is, with the number of the letter."""
    count = len(shown)
    numbers = {letter: ascii_uppercase.find(letter.upper()) for letter in _LONE.findall(text.source)}
    if not numbers or min(numbers.values()) >= count:
        return
    at = dict(zip(reversed(text.starts), range(len(text) - 1, -1, -1), strict=True))
    small = (_SMALL_ALONE,) if len(text.source) < _SHORT else ()
    words = _words_of(tuple(shown), bool(texts))
    for pattern in (*_BY_MARK, _FIRST, _LED_BEFORE, _ALONE, _OPENS, *small):
        for match in pattern.finditer(text.source):
            i, number = at.get(match.start("o")), numbers.get(match["o"], count)
            if i is not None and number < count and (pattern in _BY_MARK or match["o"].upper() not in words):
                yield i, number


@lru_cache(maxsize=1 << 10)
def _words_of(shown: tuple[str, ...], is_named: bool) -> frozenset[str]:
    """The letters that are words of options, and say no more than these in a reply: the B of "AB or B", offered as D.

    Args:
        shown: the options.
        is_named: whether the reply names one by its text; else Vitamin D, offered as D, may be meant by its letter.
    """
    found = [set(_WORD.findall(choice)) for choice in shown]
    articles = [{"A"} if _ARTICLE.match(choice) else set() for choice in shown]
    is_own = all(letters <= {letter} for letters, letter in zip(found, ascii_uppercase, strict=False))
    words = any(letters - article for letters, article in zip(found, articles, strict=True))
    return frozenset().union(*found) if words and (is_named or not is_own) else frozenset()


def _is_bare_before(text: Text, mention: Mention) -> bool:
    """Whether the word before an option's text is its letter: B Ulm; not the article of "A tenor saxophone"."""
    i = mention.start - 1
    return (
        i >= 0
        and (i == 0 or text.lines[i - 1] != text.lines[i])
        and text.mark[mention.start] == ""
        and len(text.words[i]) == 1
        and (text.words[i] not in vocabulary("article") or text.capital[mention.start])
    )


def with_letters(mentions: list[Mention], text: Text, letters: set[int]) -> list[Mention]:
    """The mentions in order, a letter and the text behind it as one: B) Ulm."""
    joined: list[Mention] = []
    for mention in sorted(dict.fromkeys(mentions), key=lambda m: (m.start, -m.end)):
        last = joined[-1] if joined else None
        if last is not None and last.start <= mention.start < last.end:
            continue
        if last is not None and (_leads(text, last, mention, letters) or _closes(text, last, mention, letters)):
            same = last.uris & mention.uris
            joined[-1] = Mention(last.start, mention.end, same or last.uris | mention.uris)
            continue
        joined.append(mention)
    return joined


def _leads(text: Text, letter: Mention, name: Mention, letters: set[int]) -> bool:
    """Whether a letter stands before the text of an option: B) Ulm, C) The Hague."""
    gap = text.words[letter.end : name.start]
    if (
        letter.start not in letters
        or letter.end - letter.start > 1
        or name.start in letters
        or len(gap) > 1
        or not _THE.issuperset(gap)
    ):
        return False
    mark = text.mark[letter.end]
    leads = letter.start == 0 or text.mark[letter.start] not in ("", ",")
    return mark in (")", ":", "-", "–", "") or mark.startswith(")") or ("." in mark and leads)


def _closes(text: Text, name: Mention, letter: Mention, letters: set[int]) -> bool:
    """Whether a letter in brackets stands behind the text of an option: Ulm (B)."""
    i = letter.start
    in_brackets = text.mark[i].endswith("(") and text.source.startswith(")", text.starts[i] + 1)
    return name.end == i and i in letters and in_brackets
