"""Evidence: passages that state a fact, as the claim extractor without a model reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from factprobe.claims.graph import GraphClaims, GraphClaimSettings
from factprobe.generators.wording.same_values import value_names
from factprobe.records import Claim, Entity, Item, Relation, RelationSummary
from factprobe.text import normalise

EVIDENCE_SCORE = 0.9
"""The least score of a claim that makes a passage evidence.

A passage that is wrongly taken for evidence spoils a question; one that is not taken costs nothing, since the template
says the same.
"""


class EvidenceReader:
    """Tells passages that state a fact of a relation from those that only name both its ends.

    Args:
        relation: of the facts.
        graph: gives the relation summaries of the whole graph, whose names and relations the passages are read with.
    """

    def __init__(self, relation: Relation, graph: Callable[[], Iterable[RelationSummary]]) -> None:
        self._relation = relation
        template = relation.template
        self._subject_first = template.find(relation.subject_symbol) < template.find(relation.object_symbol)
        self._claims = GraphClaims(GraphClaimSettings(name="graph", threshold=EVIDENCE_SCORE))
        self._claims.graph = graph
        self._read = lru_cache(maxsize=4)(self._claims_in)  # a passage is read for each answer that it may state

    def states(self, text: str, subject: Entity, object_: Entity) -> bool:
        """Return whether a text claims the relation of two entities, by their names and in the order of the template.

        "A language developed by IBM for QuickTime" has the words of "QuickTime is developed by IBM" in another order,
        and is most often about something else.
        """
        return any(self._is_fact(claim, subject, object_) for claim in self._read(text))

    def _claims_in(self, text: str) -> tuple[Claim, ...]:
        [found] = self._claims.extract([Item("passage", text)])
        return found.claims

    def _is_fact(self, claim: Claim, subject: Entity, object_: Entity) -> bool:
        if len(claim.uris) != 3 or claim.uris[1] != self._relation.relation:
            return False
        if claim.parts[1] != (self._relation.label or self._relation.relation):  # it is denied
            return False
        (head, *_), _, (tail, *_) = claim.spans
        if (head < tail) != self._subject_first:
            return False
        ends = (claim.parts[0], claim.uris[0], subject), (claim.parts[2], claim.uris[2], object_)
        return all(_is_named(entity, text, uri) for text, uri, entity in ends)


def _is_named(entity: Entity, text: str, uri: str) -> bool:
    """Return whether a text is a name of an entity, or a value that says as much: 3 May 1949 says 1949.

    Args:
        entity: who may be meant.
        text: a part of a claim.
        uri: the only one in the graph who bears it; empty where there are several, or none.
    """
    if value := value_names(entity.label)[:1]:
        return value[0] in value_names(text)
    return uri in (entity.uri, "") and normalise(text) in map(normalise, entity.names())
