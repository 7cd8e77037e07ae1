"""Plots of figures that may be below 0, such as Spearman's rho."""

from __future__ import annotations

import re
from pathlib import Path

from factprobe.metrics.agreement.study import StudyScore
from factprobe.reports.free_text.study import write_study
from factprobe.reports.sheet import Bars, Line, Section, SheetFigure, write_sheet


def score(variant: str, measure: str, estimate: float) -> StudyScore:
    return StudyScore("Samples", variant, measure, 4, 0, (estimate,), estimate, estimate - 0.25, estimate + 0.25)


def page(path: Path, *figures: float) -> str:
    bars = Bars("Figures", "", "What", ["one"], [Line("a", "4", [SheetFigure(value)]) for value in figures])
    write_sheet(path / "page.html", "Plots", "test", [], [Section("Plots", "", bars=[bars])])
    return (path / "page.html").read_text()


def test_bars_begin_at_nothing(tmp_path: Path) -> None:
    positive = page(tmp_path, 0.5)
    assert 'width="50.000%"' in positive
    assert "Scale from 0 to 100 percent" in positive


def test_one_bar_below_nothing_makes_room_for_all_of_a_plot(tmp_path: Path) -> None:
    both = page(tmp_path, 0.5, -0.5)
    assert [found[1] for found in re.finditer(r'<rect class="s0"( x="[^"]*") y="6" width="25.000%"', both)] == [
        ' x="50.000%"',
        ' x="25.000%"',
    ]
    assert "Scale from -100 to 100 percent" in both
    assert ">-100</text>" in both


def test_a_study_shows_a_rho_below_nothing(tmp_path: Path) -> None:
    path = tmp_path / "study.html"
    write_study(path, "numbers", [score(name, "spearman_rho", at) for name, at in (("1", -0.5), ("2", 0.5))])
    course = path.read_text()
    assert [*re.findall(r'cy="([^"]*)"', course)] == ["203.50", "74.50"], "a quarter and three quarters up from -1"
    assert ">-100</text>" in course
    write_study(path, "names", [score(name, "spearman_rho", at) for name, at in (("all", -0.5), ("none", 0.5))])
    assert 'x1="12.500%" x2="37.500%"' in path.read_text()
    write_study(path, "high", [score(name, "spearman_rho", at) for name, at in (("1", 0.5), ("2", 0.5))])
    assert ">-100</text>" not in path.read_text()
