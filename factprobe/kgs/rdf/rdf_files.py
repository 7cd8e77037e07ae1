"""Reader of RDF files, compressed or not, in any syntax that pyoxigraph reads."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from factprobe.errors import DataError, format_list
from factprobe.kgs.on_disk.bulk_load import BATCH, BulkLoader
from factprobe.kgs.rdf.naming_predicates import Naming
from factprobe.kgs.rdf.ntriples import read_lines
from factprobe.kgs.rdf.streams import CheckedXmlStream, RestartableStream
from factprobe.kgs.rdf.triples import TripleBatch, TripleLoader, describe_broken_triple
from factprobe.kgs.sources import plain_path
from factprobe.storage import open_utf8

if TYPE_CHECKING:
    from pyoxigraph import Quad, RdfFormat

_SYNONYMS = {"owl": "rdf", "rdfs": "rdf", "turtle": "ttl"}
"""Endings of file names that pyoxigraph does not know, each with the ending of the same format that it knows."""
ENDINGS = (
    *(".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".jsonld", ".json", ".n3"),
    *(f".{name}" for name in _SYNONYMS),
)
"""Endings of file names, which determine the format."""
_TURTLE_START = re.compile(
    rb"\s*(?:#[^\n]*\n\s*)*(?:@(?:prefix|base)|(?:prefix|base)\s+(?:[\w.-]*:\s*)?<)", re.IGNORECASE
)
_OWL_SYNTAX = re.compile(
    rb"\s*(?:#[^\n]*\n\s*)*(?:Prefix\(|Ontology\(|Prefix:\s|Ontology:\s)|(?:\s*<[?!][^>]*>)*\s*<Ontology\s",
    re.IGNORECASE,
)
"""Pattern of the start of an ontology in OWL's functional syntax, Manchester syntax or OWL/XML, which are not RDF."""
_DETECTION_BYTES = 1 << 12
"""Number of bytes at the start of a file by which its syntax is detected."""
_OUTSIDE_IRIS = re.compile(r"[^\w!$&-;=@~\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef\U00010000-\U0001fffd]")
"""Pattern of a character that has no place, or another meaning, in a path of an IRI (RFC 3987)."""
_MAX_REPEATS = 3
"""Number of repetitions of an error in one line after which parsing ends."""

_TRIPLES_BATCH = 1 << 12
"""Number of triples that are Python objects at once; more would slow down the garbage collector."""


def load_triples(path: Path, naming: Naming, loader: BulkLoader, triples: TripleLoader) -> None:
    """Load the triples of a file, from all its graphs, and report broken ones to the problems of the loader.

    Raises:
        DataError: The file cannot be read, or its name has no known ending.
    """
    from pyoxigraph import RdfFormat

    plain = plain_path(path)
    ending = plain.suffix.lstrip(".").lower()
    format_ = RdfFormat.from_extension(_SYNONYMS.get(ending, ending))
    if format_ is None:
        hint = f"name a file that ends in {format_list(ENDINGS)}"
        if plain.suffix.lower() == ".hdt":
            hint = f"convert it to N-Triples with hdt-cpp: hdt2rdf {plain.name} {plain.stem}.nt"
        raise DataError("has no known ending of an RDF file", where=path, hint=hint)
    with open_utf8(path) as file:
        if format_ == RdfFormat.RDF_XML:
            format_ = _detect_syntax(path, file.peek(_DETECTION_BYTES))
        if format_ in (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS):
            for rows in read_lines(str(path), file, format_, naming, loader):
                triples.add_rows(rows)
            return
        quads = _parse_file(path, file, format_, loader)
        terms = TripleBatch(naming)
        while batch := list(islice(quads, _TRIPLES_BATCH)):
            terms.add(batch)
            if len(terms) >= BATCH:
                triples.add(terms.take_columns())
        if len(terms):
            triples.add(terms.take_columns())


def _detect_syntax(path: Path, start: bytes) -> RdfFormat:
    """Return the syntax of a file with an ending of RDF/XML, by its first bytes; `.owl` files may be in Turtle.

    Raises:
        DataError: The file is an ontology in a syntax other than RDF.
    """
    from pyoxigraph import RdfFormat

    if _OWL_SYNTAX.match(start):
        hint = f"convert it with ROBOT: robot convert -i {path.name} -o {path.name.partition('.')[0]}.ttl"
        raise DataError("is an ontology in a syntax other than RDF", where=path, hint=hint)
    return RdfFormat.TURTLE if _TURTLE_START.match(start) else RdfFormat.RDF_XML


def _base_iri(path: Path) -> str:
    """Return the base of a file's relative IRIs; characters of its name that IRIs exclude are percent-encoded."""
    return "file:///" + _OUTSIDE_IRIS.sub(lambda sign: quote(sign[0], safe=""), path.name)


def _parse_file(path: Path, file: BufferedReader, format_: RdfFormat, loader: BulkLoader) -> Iterator[Quad]:
    """Yield the triples of a file, and continue after a broken one if possible."""
    from pyoxigraph import RdfFormat, parse

    statements = RestartableStream(file) if format_ in (RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N3) else None
    xml = CheckedXmlStream(file) if format_ == RdfFormat.RDF_XML else None
    stream: Any = statements or xml or file
    parser = parse(stream, format=format_, base_iri=_base_iri(path))
    last: tuple[int | None, str] = None, ""
    ahead, repeats, before = 0, 0, len(loader.problems)
    while repeats < _MAX_REPEATS:
        try:
            yield from parser
            break
        except SyntaxError as error:
            line = error.lineno + ahead if error.lineno else None
            message = f"{error.msg}"
            repeats = repeats + 1 if (line, message) == last else 0
            last = line, message
            if not repeats:
                end = "; the rest of the file is not read" if line and format_ == RdfFormat.JSON_LD else ""
                place = f"{path}:{line}" if line else xml.place(path) if xml else f"{path}"
                loader.problems.append((place, f"{describe_broken_triple(message, path.name)}{end}"))
            if statements and line:
                prolog = "".join(f"@prefix {name}: <{iri}> . " for name, iri in parser.prefixes.items())
                if found := statements.restart_after(line, f"{prolog}\n".encode()):
                    parser = parse(stream, format=format_, base_iri=parser.base_iri)
                    ahead = found - 1
        except ValueError as error:
            raise DataError(f"cannot be read: {error}", where=path) from error
        except MemoryError as error:  # the parser limits its buffer, and cannot continue
            hint = "shorten or remove it"
            raise DataError(f"has a text or comment that is too long: {error}", where=path, hint=hint) from error
    if xml and xml.broken:
        line, why = xml.broken
        problem = f"{path}:{line}", f"broken XML, so that triples near it may be missing: {why}"
        loader.problems.insert(before, problem)
