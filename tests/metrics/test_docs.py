"""The table of metrics in the docs is that of the registered ones."""

from __future__ import annotations

import re

from factprobe.metrics import Metric, metrics
from tests.command_line import ROOT
from tests.optional import not_none

INTERVALS = {
    "corrected_accuracy": "Wilson at the effective number of labels, clustered",
    "aurc": "normal for the logit, by influence, clustered",
}
"""Kinds of the intervals that are not those of rates, by metric."""


def row(metric: Metric) -> str:
    cells = (
        f"`{metric.name}`",
        metric.what,
        metric.over or "all",
        f"{metric.least:g} to {metric.most:g}".replace("-", "−"),
        "higher" if metric.higher_is_better else "lower",
        INTERVALS.get(metric.name, "Wilson, clustered") if metric.has_interval else "–",
        metric.source,
    )
    return f"| {' | '.join(cells)} |"


def test_the_table_of_metrics_is_made_of_the_metrics() -> None:
    """Put what the failure shows between the two comments."""
    heads = ("metric", "what it is", "over", "range", "better", "95 % interval", "source")
    expected = [f"| {' | '.join(heads)} |", f"|{'---|' * len(heads)}", *map(row, metrics.every())]
    text = (ROOT / "docs/statistics.md").read_text()
    found = not_none(re.search(r"^<!-- metrics -->\n(.*?)^<!-- /metrics -->$", text, re.DOTALL | re.MULTILINE))
    assert found[1].splitlines() == expected, "\n".join(expected)
