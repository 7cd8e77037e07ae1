"""The score table as text, CSV and JSON."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from msgspec.structs import replace

from factprobe.metrics import Tally
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.breakdowns.consistency import Consistency, FormBreakdown
from factprobe.metrics.score_table import scores
from factprobe.metrics.statistics.intervals import Interval
from factprobe.metrics.tallies import Cell
from factprobe.records import Grade, Verdict
from factprobe.reports.report_files import write_scores
from factprobe.reports.table import score_table
from factprobe.storage import Layout
from tests.reports.pages import CAPITAL, ranked_rows, rows

CAPITAL_FIGURES = ["5", "50.0", "5.5–94.5", "2", "1", "0", "1", "1", "50.0", "50.0"]


def test_the_terminal_table_holds_every_level() -> None:
    text = score_table(rows())
    lines = text.splitlines()
    assert lines[0].startswith("tiny on template questions")
    [capital] = [line for line in lines if "P36 capital" in line]
    assert capital.split()[2:] == CAPITAL_FIGURES
    [language] = [line for line in lines if "P37" in line]
    assert (language.split()[-8], language.split()[-2:]) == ("–", ["–", "–"])
    assert "official <b>language</b>" in language
    names = [line.strip().split("  ")[0] for line in lines[4:] if line.strip()]
    assert names[:10] == [
        *("total", "total (macro)", "Question type", "Short answer", "Relation type", "1-1", "N-M"),
        *("Relation", "P36 capital", "P37 official <b>language</b>"),
    ]
    assert lines[-1] == "total: accuracy 50.0% (5.5 to 94.5)"
    assert "…" not in text


def test_the_rates_without_an_interval_in_the_first_table_have_it_in_a_second_one() -> None:
    table = score_table(rows()).partition("95% intervals of the other rates")[2].splitlines()
    [coverage] = [at for at, line in enumerate(table) if line.startswith(" coverage")]
    assert table[coverage].split() == ["coverage", "100.0", "100.0"]
    assert table[coverage + 1].split() == ["20.7–100.0"] * 2
    assert {"precision", "abstention", "invalid"} <= {line.split()[0] for line in table if line.strip()}


def test_rows_of_which_none_is_read_are_no_table() -> None:
    assert score_table([row for row in rows() if row.level == "cell"]) == score_table([]) == ""
    [line] = [line for line in score_table([rows()[-1]]).splitlines() if "total" in line]
    assert line.split()[:3] == ["total", "(macro)", "6"]


def test_a_long_label_is_cut_and_no_number_is() -> None:
    long = [
        replace(row, relation_label="a label of many words, more than a line of a terminal holds") for row in rows()
    ]
    text = score_table(long)
    for head in ("asked", "correct", "incorrect", "abstained", "unparsed", "failed", "acc.", "prec.", "F1"):
        assert head in text
    [capital] = [line for line in text.splitlines() if "P36" in line]
    assert capital.split()[-10:] == CAPITAL_FIGURES
    assert "P36 a label … terminal holds  " in capital  # in 118 columns


def test_each_model_has_one_table_and_every_figure_its_room() -> None:
    other = [replace(row, model="other", accuracy=1.0, precision=1.0, f1=1.0, questions=1_234_567) for row in rows()]
    text = score_table([row for pair in zip(rows(), other, strict=True) for row in pair])
    assert text.count("on template questions") == 2
    first, second = text.split("other on template questions")
    assert "100.0" not in first.partition("95% intervals")[0]
    [capital] = [line for line in second.splitlines() if "P36 capital" in line]
    assert [*capital.split()[2:4], *capital.split()[5:10]] == ["1,234,567", "100.0", "2", "1", "0", "1", "1"]
    assert capital.split().count("100.0") == 3
    assert "…" not in capital
    totals = text.partition("\n\nTotals (")[2].splitlines()
    assert [line.split()[:2] for line in totals[4:]] == [["trex"], ["tiny", "6"], ["other", "1,234,567"]]


def test_several_graphs_are_one_table_of_totals() -> None:
    two = [*rows(), *(replace(row, kg="umls") for row in rows()), *(replace(row, kg="all") for row in rows())]
    total = next(row for row in rows() if row.level == "total")
    assert [line.strip().split("  ")[0] for line in score_table(two).splitlines()[4:] if line.strip()] == [
        "trex", "tiny", "umls", "tiny", "all graphs", "tiny",
    ]  # fmt: skip
    assert score_table(two).count(f" {total.questions} ") == 3
    assert score_table(two).startswith("Totals (")


def test_ranks_have_columns_where_there_are_any() -> None:
    first, second = score_table([*rows(), *ranked_rows()]).split("tiny on likelihood questions")
    assert "MRR" not in first
    assert "MRR" in second
    [capital] = [line for line in second.splitlines() if "P36 capital" in line]
    assert capital.split()[-10:] == ["50.0", "5.5–94.5", "1", "1", "0", "0", "0", "66.7", "100.0", "100.0"]


def test_rates_of_some_question_types_and_of_facts_stand_below() -> None:
    counted = Tally()
    verdicts: tuple[tuple[Verdict, str], ...] = (("correct", "Q1"), ("incorrect", "Q2"))
    for verdict, subject in verdicts:
        for at in range(10):
            counted.add(Grade("q", "multi_choices", verdict, (), 0, 0, 0, "rule"), f"{subject} {at}", 4)
    third = Interval(1 / 3, 0.1, 0.5)
    known = Consistency({}, 3, Interval(0.6125, 0.5, 0.7), third, third, kg="x", generator="g", model="m")
    table = scores({Cell("g", "m", "P36", "multi_choices"): counted}, {"P36": CAPITAL}, "x")
    text = score_table(table, [BreakdownTable("consistency", FormBreakdown, (known,))])
    assert text.endswith(
        "\n\ntotal: accuracy 50.0% (29.5 to 70.5)"
        "\nMultiple choice: 33.3% (6.0 to 60.7) corrected for guessing (0 is chance); "
        "33.3% (6.0 to 60.7) of what it attempts"
        "\n3 facts in several forms: 61.3% (50.0 to 70.0) known, 33.3% (10.0 to 50.0) in every form"
    )


def test_markup_in_a_name_is_text() -> None:
    odd = [
        replace(rows()[0], level="total", model="[red]m[/red]"),
        replace(rows()[0], level="relation", model="[red]m[/red]", relation_label=":sun: [b]x[/b]\ny \x1b"),
    ]
    assert "[red]m[/red] on template" in score_table(odd)
    assert "  P36 :sun: [b]x[/b] y \\x1b  " in score_table(odd)


def test_csv_and_json_hold_the_same(tmp_path: Path) -> None:
    layout = Layout(tmp_path)
    write_scores(layout, rows(), ())
    with layout.scores_csv.open(newline="") as file:
        table = list(csv.DictReader(file))
    found = json.loads(layout.scores_json.read_text())
    assert len(found) == len(table) == len(rows())
    assert list(table[0]) == list(rows()[0].__struct_fields__)
    failed = next(row for row in found if row["relation"] == "P37")
    assert (failed["accuracy"], failed["questions"], failed["failed"]) == (None, 1, 1)
    assert next(row for row in table if row["relation"] == "P37")["accuracy"] == ""
