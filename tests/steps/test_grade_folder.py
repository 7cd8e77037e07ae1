"""Where step=grade writes: nothing of anybody's is written over, and what is wrong with a folder is one line."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from tests.command_line import CommandLine
from tests.inputs.replies import csv_text, totals
from tests.steps.test_grade import ROWS

HINT = "set output_dir= to another folder"


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="/proc is Linux's")


@pytest.fixture(autouse=True)
def answers(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))


@pytest.mark.parametrize(
    ("folder", "told"),
    [
        ("a.csv", f"a.csv: is a file, not a folder; {HINT}"),
        ("a.csv/deep/er", f"a.csv: is a file, not a folder; {HINT}"),
        ("/dev/null", f"/dev/null: is a file, not a folder; {HINT}"),
        pytest.param("/proc/here", f"cannot be created: No such file or directory; {HINT}", marks=on_linux),
    ],
)
def test_a_folder_that_cannot_be(folder: str, told: str, factprobe: CommandLine) -> None:
    assert told in factprobe.fails("step=grade", "input=a.csv", f"output_dir={folder}")


@pytest.mark.parametrize("step", ["grade", "extract"])
def test_a_folder_that_may_not_be_written(step: str, factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    (factprobe.folder / "here").mkdir()
    allowed = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: not mode & os.W_OK and allowed(path, mode))  # root may all
    told = factprobe.fails(f"step={step}", "input=a.csv", "output_dir=here")
    assert f"here: is a folder without write permission; {HINT}" in told
    assert not list((factprobe.folder / "here").iterdir())


@pytest.mark.parametrize("name", ["scores.csv", "grades.jsonl", "report.md", "bias.json", "manifest.json"])
def test_an_input_is_not_written_over(name: str, factprobe: CommandLine) -> None:
    folder = factprobe.folder / "logs"
    folder.mkdir()
    text = csv_text(ROWS).encode()
    (folder / name).write_bytes(text)
    given = [f"input=logs/{name}", "input_format=csv"]
    told = factprobe.fails("step=grade", *given, "output_dir=other/../logs")
    assert f"logs/{name}: is called as a file that step=grade writes there; {HINT}" in told
    assert (folder / name).read_bytes() == text
    assert factprobe("step=grade", *given, "output_dir=logs/graded").code == 0


def test_the_folder_of_the_input_will_do(factprobe: CommandLine) -> None:
    for _ in range(2):
        assert factprobe("step=grade", "input=a.csv", "output_dir=.").code == 0
    told = factprobe.fails("step=grade", "input='*'", "input_format=csv", "output_dir=.")
    assert f"is called as a file that step=grade writes there; {HINT}" in told


@pytest.mark.parametrize(
    "name", ["scores.csv", "report.html", "report.md", "scores.parquet", "bias.json", "manifest.json"]
)
@pytest.mark.parametrize("step", ["grade", "compare"])
def test_a_file_of_the_user_is_not_written_over(name: str, step: str, factprobe: CommandLine) -> None:
    folder = factprobe.folder / "p2"
    folder.mkdir()
    (folder / name).write_text("{}")
    told = factprobe.fails(f"step={step}", "input=a.csv", "output_dir=p2")
    assert f"p2: has {name}, which step=" in told
    assert HINT in told
    assert [(path.name, path.read_text()) for path in folder.iterdir() if path.name[0] != "."] == [(name, "{}")]
    (folder / name).unlink()
    assert factprobe("step=grade", "input=a.csv", "output_dir=p2").code == 0


def test_a_run_that_broke_off_is_repeated(factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:

        def stop(*_: object) -> None:
            raise KeyboardInterrupt

        patch.setattr("factprobe.steps.replies.grade.write_report", stop)
        assert factprobe("step=grade", "input=a.csv").code != 0
    assert (factprobe.folder / "outputs/a/scores.csv").exists()
    assert factprobe("step=grade", "input=a.csv").code == 0


def test_the_grades_of_other_replies_are_not_written_over(factprobe: CommandLine) -> None:
    for name in ("one", "two"):
        (factprobe.folder / name).mkdir()
        (factprobe.folder / name / "answers.csv").write_text(csv_text([{**row, "system": name} for row in ROWS]))
    assert factprobe("step=grade", "input=one/answers.csv").code == 0
    told = factprobe.fails("step=grade", "input=two/answers.csv", "output_dir=./outputs/answers")
    what = "outputs/answers: holds the grades of other replies, those of one/answers.csv"
    assert f"{what}; {HINT}, or delete it" in told
    assert [*totals(factprobe.folder)] == ["one"]
    again = [f"input={Path.cwd()}/one/answers.csv", "input=[one/answers.csv,two/answers.csv]"]
    for given in again:  # the same under another name, and with more
        assert factprobe("step=grade", given, "output_dir=outputs/answers").code == 0
    assert "those of one/answers.csv and 1 more" in factprobe.fails(
        "step=grade", "input=a.csv", "output_dir=outputs/answers"
    )


def test_files_of_one_name_have_folders_of_their_own(factprobe: CommandLine) -> None:
    for name in ("one", "two"):
        (factprobe.folder / name).mkdir()
        (factprobe.folder / name / "a.csv").write_text(csv_text(ROWS))
    for _ in range(2):
        assert "→ outputs/a/report.html" in factprobe("step=grade", "input=one/a.csv").out
        assert "→ outputs/a-two/report.html" in factprobe("step=grade", "input=two/a.csv").out
