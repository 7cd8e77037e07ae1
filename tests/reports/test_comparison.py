"""The tables of the comparison."""

from __future__ import annotations

from factprobe.metrics.comparison import comparisons
from factprobe.records import Grade, Verdict
from factprobe.reports.comparison import comparison_table


def grades(**verdicts: Verdict) -> dict[str, Grade]:
    """Grades by question id; the keyword is the subject."""
    ids = {f"{subject}:o:P36:single_answer:ask_object": verdict for subject, verdict in verdicts.items()}
    return {name: Grade(name, "single_answer", verdict, (), 0, 0, 0, "rule") for name, verdict in ids.items()}


def test_the_table_shows_names_as_they_are() -> None:
    one = grades(a="correct", b="correct", c="abstained", d="failed", e="correct")
    other = grades(a="correct", b="incorrect", c="unparsed", d="correct", f="correct")
    text = comparison_table(comparisons({"[bold]one": one, "other": other}))
    assert "[bold]one" in text
    assert "+33.3" in text
    assert "no difference" in text
