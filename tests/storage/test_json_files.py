"""Records to files and back, over every mistake that a file may have."""

from __future__ import annotations

import bz2
import gzip
import hashlib
import logging
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, ClassVar, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct

from factprobe import records
from factprobe.errors import DataError
from factprobe.records import Answer
from factprobe.storage import (
    Lines,
    Problems,
    file_hash,
    open_utf8,
    opening,
    read_json,
    to_utf8,
    whole_file,
    write_json,
    write_lines,
)

Write = Callable[[str, str | bytes], Path]

ONE, TWO = Answer("Q1", "Ada"), Answer("Q2", "São “Paulo”")
LINE_1, LINE_2 = '{"uri":"Q1","label":"Ada"}', '{"uri":"Q2","label":"São “Paulo”"}'
BOM = b"\xef\xbb\xbf"


def read(path: Path, *, strict: bool = False) -> tuple[list[tuple[int, Answer]], list[str]]:
    """The numbered records of a file, and what was broken in it."""
    problems = Problems(strict)
    return list(Lines(path, Answer, problems).numbered()), problems.messages


def zstd(text: bytes) -> bytes:
    pyarrow = pytest.importorskip("pyarrow")
    return bytes(pyarrow.compress(text, "zstd", asbytes=True))


@pytest.mark.parametrize(("ending", "pack"), [(".gz", gzip.compress), (".bz2", bz2.compress), (".zst", zstd)])
def test_a_bomb_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str, pack: Callable[[bytes], bytes]
) -> None:
    monkeypatch.setattr(opening, "_SLACK", 1 << 16)
    path = tmp_path / f"a.jsonl{ending}"
    path.write_bytes(pack(LINE_1.encode() + b"\n" + b" " * (1 << 21)))
    with pytest.raises(DataError, match="unpacks to more than 200 times its size; if you trust it, unpack it"):
        read(path)
    path.write_bytes(pack(f"{LINE_1}\n".encode() * (1 << 16)))
    with pytest.raises(DataError, match="unpacks to more than 200 times its size"):
        next(iter(Lines(path, Answer, Problems(strict=False)).numbered()))  # before its first record
    path.write_bytes(pack(f"{LINE_1}\n".encode() + b" " * (1 << 16)))
    assert len(read(path)[0]) == 1


@pytest.mark.parametrize(
    ("content", "numbers"),
    [
        (f"{LINE_1}\n{LINE_2}\n", (1, 2)),
        (f"{LINE_1}\n{LINE_2}", (1, 2)),
        (f"{LINE_1}\r\n{LINE_2}\r\n", (1, 2)),
        (BOM + f"{LINE_1}\n{LINE_2}\n".encode(), (1, 2)),
        (BOM + f"{LINE_1}\r\n{LINE_2}".encode(), (1, 2)),
        (f"\n\n{LINE_1}\n  \n\r\n{LINE_2}\n\n", (3, 6)),
        (BOM + f"\n{LINE_1}\n{LINE_2}".encode(), (2, 3)),
        (BOM * 3 + f"{LINE_1}\n".encode() + BOM * 2 + LINE_2.encode(), (1, 2)),
    ],
    ids=["plain", "no last newline", "CRLF", "BOM", "BOM and CRLF", "empty lines", "BOM on an empty line", "BOMs"],
)
def test_lines_read_the_same_in_every_form(write: Write, content: str | bytes, numbers: tuple[int, int]) -> None:
    path = write("a.jsonl", content)
    assert read(path, strict=True) == ([(numbers[0], ONE), (numbers[1], TWO)], [])
    assert list(Lines(path, Answer, Problems())) == [ONE, TWO]


@pytest.mark.parametrize("content", [b"", b"\n", BOM, b"\r\n\r\n"], ids=["nothing", "newline", "BOM", "CRLF"])
def test_file_without_records(write: Write, content: bytes) -> None:
    assert read(write("a.jsonl", content), strict=True) == ([], [])


@pytest.mark.parametrize("separator", ["\u2028", "\u2029", "\u0085", "\x0b", "\x0c", "\x1e"])
def test_only_a_newline_ends_a_line(write: Write, separator: str) -> None:
    label = separator if separator >= "\x80" else f"\\u{ord(separator):04x}"
    path = write("a.jsonl", f'{{"uri":"Q1","label":"a{label}b"}}\n{LINE_2}\n')
    assert read(path, strict=True)[0] == [(1, Answer("Q1", f"a{separator}b")), (2, TWO)]


BROKEN: dict[str, bytes] = {
    "cut off": b'{"uri":"Q1","la',
    "no JSON": b"uri=Q1",
    "two records": LINE_1.encode() * 2,
    "number for text": b'{"uri":1,"label":"Ada"}',
    "text for a list": b'{"uri":"Q1","label":"Ada","aliases":"A"}',
    "null": b'{"uri":"Q1","label":null}',
    "key missing": b'{"uri":"Q1"}',
    "list": b'["Q1","Ada"]',
    "bare null": b"null",
    "NaN": b"NaN",
    "NUL bytes": b"\0\0\0\0",
    "invalid UTF-8": b'{"uri":"Q1","label":"S\xe3o"}',
    "lone surrogate": b'{"uri":"Q1","label":"\\ud800"}',
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_broken_line_is_skipped_counted_and_reported(
    write: Write, broken: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    path = write("a.jsonl", LINE_1.encode() + b"\n\n" + broken + b"\n" + LINE_2.encode())
    found, messages = read(path)
    assert found == [(1, ONE), (4, TWO)]
    assert len(messages) == 1
    assert messages[0].startswith(f"{path}:3: broken line: ")
    assert f"{path}:3: broken line: " in caplog.text


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_broken_line_ends_a_strict_run(write: Write, broken: bytes) -> None:
    path = write("a.jsonl", LINE_1.encode() + b"\n" + broken + b"\n" + LINE_2.encode())
    with pytest.raises(DataError) as error:
        read(path, strict=True)
    assert str(error.value).startswith(f"{path}:2: broken line: ")
    assert len(str(error.value).splitlines()) == 1


def test_broken_last_line_without_newline(write: Write) -> None:
    found, messages = read(write("a.jsonl", LINE_1 + "\n" + LINE_2[:-4]))
    assert [number for number, _ in found] == [1]
    assert [":2: broken line" in message for message in messages] == [True]


def test_every_broken_place_is_kept_but_only_the_first_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    problems = Problems()
    for number in range(1, 26):
        problems.add("broken line", f"a.jsonl:{number}")
    assert problems.messages == [f"a.jsonl:{number}: broken line" for number in range(1, 26)]
    logged = [record.message for record in caplog.records if record.levelno == logging.WARNING]
    assert len(logged) == 11
    assert logged[0] == "a.jsonl:1: broken line; skipped"
    assert "a.jsonl:10" in logged[9]
    assert "a.jsonl" not in logged[10]


UTF_16 = ["utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-32-le", "utf-32-be"]


@pytest.mark.parametrize("encoding", UTF_16)
@pytest.mark.parametrize("strict", [True, False])
def test_utf_16_error_gives_a_conversion_command(write: Write, encoding: str, strict: bool) -> None:
    path = write("a.jsonl", f"{LINE_1}\n{LINE_2}\n".encode(encoding))
    with pytest.raises(DataError) as error:
        read(path, strict=strict)
    assert str(error.value).startswith(f"{path}: ")
    assert "UTF-16" in str(error.value)
    assert "iconv" in str(error.value)
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.skipif(shutil.which("iconv") is None, reason="no iconv here")
@pytest.mark.parametrize("name", ["a.jsonl", "it's a list.jsonl"])
@pytest.mark.parametrize("encoding", UTF_16)
def test_conversion_that_the_message_gives_works(write: Write, encoding: str, name: str) -> None:
    path = write(name, f"{LINE_1}\n{LINE_2}\n".encode(encoding))
    with pytest.raises(DataError) as error:
        read(path)
    command = str(error.value.hint).partition("convert it: ")[2]
    subprocess.run(["sh", "-c", command], cwd=path.parent, check=True, capture_output=True)
    assert read(path, strict=True) == ([(1, ONE), (2, TWO)], [])


@pytest.mark.skipif(shutil.which("iconv") is None, reason="no iconv here")
@pytest.mark.parametrize("name", ["a.csv", "it's a table.csv"])
def test_conversion_of_another_encoding_works(write: Write, name: str) -> None:
    path = write(name, "a,ü\n".encode("cp1252"))
    told = to_utf8(path.name)
    assert told.startswith("save it as UTF-8, or convert it from its encoding, such as Windows-1252: ")
    subprocess.run(["sh", "-c", told.rpartition(": ")[2]], cwd=path.parent, check=True, capture_output=True)
    assert (path.parent / f"utf8-{name}").read_text(encoding="utf-8") == "a,ü\n"


@pytest.mark.parametrize("name", ["none.jsonl", ".", "x" * 300, "nul\0byte"], ids=["none", "folder", "long", "NUL"])
def test_unreadable_file(tmp_path: Path, name: str) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        read(tmp_path / name)
    with pytest.raises(DataError, match="cannot be read"), open_utf8(tmp_path / name):
        pass


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "is broken"),
        (b'{"uri":"Q1"}', "`label`"),
        (b'{"uri":"Q1","label":"\xff"}', "is broken"),
        (LINE_1.encode() * 2, "is broken"),
        (LINE_1.encode("utf-16"), "UTF-16"),
    ],
)
def test_broken_json_document(write: Write, content: bytes, what: str) -> None:
    path = write("a.json", content)
    with pytest.raises(DataError) as error:
        read_json(path, Answer)
    assert str(error.value).startswith(f"{path}: ")
    assert what in str(error.value)


@pytest.mark.parametrize("content", [LINE_1.encode(), BOM + LINE_1.encode(), b"\r\n " + LINE_1.encode() + b"\n"])
def test_json_document(write: Write, content: bytes) -> None:
    assert read_json(write("a.json", content), Answer) == ONE


@pytest.mark.parametrize("indent", [True, False])
def test_written_json_is_read_back(tmp_path: Path, indent: bool) -> None:
    path = tmp_path / "deep" / "er" / "a.json"
    write_json(path, TWO, indent=indent)
    assert read_json(path, Answer) == TWO
    assert path.read_bytes().endswith(b"}\n")
    assert len(path.read_text().splitlines()) == (4 if indent else 1)
    assert "São “Paulo”" in path.read_text(encoding="utf-8")


def test_written_lines_are_utf_8_one_record_a_line(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "a.jsonl"
    assert write_lines(path, iter([ONE, TWO])) == 2
    assert path.read_bytes() == f"{LINE_1}\n{LINE_2}\n".encode()


def test_no_records_make_an_empty_file(tmp_path: Path) -> None:
    assert write_lines(tmp_path / "a.jsonl", []) == 0
    assert (tmp_path / "a.jsonl").read_bytes() == b""


def interrupted() -> Iterator[Answer]:
    yield ONE
    raise KeyboardInterrupt


@pytest.mark.parametrize("old", [None, "old\n"])
def test_interrupted_write_leaves_the_old_file_and_nothing_else(tmp_path: Path, old: str | None) -> None:
    path = tmp_path / "a.jsonl"
    if old is not None:
        path.write_text(old)
    with pytest.raises(KeyboardInterrupt):
        write_lines(path, interrupted())
    assert [file.name for file in tmp_path.iterdir()] == ([] if old is None else ["a.jsonl"])
    assert old is None or path.read_text() == old


def test_file_appears_when_it_is_complete(write: Write) -> None:
    path = write("a.jsonl", "old")
    with whole_file(path) as file:
        file.write(b"new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert [found.name for found in path.parent.iterdir()] == ["a.jsonl"]


def of(hint: Any) -> st.SearchStrategy[Any]:
    """Values of a type that a record's field is declared with."""
    simple = {
        str: st.text(max_size=8)
        | st.sampled_from(['"', "\\", "\n", "\r\n", "\0", "\x1b[0m", "\u2028", "\ufeff", "[MASK]"]),
        int: st.integers(0, 2**53),
        float: st.floats(0, 1),
        NoneType: st.none(),
    }
    if hint in simple:
        return simple[hint]
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return st.sampled_from(arguments)
    if origin in (Union, UnionType):
        return st.one_of(*map(of, arguments))
    if origin in (tuple, list):
        fixed = origin is tuple and arguments[-1] is not ...
        return st.tuples(*map(of, arguments)) if fixed else st.lists(of(arguments[0]), max_size=2).map(origin)
    if origin is dict:
        return st.dictionaries(of(arguments[0]), of(arguments[1]), max_size=2)
    fields = {name: inner for name, inner in get_type_hints(hint).items() if get_origin(inner) is not ClassVar}
    return st.builds(hint, **{name: of(inner) for name, inner in fields.items()})


RECORDS = [found for found in vars(records).values() if isinstance(found, type) and issubclass(found, Struct)]


@pytest.mark.hypothesis
@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_record_round_trips(record: type[Struct], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"

    @given(st.lists(of(record), max_size=3))
    def round_trip(written: list[Struct]) -> None:
        assert write_lines(path, written) == len(written)
        assert path.read_bytes().count(b"\n") == len(written)
        assert list(Lines(path, record, Problems(strict=True))) == written

    round_trip()


def test_megabyte_text_round_trips(tmp_path: Path) -> None:
    long = Answer("Q1", 'a"\\\n\u2028é' * 150_000)
    write_lines(tmp_path / "a.jsonl", [long, ONE])
    assert read(tmp_path / "a.jsonl", strict=True)[0] == [(1, long), (2, ONE)]


def test_file_hash(write: Write) -> None:
    path = write("a.jsonl", LINE_2)
    assert file_hash(path) == hashlib.sha256(LINE_2.encode()).hexdigest()
    assert file_hash(write("b.jsonl", LINE_1)) != file_hash(path)


def test_line_may_begin_with_a_separator_or_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "joined.jsonl"
    path.write_bytes(b'\x1e{"a": 1}\n \t\r\n' + BOM + b'{"a": 2}\n{"a": "\xff"}\n{"a": \n')
    problems = Problems()
    assert list(Lines(path, dict[str, int], problems).numbered()) == [(1, {"a": 1}), (3, {"a": 2})]
    assert [message.split(": ")[0] for message in problems.messages] == [f"{path}:4", f"{path}:5"]
    assert "can't decode byte 0xff" in problems.messages[0]
