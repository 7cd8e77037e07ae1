"""The installed package: configs and small graphs inside, the command works from any folder."""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
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
def test_the_distributions_can_be_published(wheel: Path, tmp_path: Path) -> None:
    source = wheel.parent / "source"
    build = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(source)]
    subprocess.run(build, check=True, capture_output=True, timeout=600)
    [sdist] = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    wanted = {"README.md", "LICENSE", "CHANGELOG.md", "SECURITY.md", "Makefile", "mkdocs.yml", "docs/python.md"}
    assert names >= wanted | {"factprobe/__init__.py", "conf/config.yaml", "tests/conftest.py"}
    assert not any(name.startswith((".venv", "outputs/")) for name in names)
    check = [sys.executable, "-m", "uv", "tool", "run", "twine", "check", "--strict", str(wheel), str(sdist)]
    own = {**os.environ, "UV_CACHE_DIR": str(tmp_path / "cache"), "UV_TOOL_DIR": str(tmp_path / "tools")}
    checked = subprocess.run(check, env=own, capture_output=True, text=True, check=False, timeout=600)
    assert checked.returncode == 0, checked.stdout + checked.stderr


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
    assert "  model.max_tokens=128  " in done.stdout
    code = "import factprobe.config as c; print(c.resource('kgs'))"
    where = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env=environment, capture_output=True, text=True, check=True
    )
    assert where.stdout.strip() == str(site / "factprobe/_data/kgs")
