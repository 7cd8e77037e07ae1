"""A graph without files: relations and facts that stand in the code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from factprobe.errors import DataError
from factprobe.kgs import Graph
from factprobe.records import Relation, Triplet
from tests.kgs.layouts import Case

RELATIONS = [
    Relation("mouth", "[X] flows into [Y].", label="mouth of the watercourse", type="N-1"),
    Relation("crosses", "[X] crosses [Y]."),
    Relation("source", "[X] rises in [Y]."),
]
FACTS = {
    "mouth": [("Danube", "Black Sea"), ("Rhine", "North Sea"), ("Inn", "Danube"), ("Danube", "Black Sea")],
    "crosses": [("Danube", "Vienna"), ("Danube", "Budapest"), ("Inn", "Innsbruck")],
}
"""Subject and object of the facts of each relation that has data, in order; a URI is the name in lower case."""


class Memory(Graph):
    """Rivers; the relation `source` is described only."""

    def load_relations(self) -> Iterable[Relation]:
        return RELATIONS

    def facts(self, relation: Relation) -> Iterator[Triplet]:
        if not self.has_facts(relation):
            raise DataError(f"no facts of {relation.relation}", where=self.place)
        for subject, object_ in FACTS[relation.relation]:
            yield Triplet(subject, object_, object_.lower(), subject.lower(), relation)

    def has_facts(self, relation: Relation) -> bool:
        return relation.relation in FACTS


MEMORY = Case(
    files={},
    facts={name: [(subject.lower(), object_.lower()) for subject, object_ in facts] for name, facts in FACTS.items()},
    without_data="source",
    broken=(),
)
