"""RDF files, read by pyoxigraph into a store: every serialisation that it knows, compressed or not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.errors import DataError, listed
from factprobe.kgs.plain import LONGEST
from factprobe.kgs.store import ALIAS, BATCH, DESCRIPTION, LABEL, TYPE, Filling
from factprobe.storage import BOM, COMPRESSED, open_utf8
from factprobe.text import one_line

if TYPE_CHECKING:
    from pyoxigraph import Quad

_ENDINGS = ("ttl", "nt", "nq", "trig", "rdf", "xml", "owl", "jsonld", "json", "n3")
_PREFIXES = {
    "rdf": "http://www.w3.org/1999/02/22-rdf-syntax-ns#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
    "skos": "http://www.w3.org/2004/02/skos/core#",
    "schema": "http://schema.org/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "dbo": "http://dbpedia.org/ontology/",
    "wdt": "http://www.wikidata.org/prop/direct/",
}
_MOST_ALIKE = 3
"""How often a parser may say the same of one line before it is taken to go no further."""


def expanded(name: str) -> str:
    """An IRI that may be written with a prefix that is known: `rdfs:label`."""
    prefix, sign, local = name.partition(":")
    return f"{_PREFIXES[prefix]}{local}" if sign and prefix in _PREFIXES else name


class Naming(NamedTuple):
    """Which predicates name things, in the order in which they are preferred."""

    labels: Sequence[str]
    aliases: Sequence[str]
    types: Sequence[str]
    descriptions: Sequence[str]
    languages: Sequence[str]
    """Those of names, in order; a name in none is taken last. All, where there are none."""

    def roles(self) -> Iterator[tuple[str, int, int]]:
        """A predicate in angle brackets, the kind of name that it gives, and its rank, for each of them."""
        every = {DESCRIPTION: self.descriptions, TYPE: self.types, ALIAS: self.aliases, LABEL: self.labels}
        for kind, names in every.items():
            for rank, name in enumerate(map(expanded, names)):
                for iri in {name, name.replace("http://schema.org/", "https://schema.org/")}:
                    yield f"<{iri}>", kind, rank

    def language(self, tag: str | None) -> int:
        """The rank of a language; -1 for one that is not wanted."""
        if not tag or not self.languages:
            return len(self.languages)
        wanted = (rank for rank, name in enumerate(self.languages) if tag == name or tag.startswith(f"{name}-"))
        return next(wanted, -1)


_NONE = "_"
"""For the data type of what is neither an entity nor a literal."""
_AT_ONCE = 1 << 12
"""Triples that are held as such; with more the garbage collector takes its time."""
_ROLES = "create temporary table roles (predicate varchar, kind tinyint, rank smallint)"
_NAMES = f"""
insert into names
select subject[2:-2], kind, rank * {{languages}} + language, object
from batch join roles on batch.predicate = roles.predicate
where subject[1] = '<' and (kind = {TYPE} or datatype <> '') and language >= 0
    and length(object) between 1 and if(kind = {DESCRIPTION}, 100000, {LONGEST})
"""
_FACTS = f"""
insert into facts
select predicate[2:-2], subject[2:-2], object, datatype from batch
where {{usable}} and predicate not in (select predicate from roles where kind <> {TYPE})
"""
_USABLE = f"subject[1] = '<' and language >= 0 and datatype <> '{_NONE}' and length(object) between 1 and {LONGEST}"
_LEFT_OUT = f"""
select count(*) from batch
where not ({{usable}}) and predicate not in (select predicate from roles where kind <> {TYPE})
"""


def read_files(paths: Sequence[Path], naming: Naming, filling: Filling) -> None:
    """Reads files; what is broken there goes to the problems of the filling.

    Raises:
        DataError: a file cannot be read, or is of no format that its name tells.
    """
    import pyarrow

    names = _NAMES.format(languages=len(naming.languages) + 1)
    facts, left_out = _FACTS.format(usable=_USABLE), _LEFT_OUT.format(usable=_USABLE)
    connection = filling.connection
    connection.execute(_ROLES)
    connection.executemany("insert into roles values (?, ?, ?)", list(naming.roles()))
    for path in paths:
        for batch in _batches(path, naming, filling):
            connection.register("batch", pyarrow.table(batch))
            connection.execute(names)
            connection.execute(facts)
            [[count]] = connection.execute(left_out).fetchall()
            filling.left_out += count
            connection.unregister("batch")


def _batches(path: Path, naming: Naming, filling: Filling) -> Iterator[Mapping[str, list[Any]]]:
    """The triples of a file by columns, which are filled from lists: triple by triple that takes thrice as long."""
    ranks = _Ranks(naming)
    quads = _quads(path, filling)
    columns: dict[str, list[Any]] = {name: [] for name in ("subject", "predicate", "object", "datatype", "language")}
    while some := list(islice(quads, _AT_ONCE)):
        _add(some, ranks, columns)
        if len(columns["subject"]) >= BATCH:
            yield columns
            for column in columns.values():
                column.clear()
    if columns["subject"]:
        yield columns


def _add(quads: list[Quad], ranks: Mapping[str | None, int], columns: Mapping[str, list[Any]]) -> None:
    from pyoxigraph import BlankNode, Literal, NamedNode

    objects: list[Any] = [quad.object for quad in quads]
    plain = {type(value) for value in objects} <= {NamedNode, BlankNode, Literal}
    columns["subject"] += [str(quad.subject) for quad in quads]
    columns["predicate"] += [str(quad.predicate) for quad in quads]
    columns["object"] += [o.value for o in objects] if plain else [getattr(o, "value", "") for o in objects]
    columns["datatype"] += [
        "" if type(o) is NamedNode else o.datatype.value if type(o) is Literal else _NONE for o in objects
    ]
    columns["language"] += [ranks[o.language] if type(o) is Literal else 0 for o in objects]


class _Ranks(dict[str | None, int]):
    """The ranks of languages, each worked out once."""

    def __init__(self, naming: Naming) -> None:
        super().__init__()
        self._naming = naming

    def __missing__(self, tag: str | None) -> int:
        rank = self[tag] = self._naming.language(tag)
        return rank


def _quads(path: Path, filling: Filling) -> Iterator[Quad]:
    """The triples of a file, whichever graph they are in."""
    from pyoxigraph import RdfFormat, parse

    plain = path.with_suffix("") if path.suffix.lower() in COMPRESSED else path
    format_ = RdfFormat.from_extension(plain.suffix.lstrip(".").lower())
    if format_ is None:
        mend = f"name a file that ends in {listed([f'.{ending}' for ending in _ENDINGS])}"
        raise DataError("is of no RDF format by its name", where=path, mend=mend)
    with open_utf8(path) as file:
        if file.peek(len(BOM)).startswith(BOM):
            file.read(len(BOM))
        yield from _parsed(path, parse(file, format=format_, base_iri=f"file:///{path.name}"), filling)


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
                filling.problems.append((place, f"broken triple: {one_line(said)}"))
            last = said
        except ValueError as error:
            raise DataError(f"cannot be read: {error}", where=path) from error
