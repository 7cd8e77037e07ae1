"""The facts of the graph that a run names, for the steps that read the graph's own files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from factprobe.build import build_kg
from factprobe.config import RunConfig
from factprobe.errors import DataError
from factprobe.extractors.triplets import summed_up
from factprobe.progress import progress
from factprobe.records import RelationSummary
from factprobe.steps.base import picked
from factprobe.storage import Problems


class GraphFacts:
    """The relations that a run is about, read when they are asked for."""

    def __init__(self, config: RunConfig) -> None:
        self._config = config
        self.files: list[Path] = []
        """Those that were read."""

    def summaries(self) -> Iterator[RelationSummary]:
        """The summary of each relation that has facts.

        Raises:
            DataError: none has, or a file cannot be read.
            UnknownNameError: a relation is picked that the graph does not have.
        """
        kg = build_kg(self._config.kg, Problems(self._config.strict))
        by_name = kg.by_name()
        relations = [by_name[name] for name in picked(self._config, by_name) if kg.has_facts(by_name[name])]
        if not relations:
            raise DataError("no relation has data", where=kg.place, mend="name the folder with kg.data_dir=")
        self.files = [file for relation in relations for file in kg.inputs(relation)]
        for relation in progress(relations, "read", "relation"):
            yield summed_up(kg, relation)
