"""Plots of the report on a page of their own, for notebooks and files."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from factprobe.errors import ConfigError
from factprobe.records import VERDICTS, Score
from factprobe.reports.html import LONGEST_TABLE, environment
from factprobe.reports.plots import drawn, model_plot, price_plots
from factprobe.reports.story import model_totals
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary
from factprobe.storage import whole_file


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
