"""The summary of the scores: one screen, and what has no room is in the report."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from factprobe.collection.report_data import Note
from factprobe.collection.vocabulary import of_replies
from factprobe.metrics import Tally
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.breakdowns.consistency import Consistency, FormBreakdown
from factprobe.metrics.breakdowns.guessing import GuessRate, MadeUpBreakdown
from factprobe.metrics.score_table import scores
from factprobe.metrics.strata import ALL
from factprobe.metrics.tallies import Cell
from factprobe.question_types import QuestionType
from factprobe.records import Grade, Score, Verdict
from factprobe.reports.table import score_table, summary_table
from tests.command_line import CommandLine
from tests.reports.pages import CAPITAL, HALF, rows


def names(text: str) -> list[str]:
    """Return the names of the rows of a table, without those of its groups."""
    lines = [line.strip().split("  ") for line in text.partition("─\n")[2].splitlines()]
    return [line[0] for line in lines if len(line) > 1]


def by_type() -> list[Score]:
    """Return the scores of two models on two question types, with a row for each relation."""
    return [replace(row, model=model) for model in ("one", "two") for row in rows()]


def test_it_has_the_totals_and_the_question_types() -> None:
    text = summary_table(rows())
    assert text.startswith("tiny on template questions")
    assert names(text) == ["total", "total (macro)", "Short answer"]
    assert "50.0  5.5–94.5" in text


@pytest.mark.parametrize("columns", ["60", "80", "200"])
def test_no_line_of_the_table_is_longer_than_the_terminal(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    text = summary_table(rows())
    assert max(map(len, text.splitlines())) <= int(columns)
    assert "a wider terminal also shows" not in text


def test_it_tells_the_accuracy_corrected_for_guessing_by_question_type() -> None:
    counted = Tally()
    verdicts: tuple[Verdict, ...] = ("correct", "incorrect")
    few, cell = Tally(), Cell("template", "tiny", "P36", "multi_choices")
    for tally, count in ((few, 1), (counted, 20)):
        for subject in range(count):
            for verdict in verdicts:
                grade = Grade("q", "multi_choices", verdict, (), 0, 0, 0, "rule")
                tally.add(grade, f"{verdict} {subject}", 4)
    rows_of_few = scores({cell: few}, {"P36": CAPITAL}, "trex")
    assert rows_of_few[0].guess_corrected_accuracy is not None
    for whole in (summary_table(rows_of_few), score_table(rows_of_few)):
        assert "corrected" not in whole  # the interval is wider than 100 points
    assert "corrected" in score_table(scores({cell: counted}, {"P36": CAPITAL}, "trex"))
    text = summary_table(scores({cell: counted}, {"P36": CAPITAL}, "trex"))
    [line] = [line for line in text.splitlines() if "corrected for guessing" in line]
    assert line.startswith("Multiple choice: ")
    assert "of what it attempts" not in text


def test_breakdowns_that_every_exam_has_are_left_to_the_report() -> None:
    known = Consistency({}, 3, HALF, HALF, HALF, kg="trex", generator="template", model="tiny")
    assert "in several forms" not in summary_table(rows(), [BreakdownTable("consistency", FormBreakdown, (known,))])


def test_a_breakdown_that_an_exam_is_made_for_is_told_in_two_lines_at_most() -> None:
    owner = {"kg": "trex", "model": "tiny", "generator": "placebo"}
    kinds: tuple[QuestionType, ...] = (ALL, "binary_answer", "multi_choices", "single_answer")
    guesses = [
        GuessRate(relation=ALL, question_type=kind, questions=4, guessed=HALF, declined=HALF, affirmed=None, **owner)
        for kind in kinds
    ]
    text = summary_table(rows(), [BreakdownTable("guesses", MadeUpBreakdown, tuple(guesses))])
    assert text.count("tiny on placebo questions: made-up subjects") == 2
    alone = summary_table([], [BreakdownTable("guesses", MadeUpBreakdown, tuple(guesses))])
    assert alone.startswith("tiny on placebo questions\n\nmade-up subjects")


def test_several_models_share_a_table_and_have_only_totals_where_they_are_many() -> None:
    text = summary_table(by_type())
    assert names(text) == ["one", "Short answer", "two", "Short answer"]
    many = [replace(row, model=f"m{i}") for i in range(9) for row in rows()]
    assert names(summary_table(many)) == [f"m{i}" for i in range(9)]
    two = [*rows(), *(replace(row, generator="other") for row in rows())]
    assert names(summary_table(two))[::2] == ["tiny · template", "tiny · other"]


def test_notes_are_told_with_their_model_where_there_are_several() -> None:
    note = Note("trex", "template", "one", "was cut")
    assert summary_table(by_type(), (), [note]).endswith("\none on template questions: was cut")
    assert summary_table(rows(), (), [replace(note, model="tiny")]).endswith("\n\nwas cut")


def test_replies_have_their_tasks_where_these_are_few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    assert names(summary_table(rows(), words=of_replies("task")))[-2:] == [
        "P36 capital",
        "P37 official <b>language</b>",
    ]
    many = [replace(row, relation=f"task {i}") for i in range(20) for row in rows() if row.level == "relation"]
    few = [row for row in rows() if row.level != "relation"]
    assert "task" not in summary_table([*few, *many], words=of_replies("task"))


def test_nothing_is_no_table() -> None:
    assert summary_table([]) == ""


def test_a_run_of_all_steps_fits_one_screen(
    factprobe: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    run = factprobe("step=all", "kg=trex", "model=scripted", "limit=3")
    height = sum(-(-len(line) // 80) or 1 for line in (run.out + run.err).splitlines())
    assert height <= 24
    first, *others = run.out.splitlines()
    assert first.startswith("scripted on trex: extract → generate")
    assert others[-1].endswith("→ outputs/trex/report.html")
    assert "capital" not in run.out
    whole = factprobe("step=report", "breakdowns=true").out
    assert "P36 capital" in whole
    assert "48 facts in several forms" in whole


def test_a_name_that_is_also_the_label_is_shown_once(factprobe: CommandLine) -> None:
    (factprobe.folder / "facts.csv").write_text("subject,relation,object\nFrance,capital,Paris\nPeru,capital,Lima\n")
    out = factprobe("step=all", "kg=csv", "kg.source=facts.csv", "model=scripted", "breakdowns=true").out
    assert "capital capital" not in out
    page = (factprobe.folder / "outputs/csv/report.html").read_text()
    assert "capital (capital)" not in page
    shown = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "capital capital" not in shown
