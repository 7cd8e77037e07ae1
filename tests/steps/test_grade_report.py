"""What step=grade says of the replies: on its last line, in the manifest, on the page and in Markdown."""

from __future__ import annotations

import json
import re
from html import unescape
from typing import Any

import pytest

from tests.command_line import CommandLine
from tests.inputs.replies import LOGS, csv_text, helm_state, helm_text, json_lines, lm_eval_sample
from tests.steps.test_grade import FRANCE, PERU, ROWS


def seen(page: str) -> str:
    """The text that a page shows, its questions with their replies aside."""
    body = re.sub(r"<(style|script)>.*?</\1>|<tbody>(?=\s*<tr data-verdict).*?</tbody>", "", page, flags=re.DOTALL)
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", body)).split())


def test_what_is_skipped_is_counted_with_its_reason(factprobe: CommandLine) -> None:
    broken = [{**FRANCE, "answers": "", "response": "x"}] * 4 + [{**PERU, "question": "", "response": "x"}]
    (factprobe.folder / "a.csv").write_text(csv_text([{**row, "system": "s", "human": ""} for row in (*ROWS, *broken)]))
    (factprobe.folder / "b.csv").write_text("other,columns\n1,2\n")
    out = factprobe("step=grade", "input=[a.csv,b.csv]").out
    assert "; 5 records skipped, 1 file not read in full → " in out
    folder = factprobe.folder / "outputs/a"
    counts = json.loads((folder / "manifest.json").read_text())["grade"]["counts"]
    assert (counts["skipped"], counts["unread_files"], len(counts["skipped_named"])) == (5, 1, 6)
    page, text = seen((folder / "report.html").read_text()), (folder / "report.md").read_text()
    assert "Skipped 6" in page
    assert "has no right answer under 'answers' a.csv:6, a.csv:7, a.csv:8 4" in page
    assert "| has no right answer under 'answers' | a.csv:6, a.csv:7, a.csv:8 | 4 |" in text
    assert "| nothing of the file is read: has no 'question'" in text
    (factprobe.folder / "a.csv").write_text(csv_text(ROWS))
    assert "skipped" not in factprobe("step=grade", "input=a.csv").out
    assert "kipped" not in seen((folder / "report.html").read_text()) + (folder / "report.md").read_text()


OF_GRAPHS = re.compile(r"\b(subject|entity|endpoint|graphs?|facts?|models|generators?|asked)\b", re.IGNORECASE)


@pytest.mark.parametrize("relation", [{}, {"relation": "city"}])
def test_no_word_of_a_graph_is_said_of_replies(relation: dict[str, str], factprobe: CommandLine) -> None:
    more: list[dict[str, Any]] = [
        {"question": "Which city is it?", "answers": "Rome", "choices": "Rome|Milan", "response": "Rome"},
        {"question": "Is Rome a city?", "answers": "yes", "response": "Yes.", **relation},
        {"question": "Is Rome a river?", "answers": "no", "response": None},
    ]
    (factprobe.folder / "a.jsonl").write_text(json_lines([{**row, "system": "good"} for row in (*ROWS, *more)]))
    out = factprobe("step=grade", "input=a.jsonl").out
    folder = factprobe.folder / "outputs/a"
    page, text = seen((folder / "report.html").read_text()), (folder / "report.md").read_text()
    for told in (out, page, text):
        assert not OF_GRAPHS.findall(told.replace("factprobe", "")), told
    parts = ("Graded replies 7", "Systems 1", "replies to the same question being right or wrong together")
    assert all(part in page for part in parts)
    assert "7 graded replies" in text


def test_the_page_of_a_graph_keeps_its_words(factprobe: CommandLine) -> None:
    exam = ["step=all", "kg=trex", "relations=[P36]", "limit=3", "model=scripted"]
    for models in (1, 2):  # of each 12 replies to the same 12 questions
        assert factprobe(*exam, f"model.name={models}-model").code == 0
        page = seen((factprobe.folder / "outputs/trex/report.html").read_text())
        parts = (f"Graded replies {12 * models}", f"Models {models}", "questions about the same subject")
        assert all(part in page for part in parts)


def test_tasks_of_lm_eval_are_called_so(factprobe: CommandLine) -> None:
    [log] = LOGS.glob("dummy__model/samples_capitals_mc_*.jsonl")
    out = factprobe("step=grade", f"input={log}", "output_dir=one").out
    assert "\n capitals_mc\n   dummy/model" in out
    assert (factprobe.folder / "one/report.md").read_text().startswith("# factprobe report: capitals\\_mc\n")
    out = factprobe("step=grade", f"input='{LOGS}/*/samples_*.jsonl'", "output_dir=all").out
    assert "\n Task\n   capitals_list " in out
    page, text = (
        seen((factprobe.folder / "all/report.html").read_text()),
        (factprobe.folder / "all/report.md").read_text(),
    )
    assert "## By task\n\n| task | system |" in text
    assert "Relation" not in page
    assert "By task" in page


def test_a_run_of_helm_is_called_by_its_scenario(factprobe: CommandLine) -> None:
    folder = factprobe.folder / "mmlu:subject=anatomy,model=simple_model1"
    folder.mkdir()
    (folder / "scenario_state.json").write_text(
        helm_text([helm_state({**FRANCE, "answers": ["Paris"], "id": "1", "response": "Paris"})])
    )
    assert factprobe("step=grade", f"input='{folder / 'scenario_state.json'}'", "output_dir=here").code == 0
    assert "report: mmlu:subject=anatomy\n" in (factprobe.folder / "here/report.md").read_text()


def test_logs_of_several_kinds_have_relations(factprobe: CommandLine) -> None:
    row = {**FRANCE, "answers": ["Paris"], "id": "1", "response": "Paris"}
    (factprobe.folder / "samples_x.jsonl").write_text(json_lines([lm_eval_sample(row)]))
    (factprobe.folder / "a.csv").write_text(csv_text([{**ROWS[0], "relation": "y"}]))
    assert factprobe("step=grade", "input=[samples_x.jsonl,a.csv]", "output_dir=here").code == 0
    assert "## By relation\n" in (factprobe.folder / "here/report.md").read_text()


def test_a_log_without_any_reply_says_where_they_may_be(factprobe: CommandLine) -> None:
    (factprobe.folder / "a.jsonl").write_text(
        json_lines([{**row, "response": None, "system": "s"} for row in ROWS[:3]])
    )
    told = factprobe.fails("step=grade", "input=a.jsonl", code=3)
    assert "no record of s has a reply, of 3; see that columns.response names the column of the replies" in told


def test_an_interval_without_a_width_is_none(factprobe: CommandLine) -> None:
    rows = [{**FRANCE, "response": "Paris", "human": side} for side in ("correct", "incorrect") * 3]
    (factprobe.folder / "a.csv").write_text(csv_text(rows))
    out = factprobe("step=grade", "input=a.csv").out
    folder = factprobe.folder / "outputs/a"
    page, text = seen((folder / "report.html").read_text()), (folder / "report.md").read_text()
    assert "no spread" in out
    assert "0.000 no spread" in page
    assert "No spread: every resample of the replies gives the same figure" in page
    assert "| 0.000 (no spread) |" in text
    mixed = [{**FRANCE, "response": reply, "human": human} for reply in ("Paris", "Lyon") for human in "1011000"]
    (factprobe.folder / "a.csv").write_text(csv_text([{**row, "question": f"{n}?"} for n, row in enumerate(mixed)]))
    assert factprobe("step=grade", "input=a.csv").code == 0
    assert "No spread:" not in seen((folder / "report.html").read_text())
