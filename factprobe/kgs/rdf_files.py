"""RDF files, read by pyoxigraph into a store: every serialisation that it knows, compressed or not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from factprobe.errors import DataError, listed
from factprobe.kgs.filling import BATCH, Filling
from factprobe.kgs.naming import Naming, Ranks
from factprobe.kgs.rdf_lines import read_lines
from factprobe.kgs.rdf_terms import Terms
from factprobe.kgs.triples import Triples
from factprobe.storage import BOM, COMPRESSED, open_utf8
from factprobe.text import one_line

if TYPE_CHECKING:
    from pyoxigraph import Quad

ENDINGS = (".ttl", ".nt", ".nq", ".trig", ".rdf", ".xml", ".owl", ".jsonld", ".json", ".n3")
"""How the names of files end, which tells their format."""
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
    from pyoxigraph import RdfFormat, parse

    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    format_ = RdfFormat.from_extension(plain.suffix.lstrip(".").lower())
    if format_ is None:
        mend = f"name a file that ends in {listed(ENDINGS)}"
        if plain.suffix.lower() == ".hdt":
            mend = f"make N-Triples of it with a tool of hdt-cpp: hdt2rdf {plain.name} {plain.stem}.nt"
        raise DataError("is of no RDF format by its name", where=path, mend=mend)
    with open_utf8(path) as file:
        if file.peek(len(BOM)).startswith(BOM):
            file.read(len(BOM))
        if format_ in (RdfFormat.N_TRIPLES, RdfFormat.N_QUADS):
            for rows in read_lines(str(path), file, format_, naming, filling):
                triples.add_rows(rows)
            return
        quads = _parsed(path, parse(file, format=format_, base_iri=f"file:///{path.name}"), filling)
        terms = Terms(Ranks(naming))
        while some := list(islice(quads, _AT_ONCE)):
            terms.add(some)
            if len(terms) >= BATCH:
                triples.add(terms.taken())
        if len(terms):
            triples.add(terms.taken())


_LATIN1 = "; where it is Latin-1: iconv -f LATIN1 -t UTF-8 {0} > utf8-{0}"


def _parsed(path: Path, parser: Any, filling: Filling) -> Iterator[Quad]:
    """The triples of a parser, which goes on behind a broken one where it can."""
    last, alike = "", 0
    while True:
        try:
            yield from parser
            return
        except SyntaxError as error:
            said = f"{error.msg}"
            alike = alike + 1 if said == last else 0
            if alike == _MOST_ALIKE:
                return
            if not alike:
                place = f"{path}:{error.lineno}" if error.lineno else str(path)
                hint = _LATIN1.format(path.name) if "UTF-8" in said else ""
                filling.problems.append((place, f"broken triple: {one_line(said)}{hint}"))
            last = said
        except ValueError as error:
            raise DataError(f"cannot be read: {error}", where=path) from error
