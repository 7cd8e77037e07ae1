"""Copies of output folders for dry runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from factprobe.storage import copy_folder


@pytest.fixture
def output(tmp_path: Path) -> Path:
    names = ["scores.csv", "grades/g/m/P36.jsonl", "own/data.bin", ".lock", ".begun-report", ".git/config"]
    names += ["responses/g/m/P36.jsonl", "study/p/v/1/asked/part/m/responses/1.jsonl", "worded/m/responses.jsonl"]
    for name in names:
        (tmp_path / "output" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "output" / name).write_text("x")
    (tmp_path / "output/dead").symlink_to("nowhere")
    return tmp_path / "output"


def test_only_files_that_steps_change_in_place_are_copied(output: Path, tmp_path: Path) -> None:
    copy_folder(output, tmp_path / "copy")
    found = {path.relative_to(tmp_path / "copy").as_posix(): path for path in (tmp_path / "copy").rglob("*")}
    copied = {name for name, path in found.items() if path.is_file() and not path.is_symlink()}
    assert copied == {
        ".begun-report",
        "responses/g/m/P36.jsonl",
        "study/p/v/1/asked/part/m/responses/1.jsonl",
        "worded/m/responses.jsonl",
    }
    assert {name for name, path in found.items() if path.is_symlink()} == {
        "scores.csv",
        "grades/g/m/P36.jsonl",
        "own/data.bin",
        "dead",
    }


def test_without_links_all_is_copied(output: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError("not allowed")

    (output / "dead").unlink()
    monkeypatch.setattr(Path, "symlink_to", refuse)
    copy_folder(output, tmp_path / "copy")
    assert (tmp_path / "copy/own/data.bin").read_text() == "x"
    assert not (tmp_path / "copy/.lock").exists()


def test_a_missing_folder_gives_an_empty_copy(tmp_path: Path) -> None:
    copy_folder(tmp_path / "none", tmp_path / "copy")
    assert not list((tmp_path / "copy").iterdir())
