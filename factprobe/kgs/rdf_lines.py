"""N-Triples and N-Quads: lines that DuckDB takes apart in bulk, where they are as plain as nearly all are.

The pattern of a plain line is narrower than the grammar (W3C, RDF 1.1 N-Triples and N-Quads). A line with escapes,
other white space, a comment, rarer signs in an IRI, or what is broken, is read by pyoxigraph, in its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.kgs.naming import Naming, Ranks
from factprobe.kgs.rdf_terms import COLUMNS, Terms, broken

if TYPE_CHECKING:
    from pyoxigraph import Quad, RdfFormat

    from factprobe.kgs.filling import Filling

_NEWLINE, _RETURN, _COMMENT = b"\n\r#"
_BLOCK = 1 << 25
"""Bytes that are taken apart at once."""
_PART = 1 << 13
"""Lines that a thread of DuckDB takes at once."""
_SPLIT = 1 << 16
"""Bytes of a line that DuckDB takes apart; each blank in it may cost it a text of its own."""
_LONGEST = 1 << 23
"""Bytes of a line that is read at all; the parser refuses twice as many."""

_PATH_SIGN = r"(?:[A-Za-z0-9_.~!$&'()*+,;=:@\x{a0}-\x{d7ff}-]|%[0-9A-Fa-f]{2})"
_REST = rf"(?:{_PATH_SIGN}|[/?])*"
_PATH = rf"(?:{_PATH_SIGN}|/)*"
_IRI = (
    rf"<[A-Za-z][A-Za-z0-9+.-]*:(?://[A-Za-z0-9._-]+(?::[0-9]{{1,4}})?(?:/{_PATH})?|/?{_PATH_SIGN}{_PATH})"
    rf"(?:\?{_REST})?(?:#{_REST})?>"
)
_BLANK = "_:[A-Za-z][A-Za-z0-9]*"
_LITERAL = (
    r'"[^"\\\x00-\x1f]*"(?:@[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-[A-Za-z]{2})?'
    r"|\^\^<http://www\.w3\.org/2001/XMLSchema#[A-Za-z]+>)?"
)
_GRAPH = rf"(?: (?:{_IRI}|{_BLANK}))?"
_PLAIN = rf"(?:{_IRI}|{_BLANK}) {_IRI} (?:{_IRI}|{_BLANK}|{_LITERAL})"
_END = r" \.[ \t]*\r?\n?"
_ODD = "select number from taken where not plain order by number"
_TAKEN = """
create or replace temporary table taken as
select number, strlen(line) <= {split} and regexp_full_match(line, ?) as plain, subject, predicate,
    case when behind is not null then split_part(line, '"', 2) when starts_with(object, '<') then object[2:-2]
        else object[3:] end as object,
    case when starts_with(behind, '^') then split_part(behind, '>', 1)[4:]
        when starts_with(behind, '@') then 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
        when behind is not null then 'http://www.w3.org/2001/XMLSchema#string'
        when starts_with(object, '<') then '' else '_' end as datatype,
    if(behind is null, 0, {rank}) as language
from (
    select *, if(starts_with(behind, '@'), lower(split_part(behind, ' ', 1)[2:]), '') as language
    from (
        select *, if(starts_with(object, '"'), split_part(line, '"', 3), null) as behind
        from (
            select number, line, parts[1] as subject, parts[2] as predicate, parts[3] as object
            from (
                select number, line, if(strlen(line) <= {split}, string_split(line, ' '), []) as parts from block))))
"""
"""The terms of each line, which are of use where it is plain."""
_WITH_ODD = f"""
create or replace temporary table parsed as
select {", ".join(COLUMNS)} from (
    select * exclude plain from taken where plain union all by name select * from odd order by number)
"""


class _Block(NamedTuple):
    """Some whole lines of a file."""

    number: int
    """Of the first line, from 1."""
    text: bytes
    starts: Any
    """Where each line begins, and where the last one ends: an array of 32-bit integers."""

    def line(self, number: int) -> bytes:
        """The line of that number in the file."""
        start, end = self.starts[number - self.number : number - self.number + 2]
        return self.text[start:end]

    def table(self) -> Any:
        """Its lines with their numbers as a table of Arrow, whose text is the block's; none where it is not UTF-8."""
        import numpy as np
        import pyarrow

        count = len(self.starts) - 1
        lines = pyarrow.StringArray.from_buffers(count, pyarrow.py_buffer(self.starts), pyarrow.py_buffer(self.text))
        try:
            lines.validate(full=True)
        except pyarrow.ArrowInvalid:
            lines = lines[:0]
        numbers = pyarrow.array(np.arange(self.number, self.number + len(lines)))
        whole = pyarrow.record_batch([numbers, lines], ["number", "line"])
        parts = [whole.slice(start, _PART) for start in range(0, len(lines), _PART)]
        return pyarrow.Table.from_batches(parts, whole.schema)


def read_lines(place: str, file: BufferedReader, format_: RdfFormat, naming: Naming, filling: Filling) -> Iterator[str]:
    """Reads an open file block by block.

    Returns:
        For each block a table of DuckDB with the columns of its triples, in the order of the lines; it is there until
        the next is asked for.
    """
    import pyarrow
    from pyoxigraph import RdfFormat

    pattern = _PLAIN + (_GRAPH if format_ == RdfFormat.N_QUADS else "") + _END
    rank, values = naming.language_rank()
    taken, ranks, connection = _TAKEN.format(rank=rank, split=_SPLIT), Ranks(naming), filling.connection
    for block in _blocks(file):
        lines = block.table()
        connection.register("block", lines)
        connection.execute(taken, [pattern, *values])
        connection.unregister("block")
        numbers = [number for (number,) in connection.execute(_ODD).fetchall()]
        if not len(lines):
            numbers = list(range(block.number, block.number + len(block.starts) - 1))
        odd = [(number, line) for number in numbers if (line := block.line(number).strip()) and line[0] != _COMMENT]
        found = list(_parsed(place, _bounded(place, odd, filling), format_, filling)) if odd else []
        if numbers:
            terms = Terms(ranks)
            terms.add([quad for _, quad in found])
            connection.register("odd", pyarrow.table({"number": [number for number, _ in found], **terms.taken()}))
            connection.execute(_WITH_ODD)
            connection.unregister("odd")
        yield "parsed" if numbers else "taken"


def _blocks(file: BufferedReader) -> Iterator[_Block]:
    import numpy as np

    number, rest = 1, b""
    while True:
        some = file.read(_BLOCK)
        text = rest + some
        # A carriage return ends a line too, but where a newline follows, which may still be unread.
        end = max(text.rfind(b"\n"), text.rfind(b"\r", 0, -1)) + 1 if some else len(text)
        text, rest = text[:end], _shortened(text[end:])
        if text:
            signs = np.frombuffer(text, np.uint8)
            ends = signs == _NEWLINE
            if b"\r" in text:
                ends |= (signs == _RETURN) & (np.append(signs[1:], 0) != _NEWLINE)
            ends[-1] = True
            starts = np.concatenate(([0], np.flatnonzero(ends) + 1)).astype(np.int32)
            yield _Block(number, text, starts)
            number += len(starts) - 1
        if not some:
            return


def _shortened(line: bytes) -> bytes:
    """The beginning of a line that is still unread; of one that is too long no more than tells that."""
    return line if len(line) <= _BLOCK else line.lstrip(b" \t")[: _LONGEST + 1]


def _bounded(place: str, lines: Sequence[tuple[int, bytes]], filling: Filling) -> list[tuple[int, bytes]]:
    """Leave out lines that are too long to be read, and name them as broken."""
    said = f"a line has more than {_LONGEST:,} bytes"
    filling.problems += [(f"{place}:{number}", broken(said, "")) for number, line in lines if len(line) > _LONGEST]
    return [(number, line) for number, line in lines if len(line) <= _LONGEST]


def _parsed(
    place: str, lines: Sequence[tuple[int, bytes]], format_: RdfFormat, filling: Filling
) -> Iterator[tuple[int, Quad]]:
    """The triples of lines with their numbers: of all at once where each has one, else of one after the other."""
    from pyoxigraph import parse

    try:
        quads = list(parse(b"\n".join([line for _, line in lines]), format=format_))
    except (SyntaxError, ValueError):
        quads = []
    if len(quads) == len(lines):
        yield from zip([number for number, _ in lines], quads, strict=True)
        return
    for number, line in lines:
        try:
            yield from ((number, quad) for quad in parse(line, format=format_))
        except (SyntaxError, ValueError) as error:
            said = f"{getattr(error, 'msg', error)}"
            filling.problems.append((f"{place}:{number}", broken(said, Path(place).name)))
