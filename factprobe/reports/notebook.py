"""Display in notebooks: tables as HTML, and a page of the report's plots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path
from typing import Any

from factprobe.collection.report_data import series_names
from factprobe.collection.vocabulary import GRAPH, ReportVocabulary
from factprobe.errors import ConfigError
from factprobe.metrics.comparison import Comparison
from factprobe.records import Score
from factprobe.reports.comparison import pair_table
from factprobe.reports.document import Document, Heading, Table, cell_text
from factprobe.reports.html import page, write_page
from factprobe.reports.plots import model_plot, plots_of
from factprobe.reports.table import score_rows

MAX_ROWS = 200
"""Maximum number of replies that a notebook shows."""


def html_table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = "") -> str:
    """Format a table as HTML; floats have three decimals, and None is an empty cell."""
    head = "".join(f"<th>{escape(name)}</th>" for name in heads)
    body = "".join(f"<tr>{''.join(f'<td>{_format_cell(value)}</td>' for value in row)}</tr>" for row in rows)
    title = f"<caption>{escape(caption)}</caption>" if caption else ""
    return f"<table>{title}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def score_html(rows: Iterable[Score]) -> str:
    """Format the totals and question types as HTML, with accuracies and their 95 % intervals."""
    return _document_table(score_rows([row for row in rows if row.level in ("total", "question_type")]))


def comparison_html(rows: Iterable[Comparison]) -> str:
    """Format comparisons of pairs of models as HTML."""
    return _document_table(pair_table([("", row) for row in rows]))


def _document_table(table: Table) -> str:
    heads = ["", *table.names, *(column.head for column in table.columns)]
    return html_table(heads, ([row.section, *row.names, *row.cells] for row in table.rows), table.title)


class Plots:
    """Plots of a score table, for display in a notebook; a table without accuracies raises a `ConfigError`."""

    def __init__(self, scores: Sequence[Score], words: ReportVocabulary = GRAPH) -> None:
        names = series_names(scores)
        by_model = model_plot(scores, names, words)
        if not by_model:
            raise ConfigError("there is no accuracy to plot", where="plot", hint="give a table that score returned")
        blocks = [Heading("Plots"), *by_model, *plots_of(scores, names, words)]
        self._document = Document("factprobe", "plots", blocks=blocks)
        self.html = page(self._document)
        """Self-contained page with the plots."""

    def save(self, path: str | Path) -> None:
        """Write the page to a file."""
        write_page(Path(path), self._document)

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{escape(self.html)}" style="width:100%;height:36rem;border:0"></iframe>'


def _format_cell(value: Any) -> str:
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    return escape(f"{value:.3f}" if isinstance(value, float) else cell_text(value, " ", lambda figure: figure.in_line))
