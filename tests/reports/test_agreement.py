"""The tables of agreement and of comparison."""

from __future__ import annotations

from msgspec.structs import replace

from factprobe.metrics.agreement.raters import RaterLabel, agreements
from factprobe.metrics.comparison import comparisons
from factprobe.metrics.corrected import MIN_LABELS
from factprobe.metrics.statistics.intervals import Interval
from factprobe.reports.agreement import agreement_table, corrected_table
from factprobe.reports.comparison import comparison_table
from tests.metrics.test_comparison import grades
from tests.reports.pages import corrected_score


def test_the_table_shows_names_as_they_are() -> None:
    rated = {"1": RaterLabel("a"), "2": RaterLabel("b")}
    text = agreement_table(agreements({"[b]one": rated, "two": rated}))
    assert "[b]one + two" in text
    assert "1.000" in text


def test_the_table_tells_of_how_many_items_some_are_left_out() -> None:
    one = {"1": RaterLabel("a"), "2": RaterLabel("b"), "3": RaterLabel("a")}
    whole, part = (agreement_table(agreements({"one": one, "two": other})) for other in (one, {"1": one["1"]}))
    assert "of 3" in part
    assert "of 3" not in whole


def test_too_few_labels_for_a_correction_are_told() -> None:
    def table(labels: int) -> str:
        return corrected_table([corrected_score(labels, model="system-a")])

    assert not table(0)
    assert "system-a 3" in table(3)
    assert f"{MIN_LABELS} of" in table(3)


def test_rates_are_percentages_and_equal_widths_are_told_once() -> None:
    widths = {50: 0.084, 100: 0.081, 200: 0.079}
    row = corrected_score(20, Interval(0.743, 0.55, 0.872), accuracy=Interval(0.6, 0.42, 0.756), half_widths=widths)
    text = corrected_table([row])
    assert "60.0" in text
    assert "55.0–87.2" in text
    unlabelled = corrected_table([replace(row, labels=0, estimate=None)])
    assert unlabelled.endswith(
        "would correct it: 50 give ±8 points, and more hardly narrow that, since there are few questions"
    )
    wide = corrected_table([replace(row, estimate=None, half_widths={50: 0.13, 100: 0.09})])
    assert wide.endswith("would correct it: 50 give ±13 points, 100 give ±9 points")


def test_the_table_of_a_comparison_shows_names_as_they_are() -> None:
    one = grades("single_answer", a="correct", b="correct", c="abstained", d="failed", e="correct")
    other = grades("single_answer", a="correct", b="incorrect", c="unparsed", d="correct", f="correct")
    text = comparison_table(comparisons({"[bold]one": one, "other": other}))
    assert "[bold]one" in text
    assert "+33.3" in text
    assert "no difference" in text
