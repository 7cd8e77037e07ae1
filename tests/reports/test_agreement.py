"""The table of agreement."""

from __future__ import annotations

from factprobe.metrics.raters import Rated, agreements
from factprobe.reports.agreement import agreement_table


def test_the_table_shows_names_as_they_are() -> None:
    rated = {"1": Rated("a"), "2": Rated("b")}
    text = agreement_table(agreements({"[b]one": rated, "two": rated}))
    assert "[b]one + two" in text
    assert "1.000" in text
