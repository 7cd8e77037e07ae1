"""The score table as a data frame, a Parquet file and Markdown."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd
import pytest
from msgspec.structs import replace

from factprobe.api import ScoreTable
from factprobe.errors import MissingExtraError
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.breakdowns.consistency import Consistency, FormBreakdown
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.comparison import comparison_table
from factprobe.reports.frame import write_parquet
from tests.command_line import CommandLine
from tests.reports.pages import full_page, markdown, page, render, rows


def test_a_frame_has_a_column_for_each_field_that_was_counted_and_nan_where_nothing_was() -> None:
    frame = ScoreTable(rows()).to_frame()
    counted = [name for name in rows()[0].__struct_fields__ if any(getattr(row, name) is not None for row in rows())]
    assert list(frame.columns) == counted
    assert "mrr" not in counted
    assert len(frame) == len(rows())
    assert {str(kind) for kind in frame.dtypes[["accuracy", "accuracy_low"]]} == {"float64"}
    assert frame.dtypes["correct"].kind == "i"
    [capital] = frame[(frame.level == "relation") & (frame.relation == "P36")].to_dict("records")
    assert (capital["correct"], capital["accuracy"]) == (2, 0.5)
    assert frame[frame.relation == "P37"]["accuracy"].isna().all()
    assert list(ScoreTable().to_frame().columns) == list(rows()[0].__struct_fields__)
    pd.testing.assert_frame_equal(ScoreTable(rows()).to_pandas(), frame)


def test_a_parquet_file_holds_the_frame(tmp_path: Path) -> None:
    path = tmp_path / "scores.parquet"
    write_parquet(path, rows())
    read = pd.read_parquet(path)
    assert list(read.columns) == list(rows()[0].__struct_fields__)
    pd.testing.assert_frame_equal(read.dropna(axis="columns", how="all"), ScoreTable(rows()).to_frame())


@pytest.mark.parametrize("missing", ["pandas", "pyarrow"])
def test_an_extra_that_is_missing_is_named(missing: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(MissingExtraError, match=rf"{missing} is not installed.*factprobe\[frame\]"):
        write_parquet(tmp_path / "scores.parquet", rows())
    assert not [*tmp_path.iterdir()]


def test_markdown_has_the_tables_with_their_intervals() -> None:
    third = Interval(1 / 3, 0.1, 0.5)
    known = Consistency({}, 3, third, third, third, kg="trex", generator="template", model="tiny")
    text = markdown(replace(page(), breakdowns=(BreakdownTable("consistency", FormBreakdown, (known,)),)))
    assert text.startswith("# factprobe report: trex\n")
    assert "| capital | P36 · 1-1 · tiny | 50.0 (5.5–94.5) |" in text
    assert "| official \\<b\\>language\\</b\\> | P37 · N-M · tiny | – |" in text
    assert "| tiny | template · macro |" in text
    assert "| tiny | 3 | 33.3 (10.0–50.0) |" in text
    widths = {line.replace("\\|", "").count("|") for line in text.splitlines() if "P3" in line}
    assert len(widths) == 1


def test_names_in_markdown_are_text() -> None:
    odd = tuple(replace(row, model="a|b\n# <img> [x](y)") for row in rows())
    text = markdown(replace(page(), scores=odd))
    assert "| a\\|b \\# \\<img\\> \\[x\\]\\(y\\) |" in text
    assert "<img" not in text.replace("\\<", "")


def test_markdown_has_every_table_of_the_page() -> None:
    text = markdown(full_page(name="a|b"))
    heads = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert heads == ["Summary", "Comparison", "Scores", "Breakdowns", "Calibration", "Rules"][: len(heads)]
    for title in ("Facts in all their forms", "Guessed without the facts", "By the rules of other tools"):
        assert f"### {title}\n" in text
    tables = [part for part in text.split("## ") if "|---" in part]
    for table in tables:
        assert len({line.replace("\\|", "").count("|") for line in table.splitlines() if line.startswith("|")}) == 1


def test_differences_are_in_points_with_a_sign_and_nothing_is_not_negative() -> None:
    data = full_page()
    [(kg, row)] = data.comparisons
    odd = replace(row, difference=Interval(-1e-9, -0.25, 0.5))
    scores = tuple(replace(one, accuracy=-1e-9, accuracy_low=-2e-9, accuracy_high=0.5) for one in data.scores)
    data = replace(data, comparisons=((kg, odd),), scores=scores)
    assert " +0.0 (-25.0 to +50.0) |" in markdown(data)
    assert "-0.0" not in markdown(data)
    assert '+0.0<div class="ci">-25.0 to +50.0</div>' in render(data)
    assert " -25.0 to +50.0" in comparison_table([odd])


def test_the_step_writes_parquet_where_it_is_asked_to(factprobe: CommandLine, tmp_path: Path) -> None:
    base = ["kg=trex", "relations=[P36]", "limit=3", "model=scripted"]
    assert factprobe("step=all", *base).code == 0
    root = tmp_path / "outputs/trex"
    assert "## By relation" in (root / "report.md").read_text()
    assert not (root / "scores.parquet").exists()
    assert factprobe("step=report", "parquet=true", *base).code == 0
    assert len(pd.read_parquet(root / "scores.parquet")) == len(pd.read_csv(root / "scores.csv"))
