"""N-Triples and N-Quads taken apart in bulk, against pyoxigraph line by line."""

from __future__ import annotations

import re
from io import BufferedReader, BytesIO
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.kgs.on_disk.bulk_load import BulkLoader
from factprobe.kgs.rdf import ntriples
from factprobe.kgs.rdf.naming_predicates import Naming
from factprobe.kgs.rdf.ntriples import read_lines
from factprobe.kgs.rdf.triples import COLUMNS, TripleBatch

pyoxigraph = pytest.importorskip("pyoxigraph")
duckdb = pytest.importorskip("duckdb")

NAMING = Naming((), (), (), (), ("en", "zh"))
IRIS = [
    *("http://x/a", "http://x.org:80/a%20b?q=1#é", "http://x#y", "urn:isbn:1", "a:/x", "mailto:a@b", "http://é/", "a:"),
    *("http://x/a|b", "b", "http://[::1]/", "http://x:port/", "http://x/%zz", "http://x/#", "http://x/?#?", "a://x//y"),
    *("http://x/\\u00e9", "http://x/a[b]"),
]
TEXTS = ["plain", "", "two words .", 'a \\"quote\\"', "\\u00e9\\n", "é😀", "tab\t", "\\q", "\x7f", "\x01", "a > <b> ."]
TAGS = [
    "",
    "@en",
    "@en-GB",
    "@zh-Hans-CN",
    "@EN",
    "@e",
    "@abcdefghi",
    "@en-",
    "^^<http://www.w3.org/2001/XMLSchema#date>",
]
iris = st.sampled_from(IRIS).map("<{}>".format)
nodes = iris | st.sampled_from(["_:b1", "_:b", "_:b.c", "_:", "_:1"])
literals = st.tuples(st.sampled_from(TEXTS), st.sampled_from(TAGS)).map(lambda found: f'"{found[0]}"{found[1]}')
spaces = st.sampled_from([" "] * 8 + ["\t", "  ", ""])
ends = st.sampled_from(["."] * 8 + [". # said", "", ".."])
triples = st.tuples(nodes, spaces, iris, spaces, nodes | literals, st.just(" ") | spaces, ends).map("".join)
quads = st.tuples(nodes, spaces, iris, spaces, nodes | literals, st.just(" "), nodes, st.just(" ."), ends).map("".join)
lines = triples | quads | st.sampled_from(["", "# a comment", "nothing", "\ufeff", '"x" .'])
documents = st.tuples(st.lists(lines, max_size=12), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans()).map(
    lambda found: found[1].join(found[0]) + found[1] * found[2]
)


def found(document: bytes, format_: Any) -> tuple[list[tuple[str, ...]], list[str]]:
    """The terms of all triples in their order, and the places of broken ones."""
    with duckdb.connect() as connection:
        loader = BulkLoader(connection)
        file = cast("BufferedReader", BytesIO(document))
        rows: list[tuple[str, ...]] = []
        for table in read_lines("g", file, format_, NAMING, loader):
            rows += connection.sql(f"select {', '.join(COLUMNS)} from {table}").fetchall()
        return rows, [place for place, _ in loader.problems]


def expected(document: bytes, format_: Any) -> tuple[list[tuple[str, ...]], list[str]]:
    terms, broken = TripleBatch(NAMING), []
    for number, line in enumerate(re.split(rb"\r\n|\r|\n", document), 1):
        try:
            for quad in pyoxigraph.parse(line, format=format_):
                terms.add([quad])
        except SyntaxError:
            broken.append(f"g:{number}")
    return list(zip(*terms.take_columns().values(), strict=True)), broken


@given(document=documents, name=st.sampled_from(["N_TRIPLES", "N_QUADS"]))
def test_lines_are_read_as_by_pyoxigraph(document: str, name: str) -> None:
    format_ = getattr(pyoxigraph.RdfFormat, name)
    assert found(document.encode(), format_) == expected(document.encode(), format_)


@pytest.mark.parametrize("line", [b"<a:/x> <a:/p> <a:/z> .", b'<a:/x> <a:/p> "z"@en .'])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r", b"\n\r"])
def test_blocks_are_cut_between_lines(line: bytes, end: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    document = end.join([line, b"broken", b'<a:/x> <a:/p> "\xff" .', line, b'<a:/x> <a:/p> "\\n" .', line])
    whole = found(document, pyoxigraph.RdfFormat.N_TRIPLES)
    apart = 2 if end == b"\n\r" else 1  # which ends an empty line too
    assert (len(whole[0]), whole[1]) == (4, [f"g:{1 + apart}", f"g:{1 + 2 * apart}"])
    for size in (1, 30):
        monkeypatch.setattr(ntriples, "_BLOCK_BYTES", size)
        assert found(document, pyoxigraph.RdfFormat.N_TRIPLES) == whole


def test_carriage_return_ends_a_comment() -> None:
    rows, broken = found(b"# said\r<a:/x> <a:/p> <a:/y> .\n<a:/x> <a:/p> <a:/z> .\n", pyoxigraph.RdfFormat.N_TRIPLES)
    assert (len(rows), broken) == (2, [])


def test_most_lines_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    """A pattern that takes none would only be slow."""
    monkeypatch.setattr(ntriples, "_parse_lines", lambda place, lines, *_: pytest.fail(str(lines)))
    rows, broken = found(
        b"<http://dbpedia.org/resource/S%C3%A3o_(B)> <http://x/p#q> \"S\xc3\xa3o, 1.5 ''\"@pt .\n"
        b'<urn:x:1> <http://x/p> "1"^^<http://www.w3.org/2001/XMLSchema#integer> .\r\n'
        b"_:b0 <http://x/p> <http://x.org:8080/\xc3\xa9?a=b&c#d> .\n",
        pyoxigraph.RdfFormat.N_TRIPLES,
    )
    assert (len(rows), broken) == (3, [])


@pytest.mark.parametrize("block", [8, 1 << 12])
def test_line_without_an_end_is_bounded(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blanks and comments may be of any length; what is split and parsed may not."""
    monkeypatch.setattr(ntriples, "_BLOCK_BYTES", block)
    monkeypatch.setattr(ntriples, "_MAX_SPLIT", 50)
    monkeypatch.setattr(ntriples, "_MAX_LINE", 100)
    fact = b"<a:/x> <a:/p> <a:/z> ."
    long = b'<a:/x> <a:/p> "%s" .'
    lines = [fact, b" " * 500, fact, b"# " + b"x" * 500, b" " * 500 + b"# said", fact, long % (b"y" * 500)]
    document = b"\n".join([*lines, long % (b"y" * 60), long % (b"\\n" * 200), b" " * 90 + fact])
    rows, places = found(document, pyoxigraph.RdfFormat.N_TRIPLES)
    assert [row[2] for row in rows] == ["a:/z"] * 3 + ["y" * 60, "a:/z"]
    assert places == ["g:7", "g:9"]
