"""Agreement of sentences with the names in them: articles and repeated words."""

from __future__ import annotations

import re
from functools import cache

from factprobe.reading.language import phrases, vocabulary
from factprobe.records import Span, Statement
from factprobe.text import fold

_ARTICLE = re.compile(r"(?<![\w'-])(an?) $", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,}) $")
_SYMBOL = re.compile(r"\d|[A-Z][^\W_]*[A-Z]")
"""What a symbol has and an ordinary word lacks: a figure, or two capitals."""
_WORD_BEHIND = re.compile(r" ([^\W\d_]{3,})\b")


def agree(statement: Statement) -> Statement:
    """Return a statement whose articles fit its names and whose names repeat no word next to them.

    "is a actor" becomes "is an actor", "The gene SEMA3D Gene" becomes "The gene SEMA3D". A blank is left as it is.
    """
    ends = sorted((("subject", statement.subject), ("object", statement.object)), key=lambda end: end[1], reverse=True)
    for end, span in ends:  # from the last on, so that the places before it stay
        if end != statement.blank:
            statement = _without_repeat(statement, span)
            start, _ = statement.subject if end == "subject" else statement.object
            statement = _with_article(statement, start)
    return statement


def fit_article(before: str, name: str) -> str:
    """Return the text before a name with its last article in the form that fits the name."""
    found = _ARTICLE.search(before)
    if found is None or vocabulary("agreement_sentence").isdisjoint(before.lower().split()):
        return before
    return f"{before[: found.start(1)]}{_fitting(found[1], name)} "


def _with_article(statement: Statement, start: int) -> Statement:
    """Return the statement with the article before the name that begins at `start` in the form that fits it."""
    text = statement.text
    if text[start - 2 : start].lower() not in ("a ", "n ") or (found := _ARTICLE.search(text, 0, start)) is None:
        return statement
    around = _outside(statement)
    if vocabulary("agreement_sentence").isdisjoint(around.lower().split()):
        return statement
    article = _fitting(found[1], text[start:])
    return statement if article == found[1] else _replaced(statement, found.span(1), article)


def _fitting(article: str, name: str) -> str:
    """Return `a` or `an`, whichever fits the name; in the case of the article that stands there."""
    return article[0] + ("an" if _has_vowel_sound(name) else "a")[1:]


def _without_repeat(statement: Statement, span: Span) -> Statement:
    """Return the statement without the first or last word of a name that the sentence has next to it.

    The name loses its last word where a symbol is left ("The gene SEMA3D"). "Regulatory" alone is no name, so that "the
    gene Regulatory Gene" becomes "the Regulatory Gene", unless the sentence says more: "the abnormal cell Red Cell".
    """
    text, (start, stop) = statement.text, span
    first, _, rest = text[start:stop].partition(" ")
    if not rest:
        return statement
    last = rest.rpartition(" ")[2]
    before, behind = _WORD_BEFORE.search(text, 0, start), _WORD_BEHIND.match(text, stop)
    last_begins = stop - len(last) - 1
    if last.lower() not in vocabulary("function"):
        if behind and last.casefold() == behind[1].casefold():
            return _replaced(statement, (last_begins, stop), "")
        if before and last.casefold() == before[1].casefold():
            if _SYMBOL.search(text, start, last_begins):
                return _replaced(statement, (last_begins, stop), "")
            follows_article = not vocabulary("article").isdisjoint(text[: before.start()].lower().split()[-1:])
            return _replaced(statement, before.span(), "") if follows_article else statement
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
