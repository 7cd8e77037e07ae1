"""Files that are whole or not there: where the disk is full is told, and what a kill left is cleared away."""

from __future__ import annotations

import csv
import resource
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from factprobe.asking.log import ResponseLog
from factprobe.cli.process import error_line
from factprobe.records import Answer, Response
from factprobe.storage import remove_left, spool, whole_file, write_csv, write_json, write_lines
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
        for record in kept.through("P36", [LONG] * 100):
            assert record is LONG


WRITES: dict[str, Callable[[Path], object]] = {
    "lines": lambda path: write_lines(path, [LONG] * 100),
    "a document": lambda path: write_json(path, LONG),
    "a table": lambda path: write_csv(path, [LONG]),
    "set aside": spooled,
    "a response": lambda path: ResponseLog(path).append(Response("q", LONG.label, None, None, None)),
}


@pytest.mark.parametrize("name", WRITES)
def test_a_full_disk_is_told_with_its_place(tmp_path: Path, name: str) -> None:
    path = tmp_path / "place"
    with files_of_at_most(1000), pytest.raises(OSError, match="too large") as caught:
        WRITES[name](path)
    assert str(error_line(caught.value)) == f"{path}: File too large; make room, and run the same command again"


def test_an_output_that_takes_no_more_is_told(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "factprobe", "step=extract", "limit=1"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(command, cwd=tmp_path, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == (
        "factprobe: error: the output: No space left on device; make room, and run the same command again\n"
    )


KILLED = """
import os, signal, sys
from pathlib import Path
from factprobe.storage import whole_file
with whole_file(Path(sys.argv[1])) as file:
    file.write(b"half")
    file.flush()
    print("there", flush=True)
    sys.stdin.read()
"""


def test_what_a_kill_left_is_cleared_away_and_nothing_else(factprobe: CommandLine, tmp_path: Path) -> None:
    root = tmp_path / "outputs/trex"
    paths = [root / "scores.json", root / "grades/template/m/P36.jsonl", root / "responses/g/m/superseded/P36.jsonl"]
    others = [root / "notes.tmp", root / ".notes.tmp", root / "questions/g/.P36.jsonl.tmp", root / "mine/.a.1.tmp"]
    for path in others:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
    writing = [
        subprocess.Popen(
            [sys.executable, "-c", KILLED, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for path in (*paths, root / "live.json")
    ]
    for process in writing:
        assert process.stdout is not None
        assert process.stdout.readline() == "there\n"
    *killed, live = writing
    for process in killed:
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert len(list(root.rglob(".*.jsonl.*.tmp"))) == 2
    assert factprobe("step=extract", "relations=[P36]", "limit=1").code == 0
    assert sorted(root.rglob("*.tmp")) == sorted([*others, root / f".live.json.{live.pid}.tmp"])
    live.communicate()
    assert (root / "live.json").read_bytes() == b"half"


def test_a_file_that_is_written_here_is_left_alone(tmp_path: Path) -> None:
    with whole_file(tmp_path / "a.json") as file:
        file.write(b"new")
        remove_left([tmp_path])
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]
    assert (tmp_path / "a.json").read_bytes() == b"new"


def test_a_file_that_is_taken_for_one_left_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened, taken = Path.open, []

    def late(path: Path, *arguments: object, **named: object) -> object:
        file = opened(path, *arguments, **named)  # type: ignore[call-overload]
        if not taken:
            taken.append(path)
            path.unlink()
        return file

    monkeypatch.setattr(Path, "open", late)
    write_json(tmp_path / "a.json", "new")
    monkeypatch.undo()
    assert taken
    assert (tmp_path / "a.json").read_text() == '"new"\n'


class Row(msgspec.Struct):
    name: str
    rate: float | None
    count: int


FORMULAS = ["=cmd()", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "＝1", "=", "-", "'=1", "''@"]
PLAIN = ["", "a\r=1", "a\n=1", '"a",=1', "Paris", "gpt-4o", "a=b", "'twas", "'", "1-1", "N-M", "≥1"]


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


def test_two_names_never_share_a_cell(tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("csv") / "table.csv"

    @given(st.lists(st.text("'=-a\t＝", max_size=4), unique=True, max_size=20))
    def round_trip(names: list[str]) -> None:
        found = cells(path, names)
        assert len(set(found)) == len(names)
        assert not any(name[:1] in tuple("=-\t＝") for name in found if name)

    round_trip()
