"""Reader of N-Triples and N-Quads, in which DuckDB splits the plain lines in bulk.

The pattern of a plain line is narrower than the grammar (W3C, RDF 1.1 N-Triples and N-Quads). Lines with escapes, other
white space, comments, rare characters in IRIs, or errors are parsed by pyoxigraph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BufferedReader
from mmap import mmap
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from factprobe.kgs.rdf.naming_predicates import Naming
from factprobe.kgs.rdf.triples import COLUMNS, TripleBatch, describe_broken_triple

if TYPE_CHECKING:
    from pyoxigraph import Quad, RdfFormat

    from factprobe.kgs.on_disk.bulk_load import BulkLoader

_NEWLINE, _RETURN, _COMMENT = b"\n\r#"
_BLOCK_BYTES = 1 << 25
"""Number of bytes in a block of lines that are split together."""
_BATCH_LINES = 1 << 13
"""Number of lines in a batch for one thread of DuckDB."""
_MAX_SPLIT = 1 << 16
"""Maximum length in bytes of a line that DuckDB splits, since it allocates a text for each space."""
_MAX_LINE = 1 << 23
"""Maximum length in bytes of a line that is read; the parser rejects lines twice as long."""

_PATH_CHARACTER = r"(?:[A-Za-z0-9_.~!$&'()*+,;=:@\x{a0}-\x{d7ff}-]|%[0-9A-Fa-f]{2})"
_IRI_REST = rf"(?:{_PATH_CHARACTER}|[/?])*"
_PATH = rf"(?:{_PATH_CHARACTER}|/)*"
_IRI = (
    rf"<[A-Za-z][A-Za-z0-9+.-]*:(?://[A-Za-z0-9._-]+(?::[0-9]{{1,4}})?(?:/{_PATH})?|/?{_PATH_CHARACTER}{_PATH})"
    rf"(?:\?{_IRI_REST})?(?:#{_IRI_REST})?>"
)
_BLANK = "_:[A-Za-z][A-Za-z0-9]*"
_LITERAL = (
    r'"[^"\\\x00-\x1f]*"(?:@[A-Za-z]{2,3}(?:-[A-Za-z]{4})?(?:-[A-Za-z]{2})?'
    r"|\^\^<http://www\.w3\.org/2001/XMLSchema#[A-Za-z]+>)?"
)
_GRAPH = rf"(?: (?:{_IRI}|{_BLANK}))?"
_PLAIN = rf"(?:{_IRI}|{_BLANK}) {_IRI} (?:{_IRI}|{_BLANK}|{_LITERAL})"
_LINE_END = r" \.[ \t]*\r?\n?"
_ODD_LINES = "select number from split_lines where not plain order by number"
_SPLIT_LINES = """
create or replace temporary table split_lines as
select number, strlen(line) <= {split} and regexp_full_match(line, ?) as plain,
    substring(predicate, 2, length(predicate) - 2) as predicate,
    if(starts_with(subject, '<'), substring(subject, 2, length(subject) - 2), '') as subject,
    case when suffix is not null then split_part(line, '"', 2)
        when starts_with(object, '<') then substring(object, 2, length(object) - 2) else object[3:] end as object,
    case when starts_with(suffix, '^') then split_part(suffix, '>', 1)[4:]
        when starts_with(suffix, '@') then 'http://www.w3.org/1999/02/22-rdf-syntax-ns#langString'
        when suffix is not null then 'http://www.w3.org/2001/XMLSchema#string'
        when starts_with(object, '<') then '' else '_' end as datatype,
    if(suffix is null, 0, {rank}) as language
from (
    select *, if(starts_with(suffix, '@'), lower(split_part(suffix, ' ', 1)[2:]), '') as language
    from (
        select *, if(starts_with(object, '"'), split_part(line, '"', 3), null) as suffix
        from (
            select number, line, parts[1] as subject, parts[2] as predicate, parts[3] as object
            from (
                select number, line, if(strlen(line) <= {split}, string_split(line, ' '), []) as parts from block))))
"""
"""Query for the terms of each line, correct only for plain lines; `substring` takes a third of the time of a slice."""
_ADD_PARSED_LINES = f"""
create or replace temporary table parsed as
select {", ".join(COLUMNS)} from (
    select * exclude plain from split_lines where plain union all by name select * from odd order by number)
"""


class _LineBlock(NamedTuple):
    """Block of lines of a file."""

    number: int
    """Number of the first line, from 1."""
    text: memoryview
    starts: Any
    """Offsets of the lines, and of the end of the last one, as an array of 32-bit integers."""

    def line(self, number: int) -> bytes:
        """Return a line by its number in the file."""
        start, end = self.starts[number - self.number : number - self.number + 2]
        return bytes(self.text[start:end])

    def table(self) -> Any:
        """Return an Arrow table of line numbers and lines, without copying the text; empty if it is not UTF-8."""
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
        parts = [whole.slice(start, _BATCH_LINES) for start in range(0, len(lines), _BATCH_LINES)]
        return pyarrow.Table.from_batches(parts, whole.schema)


def read_lines(
    place: str, file: BufferedReader, format_: RdfFormat, naming: Naming, loader: BulkLoader
) -> Iterator[str]:
    """Read an open file block by block, and yield the name of a DuckDB table with the triples of each block.

    The triples are in the order of the lines; the table is valid until the next one is requested.
    """
    import pyarrow
    from pyoxigraph import RdfFormat

    pattern = _PLAIN + (_GRAPH if format_ == RdfFormat.N_QUADS else "") + _LINE_END
    rank, values = naming.rank_expression()
    split, connection = _SPLIT_LINES.format(rank=rank, split=_MAX_SPLIT), loader.connection
    for block in _read_blocks(file):
        lines = block.table()
        connection.register("block", lines)
        connection.execute(split, [pattern, *values])
        connection.unregister("block")
        numbers = [number for (number,) in connection.execute(_ODD_LINES).fetchall()]
        if not len(lines):
            numbers = list(range(block.number, block.number + len(block.starts) - 1))
        odd = [(number, line) for number in numbers if (line := block.line(number).strip()) and line[0] != _COMMENT]
        parsed = list(_parse_lines(place, _refuse_long_lines(place, odd, loader), format_, loader)) if odd else []
        if numbers:
            terms = TripleBatch(naming)
            terms.add([quad for _, quad in parsed])
            connection.register(
                "odd", pyarrow.table({"number": [number for number, _ in parsed], **terms.take_columns()})
            )
            connection.execute(_ADD_PARSED_LINES)
            connection.unregister("odd")
        yield "parsed" if numbers else "split_lines"


def _read_blocks(file: BufferedReader) -> Iterator[_LineBlock]:
    import numpy as np

    buffer = mmap(-1, _BLOCK_BYTES + max(_BLOCK_BYTES, _MAX_LINE + 1))  # reused, which saves a third of the time
    view, number, carried_size = memoryview(buffer), 1, 0
    while True:
        read = file.readinto(view[carried_size : carried_size + _BLOCK_BYTES])
        size = carried_size + read
        # A carriage return ends a line too, unless a newline follows, which may still be unread.
        end = max(buffer.rfind(b"\n", 0, size), buffer.rfind(b"\r", 0, max(size - 1, 0))) + 1 if read else size
        if end:
            characters = np.frombuffer(view[:end], np.uint8)
            ends = characters == _NEWLINE
            if buffer.find(b"\r", 0, end) >= 0:
                ends |= (characters == _RETURN) & (np.append(characters[1:], 0) != _NEWLINE)
            ends[-1] = True
            starts = np.concatenate(([0], np.flatnonzero(ends) + 1)).astype(np.int32)
            yield _LineBlock(number, view[:end], starts)
            number += len(starts) - 1
        if not read:
            return
        rest = bytes(view[end:size])
        if len(rest) > _BLOCK_BYTES:  # an unfinished line is truncated just above the maximum length
            rest = rest.lstrip(b" \t")[: _MAX_LINE + 1]
        carried_size = len(rest)
        view[:carried_size] = rest


def _refuse_long_lines(place: str, lines: Sequence[tuple[int, bytes]], loader: BulkLoader) -> list[tuple[int, bytes]]:
    """Return the lines that are not too long, and report the others as broken."""
    message = f"a line has more than {_MAX_LINE:,} bytes"
    loader.problems += [
        (f"{place}:{number}", describe_broken_triple(message, "")) for number, line in lines if len(line) > _MAX_LINE
    ]
    return [(number, line) for number, line in lines if len(line) <= _MAX_LINE]


def _parse_lines(
    place: str, lines: Sequence[tuple[int, bytes]], format_: RdfFormat, loader: BulkLoader
) -> Iterator[tuple[int, Quad]]:
    """Yield (line number, triple) for some lines; they are parsed together, or one by one if a line is broken."""
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
            message = f"{getattr(error, 'msg', error)}"
            loader.problems.append((f"{place}:{number}", describe_broken_triple(message, Path(place).name)))
