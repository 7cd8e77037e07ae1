"""Index of a relation's entities by name, and mentions of them in a reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import islice
from statistics import mean
from typing import Final

from factprobe.lazy import lazy
from factprobe.question_types import End
from factprobe.reading.answer_leak import own_text
from factprobe.reading.language import vocabulary
from factprobe.reading.names.acronyms import acronym_table, common_names, is_acronym
from factprobe.reading.names.boundaries import is_meant, is_whole
from factprobe.reading.names.forms import Forms
from factprobe.reading.names.name_tables import NameMention, NameTable, find
from factprobe.reading.names.regions import is_in_other_region
from factprobe.reading.names.value_mentions import value_mentions
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words, strip_s
from factprobe.reading.values.value import Value
from factprobe.reading.values.value_parsing import value_of
from factprobe.records import Answer, Entity, Question, RelationSummary
from factprobe.text import compose

_SAMPLE = 500
"""Number of labels sampled to determine whether the entities are values."""

_NO_LETTERS = re.compile(rf"^(?:{'|'.join(sorted(vocabulary('article')))})\s|(?!^-)[\W_]+", re.IGNORECASE)
"""Pattern of an article, and of all signs but a minus at the beginning."""
_MARKS = {
    mark: re.compile(
        rf"^\D{{0,4}}(?:\d{{1,3}}(?:{other}\d{{3}}){{2,}}|\d{{1,3}}(?:{other}\d{{3}})+{mark}\d+|"
        rf"\d+{mark}(?:\d{{1,2}}|\d{{4,}})|(?:0|\d{{4,}}){mark}\d+)(?![\d.,])"
    )
    for mark, other in ((",", r"\."), (r"\.", ","))
}
"""Patterns of a number with a decimal comma (and points for thousands), and with a decimal point (and commas)."""
_MARK = re.compile(r"(?<=\d)[.,](?=\d)")
"""Pattern of a decimal mark, or of a mark of thousands."""

GIVEN = frozenset({""})
"""Set of URIs, with only the empty string, that marks the names of the entity given in the question."""


def asks_object(question: Question) -> bool:
    """Return whether a question asks for the object of a fact, and not for its subject."""
    return question.sought == "object"


class EntityNames:
    """Entities at one end of a relation, with an index of their names.

    Args:
        entities: Entities at the end, by URI.
    """

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self.entities: Final = entities
        self.names: Final = NameTable(((uri, entity.names()) for uri, entity in entities.items()))

    @lazy
    def forms(self) -> Forms:
        """Alternative forms of the names, such as surnames, that only one of the entities has."""
        return Forms(self.entities, self.names)

    @lazy
    def is_of_values(self) -> bool:
        """True if most sampled entities are years, dates or numbers, or if there are no entities."""
        sampled = islice(self.entities.values(), 0, None, max(len(self.entities) // _SAMPLE, 1))
        return mean(value_of(entity.label) is not None for entity in sampled) >= 0.5 if self.entities else True

    def values(self, answers: Sequence[Answer]) -> dict[str, list[Value]]:
        """Return the values of right answers by URI; empty if the entities are names."""
        by_uri: dict[str, list[Value]] = {}
        for answer in answers if self.is_of_values else ():
            if value_of(answer.label) is None:
                return {}
            names = map(self._with_decimal_point, answer.names())
            by_uri[answer.uri] = [value for name in names if (value := value_of(name)) is not None]
        return by_uri

    @lazy
    def has_decimal_commas(self) -> bool:
        """True if commas mark decimals in more of the sampled entities than points; 7,874 and 7.874 may be either."""
        sample = islice(self.entities.values(), 0, None, max(len(self.entities) // _SAMPLE, 1))
        labels = [entity.label for entity in sample]
        commas, points = (sum(pattern.search(label) is not None for label in labels) for pattern in _MARKS.values())
        return commas > points

    def _with_decimal_point(self, name: str) -> str:
        """Return a name with the marks of its numbers exchanged if commas mark decimals: 126.949 is 126,949."""
        return _MARK.sub(lambda mark: ",."[mark[0] == ","], name) if self.has_decimal_commas else name

    def is_elsewhere(self, text: Text, mention: NameMention) -> bool:
        """Return whether a place is mentioned with another region than those of its entities: Arlington, Texas."""
        start, end, uris = mention.start, mention.end, mention.uris
        phrase = " ".join(text.words[start:end])
        names = (name for uri in uris if uri in self.entities for name in self.entities[uri].names())
        return phrase in self.forms.table.uris and is_in_other_region(text, end, names)

    def names_in(self, text: Text, uri: str) -> NameTable | None:
        """Return a table of the entity's names whose first word is in a text, all with an empty URI; else None."""
        entity, words = self.entities.get(uri), text.keyed[0]
        names = [name for name in entity.names() if name_words(name)[0] in words] if entity else []
        return NameTable([("", names)]) if names else None

    def with_exact_spelling(self, uris: frozenset[str], text: str) -> frozenset[str]:
        """Return the URIs of the entities that have a text as a name, with its exact case (AA, Aa); all if none has.

        Punctuation and articles are not compared, since the words of a reply are without them (U.S., The Beatles).
        """
        if len(uris) < 2:
            return uris
        letters = _letters(text)
        bearers = ((uri, entity.names()) for uri in uris if (entity := self.entities.get(uri)))
        return frozenset(uri for uri, names in bearers if letters in map(_letters, names)) or uris


class EntityIndex:
    """Index of the entities at both ends of a relation by their names.

    Args:
        summary: Relation summary; without one, a reply is searched only for the question's own answers.
        entities: Entities at both ends, by URI, if there is no summary.
    """

    def __init__(self, summary: RelationSummary | None = None, entities: Mapping[str, Entity] | None = None) -> None:
        self._summary = summary
        self._object, self._subject = (EntityNames(entities or _by_uri(summary, end)) for end in ("object", "subject"))

    def ends(self, question: Question) -> tuple[EntityNames, EntityNames, str]:
        """Return the entities at the sought end, those at the given end, and the URI of the given entity."""
        if asks_object(question):
            return self._object, self._subject, question.subject_uri
        return self._subject, self._object, question.object_uri

    def sought(self, question: Question) -> EntityNames:
        """Return the entities at the end that the question asks for."""
        return self.ends(question)[0]

    def truths(self, question: Question) -> frozenset[str]:
        """Return the URIs of the answers to a question by the facts in the graph."""
        return frozenset(self._summary.partners(*self._given(question))) if self._summary else frozenset()

    def further_truths(self, question: Question) -> frozenset[str]:
        """Return the URIs of answers that no fact states, but several imply (a city, its state, its country)."""
        every = self._summary.entailed(*self._given(question)) if self._summary else ()
        return frozenset(every) - self.truths(question)

    def _given(self, question: Question) -> tuple[str, End]:
        return (question.subject_uri, "subject") if asks_object(question) else (question.object_uri, "object")

    def mentions(self, text: Text, question: Question, values: Mapping[str, Sequence[Value]]) -> list[NameMention]:
        """Return the mentions of entities at the sought end and of the question's answers, left to right.

        The longest name at each place counts. Names within longer names, known or not, are left out. So is the entity
        that the question gives, unless it is also a right answer.

        Args:
            text: Reply, split into words.
            question: Question that the reply answers.
            values: Values of the right answers by URI; empty if the answers are names.
        """
        side, other, uri = self.ends(question)
        given = other.names_in(text, uri)
        if values:
            return value_mentions(text, values, given, own_text(question))
        answers, forms = answers_of(question), side.forms
        names_of = {answer.uri: [*answer.names(), *common_names(answer.names())] for answer in answers}
        acronyms = acronym_table(text, names_of.items(), own_text(question), forms.known)
        tables = [side.names, forms.table, NameTable(names_of.items()), acronyms, *([given] if given else [])]
        names = [
            NameMention(start, end, uris - GIVEN if "" in uris else uris)
            for start, end, uris in find(tables, text)
            if ("" not in uris or any(answer.uri in uris for answer in answers))
            and (strip_s(name := " ".join(text.words[start:end])) not in acronyms.uris or is_acronym(text, start))
            and not forms.is_asked(name, question)
            and not side.is_elsewhere(text, NameMention(start, end, uris))
        ]
        starts = {mention.start for mention in names}
        return [
            NameMention(m.start, m.end, side.with_exact_spelling(m.uris, text.text_of(m.start, m.end)))
            for m in names
            if is_meant(text, m) and is_whole(text, m, starts)
        ]


def _letters(name: str) -> str:
    return _NO_LETTERS.sub("", compose(name))


def _by_uri(summary: RelationSummary | None, end: End) -> dict[str, Entity]:
    every = (*summary.further_entities(end), *summary.entities(end)) if summary else ()
    return {entity.uri: entity for entity in every}


def answers_of(question: Question) -> tuple[Answer, ...]:
    """Return the right answers of a question; empty for a true/false question."""
    return () if isinstance(question.answers, str) else question.answers


def answers_index(question: Question) -> EntityIndex:
    """Return an index of the right answers of a question, for grading without a graph."""
    answers = {answer.uri: Entity(answer.uri, answer.label, answer.aliases) for answer in answers_of(question)}
    return EntityIndex(None, answers)
