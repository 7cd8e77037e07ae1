"""Linking of questions that were not made from a graph to its entities and relations."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from factprobe.kgs.fact_lookup import FactLookup
from factprobe.question_types import End, get_kind_or_default, other_end
from factprobe.reading.names.index import answers_of
from factprobe.reading.names.name_tables import NameTable, find
from factprobe.reading.tokenisation.tokenised_text import Text
from factprobe.reading.tokenisation.words import name_words
from factprobe.records import (
    Answer,
    NodeSummary,
    ObjectNode,
    Question,
    Relation,
    RelationSummary,
    SubjectNode,
)

_NAMESPACE = re.compile(r"^(?:https?://\S*[/#]|[A-Za-z][\w.-]*:)(?=\S+$)")
"""Pattern of the namespace of an IRI or CURIE (`wd:`)."""


class FactEnd(NamedTuple):
    """Subject or object end of a relation."""

    relation: str
    end: End

    @property
    def other(self) -> End:
        """Other end of the relation."""
        return other_end(self.end)


class LinkedQuestion(NamedTuple):
    """Question linked to a graph."""

    question: Question
    """Question whose answers have all names that the graph has for them."""
    sides: tuple[FactEnd, ...] = ()
    """Relation ends whose entities are the possible answers; empty if no relation of the graph fits."""


class GraphNames:
    """Index of the names of a graph's entities, to link questions that were not made from the graph.

    A question is about the relation that its field `relation` names by id or label; without one, about the relations
    with a fact between an entity in the question and a right answer. If there are none, only the names of its answers
    are taken from the graph.

    Args:
        summaries: Summaries of the graph's relations.
    """

    def __init__(self, summaries: Iterable[RelationSummary]) -> None:
        self._facts = FactLookup(summaries)
        self._entities, self._summaries = self._facts.entities, self._facts.summaries
        self._table = NameTable((uri, entity.names()) for uri, entity in self._entities.items())

    def link(self, question: Question) -> LinkedQuestion:
        """Return a question linked to the graph; unchanged if the graph lacks its answers."""
        if isinstance(question.answers, str):
            return LinkedQuestion(question)
        bearers = {name: self._bearers(name) for answer in question.answers for name in answer.names()}
        right = frozenset(uri for uris in bearers.values() for uri in uris)
        name = question.relation
        asked = name if name in self._summaries else next(iter(self._facts.relations_called(name)), None)
        given, sides = self._given(question, right, asked)
        if asked is not None:
            sides = sides or [side for side in self._of(right) if side.relation == asked] or [FactEnd(asked, "object")]
        at_ends = {uri for uri in right if not self._of([uri]).isdisjoint(sides)}
        entities_by_name = {name: uris & at_ends or self._unambiguous(name, uris) for name, uris in bearers.items()}
        end = "object_uri" if question.sought == "subject" else "subject_uri"
        linked = replace(question, **{end: given}) if given else question
        return LinkedQuestion(self._with_entities(linked, entities_by_name), tuple(sorted({*sides})))

    def summary(self, sides: Collection[FactEnd], sought: End) -> RelationSummary:
        """Return one summary for several relation ends, whose entities are at its end `sought`.

        The relation of the summary has no template.
        """
        relation, *others = sorted({side.relation for side in sides})
        info = Relation("+".join((relation, *others)), "") if others else self._facts.relations[relation]
        answers, givens = dict[str, list[str]](), dict[str, list[str]]()
        for side in sorted(sides):
            for found, end in ((answers, side.end), (givens, side.other)):
                for uri, node in self._facts.nodes[side.relation, end].items():
                    found.setdefault(uri, []).extend(node.partners)
        objects, subjects = (answers, givens) if sought == "object" else (givens, answers)
        entities = self._entities
        return RelationSummary(
            info,
            NodeSummary(
                {uri: ObjectNode(entities[uri].label, uri, of, entities[uri].aliases) for uri, of in objects.items()},
                {uri: SubjectNode(entities[uri].label, uri, of, entities[uri].aliases) for uri, of in subjects.items()},
            ),
        )

    def _bearers(self, name: str) -> frozenset[str]:
        """Return the URIs of the entities with a name; for a URI, only this."""
        uri = self._uri(name)
        return frozenset([uri]) if uri else self._table.bearers(_key(name))

    def _uri(self, name: str) -> str:
        """Return the URI of the graph that equals a text, also without its namespace (`wd:Q64`); empty if none does."""
        spellings = (name, _NAMESPACE.sub("", name))
        return next((uri for uri in spellings if uri in self._entities), "")

    def _of(self, uris: Iterable[str]) -> set[FactEnd]:
        return {FactEnd(*side) for uri in uris for side in self._facts.places(uri)}

    def _given(self, question: Question, right: frozenset[str], asked: str | None) -> tuple[str, list[FactEnd]]:
        """Return the entity in the question with a fact about a right answer, and the ends of these answers.

        If several entities have one, the entity with the longest name in the question is returned; if none has,
        `("", [])`. Only the relation `asked` counts, unless it is None.
        """
        text = Text(question.bare)
        named = sorted(find([self._table], text), key=lambda place: place[0] - place[1])
        for given_uri in (uri for _, _, uris in named for uri in sorted(uris)):
            sides = [
                FactEnd(side.relation, side.other)
                for side in self._of([given_uri])
                if asked in (None, side.relation)
                and not right.isdisjoint(self._summaries[side.relation].partners(given_uri, side.end))
            ]
            if sides:
                return given_uri, sides
        return "", []

    def _unambiguous(self, name: str, uris: Collection[str]) -> frozenset[str]:
        """Return the only entity of `uris` with the name as label, or else the only entity; empty for several."""
        labelled = [uri for uri in uris if uri == self._uri(name) or _key(self._entities[uri].label) == _key(name)]
        return next((frozenset(candidates) for candidates in (labelled, uris) if len(candidates) == 1), frozenset())

    def _with_entities(self, question: Question, uris: Mapping[str, frozenset[str]]) -> Question:
        """Return the question with the linked entities as its answers."""
        if question.question_type == "multi_choices":
            return question  # options keep the names in the prompt
        is_set = get_kind_or_default(question.question_type).is_set
        answers = (linked for answer in answers_of(question) for linked in self._answers(answer, uris, is_set))
        return replace(question, answers=tuple(answers))

    def _answers(self, answer: Answer, meant: Mapping[str, frozenset[str]], is_set: bool) -> Iterator[Answer]:
        """Yield the entities that an answer may be, as answers; as one answer if the question requires all answers."""
        uris = sorted({uri for name in answer.names() for uri in meant[name]})
        entities = [self._entities[uri] for uri in uris]
        names = [name for name in answer.names() if not self._uri(name)]
        if len(uris) == 1 or is_set or not uris:
            names += [name for entity in entities for name in entity.names()]
            label, *aliases = dict.fromkeys(names or answer.names())
            yield Answer(uris[0] if uris else answer.uri, label, tuple(aliases))
            return
        for entity in entities:
            yield Answer(entity.uri, entity.label, entity.aliases)
        if others := [name for name in names if not meant[name]]:
            yield Answer(answer.uri, others[0], tuple(others[1:]))


def _key(name: str) -> str:
    return " ".join(name_words(name))
