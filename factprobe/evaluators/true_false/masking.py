"""Replies to a statement, with placeholders for the statement and the entities in it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import accumulate

from factprobe.question_types import End
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokenised_text import text_of
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import name_words
from factprobe.records import Answer, Question

STATEMENT, SHOWN, GIVEN, OTHER, TRUTH, FURTHER = map(
    key_of, ("qstatement", "qshown", "qgiven", "qother", "qtruth", "qfurther")
)
"""Words that replace the statement, the shown entity, the given one, another in place of the shown one, the right one,
and another in place of the given one.
"""
NAMES = frozenset((STATEMENT, SHOWN, GIVEN, OTHER, TRUTH, FURTHER))


def masked(reading: Reading, text: str, is_label: Callable[[str], bool]) -> str:
    """Return a reply with words that replace entities.

    Args:
        reading: Reading of the reply.
        text: Reply with words for signs and for the statement.
        is_label: Function that returns whether a word judges a statement by itself, so that it is no entity.
    """
    found = text_of(text)
    spans: list[tuple[int, int, str]] = []
    taken: set[int] = set()
    for start, end, word in _entities(reading, text) if len(found) else ():
        is_free = end - start > 1 or not is_label(found.words[start])
        if is_free and taken.isdisjoint(range(start, end)):
            taken.update(range(start, end))
            spans.append((found.starts[start], found.span(end - 1)[1], f" {word} "))
    return found.replaced(spans)


def positive_statement(reading: Reading) -> str:
    """Return the statement, or for a negated one the statement that it denies."""
    statement = reading.question.denied or reading.question.statement
    return (statement.text if statement else reading.question.bare).strip().rstrip(".?")


def without_statement(text: str, statement: str) -> str:
    """Return a text in which a placeholder replaces the statement, in any case."""
    whole, said = (one.replace("İ", "i").casefold().upper() for one in (text, statement))  # as patterns ignore case
    if not said or said not in whole:
        return text
    if len(said) != len(statement) or len(whole) != len(text):  # a letter such as ß stands for several
        return re.sub(re.escape(statement), STATEMENT, text, flags=re.IGNORECASE)
    parts = whole.split(said)
    starts = accumulate([len(part) + len(said) for part in parts], initial=0)
    return STATEMENT.join([text[at : at + len(part)] for part, at in zip(parts, starts, strict=False)])


def _entities(reading: Reading, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the entities in a text as spans of words, each with the word that replaces it."""
    index, question, statement = reading.index, reading.question, reading.question.statement
    if statement is None:
        return
    sought = question.sought
    entity = index.sought(question).entities.get(question.shown)
    shown = Answer(entity.uri, entity.label, entity.aliases) if entity else Answer("", statement.at(sought))
    given: End = "subject" if sought == "object" else "object"
    uris = {"subject": question.subject_uri, "object": question.object_uri}
    own = _reading_for(reading, text, sought, shown)
    is_false, also = question.answers != "correct", index.truths(question)
    for one in own.mentions:
        if one.uris & own.right:
            yield one.start, one.end, SHOWN
        elif uris[sought] in one.uris:
            yield one.start, one.end, TRUTH
        elif is_false or also.isdisjoint(one.uris):
            yield one.start, one.end, OTHER
    label = statement.at(given)
    parts = {word: name for name, whole in ((SHOWN, shown.label), (GIVEN, label)) for word in name_words(whole)}
    other = _reading_for(reading, text, given, Answer(uris[given], label))
    for one in other.mentions:
        yield one.start, one.end, GIVEN if uris[given] in one.uris else FURTHER
    starts = {one.start for one in (*own.mentions, *other.mentions)}
    for i, word in enumerate(own.text.words):
        part = NameMention(i, i + 1, frozenset())
        if word in parts and own.text.capital[i] and is_whole(own.text, part, starts):
            yield i, i + 1, parts[word]


def _reading_for(reading: Reading, text: str, end: End, answer: Answer) -> Reading:
    """Return the reading of a text as an answer to the question about one end of the statement."""
    question = reading.question
    name = f"{question.question_id.rpartition(':')[0]}:ask_{end}"
    ends = (question.relation, question.subject_uri, question.object_uri)
    asked = Question(name, "single_answer", (), (answer,), *ends, statement=question.statement)
    return Reading(reading.index, asked, text)
