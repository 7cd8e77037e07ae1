"""What a sentence and the names in it have to do with each other: the article before a name, words said twice."""

from __future__ import annotations

import re
from functools import cache

from factprobe.reading.language import phrases, vocabulary
from factprobe.records import Span, Statement
from factprobe.text import fold

_ARTICLE = re.compile(r"(?<![\w'-])(an?) $", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,}) $")
_WORD_BEHIND = re.compile(r" ([^\W\d_]{3,})\b")


def agree(statement: Statement) -> Statement:
    """Return a statement whose articles fit its names and whose names repeat no word beside them.

    "is a actor" becomes "is an actor", "The gene SEMA3D Gene" becomes "The gene SEMA3D". A blank is left as it is.
    """
    ends = sorted((("subject", statement.subject), ("object", statement.object)), key=lambda end: end[1], reverse=True)
    for end, span in ends:  # from the last on, so that the places before it stay
        if end != statement.blank:
            statement = _with_article(_without_repeat(statement, span), span[0])
    return statement


def _with_article(statement: Statement, start: int) -> Statement:
    """Return the statement with the article before the name that begins at `start` in the form that fits it."""
    text = statement.text
    if text[start - 2 : start].lower() not in ("a ", "n ") or (found := _ARTICLE.search(text, 0, start)) is None:
        return statement
    around = _outside(statement)
    if vocabulary("agreement_sentence").isdisjoint(around.lower().split()):
        return statement
    article = "an" if _has_vowel_sound(text[start:]) else "a"
    if article == found[1].lower():
        return statement
    return _replaced(statement, found.span(1), found[1][0] + article[1:])


def _without_repeat(statement: Statement, span: Span) -> Statement:
    """Return the statement without the first or last word of a name that stands right beside it already."""
    text, (start, stop) = statement.text, span
    first, _, rest = text[start:stop].partition(" ")
    if not rest:
        return statement
    last = rest.rpartition(" ")[2]
    before, behind = _WORD_BEFORE.search(text, 0, start), _WORD_BEHIND.match(text, stop)
    beside = [found[1].casefold() for found in (before, behind) if found]
    if last.casefold() in beside and last.lower() not in vocabulary("function"):
        return _replaced(statement, (stop - len(last) - 1, stop), "")
    if before and first.casefold() == before[1].casefold() and first.lower() not in vocabulary("function"):
        return _replaced(statement, (start, start + len(first) + 1), "")
    return statement


def _replaced(statement: Statement, span: Span, new: str) -> Statement:
    """Return the statement with a part replaced that lies outside the names, or within one."""
    start, stop = span
    more = len(new) - (stop - start)

    def moved(end: Span) -> Span:
        return end[0] + (more if end[0] >= stop and end[0] > start else 0), end[1] + (more if end[1] >= stop else 0)

    text = f"{statement.text[:start]}{new}{statement.text[stop:]}"
    return Statement(text, moved(statement.subject), moved(statement.object), statement.blank)


def _outside(statement: Statement) -> str:
    """Return the words of a statement without its names."""
    (start, stop), (begin, end) = sorted((statement.subject, statement.object))
    text = statement.text
    return f"{text[:start]} {text[stop:begin]} {text[end:]}"


def _has_vowel_sound(name: str) -> bool:
    if _pattern(phrases("agreement_an")).match(name):
        return True
    return not _pattern(phrases("agreement_a")).match(name) and fold(name[:1])[:1] in tuple("aeiou")


@cache
def _pattern(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)
