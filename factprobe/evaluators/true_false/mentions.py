"""A reply to a statement with words in place of the entities in it."""

from __future__ import annotations

import re
from functools import cache

from factprobe.evaluators.true_false.judgments import FURTHER, GIVEN, OTHER, SHOWN, STATEMENT, TRUTH, is_cue
from factprobe.reading.asked import Asked, shown_in
from factprobe.reading.language import table
from factprobe.reading.names.index import EntityIndex
from factprobe.reading.names.tables import Mention, NameTable, find
from factprobe.reading.names.whole import is_meant, is_whole
from factprobe.reading.reading import Reading
from factprobe.reading.tokens import key_of
from factprobe.reading.values import Value, value_of, values_in
from factprobe.reading.words import name_words
from factprobe.records import Answer, Question, Statement

_SHORT = 3
"""Maximal number of letters of a word that is no part of a name by itself."""
_ROUND = 0.05
"""Maximal relative difference of a rounded number."""
_SIGNS = {sign: f" {word} . " for word, signs in table("judgment_sign").items() for sign in signs}
_SIGN = re.compile("|".join(map(re.escape, _SIGNS)))


def with_words_for_signs(text: str) -> str:
    """Return a text with words for signs of true and false."""
    return text if text.isascii() else _SIGN.sub(lambda found: _SIGNS[found[0]], text)


def with_entities(reading: Reading, text: str) -> str:
    """Return a reply with words for the statement and for entities.

    Args:
        reading: of the reply.
        text: the reply with words for signs.
    """
    asked = reading.asked
    statement = asked.statement
    denied = reading.question.denied
    told = denied.text if denied else statement.text if statement else reading.question.bare
    bare = told.strip().rstrip(".")
    if bare:
        text = _without_statement(text, bare)
    shown = shown_in(reading.index, asked)
    if shown is None or statement is None or not any(letter.isalnum() for letter in text):
        return text
    return _with_entities(reading.index, asked, statement, shown, text)


def _without_statement(text: str, statement: str) -> str:
    lower, wanted = text.lower(), statement.lower()
    if len(lower) != len(text) or wanted not in lower:
        return text
    parts, at = [], 0
    while (start := lower.find(wanted, at)) >= 0:
        parts += [text[at:start], STATEMENT]
        at = start + len(wanted)
    return "".join([*parts, text[at:]])


def _with_entities(index: EntityIndex, asked: Asked, statement: Statement, shown: Answer, reply: str) -> str:
    """Return a text with words for the entities of the relation."""
    question = asked.question
    sought = question.sought
    ends = (question.relation, question.subject_uri, question.object_uri)
    identity = f"{question.question_id.rpartition(':')[0]}:ask_{sought}"
    blank = Question(identity, "single_answer", (), (shown,), *ends, statement=statement)
    found = Reading(index, blank, reply)
    text = found.text
    right = question.object_uri if sought == "object" else question.subject_uri
    also = index.truths(question)
    truth = index.sought(question).entities.get(right) if question.answers != "correct" else None
    spans: list[tuple[int, int, str]] = []
    taken: set[int] = set()
    values = [value for several in found.values.values() for value in several]
    true_value = value_of(truth.label) if truth else None

    @cache  # figures that no blank parts have all one span
    def read_values(span: tuple[int, int]) -> list[Value]:
        return values_in(text.source[slice(*span)]) if values else []

    @cache
    def is_true(span: tuple[int, int]) -> bool:
        return true_value is not None and any(one.answers(true_value) for one in read_values(span))

    @cache
    def may_be_shown(span: tuple[int, int]) -> bool:
        return _may_be(read_values(span), values)

    def put(start: int, end: int, word: str) -> None:
        is_label = word not in (SHOWN, GIVEN) and end - start == 1 and is_cue(key_of(text.words[start]))
        if not is_label and taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            spans.append((text.starts[start], text.span(end - 1)[1], f" {word} "))

    for mention in found.mentions:
        span = text.starts[mention.start], text.starts[mention.end - 1] + len(text.raw[mention.end - 1])
        if mention.uris & found.right or (values and may_be_shown(span)):
            put(mention.start, mention.end, SHOWN)
        elif right in mention.uris or is_true(span):
            put(mention.start, mention.end, TRUTH)
        elif also.isdisjoint(mention.uris) or question.answers != "correct":
            put(mention.start, mention.end, OTHER)
    given_uri = question.subject_uri if sought == "object" else question.object_uri
    given = statement.at("subject" if sought == "object" else "object")
    known = index.ends(question)[1]
    tables = [known.names] if given_uri in known.entities else [known.names, NameTable([(given_uri, [given])])]
    every = [Mention(*one) for one in find(tables, text)]
    starts = {one.start for one in every}
    for one in every:
        is_word = one.end - one.start == 1 and len(text.words[one.start]) < _SHORT and not text.capital[one.start]
        if not is_word and is_meant(text, one) and is_whole(text, one, starts):
            put(one.start, one.end, GIVEN if given_uri in one.uris else FURTHER)
    labels = ((SHOWN, shown.label), (GIVEN, given))
    parts = {word: name for name, label in labels for word in name_words(label) if len(word) > _SHORT}
    for i, word in enumerate(text.words):
        one = Mention(i, i + 1, frozenset())
        if (
            word in parts
            and text.capital[i]
            and is_meant(text, one)
            and not _is_in_both(word, shown.label, given)
            and is_whole(text, one, starts)
        ):
            put(i, i + 1, parts[word])
    return text.replaced(spans)


def _is_in_both(word: str, shown: str, given: str) -> bool:
    return word in name_words(shown) and word in name_words(given)


def _may_be(said: list[Value], shown: list[Value]) -> bool:
    """Return whether a value may be a less exact form of a shown one."""
    return any(_is_rounded(one, other) for one in said for other in shown)


def _is_rounded(said: Value, shown: Value) -> bool:
    if said.month is None and said.year is not None and shown.month is not None:
        return said.year == shown.year
    if said.number is None or shown.number is None or shown.number < 1000 or shown.year is not None:
        return said.answers(shown)
    return abs(said.number - shown.number) <= _ROUND * abs(shown.number)
