"""Graphs in RDF files of any size, or from rdflib."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar
from weakref import finalize

from factprobe.config import KgConfig
from factprobe.kgs.on_disk.bulk_load import BulkLoader
from factprobe.kgs.on_disk.disk_graph import StoredFiles
from factprobe.kgs.rdf.predicate_graph import PredicateGraph, PredicateSettings
from factprobe.kgs.rdf.rdf_files import ENDINGS, load_triples
from factprobe.kgs.rdf.triples import TripleLoader
from factprobe.storage import Problems

if TYPE_CHECKING:
    import rdflib


class RdfSettings(PredicateSettings, frozen=True, kw_only=True):
    """Settings of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    source: tuple[str, ...] | str | None = None
    """File, or a list of files; `*` is a wildcard."""


class Rdf(PredicateGraph, StoredFiles):
    """Graph in Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML or JSON-LD."""

    settings_type: ClassVar[type[KgConfig]] = RdfSettings
    settings: RdfSettings
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    needs: ClassVar[tuple[str, ...]] = ("pyoxigraph", *PredicateGraph.needs)

    def fill(self, loader: BulkLoader) -> None:
        """Load the RDF files."""
        triples = TripleLoader(self.read_options, loader)
        for path in self.paths:
            load_triples(path, self.read_options, loader, triples)
        triples.close()


class RdflibGraph(Rdf):
    """Graph from an rdflib graph or dataset, written as N-Triples on first use."""

    settings_type: ClassVar[type[KgConfig]] = PredicateSettings
    can_fork: ClassVar[bool] = False

    def __init__(self, graph: rdflib.Graph, settings: PredicateSettings, problems: Problems) -> None:
        super().__init__(None, settings.name, problems, settings)
        self._graph = graph

    @property
    def place(self) -> str:
        """Name of the graph, for messages."""
        return self.name

    @cached_property
    def paths(self) -> list[Path]:
        """File with the graph's triples, which are sorted because rdflib keeps no order."""
        from rdflib import Dataset, Graph

        graph = self._graph
        if isinstance(graph, Dataset):  # a dataset yields quads
            dataset, graph = graph, Graph()
            for subject, predicate, object_, _ in dataset:
                graph.add((subject, predicate, object_))
        path = self.folder / "graph.nt"
        path.write_bytes(b"".join(sorted(graph.serialize(format="nt", encoding="utf-8").splitlines(keepends=True))))
        return [path]

    @cached_property
    def folder(self) -> Path:
        """Temporary folder, which exists as long as the graph."""
        path = mkdtemp(prefix="factprobe-")
        finalize(self, rmtree, path, ignore_errors=True)
        return Path(path)
