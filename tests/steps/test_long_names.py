"""Models whose names are too long for a folder, or hard on it, are told by their whole names."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from tests.command_line import CommandLine

BASE = ["kg=trex", "relations=[P36]", "limit=2", "model=scripted"]
NAMES = ["/models/" + "checkpoints/" * 12 + end for end in ("one", "two")]


@pytest.fixture
def graded(factprobe: CommandLine) -> CommandLine:
    for name in NAMES:
        result = factprobe("step=all", *BASE, f"model.name='{name}'", "compat=llm_facteval")
        assert result.code == 0, result.err
    return factprobe


def models(folder: Path, file: str) -> set[str]:
    rows = json.loads((folder / "outputs/trex" / file).read_text())
    return {row[key] for row in rows for key in ("model", "first", "second") if key in row}


def test_reports_tell_models_by_their_whole_names(graded: CommandLine, tmp_path: Path) -> None:
    assert models(tmp_path, "scores.json") == models(tmp_path, "consistency.json") == set(NAMES)
    page = (tmp_path / "outputs/trex/report.html").read_text()
    assert all(name in page for name in NAMES)
    result = graded("step=compare", *BASE)
    assert "2 models" in result.out
    for name in NAMES:
        assert re.search(rf"^ *{name[:8]}.*….*{name[-8:]} ", result.out, re.MULTILINE)
    assert models(tmp_path, "comparison.json") == set(NAMES)
    assert graded("step=compare", *BASE, f"models=['{NAMES[1]}','{NAMES[0]}']").code == 0


def test_folders_without_the_record_are_read_as_well(graded: CommandLine, tmp_path: Path) -> None:
    records = list((tmp_path / "outputs").rglob("name.json"))
    assert len(records) == 2
    for record in records:
        record.unlink()
    assert graded("step=report", *BASE).code == 0
    found = models(tmp_path, "scores.json")
    assert len(found) == 2
    assert all(name.startswith(NAMES[0][:100]) for name in found)
    assert graded("step=compare", *BASE).code == 0
    page = (tmp_path / "outputs/trex/report.html").read_text()
    assert all(name in page for name in found)
