"""The fault bench runs, and sees what does not hold."""

from __future__ import annotations

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.command_line import ROOT

BENCH = ROOT / "benchmarks"
SECRET = 'sk-0123456789+/="&abcdefghij'


@pytest.fixture(autouse=True)
def beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its modules are found where its script lies."""
    monkeypatch.syspath_prepend(BENCH)


@pytest.mark.slow
def test_a_slice_of_it_holds() -> None:
    only = "^(final: 400|a number that is none)$"
    command = [sys.executable, str(BENCH / "faults.py"), "--only", only, "--jobs", "1"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=200)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "fault                  tried   held",
        "final: 400                 1      1",
        "a number that is none      1      1",
        "2 of 2 tries held, of 2 rows",
    ]


def test_what_does_not_hold_is_told_with_its_seed() -> None:
    from faults import Try, table

    tries = [Try("kill", 8, "late"), Try("kill", 7, "a traceback"), Try("kill", 6, None), Try("stall", 6, None)]
    assert list(table(tries, ["kill", "stall"])) == [
        "fault  tried   held",
        "kill       3      1   seed 7: a traceback",
        "stall      1      1",
    ]


@pytest.mark.parametrize(
    "form",
    [
        SECRET,
        quote(SECRET, safe=""),
        json.dumps(SECRET)[1:-1],
        SECRET.replace("&", "&amp;").replace('"', "&quot;"),
        *(b64encode(f"{before}:{SECRET}!".encode()).decode() for before in ("me", "you", "them")),
        SECRET[: len(SECRET) // 2],
    ],
)
def test_a_secret_is_found_in_every_form(tmp_path: Path, form: str) -> None:
    from fault_bench.secrets import found_in

    (tmp_path / "a").mkdir()
    (tmp_path / "a/clean").write_text(SECRET[:5] + SECRET[-5:])
    assert found_in(tmp_path, [SECRET]) == []
    (tmp_path / "a/file").write_bytes(b"\0\xff" + form.encode() + b"\n")
    assert found_in(tmp_path, [SECRET]) == ["a/file"]


@pytest.mark.parametrize(
    ("code", "out", "err", "reason"),
    [
        (0, "answer: 3 responses\n", "Traceback (most recent call last):\n", "a traceback"),
        (1, "", "factprobe: error: x\n", "exit code 1"),
        (2, "answer: 3 responses\n", "", "the last line"),
        (0, "", "", "the last line"),
        (0, "answer: 3 responses\n", "Unclosed client session\n", "not ours"),
        (0, "answer: \x1b[2J\n", "", "control codes"),
        (0, "answer: 3 responses\n", "WARNING: x\n" * 5000, "characters of errors"),
        (-14, "", "", "too long"),
    ],
)
def test_what_must_hold_of_any_run(code: int, out: str, err: str, reason: str) -> None:
    from fault_bench.attempt import Ended, NotHeldError

    Ended(0, "answer: 3 responses\n", "WARNING: 1 call failed\n").check()
    Ended(2, "", "factprobe: error: x\n").check()
    with pytest.raises(NotHeldError, match=reason):
        Ended(code, out, err).check()
    with pytest.raises(NotHeldError, match="exit code 0"):
        Ended(0, "answer: 3 responses\n", "").check(2)
    with pytest.raises(NotHeldError, match="MB"):
        Ended(0, "answer: 3 responses\n", "", megabytes=5000.0).check()
