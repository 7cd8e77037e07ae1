"""Graphs of rdflib that are handed over in Python, read as RDF files are."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import TYPE_CHECKING, ClassVar
from weakref import finalize

from factprobe.config import KgConfig
from factprobe.kgs.filling import Filling
from factprobe.kgs.predicates import PredicateGraph, PredicateSettings
from factprobe.kgs.rdf_files import read_files
from factprobe.kgs.stored import StoredFiles
from factprobe.storage import Problems

if TYPE_CHECKING:
    import rdflib


class GivenRdf(PredicateGraph, StoredFiles):
    """A graph of rdflib, or all graphs of a dataset, written as N-Triples when it is first asked for something.

    Args:
        graph: the graph.
        settings: as those of files in RDF.
        problems: collects what is broken.
    """

    settings_type: ClassVar[type[KgConfig]] = PredicateSettings
    settings: PredicateSettings
    needs: ClassVar[tuple[str, ...]] = ("pyoxigraph", *PredicateGraph.needs)
    forks: ClassVar[bool] = False

    def __init__(self, graph: rdflib.Graph, settings: PredicateSettings, problems: Problems) -> None:
        super().__init__(None, settings.name, problems, settings)
        self._graph = graph

    @property
    def place(self) -> str:
        """See the base class."""
        return self.name

    @cached_property
    def paths(self) -> list[Path]:
        """The graph as a file, whose lines are sorted, as rdflib has no order."""
        from rdflib import Dataset, Graph

        graph = self._graph
        if isinstance(graph, Dataset):  # it gives quads
            dataset, graph = graph, Graph()
            for subject, predicate, object_, _ in dataset:
                graph.add((subject, predicate, object_))
        path = self.folder / "graph.nt"
        path.write_bytes(b"".join(sorted(graph.serialize(format="nt", encoding="utf-8").splitlines(keepends=True))))
        return [path]

    @cached_property
    def folder(self) -> Path:
        """A folder that is there as long as the graph is."""
        made = mkdtemp(prefix="factprobe-")
        finalize(self, rmtree, made, ignore_errors=True)
        return Path(made)

    def fill(self, filling: Filling) -> None:
        """See the base class."""
        read_files(self.paths, self.reading, filling)
