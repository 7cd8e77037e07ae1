"""Retrieval of passages from a graph: sentences about the entities that a text and its question mention."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from factprobe.claims.by_graph.fact_index import GraphFacts, facts_of
from factprobe.components.base import PartSettings
from factprobe.records import ClaimedText, GraphFact
from factprobe.retrievers.base import Retriever
from factprobe.templating import Template, templates_of


class GraphRetrieverSettings(PartSettings, frozen=True, kw_only=True):
    """Settings of the graph retriever."""

    limit: Annotated[int, Meta(ge=1)] = 10
    """Maximum number of passages for a text: one for each mentioned entity, those of the question first."""
    facts: Annotated[int, Meta(ge=1)] = 20
    """Maximum number of facts of an entity: facts between mentioned entities first, then those with it as subject."""


class GraphRetriever(Retriever):
    """Retriever of facts about the entities in a text and its question, as sentences by the templates of relations."""

    settings_type = GraphRetrieverSettings
    settings: GraphRetrieverSettings
    wants_graph = True

    def retrieve(self, texts: Sequence[ClaimedText]) -> Iterator[tuple[str, ...]]:
        """Yield a tuple of sentences for each text, about the entities that the text and its question mention."""
        assert self.graph is not None
        facts = facts_of(self.graph)
        templates = {
            relation: Template(replace(info, subject_symbol="[X]", object_symbol="[Y]"), relation, text)
            for relation, info in facts.relations.items()
            for text in islice(templates_of(info), 1)
        }
        return (tuple(islice(self._find_passages(text, facts, templates), self.settings.limit)) for text in texts)

    def _find_passages(self, text: ClaimedText, facts: GraphFacts, templates: dict[str, Template]) -> Iterator[str]:
        names = [*facts.names_in(text.item.question), *facts.names_in(text.item.response)]
        claimed = [uri for claim in text.claims for uri in claim.uris if uri in facts.entities]
        mentioned = dict.fromkeys([*(uri for name in names for uri in name.uris), *claimed])
        used: set[GraphFact] = set()
        for uri in mentioned:
            about = chain(_facts_between(uri, mentioned, facts), _facts_about(uri, facts))
            sentences = []
            for fact in islice((fact for fact in about if fact not in used), self.settings.facts):
                used.add(fact)
                sentences.append(_fact_sentence(fact, templates))
            if sentences:
                yield " ".join(sentences)


def _facts_between(uri: str, mentioned: Iterable[str], facts: GraphFacts) -> Iterator[GraphFact]:
    """Yield the facts between an entity and the mentioned entities."""
    for other in mentioned:
        yield from (facts.fact(uri, relation, other) for relation in facts.between(uri, other))
        yield from (facts.fact(other, relation, uri) for relation in facts.between(other, uri))


def _facts_about(uri: str, facts: GraphFacts) -> Iterator[GraphFact]:
    """Yield the facts of an entity: first the facts with the entity as subject, then the facts with it as object."""
    for relation, summary in facts.summaries.items():
        yield from (facts.fact(uri, relation, other) for other in summary.partners(uri, "subject"))
    for relation, summary in facts.summaries.items():
        yield from (facts.fact(other, relation, uri) for other in summary.partners(uri, "object"))


def _fact_sentence(fact: GraphFact, templates: dict[str, Template]) -> str:
    subject, label, object_ = fact.triplet
    template = templates.get(fact.uris[1])
    return f"{subject} {label} {object_}." if template is None else template.fill(subject, object_).text
