"""Replacement of the statement and the entities in a reply to a true/false question by placeholders."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Set

from factprobe.question_types import End, other_end
from factprobe.reading.language import vocabulary
from factprobe.reading.names.boundaries import is_whole
from factprobe.reading.names.name_tables import NameMention, find_names
from factprobe.reading.reading_base import Reading
from factprobe.reading.tokenisation.tokenised_text import Text, text_of
from factprobe.reading.tokenisation.tokens import key_of
from factprobe.reading.tokenisation.words import name_words
from factprobe.reading.values.value_parsing import values_in
from factprobe.records import Answer, Question
from factprobe.text import normalise

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


def mask_names(reading: Reading, text: str, is_label: Callable[[str], bool]) -> str:
    """Return a reply with placeholders for the statement and the entities in it.

    Args:
        reading: Analysis of the reply.
        text: Reply in which signs are already replaced.
        is_label: Function that returns whether a word judges a statement by itself; such a word is not replaced.
    """
    words = text_of(text)
    statements = _statements(reading.question, words.words)
    spans: list[tuple[int, int, str]] = []
    covered: set[int] = set()
    for start, end, word in (*_find_names(words, statements), *_entities(reading, words)) if len(words) else ():
        is_free = end - start > 1 or not is_label(words.words[start])
        if is_free and covered.isdisjoint(range(start, end)):
            covered.update(range(start, end))
            spans.append((words.starts[start], words.ends[end - 1], f" {word} "))
    return words.replaced(spans)


def placeholder_of(reading: Reading) -> str:
    """Return the placeholder for a reply that is only the statement; empty for any other reply."""
    statements = _statements(reading.question, reading.flat.split())
    return next((word for word, texts in statements.items() if reading.flat in map(normalise, texts)), "")


def _statements(question: Question, words: Collection[str]) -> dict[str, list[str]]:
    """Return the statement by its placeholder, and by those of its names the same with a pronoun among some words."""
    statement, said = question.statement, question.denied or question.statement
    if statement is None or said is None:
        return {STATEMENT: [question.bare]}
    start, end = said.subject if question.sought == "object" else said.object
    pronouns = vocabulary("judgment_pronoun").intersection(words)
    again = [f"{said.text[:start]}{pronoun}{said.text[end:]}" for pronoun in pronouns]
    return {STATEMENT: [statement.text], f"{GIVEN} {SHOWN}": [*again, *([said.text] if question.denied else [])]}


def _entities(reading: Reading, text: Text) -> Iterator[tuple[int, int, str]]:
    """Yield the entities in a text, as (first word, word after the last, placeholder)."""
    question, statement = reading.question, reading.question.statement
    if statement is None:
        return
    sought, given = question.sought, other_end(question.sought)
    entity = reading.index.sought(question).entities.get(question.shown)
    shown = Answer(entity.uri, entity.label, entity.aliases) if entity else Answer("", statement.at(sought))
    uris = {"subject": question.subject_uri, "object": question.object_uri}
    about = Answer(uris[given], statement.at(given))
    own, other = _reading_for(reading, text, sought, shown), _reading_for(reading, text, given, about)
    for mention in own.mentions:
        is_shown = not mention.uris.isdisjoint(own.right)
        yield mention.start, mention.end, SHOWN if is_shown else TRUTH if uris[sought] in mention.uris else OTHER
    for mention in other.mentions:
        yield mention.start, mention.end, GIVEN if about.uri in mention.uris else OTHER
    starts = {mention.start for mention in (*own.mentions, *other.mentions)}
    yield from _find_names(text, {SHOWN: name_words(shown.label), GIVEN: name_words(about.label)}, starts)


def _find_names(
    text: Text, names: Mapping[str, Iterable[str]], starts: Set[int] = frozenset()
) -> Iterator[tuple[int, int, str]]:
    """Yield the names by placeholder that occur in a text as a whole, a single word only with a capital."""
    mentions = [one for one in find_names(names.items(), text) if one[1] - one[0] > 1 or text.capital[one[0]]]
    has_number = any(text.words[end - 1][0].isdigit() for _, end, _ in mentions)
    values = values_in(text.source) if has_number else ()
    within = {i for value in values for i in range(value.start + 1, value.end)}  # 8:15 is not 8:15 pm
    for start, end, found in mentions:
        if text.ends[end - 1] not in within and is_whole(text, NameMention(start, end, found), starts):
            yield start, end, min(found)


def _reading_for(reading: Reading, text: Text, end: End, answer: Answer) -> Reading:
    """Return the analysis of a text as an answer to the question which entity is at one end of the statement."""
    question = reading.question
    name = f"{question.question_id.rpartition(':')[0]}:ask_{end}"
    ends = (question.relation, question.subject_uri, question.object_uri)
    asked = Question(name, "single_answer", (), (answer,), *ends, statement=question.statement)
    return Reading(reading.index, asked, text.source)
