"""Plots: figures that may be below 0, such as Spearman's rho, the chance level, and panels."""

from __future__ import annotations

import re

from msgspec.structs import replace

from factprobe.collection.vocabulary import GRAPH
from factprobe.metrics import Tally
from factprobe.metrics.agreement.detection import StudyScore
from factprobe.metrics.score_table import scores
from factprobe.metrics.statistics.intervals import Interval, ends_of
from factprobe.metrics.tallies import Cell
from factprobe.records import VERDICTS, Grade
from factprobe.reports import html
from factprobe.reports.document import Bar, Bars, Curve, CurvePlot, Document, Figure, Heading, PlotRow
from factprobe.reports.free_text.study import study_document
from factprobe.reports.plots import price_plots
from tests.reports.pages import CAPITAL, page, render, rows, tally


def score(variant: str, measure: str, estimate: float) -> StudyScore:
    ends = ends_of(Interval(estimate, estimate - 0.25, estimate + 0.25))
    return StudyScore("Samples", variant, measure, 4, 0, (estimate,), **ends)


def plot_page(*figures: float) -> str:
    """The page of a plot with these figures."""
    rows = [PlotRow("a", "4", [Bar(0, "one", Figure(value, unit="decimal"))]) for value in figures]
    return html.page(Document("Plots", "test", blocks=[Heading("Plots"), Bars("Figures", "", "What", "Items", rows)]))


def test_a_vertical_axis_has_round_ticks_from_its_start_to_100_percent() -> None:
    def ticks(lowest: float) -> list[float]:
        return html.axis_ticks(
            CurvePlot("Score", "", "λ", "Score", [Curve("a", [(0.0, 1.0), (1.0, lowest)])]).axis_start
        )

    assert ticks(0.2) == [0, 0.25, 0.5, 0.75, 1]
    assert ticks(-0.3) == [-0.5, -0.25, 0, 0.25, 0.5, 0.75, 1]
    assert ticks(-1.2) == [-1.5, -1, -0.5, 0, 0.5, 1]


def test_bars_begin_at_nothing() -> None:
    positive = plot_page(0.5)
    assert 'width="50.000%"' in positive
    assert "Scale from 0 to 100 percent" in positive


def test_one_bar_below_nothing_makes_room_for_all_of_a_plot() -> None:
    both = plot_page(0.5, -0.5)
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


def exam(*names: str) -> str:
    """The page of an exam of models that are alike."""
    found = tuple(replace(row, model=name) for name in names for row in rows())
    return render(replace(page(), scores=found))


def test_relations_of_a_few_models_have_a_panel_for_each() -> None:
    assert 'class="plot split"' not in exam("one")
    assert 'class="plot split"' not in exam(*"abcde")
    [part] = exam("one", "two").split('class="plot split"')[1:]
    head, _, body = part.partition("</table>")[0].partition("</thead>")
    assert head.count("Scale from") == 2
    assert body.count("<tr>") == 2
    assert body.count('class="area"') == 4


def test_the_accuracy_of_guessing_is_marked_where_questions_have_options() -> None:
    assert 'class="chance"' not in exam("one")
    counted = Tally()
    for verdict in VERDICTS[:3]:
        counted.add(Grade("q", "multi_choices", verdict, (), 0, 0, 0, "rule"), verdict, 4)
    open_ended = tally("correct", "incorrect", "incorrect")
    cells = {
        Cell("template", "tiny", "P36", "multi_choices"): counted,
        Cell("template", "tiny", "P36", "single_answer"): open_ended,
    }
    text = render(replace(page(), scores=tuple(scores(cells, {"P36": CAPITAL}, "trex"))))
    assert text.count('class="chance"') == 1
    assert "Guessing: 12.5%" in text, "a quarter of the half that has options"


def test_share_of_wrong_answers_is_left_out_for_few_replies() -> None:
    [total] = [row for row in page().scores if (row.level, row.average) == ("total", "micro")]
    total = replace(total, questions=8, correct=5, incorrect=3, abstained=0, unparsed=0, failed=0)
    few = [total, replace(total, model="other")]
    many = [replace(row, questions=80, correct=50, incorrect=30) for row in few]
    title = "Accuracy, and wrong answers in place of abstentions"
    names = {(row.generator, row.model): row.model for row in few}
    assert title not in [plot.title for plot in price_plots(few, names, GRAPH)]
    assert title in [plot.title for plot in price_plots(many, names, GRAPH)]
