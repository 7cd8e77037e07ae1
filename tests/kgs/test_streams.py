"""Files of RDF that are broken in the middle, and XML that would not fit into memory."""

from __future__ import annotations

import gzip
from io import BufferedReader, BytesIO
from pathlib import Path

import pytest

from factprobe.errors import DataError
from factprobe.kgs.rdf.streams import CheckedXmlStream
from factprobe.storage import to_utf8
from tests.growth import grows_linearly
from tests.kgs.test_rdf import every, opened

pytest.importorskip("pyoxigraph")
pytest.importorskip("duckdb")

HEAD = "@prefix : <http://e.org/> .\n"
ROOT = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="http://e.org/">\n'
FACT = '<rdf:Description rdf:about="http://e.org/{}"><e:p rdf:resource="http://e.org/b"/></rdf:Description>\n'


def read(path: Path, text: str | bytes) -> tuple[list[str], list[str]]:
    """The last letters of the subjects in a file, and what is said to be broken, without the folder."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    kg = opened(path)
    found = [fact.subject_uri.rpartition("/")[2] for fact in every(kg)]
    return found, [message.removeprefix(f"{path.parent}/") for message in kg.problems.messages]


@pytest.mark.parametrize(
    ("name", "text", "subjects", "places"),
    [
        ("g.ttl", ':a :p :b .\n:c :q "open .\n:d :p :b .\n:e :p :b ; :q "text" .\n:f :p :b .\n', "adef", ["3"]),
        ("g.ttl", ':a :p :b .\n:c :q "open .\n:d :p :b .\n', "ad", ["3"]),
        ("g.ttl", ":a :p :b .\n:c :q 'open .\n:d :p :b .\n:e :p :b .\n", "ade", ["3"]),
        ("g.ttl", ':a :p :b .\n:c :p :b ;\n  :q "open ;\n  :r "closed" .  # end\n:d :p :b .\n', "acd", ["4"]),
        ("g.ttl", ':a :q "bad \\p" . :c :p :b .\n:d :p :b .\n:e :p nothing .\n:f :p :b .', "cdf", ["2", "4"]),
        (
            "g.ttl",
            ':a :q "open .\n:c :p :b .\n@prefix x: <http://x/> .\nx:d :q "open .\nx:e :p :b .\n',
            "ce",
            ["2", "5"],
        ),
        ("g.n3", ':a :p :b .\n:c :q "open .\n:d :p :b .\n', "ad", ["3"]),
        ("g.trig", ':g {\n:a :p :b .\n:c :q "open .\n:d :p :b .\n}\n:h {\n:e :p :b .\n}\n', "ade", ["4", "6"]),
        ("g.ttl.gz", ':a :p :b .\n:c :q "open .\n:d :p :b .\n:e :q "text" .\n:f :p :b .', "adf", ["3"]),
    ],
)
def test_statements_after_a_broken_one_are_read(
    tmp_path: Path, name: str, text: str, subjects: str, places: list[str]
) -> None:
    content = (HEAD + text).encode()
    found, broken = read(tmp_path / name, gzip.compress(content, mtime=0) if name.endswith(".gz") else content)
    assert "".join(found) == subjects
    assert [message.split(": ")[:2] for message in broken] == [[f"{name}:{place}", "broken triple"] for place in places]
    assert not any("line" in message.partition("broken triple")[2].lower().split("line jumps")[0] for message in broken)


def test_broken_character_loses_one_statement(tmp_path: Path) -> None:
    rows = [f':s{number} :p :b ; :q "Köln" .\n' for number in range(2000)]
    content = (HEAD + "".join(rows)).encode()
    at = content.index(b"s999 ")
    content = content[:at] + content[at:].replace("ö".encode(), b"\xf6", 1)
    found, [message] = read(tmp_path / "g.ttl", content)
    assert set(range(2000)) - {int(name[1:]) for name in found} <= {999}
    assert message.startswith("g.ttl:1001: broken triple: ")
    assert message.endswith(f"; {to_utf8('g.ttl')}")


def test_every_broken_statement_is_reported(tmp_path: Path) -> None:
    rows = [f':s{number} :p :b .\n:t{number} :q "open .\n' for number in range(5000)]
    found, broken = read(tmp_path / "g.ttl", HEAD + "".join(rows))
    assert len(found) == len(broken) == 5000
    assert broken[-1].startswith("g.ttl:10001: ")


def test_nothing_after_broken_json_is_read_with_warning(tmp_path: Path) -> None:
    fact = '{{"@id": "http://e.org/{}", "http://e.org/p": {{"@id": "http://e.org/b"}}}}'
    text = ",\n".join([fact.format("a"), '{"@id": "c",}', fact.format("d")])
    found, [message] = read(tmp_path / "g.jsonld", f"[{text}]")
    assert found == ["a"]
    assert message.startswith("g.jsonld:2: broken triple: ")
    assert message.endswith("; the rest of the file is not read")


def test_remote_context_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "g.jsonld"
    path.write_text('{"@context": "http://127.0.0.1:9/c", "@id": "http://e.org/a", "p": "q"}')
    with pytest.raises(DataError, match="remote contexts are not fetched: put the context into the file"):
        every(opened(path, strict=True))


def test_broken_xml_is_reported_with_line(tmp_path: Path) -> None:
    path, broken = tmp_path / "g.rdf", '<rdf:Description rdf:about="http://e.org/c"><e:p></rdf:Description>\n'
    found, messages = read(path, f"{ROOT}{FACT.format('a')}{broken}{FACT.format('d')}</rdf:RDF>")
    assert found == ["a", "d"]
    assert messages[0].startswith("g.rdf:3: broken XML, so that triples near it may be missing: ")
    with pytest.raises(DataError, match=r"g\.rdf:3: broken XML"):
        every(opened(path, strict=True))


def test_broken_triple_in_valid_xml_is_reported_with_line_range(tmp_path: Path) -> None:
    facts = [FACT.format("c d" if number == 500 else f"s{number}") for number in range(1000)]
    found, [message] = read(tmp_path / "g.rdf", f"{ROOT}{''.join(facts)}</rdf:RDF>")
    assert len(found) == 999
    place, _, rest = message.partition(": ")
    first, last = map(int, place.removeprefix("g.rdf:").split("-"))
    assert first <= 502 <= last < first + 100
    assert rest.startswith("broken triple: error while parsing IRI")


def test_truncated_xml_is_reported_at_any_cut(tmp_path: Path) -> None:
    whole = f"{ROOT}{FACT.format('a')}{FACT.format('c')}</rdf:RDF>"
    assert read(tmp_path / "g.rdf", whole) == (["a", "c"], [])
    cut = whole.removesuffix("</rdf:RDF>")
    found, [message] = read(tmp_path / "g.rdf", cut)
    assert found == ["a", "c"]
    assert message.startswith("g.rdf:4: broken XML")
    for length in range(len(ROOT) + len(FACT), len(cut), 90):
        assert read(tmp_path / "g.rdf", whole[:length])[1]


DOCUMENT = "<?xml version='1.0'?>{}<!DOCTYPE r [{}]>" + ROOT + "{}</rdf:RDF>"
LAUGHS = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{at + 1} "{f"&a{at};" * 10}">' for at in range(9))
TEXT = '<rdf:Description rdf:about="http://e.org/a"><e:p>{}</e:p></rdf:Description>'


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (DOCUMENT.format("", LAUGHS, TEXT.format("&a9;")), "the entity 'a1' refers to others"),
        (DOCUMENT.format("", LAUGHS, ""), "the entity 'a1' refers to others"),
        (DOCUMENT.format("<a></b>", LAUGHS, ""), "it has entities, and is broken in line 1"),
        (DOCUMENT.format("", f'<!ENTITY a "{"a" * 100_000}">', TEXT.format("&a;" * 100_000)), "amplification"),
    ],
)
def test_xml_entity_bomb_is_refused(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read(tmp_path / "g.rdf", text)


def test_plain_xml_entities_are_read(tmp_path: Path) -> None:
    text = DOCUMENT.format("", '<!ENTITY e "http://e.org/">', FACT.format("a").replace("http://e.org/", "&e;"))
    assert read(tmp_path / "g.rdf", text) == (["a"], [])


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("g.ttl", ':a :p "{}" .\n'),
        ("g.ttl", ":a :p :b . # {}\n"),
        ("g.trig", ':g {{ :a :p "{}" . }}\n'),
        ("g.n3", ':a :p "{}" .\n'),
        ("g.jsonld", '[{{"@id": "http://e.org/a", "http://e.org/p": [{{"@value": "{}"}}]}}]'),
    ],
)
def test_text_beyond_the_buffer_of_the_parser_is_one_line(tmp_path: Path, name: str, text: str) -> None:
    with pytest.raises(DataError, match=f"{name}: has a text or comment that is too long: .*; shorten"):
        read(tmp_path / name, ("" if name.endswith("ld") else HEAD) + text.format("x" * (1 << 24)))


def test_long_tags_are_checked_in_linear_time(tmp_path: Path) -> None:
    """A checker that begins a tag anew with each read takes four times as long for twice the length."""

    def check(length: int) -> None:
        xml = CheckedXmlStream(
            BufferedReader(BytesIO(f"{ROOT}{FACT.format('x' * length)}{FACT.format('c')}</rdf:RDF>".encode()))
        )
        while xml.read(1 << 12):
            pass
        assert xml.broken is None

    assert grows_linearly(check, 1 << 18)


@pytest.mark.parametrize("size", [1, 7, 1 << 12])
def test_xml_is_checked_before_it_is_read(size: int) -> None:
    text = f'<!DOCTYPE x [<!ENTITY a "{"y" * 9000}"><!ENTITY b "&a;&a;">]>{ROOT}</rdf:RDF>'
    xml, seen = CheckedXmlStream(BufferedReader(BytesIO(text.encode()))), b""
    try:
        while some := xml.read(size):
            seen += some
    except ValueError as error:
        assert "the entity 'b' refers to others" in str(error)  # noqa: PT017  # `seen` is looked at as well
    else:
        pytest.fail("it was read to its end")
    assert b"&a;" not in seen
