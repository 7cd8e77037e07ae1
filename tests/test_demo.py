"""What `make demo` says of itself is so; a rule-based model answers in place of the real one."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess

import pytest

from factprobe.config import compose, from_omegaconf
from tests.command_line import ROOT, CommandLine


@pytest.fixture(scope="module")
def recipe() -> list[str]:
    """Return the commands of the target, as if everything were installed."""
    if not shutil.which("make"):
        pytest.skip("there is no make here")
    command = ["make", "--dry-run", "--always-make", "demo"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def test_the_exam_is_as_large_as_it_says(
    recipe: list[str], factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    [run] = [line for line in recipe if "run.py" in line]
    at = recipe.index(run)
    announced = re.findall(r"[0-9]+ (?:questions|facts)", " ".join(recipe[:at]))
    _, _, *settings = shlex.split(run)
    assert "model=smollm2" in settings
    result = factprobe(*settings, "model=scripted")
    assert result.code == 0, result.err
    printed = result.out.replace("triplets", "facts")
    assert len(announced) == 2
    assert all(re.search(rf"\b{count}\b", printed) for count in announced)


def test_it_says_how_long_each_part_takes_before_it(recipe: list[str]) -> None:
    [run] = [at for at, line in enumerate(recipe) if "run.py" in line]
    install = next(at for at, line in enumerate(recipe) if " install " in line)
    assert any("minutes" in line for line in recipe[:install])
    assert any("minutes" in line for line in recipe[install:run])


def test_it_leaves_the_environment_of_the_readme_alone(recipe: list[str]) -> None:
    [own] = re.findall(r"python3 -m venv (\S+)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert not [line for line in recipe if f"{own}/" in line]


def test_pip_prints_nothing_but_errors(recipe: list[str]) -> None:
    installs = [shlex.split(line) for line in recipe if " install " in line]
    assert installs
    assert all("-q" in command for command in installs)


def test_the_settings_of_the_next_command_compose(recipe: list[str]) -> None:
    [line] = [line for line in recipe if "/factprobe step=" in line]
    [_, text] = shlex.split(line)
    _, *settings = shlex.split(text)
    assert from_omegaconf(compose(settings)).kg.name == "umls"


def test_all_that_it_prints_fits_the_terminal(recipe: list[str]) -> None:
    lines = [shlex.split(line) for line in recipe if line.startswith("echo ")]
    assert all(len(" ".join(said)) <= 80 for _, *said in lines)
