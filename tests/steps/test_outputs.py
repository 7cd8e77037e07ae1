"""Tests that steps overwrite no file that they read, and `step=export` no file of the user."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.command_line import CommandLine

FACTS = "subject,relation,object\nQ1,capital,Q2\nQ3,capital,Q4\n"
LABELS = "id,label\nQ1,France\nQ2,Paris\nQ3,Peru\nQ4,Lima\n"
GRAPH = ("kg=csv", "kg.source=facts.csv", "kg.labels=labels.csv")


@pytest.fixture
def graph(factprobe: CommandLine) -> Path:
    (factprobe.folder / "facts.csv").write_text(FACTS)
    (factprobe.folder / "labels.csv").write_text(LABELS)
    (factprobe.folder / "capital.yaml").write_text('capital: "The capital of [X] is [Y]."\n')
    return factprobe.folder


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize(
    "output", ["facts.csv", "labels.csv", "capital.yaml", "sub/../facts.csv", "link.csv", "notes.txt"]
)
@pytest.mark.parametrize("format_", ["nt", "parquet", "graphml"])
def test_a_graph_replaces_no_file_of_the_user(factprobe: CommandLine, graph: Path, output: str, format_: str) -> None:
    (graph / "sub").mkdir()
    (graph / "link.csv").symlink_to("facts.csv")
    (graph / "notes.txt").write_text("mine")
    before = contents(graph)
    arguments = (*GRAPH, "kg.templates=capital.yaml", f"format={format_}", f"output={output}")
    assert output in factprobe.fails("step=export", *arguments)
    assert contents(graph) == before


def test_a_graph_is_not_written_over_its_source_in_a_pattern_or_at_the_default_place(
    factprobe: CommandLine, graph: Path
) -> None:
    own = ("step=export", "kg=csv", "kg.name=g", "format=parquet")
    assert factprobe(*own, "kg.source=facts.csv").code == 0
    for source in ("outputs/g/graph.parquet", "outputs/g/*.parquet"):
        before = contents(graph / "outputs/g")["graph.parquet"]
        assert "is read by this run" in factprobe.fails(*own, f"kg.source={source}", "relations=[capital]")
        assert contents(graph / "outputs/g")["graph.parquet"] == before


def test_brackets_in_a_pattern_are_no_wildcards(factprobe: CommandLine, graph: Path) -> None:
    (graph / "run[1]").mkdir()
    (graph / "facts.csv").rename(graph / "run[1]/facts.csv")
    command = ("step=export", "kg=csv", "kg.name=g", "format=nt", "kg.source='run[1]/*.csv'")
    assert "is read by this run" in factprobe.fails(*command, "output='run[1]/facts.csv'")
    assert (graph / "run[1]/facts.csv").read_text() == FACTS
    assert "2 facts of 1 relation" in factprobe(*command).out


@pytest.mark.parametrize("output", ["output=g.nt", "format=nt"])
def test_an_export_is_replaced_by_the_next_unless_it_was_changed(
    factprobe: CommandLine, graph: Path, output: str
) -> None:
    assert factprobe("step=export", *GRAPH, output).code == 0
    (graph / "facts.csv").write_text(FACTS + "Q1,twin,Q3\n")
    assert factprobe("step=export", *GRAPH, output).code == 0
    path = graph / ("g.nt" if output == "output=g.nt" else "outputs/csv/graph.nt")
    assert "twin" in path.read_text()
    path.write_text("# mine\n")
    factprobe.fails("step=export", *GRAPH, output)
    assert path.read_text() == "# mine\n"


@pytest.mark.parametrize(
    ("format_", "name"),
    [("hf", "README.md"), ("hf", "exam.jsonl"), ("inspect", "exam.py"), ("lm_eval", "factprobe_csv.yaml")],
)
def test_an_exam_replaces_no_file_of_the_user(factprobe: CommandLine, graph: Path, format_: str, name: str) -> None:
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *GRAPH).code == 0
    (graph / "mine").mkdir()
    (graph / "mine" / name).write_text("mine")
    assert f"mine/{name}" in factprobe.fails("step=export", *GRAPH, f"format={format_}", "output=mine")
    assert contents(graph / "mine") == {name: b"mine"}
    for folder in (["output=other"], []):
        for _ in range(2):
            assert factprobe("step=export", *GRAPH, f"format={format_}", *folder).code == 0


@pytest.mark.parametrize(
    "read",
    [
        ("kg=csv", "kg.source=facts.jsonl"),
        ("kg=csv", "kg.source=f*s.jsonl"),
        ("checker=llm", "retriever=bm25", "retriever.passages=facts.jsonl", "model=scripted"),
    ],
)
def test_claims_are_not_written_over_what_the_step_reads(
    factprobe: CommandLine, graph: Path, read: tuple[str, ...]
) -> None:
    (graph / "texts.json").write_text(json.dumps([{"response": "Paris is the capital of France."}]))
    (graph / "facts.jsonl").write_text('{"subject": "France", "relation": "capital", "object": "Paris", "text": "x"}\n')
    before = contents(graph)
    line = factprobe.fails("step=extract_check", "input=texts.json", "output=facts.jsonl", *read)
    assert "output: facts.jsonl is read by this run" in line
    assert contents(graph) == before
