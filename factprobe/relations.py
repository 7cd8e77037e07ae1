"""Relations of a run, and their summaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from factprobe.config import RunConfig
from factprobe.errors import UnknownNameError
from factprobe.progress import progress
from factprobe.records import Relation, RelationCount, RelationSummary
from factprobe.storage import Problems


class RunFacts:
    """Relations of a run and their summaries, read from the graph on demand."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self.files: list[Path] = []
        """Files from which the relations were read."""

    def summaries(self) -> Iterator[RelationSummary]:
        """Yield the summary of each relation that has facts.

        Raises:
            DataError: No relation has facts, or a file cannot be read.
            UnknownNameError: The settings name a relation that the graph lacks.
        """
        from factprobe.factories import build_kg  # imported late, since it loads slowly
        from factprobe.kgs.summaries import summarise_relation

        kg = build_kg(self._config.kg, Problems(self._config.strict))
        by_name = kg.by_name()
        relations = kg.with_facts(by_name[name] for name in picked_relations(self._config, by_name))
        self.files = [file for relation in relations for file in kg.inputs(relation)]
        for relation in progress(relations, "read", "relation"):
            yield summarise_relation(kg, relation)


def picked_relations(config: RunConfig, known: Mapping[str, Relation | RelationCount]) -> list[str]:
    """Return the names in `known` that the settings select, including compositions; all if the settings select none.

    Raises:
        UnknownNameError: A selected relation is not in `known`.
    """
    selected = config.selected_relations
    for name in selected or ():
        if name not in known and name not in config.compositions:
            raise UnknownNameError(f"relation of {config.kg.name}", name, known)
    if selected is None:
        return list(known)
    return [name for name, relation in known.items() if name in selected or is_composed(config, name, relation)]


def is_composed(config: RunConfig, name: str, relation: Relation | RelationCount) -> bool:
    """Return whether a relation is a composition that the settings ask for."""
    return bool(relation.path) and (config.composes_all or name in config.compositions)
