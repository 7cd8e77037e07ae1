"""docs/graphs.md does what it says when it is pasted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import ROOT, CommandLine
from tests.test_readme import blocks, commands

TEXT = (ROOT / "docs/graphs.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of a section."""
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_a_table(factprobe: CommandLine) -> None:
    (factprobe.folder / "facts.csv").write_text(blocks(section("A table"), "csv")[0], encoding="utf-8")
    plain, worded = commands(section("A table"))
    assert "extract: 2 relations, 7 triplets" in factprobe(*plain).out
    questions = factprobe.folder / "outputs/csv/questions/template/capital.jsonl"
    assert "France, capital: Paris." in questions.read_text()
    assert factprobe(*worded).code == 0
    assert "The capital of France is Paris." in questions.read_text()


def test_rdf(factprobe: CommandLine) -> None:
    pytest.importorskip("pyoxigraph")
    (factprobe.folder / "places.ttl").write_text(blocks(section("RDF"), "turtle")[0], encoding="utf-8")
    every, years = commands(section("RDF"))
    assert "extract: 1 relations, 2 triplets" in factprobe(*every).out
    assert '"object_label":"Paris"' in (factprobe.folder / "outputs/rdf/triplets/capital.jsonl").read_text()
    assert "extract: 1 relations, 1 triplets" in factprobe(*years).out
    assert '"object_label":"1821"' in (factprobe.folder / "outputs/years/triplets/founded.jsonl").read_text()


def test_python(tmp_path: Path) -> None:
    [code] = blocks(section("From Python"), "python")
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == ["['capital']", "France - Paris"]


def test_a_table_of_ctd(factprobe: CommandLine) -> None:
    """The file as CTD publishes it: a header in a comment, rows without direct evidence."""
    (factprobe.folder / "CTD_chemicals_diseases.csv").write_text(
        "# Fields:\n# ChemicalName,ChemicalID,CasRN,DiseaseName,DiseaseID,DirectEvidence\n#\n"
        "aspirin,D001241,50-78-2,Headache,MESH:D006261,therapeutic\n"
    )
    result = factprobe("step=extract", "kg=ctd_csv", "kg.source=CTD_chemicals_diseases.csv")
    assert "1 relations, 1 triplets" in result.out, result.err
