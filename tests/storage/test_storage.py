"""Records to files and back, over every mistake that a file may have; and file names that stay where they belong."""

from __future__ import annotations

import hashlib
import logging
import os
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec import Struct

from factprobe import records
from factprobe.errors import DataError
from factprobe.records import Answer
from factprobe.storage import (
    Layout,
    Lines,
    Problems,
    file_hash,
    inside,
    made,
    open_utf8,
    read_json,
    safe_name,
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
    ],
    ids=["plain", "no last newline", "CRLF", "BOM", "BOM and CRLF", "empty lines", "BOM on an empty line"],
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
def test_broken_line_is_skipped_counted_and_named(
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
def test_utf_16_is_refused_in_one_line_that_says_how_to_convert(write: Write, encoding: str, strict: bool) -> None:
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
def test_the_conversion_that_the_message_gives_works(write: Write, encoding: str, name: str) -> None:
    path = write(name, f"{LINE_1}\n{LINE_2}\n".encode(encoding))
    with pytest.raises(DataError) as error:
        read(path)
    command = str(error.value.mend).partition("convert it: ")[2]
    subprocess.run(["sh", "-c", command], cwd=path.parent, check=True, capture_output=True)
    assert read(path, strict=True) == ([(1, ONE), (2, TWO)], [])


@pytest.mark.parametrize("name", ["none.jsonl", ".", "x" * 300, "nul\0byte"], ids=["none", "folder", "long", "NUL"])
def test_file_that_cannot_be_read(tmp_path: Path, name: str) -> None:
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
def test_json_document_that_is_broken(write: Write, content: bytes, what: str) -> None:
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
    return st.builds(hint, **{name: of(inner) for name, inner in get_type_hints(hint).items()})


RECORDS = [found for found in vars(records).values() if isinstance(found, type) and issubclass(found, Struct)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_record_comes_back_as_it_was(record: type[Struct], tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("lines") / "a.jsonl"

    @settings(max_examples=25, deadline=None)
    @given(st.lists(of(record), max_size=3))
    def round_trip(written: list[Struct]) -> None:
        assert write_lines(path, written) == len(written)
        assert path.read_bytes().count(b"\n") == len(written)
        assert list(Lines(path, record, Problems(strict=True))) == written

    round_trip()


def test_text_of_a_megabyte_comes_back_as_it_was(tmp_path: Path) -> None:
    long = Answer("Q1", 'a"\\\n\u2028é' * 150_000)
    write_lines(tmp_path / "a.jsonl", [long, ONE])
    assert read(tmp_path / "a.jsonl", strict=True)[0] == [(1, long), (2, ONE)]


def test_file_hash(write: Write) -> None:
    path = write("a.jsonl", LINE_2)
    assert file_hash(path) == hashlib.sha256(LINE_2.encode()).hexdigest()
    assert file_hash(write("b.jsonl", LINE_1)) != file_hash(path)


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("P19", "P19"),
        ("place_of_birth", "place_of_birth"),
        ("gpt-4o (2024), a+b@c=1", "gpt-4o (2024), a+b@c=1"),
        ("org/model:v1", "org%2Fmodel%3Av1"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        (".", "%2E"),
        ("..", "%2E."),
        (".hidden", "%2Ehidden"),
        ("a\\b", "a%5Cb"),
        ("a\0b\n", "a%00b%0A"),
        ("é", "%C3%A9"),
    ],
)
def test_safe_name(name: str, safe: str) -> None:
    assert safe_name(name) == safe


NASTY = [
    "../../etc/passwd",
    "",
    ".",
    "..",
    "/",
    "\\",
    "a" * 5000,
    "é" * 400,
    "\0",
    "%",
    "%2E",
    "~",
    "日本",
    "CON:",
    "a\nb",
]
names = (
    st.text() | st.sampled_from(NASTY) | st.text(alphabet="./\\~%a", max_size=6) | st.text(min_size=119, max_size=130)
)


@pytest.mark.parametrize("name", [*NASTY, "\udcff"], ids=ascii)
def test_nasty_name_is_one_file_of_its_folder(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{safe_name(name)}.summary.json"
    write_json(path, ONE)
    assert list(tmp_path.iterdir()) == [path]
    assert read_json(path, Answer) == ONE


@settings(deadline=None)
@given(names)
def test_safe_name_never_leaves_its_folder(name: str) -> None:
    safe = safe_name(name)
    assert re.fullmatch(r"[A-Za-z0-9_.~%() +,=@-]+", safe)
    assert not safe.startswith(".")
    assert len(safe) < 200


@settings(max_examples=300, deadline=None)
@given(names, names)
def test_two_names_never_share_a_file(one: str, other: str) -> None:
    assert (safe_name(one) == safe_name(other)) is (one == other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("", "%"),
        (".", "%2E"),
        ("a" * 121, "a" * 122),
        ("é", "e\u0301"),
        ("~", "%7E"),
        ("a" * 121, safe_name("a" * 121)),
    ],
    ids=["empty", "dot", "long", "twins", "tilde", "its own safe name"],
)
def test_near_names_do_not_share_a_file(one: str, other: str) -> None:
    assert safe_name(one) != safe_name(other)


@pytest.mark.parametrize(
    ("name", "path"),
    [
        ("P19.jsonl", "P19.jsonl"),
        ("sub/P19.jsonl", "sub/P19.jsonl"),
        ("sub/../P19.jsonl", "P19.jsonl"),
        ("../P19.jsonl", "%2E.%2FP19.jsonl"),
        ("../../etc/passwd", "%2E.%2F..%2Fetc%2Fpasswd"),
        ("/etc/passwd", "%2Fetc%2Fpasswd"),
        ("sub/../../other/P19.jsonl", "sub%2F..%2F..%2Fother%2FP19.jsonl"),
        ("../kg2/P19.jsonl", "%2E.%2Fkg2%2FP19.jsonl"),
        ("..", "%2E."),
    ],
)
def test_inside(tmp_path: Path, name: str, path: str) -> None:
    assert inside(tmp_path / "kg", name) == tmp_path / "kg" / path


@settings(deadline=None)
@given(st.text(alphabet="./a~%", max_size=12) | st.text())
def test_inside_never_leaves_the_folder(name: str) -> None:
    folder = Path("/data/kg")
    assert Path(os.path.normpath(inside(folder, name))).is_relative_to(folder)


def test_inside_asks_for_no_way_between_drives(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(os.path, "relpath", pytest.fail)  # on Windows there is none
    assert inside(tmp_path, "/else/where") == tmp_path / "%2Felse%2Fwhere"


def test_inside_a_folder_that_is_named_from_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for folder in (Path(), Path("kg"), Path("kg/../other"), Path("..")):
        assert inside(folder, "P19.jsonl").resolve() == (folder / "P19.jsonl").resolve()
        assert inside(folder, "../x.jsonl").resolve().parent == folder.resolve()


def test_layout_is_the_one_of_the_contract() -> None:
    layout = Layout(Path("out"))
    paths = {
        layout.triplets("P19"): "out/triplets/P19.jsonl",
        layout.summary("P19"): "out/triplets/P19.summary.json",
        layout.graph_summary: "out/triplets/summary.json",
        layout.questions("template", "P19"): "out/questions/template/P19.jsonl",
        layout.responses("template", "smollm2", "P19"): "out/responses/template/smollm2/P19.jsonl",
        layout.grades("template", "smollm2", "P19"): "out/grades/template/smollm2/P19.jsonl",
        layout.scores_csv: "out/scores.csv",
        layout.scores_json: "out/scores.json",
        layout.report: "out/report.html",
        layout.manifest: "out/manifest.json",
    }
    assert {path.as_posix(): expected for path, expected in paths.items() if path.as_posix() != expected} == {}


def test_layout_says_what_has_been_made(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    assert (layout.graphs(), layout.graded()) == ([], [])
    for model in ("m2", "m/1", "m.1"):
        write_lines(layout.grades("a/b", model, "P19"), [])
    layout.grades("a/b", "locked only", "P19").parent.mkdir()
    write_lines(layout.grades("z", "m3", "P20"), [])
    write_lines(layout.compat("z", "m3", "their/rules", "P20"), [])
    graded = layout.graded()
    assert [found[:2] for found in graded] == [("a/b", "m/1"), ("a/b", "m.1"), ("a/b", "m2"), ("z", "m3")]
    for found in graded:
        names = found.generator, found.model, "P20"
        assert found.grades("P20") == layout.grades(*names)
        assert found.questions("P20") == layout.questions(found.generator, "P20")
        assert found.responses("P20") == layout.responses(*names)
    assert graded[-1].compats("P20") == {"their/rules": layout.compat("z", "m3", "their/rules", "P20")}
    assert graded[-1].compats("P19") == {}


@pytest.mark.parametrize("long", ["a" * 121, "я" * 25, "/models/" + "deep/" * 30, "日本" * 30 + "~"], ids=ascii)
def test_a_name_that_is_cut_in_its_folder_stands_in_a_record(tmp_path: Path, long: str) -> None:
    layout = Layout(tmp_path)
    names = [(long + one, long + other) for one in "xy" for other in ("", "1", "2")]
    for generator, model in names:
        layout.record_names(generator, model, long)
        for path in (layout.grades(generator, model, "P1"), layout.compat(generator, model, long, "P1")):
            write_lines(path, [])
    graded = layout.graded()
    assert sorted(found[:2] for found in graded) == sorted(names)
    for found in graded:
        assert found.responses(long) == layout.responses(found.generator, found.model, long)
        assert found.compats("P1") == {long: layout.compat(found.generator, found.model, long, "P1")}
    for record in tmp_path.rglob("name.json"):
        record.unlink()
    assert len({found[:2] for found in layout.graded()}) == len(names)
    assert all(made(found.grades("P1")) for found in layout.graded())


def test_a_name_that_its_folder_tells_has_no_record(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    layout.record_names("template", "org/model:v1 é", "their/rules")
    assert list(tmp_path.iterdir()) == []


def test_layout_finds_the_graphs_under_a_folder(tmp_path: Path) -> None:
    for name in ("two/deep", "one", "much/too/deep"):
        write_json(Layout(tmp_path / name).graph_summary, {})
    assert [found.root for found in Layout(tmp_path).graphs()] == [tmp_path / "one", tmp_path / "two/deep"]
    write_json(Layout(tmp_path).graph_summary, {})
    assert [found.root for found in Layout(tmp_path).graphs()] == [tmp_path]


@given(names, names, names)
@settings(max_examples=50, deadline=None)
def test_layout_keeps_every_name_in_its_folder(generator: str, model: str, relation: str) -> None:
    layout = Layout(Path("out"))
    assert layout.triplets(relation).parent == Path("out/triplets")
    assert layout.summary(relation).parent == Path("out/triplets")
    assert layout.questions(generator, relation).parents[1] == Path("out/questions")
    assert layout.responses(generator, model, relation).parents[2] == Path("out/responses")
    assert layout.grades(generator, model, relation).parents[2] == Path("out/grades")


@pytest.mark.parametrize("relation", ["summary", "P19.summary", "manifest"])
def test_no_relation_takes_the_place_of_another_file(relation: str) -> None:
    layout = Layout(Path("out"))
    files = {layout.graph_summary, layout.manifest, layout.triplets("P19"), layout.summary("P19")}
    assert not files & {layout.triplets(relation), layout.summary(relation)}


def test_a_line_may_begin_with_a_separator_or_a_mark(tmp_path: Path) -> None:
    path = tmp_path / "joined.jsonl"
    path.write_bytes(b'\x1e{"a": 1}\n \t\r\n' + BOM + b'{"a": 2}\n{"a": "\xff"}\n{"a": \n')
    problems = Problems()
    assert list(Lines(path, dict[str, int], problems).numbered()) == [(1, {"a": 1}), (3, {"a": 2})]
    assert [message.split(": ")[0] for message in problems.messages] == [f"{path}:4", f"{path}:5"]
    assert "can't decode byte 0xff" in problems.messages[0]
