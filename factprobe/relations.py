"""The relations of a run, and their summaries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from factprobe.config import RunConfig
from factprobe.errors import UnknownNameError
from factprobe.progress import progress
from factprobe.records import Relation, RelationCount, RelationSummary
from factprobe.storage import Problems


class RunFacts:
    """Relations of a run, read on demand."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self.files: list[Path] = []
        """Files that were read."""

    def summaries(self) -> Iterator[RelationSummary]:
        """Return the summary of each relation that has facts.

        Raises:
            DataError: none has, or a file cannot be read.
            UnknownNameError: a relation is picked that the graph does not have.
        """
        from factprobe.building import build_kg  # which takes a while to load
        from factprobe.extractors.triplets import summed_up

        kg = build_kg(self._config.kg, Problems(self._config.strict))
        by_name = kg.by_name()
        relations = kg.with_facts(by_name[name] for name in picked(self._config, by_name))
        self.files = [file for relation in relations for file in kg.inputs(relation)]
        for relation in progress(relations, "read", "relation"):
            yield summed_up(kg, relation)


def picked(config: RunConfig, known: Mapping[str, Relation | RelationCount]) -> list[str]:
    """Return the known relations that the settings pick, with the named compositions, or all.

    Raises:
        UnknownNameError: one of them is not known.
    """
    for name in config.picked or ():
        if name not in known and name not in config.composed:
            raise UnknownNameError(f"relation of {config.kg.name}", name, known)
    if config.picked is None:
        return list(known)
    return [name for name, of in known.items() if name in config.picked or is_composed(config, name, of)]


def is_composed(config: RunConfig, name: str, relation: Relation | RelationCount) -> bool:
    """Return whether a relation is one of the compositions in the settings."""
    return bool(relation.path) and (config.composes_all or name in config.composed)
