"""What is printed obeys nobody: control codes of data, names and endpoints are spelled out."""

from __future__ import annotations

import io
import json
import os
import shlex
import subprocess
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from factprobe.progress import printable, say
from tests.answering import EXAM, settings
from tests.command_line import ROOT, CommandLine, process
from tests.models.server import completion, endpoint, fault

EVIL = "\x1b]0;owned\x07\x1b[2J\x9b31m\r\x08\u202e"
SHOWN = r"\x1b]0;owned\x07\x1b[2J\x9b31m"


def obeyed(text: str) -> set[str]:
    """The characters that a terminal would obey."""
    return {c for c in text if unicodedata.category(c) in ("Cc", "Cf") and c != "\n"}


def test_an_error_of_an_endpoint(factprobe: CommandLine) -> None:
    with endpoint(lambda body: (401, fault(f"wrong {EVIL} key"))) as server:
        line = factprobe.fails("step=all", *settings(server.base_url), code=3)
    assert f"401: wrong {SHOWN}" in line
    assert obeyed(line) == set()


@pytest.mark.parametrize("option", [[], ["debug=true"]], ids=["a line", "a traceback"])
def test_an_error_in_the_settings(factprobe: CommandLine, option: list[str]) -> None:
    result = factprobe("step=all", f"kg.data_dir='{EVIL}'", *option)
    assert result.code == 2
    assert r"\x1b]0;owned" in result.err
    assert obeyed(result.err) == set()


def test_names_and_labels_in_tables(factprobe: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    folder = tmp_path / "data"
    folder.mkdir()
    relation = {"relation": "P1", "template": "[X] is near [Y] .", "label": f"near {EVIL}", "type": "N-M"}
    (folder / "relations.jsonl").write_text(json.dumps(relation))
    facts = [{"sub_uri": f"S{i}", "sub_label": f"S{i}", "obj_uri": f"O{i}", "obj_label": f"O{i}"} for i in range(4)]
    (folder / "P1.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in facts))
    for name in ("one", "two"):
        exam = ["kg.data_dir=data", "model=scripted", f"model.name='{name} {EVIL}'", "breakdowns=true"]
        result = factprobe("step=all", *exam)
        assert result.code == 0
        assert r"near \x1b]0;" in result.out
        assert obeyed(result.out) == set()
    result = factprobe("step=compare", "kg.data_dir=data", "model=scripted")
    assert r"one \x1b]0;" in result.out
    assert obeyed(result.out) == set()


def test_a_warning_of_a_process(factprobe: CommandLine, tmp_path: Path) -> None:
    def answer(body: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        return (400, fault(f"no {EVIL}")) if "France" in str(body) else (200, completion("Paris"))

    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *EXAM).code == 0
    with endpoint(answer) as server, process("step=answer", *settings(server.base_url), folder=tmp_path) as run:
        out, err = run.communicate(timeout=60)
    assert run.returncode == 0
    assert f"4 of 20 questions have no answer of stub, most often: 400: no {SHOWN}" in err
    assert obeyed(out + err) == set()


def test_what_people_write_stays() -> None:
    text = "Zürich, 東京, الرياض, a\tb\nc → d, \\x1b, \u200fעברית 👩‍🚀"
    assert printable(text) == text


def test_what_is_said_goes_out_in_one_piece() -> None:
    written: list[bytes] = []

    class Pipe(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, part: Any) -> int:
            written.append(bytes(part))
            return len(part)

    say("a\nb", io.TextIOWrapper(io.BufferedWriter(Pipe()), line_buffering=True))
    assert [part for part in written if part] == [b"a\nb\n"]


@pytest.mark.parametrize("closed", ["2>&-", ">&-", "<&- >&- 2>&-"])
def test_a_stream_that_is_closed_ends_nothing(tmp_path: Path, closed: str) -> None:
    (tmp_path / "answers.csv").write_text("question,answers,response\nWho?,Emma,Emma\n")
    environment = {**os.environ, "FACTPROBE_CACHE": str(tmp_path / "cache"), "PYTHONPATH": str(ROOT)}
    command = f"exec {shlex.quote(sys.executable)} -m factprobe step=grade input=answers.csv workers=1 {closed}"
    done = subprocess.run(["sh", "-c", command], cwd=tmp_path, env=environment, timeout=120, check=False)
    assert done.returncode == 0
    [line] = (tmp_path / "outputs/answers/grades.jsonl").read_text().splitlines()
    assert '"verdict":"correct"' in line
