"""Plots of figures that may be below 0, such as Spearman's rho."""

from __future__ import annotations

import re

from factprobe.metrics.agreement.study import StudyScore
from factprobe.reports import html
from factprobe.reports.document import Bar, Bars, Document, Figure, Heading, PlotRow
from factprobe.reports.free_text.study import study_document


def score(variant: str, measure: str, estimate: float) -> StudyScore:
    return StudyScore("Samples", variant, measure, 4, 0, (estimate,), estimate, estimate - 0.25, estimate + 0.25)


def page(*figures: float) -> str:
    """The page of a plot with these figures."""
    rows = [PlotRow("a", "4", [Bar(0, "one", Figure(value, unit="decimal"))]) for value in figures]
    return html.page(Document("Plots", "test", blocks=[Heading("Plots"), Bars("Figures", "", "What", "Items", rows)]))


def test_bars_begin_at_nothing() -> None:
    positive = page(0.5)
    assert 'width="50.000%"' in positive
    assert "Scale from 0 to 100 percent" in positive


def test_one_bar_below_nothing_makes_room_for_all_of_a_plot() -> None:
    both = page(0.5, -0.5)
    assert [found[1] for found in re.finditer(r'<rect class="s0"( x="[^"]*") y="6" width="25.000%"', both)] == [
        ' x="50.000%"',
        ' x="25.000%"',
    ]
    assert "Scale from -100 to 100 percent" in both
    assert ">-100</text>" in both


def study(*variants: tuple[str, float]) -> str:
    """The page of a study with one measure of each variant."""
    return html.page(study_document("study", [score(name, "spearman_rho", at) for name, at in variants]))


def test_a_study_shows_a_rho_below_nothing() -> None:
    course = study(("1", -0.5), ("2", 0.5))
    assert [*re.findall(r'cy="([^"]*)"', course)] == ["203.50", "74.50"], "a quarter and three quarters up from -1"
    assert ">-100</text>" in course
    assert 'x1="12.500%" x2="37.500%"' in study(("all", -0.5), ("none", 0.5))
    assert ">-100</text>" not in study(("1", 0.5), ("2", 0.5))
