"""Tables as HTML for notebooks, and the plots of the report on a page of their own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from factprobe.errors import ConfigError
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.statistics.intervals import Interval
from factprobe.records import VERDICTS, Score
from factprobe.reports.comparison import p_value, points
from factprobe.reports.html import LONGEST_TABLE, environment
from factprobe.reports.plots import drawn, model_plot, price_plots
from factprobe.reports.story import model_totals
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary
from factprobe.storage import whole_file

MOST_ROWS = 200
"""Rows of replies in a notebook."""


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Format a table; floats have three decimals, and what is None is empty."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def score_html(rows: Iterable[Score]) -> str:
    """Format the totals and question types, with accuracies and their 95 % intervals."""
    levels = ("total", "question_type")
    shown = [row for row in rows if row.level in levels and row.average == "micro"]
    cells = (
        [row.model, row.question_type or "all", row.questions, _rate(row), *(getattr(row, name) for name in VERDICTS)]
        for row in sorted(shown, key=lambda row: levels.index(row.level))
    )
    return html_table(["model", "question type", "questions", "accuracy (95% interval)", *VERDICTS], cells)


def comparison_html(rows: Iterable[Comparison]) -> str:
    """Format pairs of models."""
    heads = ["question type", "first", "second", "better", "questions", "accuracy, first", "accuracy, second"]
    cells = (
        [
            *(row.question_type, row.first, row.second, row.better, row.questions),
            *(f"{100 * rate:.1f}%" for rate in (row.accuracy_first, row.accuracy_second)),
            f"{points(row.difference.estimate)} ({points(row.difference.low)} to {points(row.difference.high)})",
            p_value(row.p_corrected),
        ]
        for row in rows
    )
    return html_table([*heads, "difference in points (95% interval)", "p, Holm"], cells)


class Plots:
    """Plots of a score table, which a notebook shows.

    Args:
        scores: the rows of the table.
        words: the vocabulary of the plots.

    Raises:
        ConfigError: the table has no accuracy to plot.
    """

    def __init__(self, scores: Sequence[Score], words: ReportVocabulary = GRAPH) -> None:
        several = len({row.generator for row in scores}) > 1
        names = {
            (row.generator, row.model): f"{row.model} · {row.generator}" if several else row.model for row in scores
        }
        series = list(names.values())
        by_model = model_plot(model_totals(scores), series, names)
        if by_model is None:
            raise ConfigError("there is no accuracy to plot", where="plot", hint="give a table that score returned")
        self.html = (
            environment()
            .get_template("figure.html.j2")
            .render(
                title="factprobe",
                words=words,
                verdicts=VERDICTS,
                series=series,
                graphs=len({row.kg for row in scores}),
                generators=len({row.generator for row in scores}),
                by_model=by_model,
                plots=drawn(scores, series, names),
                prices=price_plots(scores, names),
                longest_table=LONGEST_TABLE,
            )
        )
        """Page with the plots: no network, no script."""

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        with whole_file(Path(path)) as file:
            file.write(self.html.encode())

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:36rem;border:0"></iframe>'


def _rate(row: Score) -> str:
    if row.accuracy is None or row.accuracy_low is None or row.accuracy_high is None:
        return ""
    return f"{100 * row.accuracy:.1f}% ({100 * row.accuracy_low:.1f} to {100 * row.accuracy_high:.1f})"


def _cell(value: object) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.3f}"
        case Interval():
            return f"{value.estimate:.3f} ({value.low:.3f} to {value.high:.3f})"
        case tuple() | list():
            return escape(", ".join(map(str, value)))
    return escape(str(value))
