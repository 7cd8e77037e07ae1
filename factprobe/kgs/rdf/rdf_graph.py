"""Graphs in RDF files of any size."""

from __future__ import annotations

from typing import ClassVar

from factprobe.config import KgConfig
from factprobe.kgs.on_disk.bulk_load import BulkLoader
from factprobe.kgs.on_disk.disk_graph import StoredFiles
from factprobe.kgs.rdf.predicate_graph import PredicateGraph, PredicateSettings
from factprobe.kgs.rdf.rdf_files import ENDINGS, read_files


class RdfSettings(PredicateSettings, frozen=True, kw_only=True):
    """Settings of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    source: tuple[str, ...] | str | None = None
    """The file, or a list of files; `*` is a wildcard."""


class Rdf(PredicateGraph, StoredFiles):
    """Graph in Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML or JSON-LD."""

    settings_type: ClassVar[type[KgConfig]] = RdfSettings
    settings: RdfSettings
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    needs: ClassVar[tuple[str, ...]] = ("pyoxigraph", *PredicateGraph.needs)

    def fill(self, loader: BulkLoader) -> None:
        """Load the RDF files."""
        read_files(self.paths, self.read_options, loader)
