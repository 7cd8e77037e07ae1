"""Columns of stored facts and of their terms, in Arrow files that can be read in part.

Terms are entities and literals, and have numbers. Each is stored as JSON as in output files, so that a relation can be
written without a record for each fact.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from hashlib import md5
from pathlib import Path
from typing import IO, Any, NamedTuple

import msgspec

from factprobe.errors import DataError
from factprobe.kgs.iris import from_iri
from factprobe.records import Entity
from factprobe.text import one_line

MIDNIGHT = "T00:00:00Z"
"""Ending of a date that is written as a time, as in Wikidata."""
XSD = "http://www.w3.org/2001/XMLSchema#"
DATES = (f"{XSD}dateTime", f"{XSD}date", f"{XSD}gYearMonth", f"{XSD}gYear")
"""Data types of XML Schema 1.1 whose years count 1 BC as 0."""
FLOATS = (f"{XSD}double", f"{XSD}float")
"""Data types with infinite values and NaN, which are no answers."""
BOOLEAN = f"{XSD}boolean"
_BOOLEAN_WORDS = {"1": "true", "0": "false"}
_BEFORE_CHRIST = re.compile(r"-\d{4,}|0000")
SEPARATOR = "\x1f"
"""Separator of several names in one cell."""
TERMS_PER_BATCH = 1 << 16
"""Approximate number of terms in a batch of the file."""

_COLUMNS = ("uri", "label", "aliases", "types")
_encoder = msgspec.json.Encoder()


class FactColumns(NamedTuple):
    """Facts of a relation in the order of the source, with duplicates."""

    terms: Any
    """Distinct terms, as an Arrow batch: `uri`, `label`, `aliases` and `types` in JSON (the last two empty if there are
    none), and `digest`, the last eight bytes of the MD5 of the URI."""
    subjects: Any
    """Row in `terms` of the subject of each fact, as an array of integers."""
    objects: Any
    """Row in `terms` of the object of each fact, as an array of integers."""

    def entities(self) -> list[Entity]:
        """Return the terms as entities."""
        columns, decode = self.terms.to_pydict(), msgspec.json.decode
        names = ([decode(value) for value in columns[name]] for name in ("uri", "label"))
        others = ([tuple(decode(value)) if value else () for value in columns[name]] for name in ("aliases", "types"))
        return list(map(Entity, *names, *others))


def write_terms(rows: Iterable[Any], file: IO[bytes], make_label: Callable[[str], str]) -> None:
    """Write terms in the order of their numbers; `make_label` makes the label of an entity without names from its id.

    The Arrow batches have the columns `term`, `datatype`, `names`, `types`, `plain` (true if the JSON in the next four
    columns is valid), `uri`, `label`, `aliases` and `types` as JSON, and `digest`.
    """
    import pyarrow
    import pyarrow.compute as pc

    schema = pyarrow.schema([*((name, pyarrow.string()) for name in _COLUMNS), ("digest", pyarrow.uint64())])
    with pyarrow.ipc.new_file(file, schema) as writer:
        for batch in rows:
            *given, plain = (batch.column(at) for at in range(5))
            columns = [batch.column(at).cast(pyarrow.string()) for at in range(5, 9)]
            odd = pc.invert(plain)
            columns.append(batch.column(9))
            if found := [
                _encode_term(term, datatype, names, types, make_label)
                for term, datatype, names, types in zip(*(c.filter(odd).to_pylist() for c in given), strict=True)
            ]:
                encoded = map(pyarrow.array, zip(*found, strict=True), schema.types)
                columns = [pc.replace_with_mask(old, odd, new) for old, new in zip(columns, encoded, strict=True)]
            writer.write_batch(pyarrow.record_batch(columns, schema))


def _encode_term(
    term: str, datatype: str, names: str | None, types: str | None, make_label: Callable[[str], str]
) -> tuple[str | int, ...]:
    uri = from_iri(term)
    if names or not datatype:
        label, *others = names.split(SEPARATOR) if names else (make_label(uri),)
    else:
        label, others = literal_label(term, datatype), []
    classes = [from_iri(name) for name in (datatype or types or "").split(SEPARATOR) if name]
    digest = int.from_bytes(md5(uri.encode(), usedforsecurity=False).digest()[8:], "little")
    lists = (_encode_json(names) if names else "" for names in (others, classes))
    return _encode_json(uri), _encode_json(label), *lists, digest


def literal_label(text: str, datatype: str) -> str:
    """Return the label of a literal: its text in one line.

    A time at midnight becomes the day, a year before Christ is counted without a year 0 (-1 is 1 BC), and a boolean is
    `true` or `false`.
    """
    if datatype == BOOLEAN:
        return _BOOLEAN_WORDS.get(text, one_line(text))
    if datatype not in DATES:
        return one_line(text)
    if datatype == DATES[0]:
        text = text.removesuffix(MIDNIGHT)
    year = _BEFORE_CHRIST.match(text)
    return f"{int(year[0]) - 1:05}{text[year.end() :]}" if year else one_line(text)


def _encode_json(value: object) -> str:
    return _encoder.encode(value).decode()


@contextmanager
def open_arrow(path: Path) -> Iterator[Any]:
    """Yield a reader of an Arrow file, without reading it into memory; a damaged file raises a `DataError`."""
    import pyarrow

    try:
        with pyarrow.memory_map(str(path)) as file:
            yield pyarrow.ipc.open_file(file)
    except (pyarrow.ArrowException, OSError) as error:
        raise DataError(
            f"cannot be read: {error}", where=path, hint="delete it, and run the same command again"
        ) from error


def read_terms(path: Path, numbers: Any) -> Any:
    """Return the terms with some ascending numbers as an Arrow batch, without reading the rest of the file."""
    import numpy as np
    import pyarrow

    with open_arrow(path) as reader:
        batches = [reader.get_batch(at) for at in range(reader.num_record_batches)]
        starts = np.cumsum([0, *(batch.num_rows for batch in batches)])
        parts = np.split(numbers, np.searchsorted(numbers, starts[1:-1]))
        selections = zip(batches, parts, starts, strict=False)
        terms = [batch.take(pyarrow.array(part - start)) for batch, part, start in selections if len(part)]
    return pyarrow.concat_batches(terms)
