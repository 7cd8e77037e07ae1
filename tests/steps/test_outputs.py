"""Tests that steps overwrite no file that they read, and no file of the user."""

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


EXAM = (*GRAPH, "model=scripted", "output_dir=.", "relations=[capital]")
USERS_FILES = {
    "extract": ["triplets/capital.jsonl", "triplets/summary.json", "manifest.json"],
    "generate": ["questions/template/capital.jsonl"],
    "evaluate": ["grades/template/scripted/capital.jsonl"],
    "report": ["report.html", "report.md", "scores.csv", "calibration.json", "bias.json"],
    "inspect": ["inspect.html", "inspect.json"],
    "paraphrase": ["templates.yaml"],
    "quality": ["quality.json"],
    "agree": ["agreement.csv", "agreement.json"],
    "compare": ["comparison.csv", "checks.xml"],
}
"""Files of the user with the names of outputs, by step."""
MORE = {
    "agree": ("labels={a: grades/template/scripted, b: grades/template/scripted}",),
    "compare": ("fail_below=0",),
    "quality": ("embedder=none",),
}
EARLIER = ("extract", "generate", "answer", "evaluate")


@pytest.mark.parametrize(("step", "name"), [(step, name) for step, names in USERS_FILES.items() for name in names])
def test_no_step_replaces_a_file_of_the_user(factprobe: CommandLine, graph: Path, step: str, name: str) -> None:
    for earlier in EARLIER[: EARLIER.index(step) if step in EARLIER else None]:
        assert factprobe(f"step={earlier}", *EXAM).code == 0
    (graph / name).parent.mkdir(parents=True, exist_ok=True)
    (graph / name).write_text("{}")
    for _ in range(2):
        line = factprobe.fails(f"step={step}", *EXAM, *MORE.get(step, ()))
        assert f"has {name}, which step={step} would write over" in line
        assert (graph / name).read_text() == "{}"
    (graph / name).unlink()
    for _ in range(2):
        assert factprobe(f"step={step}", *EXAM, *MORE.get(step, ())).code == 0


def test_an_exam_is_refused_before_a_model_is_asked(factprobe: CommandLine, graph: Path) -> None:
    (graph / "report.html").write_text("mine")
    for more in ((), ("dry_run=true",)):
        assert "has report.html, which step=report would write over" in factprobe.fails("step=all", *EXAM, *more)
    assert not (graph / "triplets").exists()


def test_a_step_that_broke_off_may_be_repeated(
    factprobe: CommandLine, graph: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for earlier in EARLIER:
        assert factprobe(f"step={earlier}", *EXAM).code == 0

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("factprobe.steps.probing.report.write_report", stop)
        assert factprobe("step=report", *EXAM).code == 130
    assert (graph / "scores.csv").exists()
    assert factprobe("step=report", *EXAM, "dry_run=true").code == 0
    assert factprobe("step=report", *EXAM).code == 0


def test_the_outputs_of_an_older_version_are_replaced(factprobe: CommandLine, graph: Path) -> None:
    for _ in range(2):
        assert factprobe("step=all", *EXAM).code == 0
        for path in graph.glob(".begun-*"):  # which older versions do not write
            path.unlink()


def test_a_comparison_that_broke_off_in_a_new_folder_may_be_repeated(
    factprobe: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    (factprobe.folder / "a.csv").write_text("question,answers,response,system\nWho?,A,A,x\nWho?,A,B,y\n")
    settings = ("step=compare", "input=a.csv", "fail_below=0", "output_dir=new")

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr("factprobe.steps.probing.compare.comparison_table", stop)
        assert factprobe(*settings).code == 130
    assert (factprobe.folder / "new/checks.xml").exists()
    assert factprobe(*settings).code == 0
