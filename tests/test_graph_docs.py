"""docs/graphs.md does what it says when it is pasted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.command_line import ROOT, CommandLine
from tests.kgs.archives.server import LAMA, zipped
from tests.kgs.archives.server import serving as serving_archive
from tests.kgs.oxigraph import program, serving
from tests.kgs.rrf import metathesaurus
from tests.models.server import closed_port
from tests.test_readme import README, blocks, commands

TEXT = (ROOT / "docs/graphs.md").read_text(encoding="utf-8")


def section(title: str) -> str:
    """The text of a section."""
    return TEXT.partition(f"\n## {title}\n")[2].partition("\n## ")[0]


def test_the_readme_has_the_same_commands() -> None:
    shown = [command for command in commands(README) if any(part.startswith("kg.source=") for part in command)]
    assert shown
    assert any(command in commands(TEXT) for command in shown)


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
    assert "extract: 1 relation, 2 triplets" in factprobe(*every).out
    assert '"object_label":"Paris"' in (factprobe.folder / "outputs/rdf/triplets/capital.jsonl").read_text()
    assert "extract: 1 relation, 1 triplet" in factprobe(*years).out
    assert '"object_label":"1821"' in (factprobe.folder / "outputs/years/triplets/founded.jsonl").read_text()


def test_umls(factprobe: CommandLine) -> None:
    pytest.importorskip("duckdb")
    metathesaurus(factprobe.folder / "META")
    every, chosen = commands(section("UMLS"))
    assert "extract: 1 relation, 3 triplets" in factprobe(*every).out
    questions = factprobe.folder / "outputs/umls_rrf/questions/template/may_treat.jsonl"
    assert "Aspirin, may treat: Fever." in questions.read_text()
    assert "extract: 2 relations, 3 triplets" in factprobe(*chosen).out


def test_published_data(factprobe: CommandLine) -> None:
    pytest.importorskip("pooch")
    fetch, extract = commands(section("Published data"))
    with serving_archive(zipped(LAMA)) as served:
        assert "fetch: 2 files" in factprobe(*fetch, f"fetch.url={served.url}").out
    assert "extract: 1 relation, 1 triplet" in factprobe(*extract).out


def test_an_endpoint(factprobe: CommandLine) -> None:
    pytest.importorskip("duckdb")
    (factprobe.folder / "places.ttl").write_text(blocks(section("RDF"), "turtle")[0], encoding="utf-8")
    load, serve = (line.split() for line in blocks(section("A SPARQL endpoint"), "bash")[0].splitlines()[:2])
    port = str(closed_port())
    here = {"127.0.0.1:7878": f"127.0.0.1:{port}"}
    every, years, wikidata = commands(section("A SPARQL endpoint"))
    subprocess.run([program(), *load[1:]], cwd=factprobe.folder, check=True, capture_output=True)
    with serving([*(here.get(word, word) for word in serve[1:-1])], int(port), factprobe.folder):
        told = factprobe(*(word.replace(":7878", f":{port}") for word in every))
        assert "extract: 1 relation, 2 triplets" in told.out, told.err
        told = factprobe(*(word.replace(":7878", f":{port}") for word in years))
        assert "extract: 1 relation, 1 triplet" in told.out, told.err
    assert '"object_label":"1821"' in (factprobe.folder / "outputs/years/triplets/founded.jsonl").read_text()
    down = [f"kg.endpoint=http://127.0.0.1:{port}/query", "kg.max_retries=0"]
    assert "no connection" in factprobe.fails(*wikidata, *down)


def test_inspect(factprobe: CommandLine) -> None:
    (factprobe.folder / "facts.csv").write_text(blocks(section("A table"), "csv")[0], encoding="utf-8")
    plain, asking, worded = commands(section("What is in it"))
    out = factprobe(*plain).out
    assert blocks(section("What is in it"), "text")[0].strip() in out
    (factprobe.folder / "said.jsonl").write_text(
        '{"question_id": "capital", "response": "[Y] is the capital of [X]."}\n'
        '{"question_id": "shares a border with", "response": "[X] borders on [Y]."}\n'
    )
    said = [part for part in asking if part != "model=smollm2"]  # that model takes its time
    assert "2 of 2 relations worded" in factprobe(*said, "model=replay", "model.path=said.jsonl").out
    assert factprobe(*worded).code == 0
    assert "[X] borders on [Y]." in (factprobe.folder / "outputs/csv/worded.yaml").read_text()


def test_export(factprobe: CommandLine) -> None:
    pytest.importorskip("pyoxigraph")
    (factprobe.folder / "facts.csv").write_text(blocks(section("A table"), "csv")[0], encoding="utf-8")
    for command in commands(section("And out again")):
        ended = factprobe(*command)
        assert ended.code == 0, ended.err
    again = factprobe("step=extract", "kg=csv", "kg.source=facts.parquet", "output_dir=again")
    assert "2 relations, 7 triplets" in again.out
    assert (factprobe.folder / "outputs/trex/graph.graphml").exists()


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
    assert "1 relation, 1 triplet" in result.out, result.err
