"""What was made of other facts or under other settings is never mixed in: refused, or left out with a warning."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.exams import run_once
from tests.extras import needs

BASE = ["kg=trex", "kg.data_dir=data", "model=scripted", "generator.negatives=random"]
"""Wrong answers of one relation alone: those of the same type go by the facts of the others too."""
ROOT = Path("outputs/trex")


def facts(folder: Path, first: int, relations: tuple[str, ...] = ("P1", "P2")) -> None:
    """Writes a graph whose facts begin at a number."""
    data = folder / "data"
    data.mkdir(exist_ok=True)
    described = [{"relation": name, "template": "[X] is near [Y] .", "type": "N-M"} for name in ("P1", "P2")]
    (data / "relations.jsonl").write_text("".join(json.dumps(relation) + "\n" for relation in described))
    found = [
        {"sub_uri": f"S{i}", "sub_label": f"S {i}", "obj_uri": f"O{i + first}", "obj_label": f"O {i + first}"}
        for i in range(5)
    ]
    for name in relations:
        (data / f"{name}.jsonl").write_text("".join(json.dumps(fact) + "\n" for fact in found))


@pytest.fixture
def run(factprobe: CommandLine, tmp_path: Path) -> CommandLine:
    """A run that is done, behind which other facts are extracted of one of the relations."""
    facts(tmp_path, 0)
    run_once(factprobe, "step=all", *BASE)
    facts(tmp_path, 3, ("P2",))
    run_once(factprobe, "step=extract", *BASE)
    return factprobe


@pytest.mark.parametrize("step", ["answer", "evaluate"])
@pytest.mark.slow
def test_questions_about_other_facts_are_refused(run: CommandLine, step: str) -> None:
    line = run.fails(f"step={step}", *BASE)
    assert f"{ROOT}/questions/template/P2.jsonl: asks about other facts or templates than are extracted now" in line
    assert "run step=generate" in line
    assert run(f"step={step}", *BASE, "relations=[P1]").code == 0
    assert run("step=all", *BASE).code == 0
    assert run(f"step={step}", *BASE).code == 0


@pytest.mark.parametrize("change", [["limit=2"], ["relations=[P1]"], ["strict=true"], []])
@pytest.mark.slow
def test_what_changes_no_fact_makes_nothing_stale(factprobe: CommandLine, tmp_path: Path, change: list[str]) -> None:
    facts(tmp_path, 0)
    run_once(factprobe, "step=all", *BASE)
    assert factprobe("step=extract", *BASE, *change).code == 0
    for step in ("answer", "evaluate", "report"):
        result = factprobe(f"step={step}", *BASE)
        assert (result.code, result.err) == (0, "")


def test_the_folder_of_a_run_may_move(run: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "outputs").rename(tmp_path / "moved")
    assert "other facts" in run.fails("step=evaluate", *BASE, "output_dir=moved/trex")


def rewritten(path: Path) -> None:
    """As another program may write the same records."""
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def test_questions_and_responses_from_elsewhere_are_never_stale(run: CommandLine) -> None:
    (ROOT / "manifest.json").unlink()
    assert run("step=evaluate", *BASE).code == 0
    assert run("step=generate", *BASE).code == 0
    for path in (ROOT / "questions/template").glob("*.jsonl"):
        rewritten(path)
    for path in (ROOT / "responses/template/scripted").glob("*.jsonl"):
        lines = [json.loads(line) for line in path.read_text().splitlines()]
        bare = [{name: line[name] for name in ("question_id", "response")} for line in lines]
        full = [{**line, "finish_reason": None, "usage": None, "error": None} for line in bare]
        path.write_text("".join(json.dumps(line) + "\n" for line in full))
    facts(Path(), 1)
    assert run("step=extract", *BASE).code == 0
    assert run("step=evaluate", *BASE).code == 0


def rows(path: Path = ROOT / "scores.json") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(path.read_text())
    return found


def test_a_report_leaves_out_grades_by_other_facts(run: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert run("step=report", *BASE).code == 0
    assert {row["relation"] for row in rows() if row["level"] == "cell"} == {"P1"}
    [warning] = caplog.messages
    assert warning.startswith(f"{ROOT}/grades/template/scripted: graded by other facts or templates")
    assert warning.endswith("run step=all with this model again")
    facts(Path(), 2)
    assert run("step=extract", *BASE).code == 0
    line = run.fails("step=report", *BASE)
    assert "is not there" not in line
    assert "out of date" in line
    assert "run step=all" in line
    assert run("step=all", *BASE).code == 0
    assert {row["relation"] for row in rows() if row["level"] == "cell"} == {"P1", "P2"}


def test_a_comparison_leaves_out_grades_by_other_facts(run: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert run("step=all", *BASE, "model.name=other", "model.rule=gold").code == 0
    caplog.clear()
    assert run("step=compare", *BASE).code == 0
    assert "grades/template/scripted: graded by other facts" in caplog.text
    assert rows(ROOT / "comparison.json")[-1]["one_only"] == 20


@pytest.mark.parametrize("before", [[], ["shard=1/2"], ["shard=0/2"]], ids=["a whole run", "another shard", "itself"])
def test_a_shard_under_other_settings_is_refused(factprobe: CommandLine, tmp_path: Path, before: list[str]) -> None:
    facts(tmp_path, 0)
    for step in ("extract", "generate", "answer"):
        assert factprobe(f"step={step}", *BASE, *before).code == 0
    kept = {path: path.read_bytes() for path in (ROOT / "responses").rglob("*.jsonl")}
    line = factprobe.fails("step=answer", *BASE, "shard=0/2", "model.rule=gold")
    assert "has responses under other settings of the model" in line
    assert {path: path.read_bytes() for path in (ROOT / "responses").rglob("*.jsonl")} == kept
    assert factprobe("step=answer", *BASE, "shard=0/2", "model.rule=gold", "model.name=gold").code == 0
    assert factprobe("step=answer", *BASE, "shard=0/2").code == 0
    assert factprobe("step=answer", *BASE, "model.rule=gold").code == 0
    assert factprobe("step=answer", *BASE, "shard=0/2", "model.rule=gold").code == 0


def test_a_shard_may_follow_answers_to_other_questions(factprobe: CommandLine, tmp_path: Path) -> None:
    facts(tmp_path, 0)
    for step in ("extract", "generate", "answer"):
        assert factprobe(f"step={step}", *BASE).code == 0
    facts(tmp_path, 3)
    for step in ("extract", "generate"):
        assert factprobe(f"step={step}", *BASE).code == 0
    assert factprobe("step=answer", *BASE, "shard=0/1", "model.rule=gold").code == 0
    assert factprobe("step=evaluate", *BASE).code == 0


def test_answers_under_several_settings_are_not_graded_together(factprobe: CommandLine, tmp_path: Path) -> None:
    facts(tmp_path, 0)
    run_once(factprobe, "step=all", *BASE)
    assert factprobe("step=answer", *BASE, "model.rule=gold", "relations=[P2]").code == 0
    line = factprobe.fails("step=evaluate", *BASE)
    assert "responses/template/scripted: holds answers under several settings of the model" in line
    assert "P1.jsonl and P2.jsonl" in line
    assert factprobe("step=evaluate", *BASE, "relations=[P2]").code == 0
    assert factprobe("step=answer", *BASE, "model.rule=gold").code == 0
    assert factprobe("step=evaluate", *BASE).code == 0


@needs("sacrebleu")
def test_quality_leaves_out_questions_about_other_facts(run: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    folder = ROOT / "questions/template"
    of_p1 = (folder / "P1.jsonl").read_text().count("\n")
    assert run("step=quality", *BASE, "embedder=none").code == 0
    assert sum(row["questions"] for row in rows(ROOT / "quality.json")) == of_p1
    [warning] = caplog.messages
    what = "asks about other facts or templates than are extracted now, and is left out"
    assert warning == f"{folder}/P2.jsonl: {what}; run step=generate again"
    line = run.fails("step=quality", *BASE, "embedder=none", "relations=[P2]")
    assert f"{folder}/P2.jsonl: asks about other facts or templates than are extracted now" in line
    assert "run step=generate" in line


def cell_counts(path: Path = ROOT / "scores.json") -> dict[str, int]:
    """How many questions of each model a report counts."""
    return {row["model"]: row["questions"] for row in rows(path) if row["level"] == "total"}


ANEW = {"another seed": ["seed=7"], "another wording": ["generator.ask=subject"], "fewer": ["limit=2"]}


@pytest.fixture
def two(factprobe: CommandLine, tmp_path: Path) -> CommandLine:
    """Two models that were asked the same questions."""
    facts(tmp_path, 0)
    for rule in ("gold", "wrong"):
        run_once(factprobe, "step=all", *BASE, f"model.rule={rule}", f"model.name={rule}")
    return factprobe


def asked() -> set[tuple[str, str]]:
    """What the questions are, as the model sees them."""
    lines = [line for path in (ROOT / "questions/template").glob("*.jsonl") for line in path.read_text().splitlines()]
    return {(found["question_id"], json.dumps(found["prompts"])) for found in map(json.loads, lines)}


@pytest.mark.parametrize("change", ANEW.values(), ids=ANEW)
def test_grades_of_questions_that_were_made_anew_are_left_out(
    two: CommandLine, caplog: pytest.LogCaptureFixture, change: list[str]
) -> None:
    before = asked()
    for step in ("generate", "answer", "evaluate"):
        assert two(f"step={step}", *BASE, *change, "model.rule=gold", "model.name=gold").code == 0
    now, same = asked(), asked() & before
    assert same < before
    caplog.clear()
    assert two("step=report", *BASE).code == 0
    assert cell_counts() == {"gold": len(now)} | ({"wrong": len(same)} if same else {})
    [warning] = caplog.messages
    assert warning.startswith(f"{ROOT}/grades/template/wrong: {len(before) - len(same)} grades are of questions")
    assert warning.endswith("run step=answer and step=evaluate again")
    samples = (ROOT / "report.html").read_text()
    assert ("wrong" in samples) == bool(same)
    caplog.clear()
    compared = two("step=compare", *BASE)
    if same:
        [warning] = caplog.messages
        [row] = [row for row in rows(ROOT / "comparison.json") if row["question_type"] == "all"]
        assert (row["questions"], row["one_only"]) == (len(same), len(now) - len(same))
    else:
        assert "there are no grades of wrong for the questions that are there now" in compared.err
    assert two("step=all", *BASE, *change, "model.rule=wrong", "model.name=wrong").code == 0
    assert cell_counts() == {"gold": len(now), "wrong": len(now)}


def test_a_report_tells_of_answers_that_are_not_graded_yet(two: CommandLine, caplog: pytest.LogCaptureFixture) -> None:
    assert two("step=answer", *BASE, "model.rule=gold", "model.name=wrong").code == 0
    caplog.clear()
    assert two("step=report", *BASE).code == 0
    assert cell_counts() == {"gold": 40, "wrong": 40}
    [warning] = caplog.messages
    assert (
        warning == f"{ROOT}/grades/template/wrong: there are newer answers than those graded; run step=evaluate again"
    )
    assert two("step=evaluate", *BASE, "model.rule=gold", "model.name=wrong").code == 0
    caplog.clear()
    assert two("step=report", *BASE).code == 0
    assert not caplog.messages


def evaluated(run: CommandLine, name: str, *settings: str) -> None:
    """Answers and grades the questions as they are now."""
    for step in ("answer", "evaluate"):
        assert run(f"step={step}", *BASE, f"model.name={name}", *settings).code == 0


def test_a_comparison_of_other_questions_is_left_out_of_the_report(
    two: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    assert two("step=compare", *BASE).code == 0
    assert two("step=report", *BASE).code == 0
    assert "## Comparison" in (ROOT / "report.md").read_text()
    assert not caplog.messages
    assert two("step=generate", *BASE, "seed=7").code == 0
    for name in ("gold", "wrong"):
        evaluated(two, name, f"model.rule={name}")
    caplog.clear()
    assert two("step=report", *BASE).code == 0
    assert "## Comparison" not in (ROOT / "report.md").read_text()
    [warning] = caplog.messages
    assert warning.startswith(f"{ROOT}/comparison.json: its inputs have changed since")
    caplog.clear()
    for step in ("compare", "report"):
        assert two(f"step={step}", *BASE).code == 0
    assert "## Comparison" in (ROOT / "report.md").read_text()
    assert not caplog.messages


@pytest.mark.parametrize("change", ["questions", "answers"])
def test_grades_by_other_rules_of_other_questions_or_answers_are_left_out(
    two: CommandLine, caplog: pytest.LogCaptureFixture, change: str
) -> None:
    other = ["compat=llm_facteval", "model.name=gold", "model.rule=gold"]
    run_once(two, "step=evaluate", *BASE, *other)
    run_once(two, "step=report", *BASE)
    assert "facteval" in (ROOT / "report.md").read_text()
    if change == "questions":
        assert two("step=generate", *BASE, "seed=7").code == 0
    for name in ("gold", "wrong"):
        evaluated(two, name, "model.rule=wrong")
    caplog.clear()
    assert two("step=report", *BASE).code == 0
    assert "facteval" not in (ROOT / "report.md").read_text()
    [warning] = caplog.messages
    assert warning.startswith(f"{ROOT}/grades/template/gold/compat/llm_facteval: are of other questions or answers")


def test_raters_that_were_asked_in_other_words_are_not_set_against_each_other(
    two: CommandLine, caplog: pytest.LogCaptureFixture
) -> None:
    before = asked()
    assert two("step=generate", *BASE, "seed=7").code == 0
    evaluated(two, "gold", "model.rule=gold")
    caplog.clear()
    folders = {name: f"{ROOT}/grades/template/{name}" for name in ("gold", "wrong")}
    assert two("step=agree", *BASE, f"labels={json.dumps(folders)}").code == 0
    same = len(asked() & before)
    found = rows(ROOT / "agreement.json")
    assert {row["items"] + row["left_out"] for row in found if row["consensus"] == "all"} == {same}
    assert f"labels: {len(before) - same} questions were asked in different words" in caplog.text


def test_a_report_counts_questions_that_have_no_grade(factprobe: CommandLine, tmp_path: Path) -> None:
    facts(tmp_path, 0)
    for step in ("extract", "generate"):
        run_once(factprobe, f"step={step}", *BASE)
    for step in ("answer", "evaluate"):
        assert factprobe(f"step={step}", *BASE, *(["shard=0/2"] if step == "answer" else [])).code == 0
    ended = factprobe("step=report", *BASE, "fail_on_missing=true")
    assert ended.code == 4
    assert "of 40 questions have no answer of scripted" in ended.err
    assert factprobe("step=report", *BASE).code == 0


def test_a_source_that_changed_since_it_was_extracted_is_warned_of(
    factprobe: CommandLine, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    facts(tmp_path, 0)
    run_once(factprobe, "step=extract", *BASE)
    facts(tmp_path, 0)
    assert factprobe("step=generate", *BASE).code == 0
    assert "P2.jsonl: changed since" not in caplog.text
    facts(tmp_path, 3, ("P2",))
    assert factprobe("step=generate", *BASE).code == 0
    assert "P2.jsonl: changed since" in caplog.text
    assert "P1.jsonl" not in caplog.text
