"""Files that are whole or not there: where the disk is full is told, and what a kill left is cleared away."""

from __future__ import annotations

import csv
import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from time import time

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.asking.log import ResponseLog
from factprobe.cli.process import error_line
from factprobe.errors import DataError
from factprobe.records import Answer, Response
from factprobe.storage import atomic_files, spool, write_csv, write_json, write_lines
from tests.command_line import CommandLine

LONG = Answer("Q1", "Paris" * 1000)


@contextmanager
def files_of_at_most(size: int) -> Iterator[None]:
    """No file of this process may grow beyond a size."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def spooled(path: Path) -> None:
    with spool(path, Answer) as kept:
        for record in [LONG] * 100:
            kept.add("P36", record)


WRITES: dict[str, Callable[[Path], object]] = {
    "lines": lambda path: write_lines(path, [LONG] * 100),
    "a document": lambda path: write_json(path, LONG),
    "a table": lambda path: write_csv(path, [LONG]),
    "set aside": spooled,
    "a response": lambda path: ResponseLog(path).append(Response("q", LONG.label, None, None, None)),
}


@pytest.mark.parametrize("name", WRITES)
def test_full_disk_error_names_the_path(tmp_path: Path, name: str) -> None:
    path = tmp_path / "place"
    with files_of_at_most(1000), pytest.raises(OSError, match="too large") as caught:
        WRITES[name](path)
    assert str(error_line(caught.value)) == f"{path}: File too large; make room, and run the same command again"


@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.slow
def test_full_output_is_an_error(tmp_path: Path, unbuffered: str) -> None:
    environment = os.environ | {"PYTHONUNBUFFERED": unbuffered}
    command = [sys.executable, "-m", "factprobe", "step=extract", "limit=1"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, stdout=full, stderr=subprocess.PIPE, text=True, check=False
        )
    assert done.returncode == 2
    assert done.stderr == (
        "factprobe: error: the output: No space left on device; make room, and run the same command again\n"
    )


def test_full_output_is_told_as_such_by_a_step_with_files(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("question,answers,response\nWho?,Ada,Ada\n")
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "factprobe", "step=grade", "input=a.csv"],
            cwd=tmp_path,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.stderr.startswith("factprobe: error: the output: No space left on device; ")


@pytest.mark.parametrize("is_linked", [False, True])
def test_pipe_or_a_device_is_not_replaced(tmp_path: Path, is_linked: bool) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    path = tmp_path / "link" if is_linked else pipe
    if is_linked:
        path.symlink_to(pipe)
    for name in ("lines", "a document", "a table"):
        with pytest.raises(DataError, match="is not a regular file, and is not overwritten; choose another path"):
            WRITES[name](path)
    assert pipe.is_fifo()
    assert path.is_symlink() == is_linked


def test_existing_file_is_replaced(tmp_path: Path) -> None:
    path, link = tmp_path / "file", tmp_path / "link"
    path.write_text("before")
    link.symlink_to(path)
    write_json(link, LONG)
    write_json(tmp_path / "new", LONG)
    assert path.read_text() == "before"
    assert link.read_text() == (tmp_path / "new").read_text()


def test_only_leftovers_of_kills_are_removed(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    left = ["scores.json", "grades/template/m/P36.jsonl", "responses/g/m/superseded/P36.jsonl"]
    killed = [(root / name).with_name(f".{Path(name).name}.{place}.tmp") for place, name in enumerate(left, 1)]
    others = [root / "notes.tmp", root / ".notes.tmp", root / "questions/g/.P36.jsonl.tmp", root / "mine/.a.1.tmp"]
    written = root / ".live.json.4.tmp"
    for path in (*killed, *others, written):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("half")
    for path in (*killed, *others):
        os.utime(path, (time() - 25 * 3600,) * 2)
    os.utime(written, (time() - 23 * 3600,) * 2)
    assert factprobe("step=extract", "relations=[P36]", "limit=1").code == 0
    assert sorted(root.rglob("*.tmp")) == sorted([*others, written])


class Row(msgspec.Struct):
    name: str
    rate: float | None
    count: int


FORMULAS = ["=cmd()", "+1", "-1", "@SUM(A1)", "\t1", "\r1", "\n1", "＝1", "=", "-", "'=1", "''@"]
PLAIN = ["", "a\nb", '"a",=1', "Paris", "gpt-4o", "a=b", "'twas", "'", "1-1", "N-M", "≥1"]


def cells(path: Path, names: list[str]) -> list[str]:
    write_csv(path, [Row(name, -0.5, -3) for name in names])
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert {(row["rate"], row["count"]) for row in rows} <= {("-0.5", "-3")}
    return [row["name"] for row in rows]


def test_no_cell_is_a_formula(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    assert cells(path, FORMULAS) == [f"'{name}" for name in FORMULAS]
    assert cells(path, PLAIN) == PLAIN


@pytest.mark.parametrize("sign", [";", "|", "\t", "\r", "\n"])
def test_formulas_with_other_separators_are_escaped(tmp_path: Path, sign: str) -> None:
    """Where a comma is that of decimals, a spreadsheet parts cells at semicolons, and rows within quotes."""
    names = [f"a{sign}=cmd()", f"={sign}'+1{sign}-", f"a{sign} b", f"a{sign}b"]
    assert cells(tmp_path / "table.csv", names) == [
        f"a{sign}'=cmd()",
        f"'={sign}''+1{sign}'-",
        f"a{sign} b",
        f"a{sign}b",
    ]


@pytest.mark.hypothesis
def test_escaping_cells_is_injective(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("csv") / "table.csv"

    @given(st.lists(st.text("'=-a\t＝", max_size=4), unique=True, max_size=20))
    def round_trip(names: list[str]) -> None:
        found = cells(path, names)
        assert len(set(found)) == len(names)
        assert not any(name[:1] in tuple("=-\t＝") for name in found if name)

    round_trip()


@pytest.mark.parametrize("name", ["lines", "a document", "a table"])
def test_link_in_the_place_of_a_temporary_file_is_not_followed(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that others can write to, they may know the names to come."""
    own, path, numbers = tmp_path / "own", tmp_path / "shared/place", iter([1, 1, 2])
    own.write_text("mine")
    path.parent.mkdir()
    monkeypatch.setattr(atomic_files, "randbelow", lambda _: next(numbers))
    for number in (f"{os.getpid()}", f"{os.getpid()}000000001"):
        (path.parent / f".place.{number}.tmp").symlink_to(own)
        (path.parent / f".other.{number}.tmp").symlink_to(tmp_path / "new")
    WRITES[name](path)
    assert own.read_text() == "mine"
    assert "Paris" in path.read_text()
    assert all(found.is_symlink() for found in path.parent.glob("*.tmp"))


def test_nothing_is_written_without_a_free_temporary_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(atomic_files, "randbelow", lambda _: 1)
    (tmp_path / f".place.{os.getpid()}000000001.tmp").symlink_to(tmp_path / "new")
    with pytest.raises(DataError, match="place: its folder already has all names of temporary files; choose"):
        write_json(tmp_path / "place", LONG)
    assert not (tmp_path / "new").exists()


def test_link_in_the_place_of_a_file_is_replaced(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.write_text("mine")
    (tmp_path / "place").symlink_to(own)
    write_json(tmp_path / "place", LONG)
    assert own.read_text() == "mine"
    assert not (tmp_path / "place").is_symlink()


def test_own_file_opens_as_non_link(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "own")
    with pytest.raises(DataError, match="is a link"):
        atomic_files.open_without_links(tmp_path / "link", "ab")
    assert not (tmp_path / "own").exists()
    with atomic_files.open_without_links(tmp_path / "part", "ab") as file:
        file.write(b"x")
    assert (tmp_path / "part").read_bytes() == b"x"
