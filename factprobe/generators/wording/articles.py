"""Adaptation of a sentence to the names in it: articles, and words that would be repeated."""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import cache, lru_cache

from factprobe.reading.language import phrases, vocabulary
from factprobe.records import Span, Statement
from factprobe.text import fold

_ARTICLE = re.compile(r"(?<![\w'-])(an?) $", re.IGNORECASE)
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,}) $")
_SYMBOL = re.compile(r"\d|[A-Z][^\W_]*[A-Z]")
"""Pattern of a digit or two capitals, which symbols such as SEMA3D have, but not ordinary words."""
_WORD_AFTER = re.compile(r" ([^\W\d_]{3,})\b")
_NO_LETTER = re.compile(r"[\W\d_]")


def agree(statement: Statement) -> Statement:
    """Return a statement with articles that fit its names, and without words of a name that are also next to it.

    "is a actor" becomes "is an actor", "The gene SEMA3D Gene" becomes "The gene SEMA3D". Blanks stay unchanged.
    """
    text, subject, object_ = statement.text, statement.subject, statement.object
    (start, stop), (begin, end) = (subject, object_) if subject < object_ else (object_, subject)
    beside = _words_beside(text[:start], text[stop:begin], text[end:])
    if beside is None:
        return _agree(statement)
    for name in (text[start:stop], text[begin:end]) if beside else ():
        if " " in name and _repeats(name, beside):
            return _agree(statement)
    return statement


def _repeats(name: str, words: Collection[str]) -> bool:
    """Return whether the first or last word of a name with several is among some words."""
    first, _, rest = name.partition(" ")
    return bool(rest) and (first.casefold() in words or rest.rpartition(" ")[2].casefold() in words)


@lru_cache(maxsize=1 << 10)
def _words_beside(before: str, between: str, after: str) -> Collection[str] | None:
    """Return the words of a template next to a name; None if an article stands before one, or names touch. Cached."""
    if len(between) < 4 or not (_NO_LETTER.search(between[:-1]) and _NO_LETTER.search(between[1:])):
        return None
    if _ARTICLE.search(before) or _ARTICLE.search(between):
        return None
    matches = (_WORD_BEFORE.search(before), _WORD_BEFORE.search(between), _WORD_AFTER.match(between))
    return {word[1].casefold() for word in (*matches, _WORD_AFTER.match(after)) if word}


def _agree(statement: Statement) -> Statement:
    subject_first = statement.subject < statement.object
    for end in ("object", "subject") if subject_first else ("subject", "object"):  # so that earlier offsets stay valid
        if end != statement.blank:
            statement = _without_repeat(statement, statement.subject if end == "subject" else statement.object)
            start, _ = statement.subject if end == "subject" else statement.object
            statement = _with_article(statement, start)
    return statement


def fit_article(before: str, name: str) -> str:
    """Return the text before a name; if it ends in an article, this fits the name (an actor)."""
    match = _ARTICLE.search(before)
    if match is None or vocabulary("agreement_sentence").isdisjoint(before.lower().split()):
        return before
    return f"{before[: match.start(1)]}{_fitting_article(match[1], name)} "


def _with_article(statement: Statement, start: int) -> Statement:
    """Return a statement in which the article before the name at `start` fits the name."""
    text = statement.text
    if text[start - 2 : start].lower() not in ("a ", "n ") or (match := _ARTICLE.search(text, 0, start)) is None:
        return statement
    around = _words_around_names(statement)
    if vocabulary("agreement_sentence").isdisjoint(around.lower().split()):
        return statement
    article = _fitting_article(match[1], text[start:])
    return statement if article == match[1] else _replace_span(statement, match.span(1), article)


def _fitting_article(article: str, name: str) -> str:
    """Return `a` or `an`, as a name requires, capitalised as the given article is."""
    return article[0] + ("an" if _has_vowel_sound(name) else "a")[1:]


def _without_repeat(statement: Statement, span: Span) -> Statement:
    """Return a statement without a word that both the sentence and the name next to it have.

    The name loses its first word, or its last one if a symbol remains or the sentence goes on with it: "The gene SEMA3D
    Gene" becomes "The gene SEMA3D". Otherwise the sentence loses the word after an article: "the gene Regulatory Gene"
    becomes "the Regulatory Gene". Nothing changes in "the abnormal cell Red Cell".
    """
    text, (start, stop) = statement.text, span
    first, _, rest = text[start:stop].partition(" ")
    if not rest:
        return statement
    last = rest.rpartition(" ")[2]
    word, last_word = first.casefold(), last.casefold()
    before, after = _WORD_BEFORE.search(text, 0, start), _WORD_AFTER.match(text, stop)
    last_begins = stop - len(last) - 1
    if last.lower() not in vocabulary("function"):
        if after and last_word == after[1].casefold():
            return _replace_span(statement, (last_begins, stop), "")
        if before and last_word == before[1].casefold():
            if _SYMBOL.search(text, start, last_begins):
                return _replace_span(statement, (last_begins, stop), "")
            follows_article = not vocabulary("article").isdisjoint(text[: before.start()].lower().split()[-1:])
            return _replace_span(statement, before.span(), "") if follows_article else statement
    if before and word == before[1].casefold() and first.lower() not in vocabulary("function"):
        return _replace_span(statement, (start, start + len(first) + 1), "")
    return statement


def _replace_span(statement: Statement, span: Span, new: str) -> Statement:
    """Return a statement with a span replaced; the span must be outside its names, or within one of them."""
    start, stop = span
    more = len(new) - (stop - start)

    def shift_span(end: Span) -> Span:
        return end[0] + (more if end[0] >= stop and end[0] > start else 0), end[1] + (more if end[1] >= stop else 0)

    text = f"{statement.text[:start]}{new}{statement.text[stop:]}"
    return Statement(text, shift_span(statement.subject), shift_span(statement.object), statement.blank)


def _words_around_names(statement: Statement) -> str:
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
