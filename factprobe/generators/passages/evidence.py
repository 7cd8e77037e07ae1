"""Detection of passages that state a fact, by the graph-based claim extractor."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from factprobe.claims.by_graph.reader import GraphClaims, GraphClaimSettings
from factprobe.generators.wording.same_values import value_names
from factprobe.records import Claim, Entity, Item, Relation, RelationSummary
from factprobe.text import normalise

EVIDENCE_SCORE = 0.88
"""Minimum score of a claim that makes a passage evidence; high, since a wrong passage spoils a question."""


class EvidenceReader:
    """Reader that decides whether a passage states a fact of a relation, instead of only naming both ends."""

    def __init__(self, relation: Relation, graph: Callable[[], Iterable[RelationSummary]]) -> None:
        self._relation = relation
        template = relation.template
        self._subject_first = template.find(relation.subject_symbol) < template.find(relation.object_symbol)
        self._claims = GraphClaims(GraphClaimSettings(name="graph", threshold=EVIDENCE_SCORE))
        self._claims.graph = graph
        self._read = lru_cache(maxsize=4)(self._claims_in)  # a passage is checked for several answers

    def states(self, text: str, subject: Entity, object_: Entity) -> bool:
        """Return whether a text claims the relation between two entities, named in the order of the template.

        Other orders are rejected, since they often state something else: "a language developed by IBM for QuickTime"
        does not say that QuickTime is developed by IBM.
        """
        return any(self._is_fact(claim, subject, object_) for claim in self._read(text))

    def _claims_in(self, text: str) -> tuple[Claim, ...]:
        [claimed] = self._claims.extract([Item("passage", text)])
        return claimed.claims

    def _is_fact(self, claim: Claim, subject: Entity, object_: Entity) -> bool:
        if len(claim.uris) != 3 or claim.uris[1] != self._relation.relation:
            return False
        if claim.parts[1] != (self._relation.label or self._relation.relation):  # a negated claim has another label
            return False
        (head, *_), _, (tail, *_) = claim.spans
        if (head < tail) != self._subject_first:
            return False
        ends = (claim.parts[0], claim.uris[0], subject), (claim.parts[2], claim.uris[2], object_)
        return all(_is_named(entity, text, uri) for text, uri, entity in ends)


def _is_named(entity: Entity, text: str, uri: str) -> bool:
    """Return whether a text is a name of an entity, or a date more precise than its label (3 May 1949 for 1949).

    `uri` is that of the only entity of the graph with the text as its name; empty if there is none or several.
    """
    if value := value_names(entity.label)[:1]:
        return value[0] in value_names(text)
    return uri in (entity.uri, "") and normalise(text) in map(normalise, entity.names())
