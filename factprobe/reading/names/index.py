"""The entities of a relation by name, and which of them a reply names."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice
from statistics import mean
from typing import Final

from factprobe.reading.formulas import is_other_formula
from factprobe.reading.names.forms import Forms
from factprobe.reading.names.tables import Mention, NameTable, find, first_words
from factprobe.reading.names.typed import typed_mentions
from factprobe.reading.names.whole import is_echo, is_meant, is_whole
from factprobe.reading.once import once
from factprobe.reading.values import Value, value_of
from factprobe.reading.words import Text
from factprobe.records import (
    Answer,
    Entity,
    NodeSummary,
    ObjectNode,
    Question,
    Relation,
    RelationSummary,
    SubjectNode,
)
from factprobe.templating import templates_of

_SAMPLE = 500
"""Labels of a side that tell whether its entities are values."""


GIVEN = frozenset({""})
"""Stands for the entity that a question gives."""


def asks_object(question: Question) -> bool:
    """Whether a question asks for the object of a subject rather than the reverse."""
    return question.sought == "object"


class EntityNames:
    """One side of a relation: its entities by name.

    Args:
        entities: those of the side, by URI.
    """

    def __init__(self, entities: Mapping[str, Entity]) -> None:
        self.entities: Final = entities
        self.names: Final = NameTable(((uri, entity.names()) for uri, entity in entities.items()), keeps=True)

    @once
    def forms(self) -> Forms:
        """Other forms of the names, where they belong to one entity alone."""
        return Forms(self.entities, self.names)

    @once
    def is_of_values(self) -> bool:
        """Whether its entities are years, dates or numbers; so they may be where none is known."""
        some = islice(self.entities.values(), 0, None, max(len(self.entities) // _SAMPLE, 1))
        return mean(value_of(entity.label) is not None for entity in some) >= 0.5 if self.entities else True

    def values(self, answers: Sequence[Answer]) -> dict[str, list[Value]]:
        """The values that right answers are, by URI; empty where the side is of names."""
        found: dict[str, list[Value]] = {}
        for answer in answers if self.is_of_values else ():
            if value_of(answer.label) is None:
                return {}
            found[answer.uri] = [value for name in answer.names() if (value := value_of(name)) is not None]
        return found

    def of(self, uri: str, text: Text) -> NameTable | None:
        """The names of an entity which may stand in a text, with no URI; None where it has none."""
        entity = self.entities.get(uri)
        if entity is None:
            return None
        words_of, said = self.names.words, first_words(text)
        names = [name for name in entity.names() if said is None or words_of(name)[0] in said]
        return NameTable([("", names)], words_of) if names else None

    def knows(self, answers: Sequence[Answer]) -> bool:
        """Whether the names of all answers are those of its entities."""
        for answer in answers:
            entity = self.entities.get(answer.uri)
            if entity is None or entity.label != answer.label or entity.aliases != answer.aliases:
                return False
        return True


class EntityIndex:
    """The entities of a relation by name, built once; both its sides.

    Args:
        summary: the relation summary; without one only a question's own answers are known.
    """

    def __init__(self, summary: RelationSummary | None = None) -> None:
        info = summary.relation_info if summary else None
        self.templates = tuple(templates_of(info)) if info else ()
        """The relation's sentences, with `[X]` and `[Y]` for its ends."""
        self._summary = summary
        self._object = EntityNames({e.uri: e for e in summary.entities("object")} if summary else {})
        self._subject = EntityNames({e.uri: e for e in summary.entities("subject")} if summary else {})

    def ends(self, question: Question) -> tuple[EntityNames, EntityNames, str]:
        """The side that is asked for, that of the entity which a question gives, and the URI of that entity."""
        if asks_object(question):
            return self._object, self._subject, question.subject_uri
        return self._subject, self._object, question.object_uri

    def sought(self, question: Question) -> EntityNames:
        """The side that is asked for."""
        return self.ends(question)[0]

    def asked_about(self, question: Question) -> Entity | None:
        """The entity that a question gives, where the graph knows it."""
        _, given, uri = self.ends(question)
        return given.entities.get(uri)

    def truths(self, question: Question) -> frozenset[str]:
        """The URIs of all that the graph has for an answer."""
        if self._summary is None:
            return frozenset()
        if asks_object(question):
            return frozenset(self._summary.partners(question.subject_uri, "subject"))
        return frozenset(self._summary.partners(question.object_uri, "object"))

    def lower_case(self, question: Question) -> bool:
        """Whether names of the side that is asked for are written small: instruments, diseases."""
        table = self.sought(question).names
        return (
            table.lower * 5 >= len(table.uris)
            if table.uris
            else any(a.label[:1].islower() for a in answers_of(question))
        )

    def mentions(
        self, text: Text, question: Question, values: Mapping[str, Sequence[Value]], asked: Callable[[], str] = str
    ) -> list[Mention]:
        """The entities of the side that is asked for, and the question's own answers, left to right, longest first.

        The entity that the question gives is passed over, for to repeat it is no answer; so are names that are a part
        of a longer one, known or not.

        Args:
            text: the reply.
            question: what it answers.
            asked: gives the normalised words of the question, with a space around each; what stands there is an echo.
        """
        side, other, uri = self.ends(question)
        given = other.of(uri, text)
        if values:
            return typed_mentions(text, values, given, asked)
        answers, forms = answers_of(question), side.forms
        tables = [side.names, forms.table]
        if not side.knows(answers):
            tables.append(NameTable((answer.uri, answer.names()) for answer in answers))
        if given:
            tables.append(given)
        found = [
            Mention(start, end, uris - GIVEN if "" in uris else uris)
            for start, end, uris in find(tables, text)
            if ("" not in uris or any(answer.uri in uris for answer in answers))
            and not forms.is_of_another(text, start, end, asked)
        ]
        if not found:
            return found
        if unsaid := {answer.uri for answer in answers if is_other_formula(text.source, answer.label)}:
            found = [Mention(one.start, one.end, left) for one in found if (left := one.uris - unsaid)]
        starts = {mention.start for mention in found}
        return [m for m in found if is_meant(text, m) and is_whole(text, m, starts) and not is_echo(text, m, asked)]


def answers_of(question: Question) -> tuple[Answer, ...]:
    """The right answers of a question that has names or values for answers."""
    return () if isinstance(question.answers, str) else question.answers


def answers_index(question: Question) -> EntityIndex:
    """Return an index of nothing but the right answers of a question, for where there is no graph."""
    answers = answers_of(question)
    if asks_object(question):
        nodes = NodeSummary({one.uri: ObjectNode(one.label, one.uri, [], one.aliases) for one in answers}, {})
    else:
        nodes = NodeSummary({}, {one.uri: SubjectNode(one.label, one.uri, [], one.aliases) for one in answers})
    return EntityIndex(RelationSummary(Relation("", ""), nodes))
