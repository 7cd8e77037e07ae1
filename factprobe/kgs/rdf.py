"""RDF: facts, names and types by predicates, in files of any size."""

from __future__ import annotations

from typing import ClassVar

from factprobe.config import KgConfig
from factprobe.kgs.filling import Filling
from factprobe.kgs.predicates import PredicateGraph, PredicateSettings
from factprobe.kgs.rdf_files import ENDINGS, read_files
from factprobe.kgs.stored import StoredFiles


class RdfSettings(PredicateSettings, frozen=True, kw_only=True):
    """Of a graph in RDF; IRIs may be written with the usual prefixes, as `rdfs:label`."""

    source: tuple[str, ...] | str | None = None
    """The file, or a list of them; `*` stands for anything."""


class Rdf(PredicateGraph, StoredFiles):
    """Turtle, N-Triples, N-Quads, TriG, N3, RDF/XML and JSON-LD."""

    settings_type: ClassVar[type[KgConfig]] = RdfSettings
    settings: RdfSettings
    endings: ClassVar[tuple[str, ...]] = ENDINGS
    needs: ClassVar[tuple[str, ...]] = ("pyoxigraph", *PredicateGraph.needs)

    def fill(self, filling: Filling) -> None:
        """See the base class."""
        read_files(self.paths, self.reading, filling)
