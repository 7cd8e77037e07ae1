"""The installed package: configs and small graphs inside, the command works from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest


def test_the_wheel_holds_configs_graphs_and_data_files(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    for name in (
        "factprobe/py.typed",
        "factprobe/_data/conf/config.yaml",
        "factprobe/_data/conf/prompts/multi_choices.yaml",
        "factprobe/_data/kgs/trex/relations.jsonl",
        "factprobe/_data/kgs/umls/SOURCE.md",
        "factprobe/reading/language/en/unknown.toml",
        "factprobe/reports/templates/page.html.j2",
        "factprobe/reports/templates/script.js",
    ):
        assert name in names
    assert not any(name.startswith(("tests/", "benchmarks/")) for name in names)


@pytest.mark.slow
def test_the_command_works_from_any_folder(wheel: Path, tmp_path: Path) -> None:
    site, here = tmp_path / "site", tmp_path / "here"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(site), str(wheel)]
    subprocess.run(install, check=True)
    here.mkdir()
    command = [sys.executable, str(site / "bin" / "factprobe"), "step=all", "kg=google_re", "model=scripted", "limit=3"]
    environment = {**os.environ, "PYTHONPATH": str(site)}
    done = subprocess.run(command, cwd=here, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert (here / "outputs/google_re/report.html").exists()
    done = subprocess.run(
        [*command[:2], "--help"], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert "  model.max_tokens=48  " in done.stdout
    code = "import factprobe.config as c; print(c.resource('kgs'))"
    where = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert where.stdout.strip() == str(site / "factprobe/_data/kgs")
