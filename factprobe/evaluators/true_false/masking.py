"""Replacement of the statement and the entities in a reply to a true/false question by placeholders."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from factprobe.question_types import End, other_end
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.name_tables import NameMention
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokenised_text import text_of
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.value_parsing import values_in
from factprobe.records import Answer, Question

STATEMENT = key_of("qstatement")
"""Placeholder of the statement."""
SHOWN = key_of("qshown")
"""Placeholder of the entity that the statement gives as the answer."""
GIVEN = key_of("qgiven")
"""Placeholder of the entity that the question is about."""
OTHER = key_of("qother")
"""Placeholder of any other entity."""
TRUTH = key_of("qtruth")
"""Placeholder of the right answer, if the statement is false."""
PLACEHOLDERS = frozenset((STATEMENT, SHOWN, GIVEN, OTHER, TRUTH))


def mask_entities(reading: Reading, text: str, is_label: Callable[[str], bool]) -> str:
    """Return a reply with placeholders for the entities in it.

    Args:
        reading: Analysis of the reply.
        text: Reply in which signs and the statement are already replaced.
        is_label: Function that returns whether a word judges a statement by itself; such a word is not replaced.
    """
    words = text_of(text)
    spans: list[tuple[int, int, str]] = []
    covered: set[int] = set()
    for start, end, word in _placeholder_spans(reading, text) if len(words) else ():
        is_free = end - start > 1 or not is_label(words.words[start])
        if is_free and covered.isdisjoint(range(start, end)):
            covered.update(range(start, end))
            spans.append((words.starts[start], words.ends[end - 1], f" {word} "))
    return words.replaced(spans)


def mask_statement(text: str, statement: str) -> str:
    """Return a text in which a placeholder replaces the statement, ignoring case, but not within a value (8:15 pm)."""
    if not statement or statement.casefold() not in text.casefold():  # a pattern takes longer
        return text
    within = {i for value in values_in(text) for i in range(value.start + 1, value.end)}
    whole = re.compile(rf"{re.escape(statement)}(?![A-Za-z0-9])", re.IGNORECASE)
    return whole.sub(lambda match: match[0] if match.end() in within else STATEMENT, text)


def _placeholder_spans(reading: Reading, text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the entities in a text, as (first word, word after the last, placeholder)."""
    index, question, statement = reading.index, reading.question, reading.question.statement
    if statement is None:
        return
    sought = question.sought
    entity = index.sought(question).entities.get(question.shown)
    shown = Answer(entity.uri, entity.label, entity.aliases) if entity else Answer("", statement.at(sought))
    given_end = other_end(sought)
    uris = {"subject": question.subject_uri, "object": question.object_uri}
    own = _reading_for(reading, text, sought, shown)
    for mention in own.mentions:
        if mention.uris & own.right:
            yield mention.start, mention.end, SHOWN
        elif uris[sought] in mention.uris:
            yield mention.start, mention.end, TRUTH
        else:
            yield mention.start, mention.end, OTHER
    label = statement.at(given_end)
    parts = {word: name for name, whole in ((SHOWN, shown.label), (GIVEN, label)) for word in name_words(whole)}
    other = _reading_for(reading, text, given_end, Answer(uris[given_end], label))
    for mention in other.mentions:
        yield mention.start, mention.end, GIVEN if uris[given_end] in mention.uris else OTHER
    starts = {mention.start for mention in (*own.mentions, *other.mentions)}
    for i, word in enumerate(own.text.words):
        part = NameMention(i, i + 1, frozenset())
        if word in parts and own.text.capital[i] and is_whole(own.text, part, starts):
            yield i, i + 1, parts[word]


def _reading_for(reading: Reading, text: str, end: End, answer: Answer) -> Reading:
    """Return the analysis of a text as an answer to the question which entity is at one end of the statement."""
    question = reading.question
    name = f"{question.question_id.rpartition(':')[0]}:ask_{end}"
    ends = (question.relation, question.subject_uri, question.object_uri)
    asked = Question(name, "single_answer", (), (answer,), *ends, statement=question.statement)
    return Reading(reading.index, asked, text)
