"""What docs/extending.md shows does what it says: each section's files are written, and its commands run."""

from __future__ import annotations

import json
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import ROOT, CommandLine, Result, process
from tests.test_readme import commands

TEXT = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
SECTIONS = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", TEXT, re.MULTILINE | re.DOTALL))
FILE = re.compile(r"^(?:```\w+\n# |The file `)(\S+?)(?:\n|`:\n\n```\w+\n)(.*?)^```", re.MULTILINE | re.DOTALL)
"""A block that is a file: its first line says which, or the sentence before it."""


def holds(root: Path, name: str) -> str:
    return (root / name).read_text(encoding="utf-8")


def rows(root: Path, name: str) -> list[dict[str, object]]:
    return [json.loads(line) for path in sorted(root.glob(name)) for line in path.read_text().splitlines()]


SEEN: dict[str, Callable[[Path, list[Result]], object]] = {
    "A new graph": lambda root, _: "France" in holds(root, "outputs/capitals/triplets/capital.jsonl"),
    "A new graph in files": lambda _, ran: "extract: 1 relation, 2 triplets" in ran[0].out,
    "A new format": lambda root, ran: (
        len(rows(root, "outputs/peaks/triplets/*.jsonl")) == 2 and "1 broken line skipped" in ran[0].out
    ),
    "A new input format": lambda root, ran: (
        [row["verdict"] for row in rows(root, "outputs/learnt/grades.jsonl")] == ["correct"]
        and "1 record skipped" in ran[0].out
    ),
    "A new question type": lambda root, _: ",initial," in holds(root, "outputs/trex/scores.csv"),
    "A new wording": lambda root, _: "Complete with the missing" in str(rows(root, "outputs/trex/questions/*/*.jsonl")),
    "A new provider": lambda root, _: (
        (root / "outputs/trex/grades/template/herd").is_dir()
        and (root / "outputs/trex/grades/template/parrot").is_dir()
    ),
    "A new match rule": lambda root, _: (
        {
            row["rule"]
            for row in rows(root, "outputs/trex/grades/template/shrugger/*.jsonl")
            if row["question_type"] == "single_answer"
        }
        == {"shrug"}
    ),
    "A new checker": lambda root, _: [row["ys"] for row in rows(root, "judged.jsonl")] == [["Entailment"], ["Neutral"]],
    "A new retriever": lambda root, _: (
        [(row["reference"], row["ys"]) for row in rows(root, "checked.jsonl")]
        == [("Ulm lies on the Danube.", ["Entailment"]), ("Turin lies on the Po.", ["Neutral"])]
    ),
    "A new detector": lambda root, _: (
        [row["p(Hallucination)"] for row in json.loads(holds(root, "detected.json"))] == [0.0, 1.0]
    ),
    "A new metric": lambda root, _: "miss_rate_low" in holds(root, "outputs/trex/scores.csv"),
    "A new breakdown": lambda root, ran: (
        '"model":"scripted"' in holds(root, "outputs/trex/first_option.json").replace(" ", "")
        and "take the first option" in ran[-1].out
    ),
    "A new plot": lambda root, _: "Coverage by relation" in holds(root, "outputs/trex/report.html"),
    "A new setting": lambda _, ran: "model.moods=2" in ran[0].out and "the herd is busy" in ran[0].out,
}
"""What is there when a section's commands have run."""


NEEDS = {"A new setting": ("A new provider",), "A new retriever": ("A new checker",)}
"""Sections whose files another section uses."""


def write(folder: Path, section: str) -> None:
    """The files of a section, as they stand there."""
    for name, text in FILE.findall(SECTIONS[section]):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        sys.modules.pop(Path(name).stem, None)  # a module of that name that another test had written


@pytest.mark.parametrize("section", SEEN)
def test_a_section_does_what_it_says(factprobe: CommandLine, section: str) -> None:
    write(factprobe.folder, section)
    for needed in NEEDS.get(section, ()):
        write(factprobe.folder, needed)
    ran = [factprobe(*command) for command in commands(SECTIONS[section])]
    assert [one.code for one in ran] == [0] * len(ran), ran[-1].err
    assert SEEN[section](factprobe.folder, ran)


def test_a_step_is_a_module_and_a_line(tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    for name in ("factprobe", "conf", "kgs"):
        shutil.copytree(ROOT / name, tree / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name, text in FILE.findall(SECTIONS["A new step"]):
        with (tree / name).open("a", encoding="utf-8") as file:
            file.write(text)
    for command in commands(SECTIONS["A new step"]):
        with process(*command, folder=tmp_path, PYTHONPATH=str(tree)) as run:
            out, err = run.communicate(timeout=120)
        assert run.returncode == 0, err
    assert re.search(r"^count: \d+ questions$", out, re.MULTILINE)
    counts = json.loads(holds(tmp_path, "outputs/trex/counts.json"))
    assert counts == json.loads(holds(tmp_path, "outputs/trex/manifest.json"))["count"]["counts"]


def test_every_section_is_tried() -> None:
    # The language is tried in tests/reading/test_language.py; a model is not trained in the tests.
    elsewhere = {"A new step", "A new language", "A new match feature"}
    assert {*SECTIONS} == {*SEEN, *elsewhere}
    assert all(f"](#{head.lower().replace(' ', '-')})" in TEXT for head in SECTIONS)
