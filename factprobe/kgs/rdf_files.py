"""RDF files, read by pyoxigraph into a store: every serialisation that it knows, compressed or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from io import BufferedReader
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factprobe.errors import DataError, listed
from factprobe.kgs.filling import BATCH, Filling
from factprobe.kgs.naming import Naming, Ranks
from factprobe.kgs.rdf_lines import read_lines
from factprobe.kgs.rdf_streams import Statements, Xml
from factprobe.kgs.rdf_terms import Terms, broken
from factprobe.kgs.triples import Triples
from factprobe.storage import COMPRESSED, open_utf8

if TYPE_CHECKING:
    from pyoxigraph import Quad, RdfFormat

_SYNONYMS = {"owl": "rdf", "rdfs": "rdf", "turtle": "ttl"}
"""Further endings of file names, each with one of the same format that pyoxigraph knows."""
ENDINGS = (
    *(".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".jsonld", ".json", ".n3"),
    *(f".{name}" for name in _SYNONYMS),
)
"""Endings of file names, which give the format."""
_TURTLE = re.compile(rb"\s*(?:#[^\n]*\n\s*)*(?:@(?:prefix|base)|(?:prefix|base)\s+(?:[\w.-]*:\s*)?<)", re.IGNORECASE)
_NO_RDF = re.compile(
    rb"\s*(?:#[^\n]*\n\s*)*(?:Prefix\(|Ontology\(|Prefix:\s|Ontology:\s)|(?:\s*<[?!][^>]*>)*\s*<Ontology\s",
    re.IGNORECASE,
)
"""The beginning of an ontology in OWL's functional syntax, in Manchester syntax or in OWL/XML, none of which is RDF."""
_START = 1 << 12
"""Bytes at the beginning of a file that give its syntax."""
_MOST_ALIKE = 3
"""How often a parser may say the same of one line before it is taken to go no further."""


_AT_ONCE = 1 << 12
"""Triples that are held as such; with more the garbage collector takes its time."""


def read_files(paths: Sequence[Path], naming: Naming, filling: Filling) -> None:
    """Reads files; what is broken there goes to the problems of the filling.

    Raises:
        DataError: a file cannot be read, or is of no format that its name tells.
    """
    triples = Triples(naming, filling)
    for path in paths:
        _read(path, naming, filling, triples)
    triples.close()


def _read(path: Path, naming: Naming, filling: Filling, triples: Triples) -> None:
    """The triples of a file, whichever graph they are in."""
    from pyoxigraph import RdfFormat

    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    ending = plain.suffix.lstrip(".").lower()
    format_ = RdfFormat.from_extension(_SYNONYMS.get(ending, ending))
    if format_ is None:
        hint = f"name a file that ends in {listed(ENDINGS)}"
        if plain.suffix.lower() == ".hdt":
            hint = f"make N-Triples of it with a tool of hdt-cpp: hdt2rdf {plain.name} {plain.stem}.nt"
        raise DataError("is of no RDF format by its name", where=path, hint=hint)
    with open_utf8(path) as file:
        if format_ == RdfFormat.RDF_XML:
            format_ = _syntax(path, file.peek(_START))
        if format_ in (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS):
            for rows in read_lines(str(path), file, format_, naming, filling):
                triples.add_rows(rows)
            return
        quads = _parsed(path, file, format_, filling)
        terms = Terms(Ranks(naming))
        while some := list(islice(quads, _AT_ONCE)):
            terms.add(some)
            if len(terms) >= BATCH:
                triples.add(terms.taken())
        if len(terms):
            triples.add(terms.taken())


def _syntax(path: Path, start: bytes) -> RdfFormat:
    """Return the syntax of a file whose name promises RDF/XML, as ontologies in Turtle are called `.owl` too.

    Raises:
        DataError: it is an ontology in a syntax that is not RDF.
    """
    from pyoxigraph import RdfFormat

    if _NO_RDF.match(start):
        hint = f"convert it with ROBOT: robot convert -i {path.name} -o {path.name.partition('.')[0]}.ttl"
        raise DataError("is an ontology in a syntax other than RDF", where=path, hint=hint)
    return RdfFormat.TURTLE if _TURTLE.match(start) else RdfFormat.RDF_XML


def _parsed(path: Path, file: BufferedReader, format_: RdfFormat, filling: Filling) -> Iterator[Quad]:
    """The triples of a file, whose parser goes on behind a broken one where it can."""
    from pyoxigraph import RdfFormat, parse

    statements = Statements(file) if format_ in (RdfFormat.TURTLE, RdfFormat.TRIG, RdfFormat.N3) else None
    xml = Xml(file) if format_ == RdfFormat.RDF_XML else None
    stream: Any = statements or xml or file
    parser = parse(stream, format=format_, base_iri=f"file:///{path.name}")
    last: tuple[int | None, str] = None, ""
    ahead, alike, before = 0, 0, len(filling.problems)
    while alike < _MOST_ALIKE:
        try:
            yield from parser
            break
        except SyntaxError as error:
            line = error.lineno + ahead if error.lineno else None
            said = f"{error.msg}"
            alike = alike + 1 if (line, said) == last else 0
            last = line, said
            if not alike:
                end = "; nothing behind it is read" if line and format_ == RdfFormat.JSON_LD else ""
                place = f"{path}:{line}" if line else xml.place(path) if xml else f"{path}"
                filling.problems.append((place, f"{broken(said, path.name)}{end}"))
            if statements and line and (found := statements.begin_behind(line, _prolog(parser.prefixes))):
                parser = parse(stream, format=format_, base_iri=parser.base_iri)
                ahead = found - 1
        except ValueError as error:
            raise DataError(f"cannot be read: {error}", where=path) from error
        except MemoryError as error:  # the parser bounds its buffer, and goes no further
            hint = "shorten it, or leave it out"
            raise DataError(f"has a text or comment that is too long: {error}", where=path, hint=hint) from error
    if xml and xml.broken:
        line, why = xml.broken
        problem = f"{path}:{line}", f"broken XML, so that triples near it may be missing: {why}"
        filling.problems.insert(before, problem)


def _prolog(prefixes: Mapping[str, str]) -> bytes:
    """The prefixes that are known where a file is read on, in one line."""
    return "".join([*(f"@prefix {name}: <{iri}> . " for name, iri in prefixes.items()), "\n"]).encode()
