"""Report as one self-contained web page: no network, no library, no data in scripts."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from markupsafe import Markup

from factprobe.metrics import Metric, metrics
from factprobe.metrics.agreement.people import MEASURES
from factprobe.metrics.scores import ALL
from factprobe.question_types import question_types, type_label
from factprobe.reading.structure.reasoning import without_reasoning
from factprobe.records import VERDICTS, Score
from factprobe.reports.agreement import NO_SPREAD, by_raters
from factprobe.reports.comparison import p_value, points
from factprobe.reports.data import ReportData, Sample
from factprobe.reports.levels import CELL, LEVELS, Level, graph_name
from factprobe.reports.plots import drawn, model_plot, price_plots
from factprobe.reports.story import model_totals, summary_sentences
from factprobe.reports.vocabulary import ReportVocabulary

if TYPE_CHECKING:
    from jinja2 import Environment

LONGEST_TEXT = 4000
"""Most characters of a text on the page; replies may have megabytes."""
LONGEST_TABLE = 2000
"""Most rows of a table or plot on the page; a graph may have thousands of relations."""

_CLIPPED_TEXT, _CLIPPED_LINES = 600, 12
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class SampleRow(NamedTuple):
    """A sample with the name of its model in the legend."""

    sample: Sample
    series: str


class LevelTable(NamedTuple):
    """One level of the score table."""

    level: Level
    rows: list[Score]
    metrics: list[Metric]
    """Metrics with a column."""
    averages: bool
    """True if there are micro and macro rows."""


class Filter(NamedTuple):
    """A filter of the samples: caption, `data-` attribute of the rows, and occurring values."""

    label: str
    name: str
    options: tuple[tuple[str, str], ...]
    """Value and displayed text."""


def render(data: ReportData) -> str:
    """Render the page: scores, plots and a browsable sample of the questions.

    Whatever comes from the data is shown as text and never read as markup. The page's Content-Security-Policy allows
    the one style and the one script that the template holds, by their hashes, and nothing else.

    Args:
        data: what to show; the same data gives the same text.

    Returns:
        An HTML document, to be written as UTF-8.
    """
    names = _series_names(data)
    series = list(names.values())
    totals = model_totals(data.scores)
    total, *tables = (_table(data.scores, level) for level in LEVELS)
    judged = sum(row.questions for row in data.rules if row.rule == "judge")
    return (
        environment()
        .get_template("page.html.j2")
        .render(
            data=data,
            words=data.words,
            verdicts=VERDICTS,
            series=series,
            models=len({model for _, model in names}),
            generators=len({generator for generator, _ in names}),
            graphs=len(_graphs(data)),
            total=total,
            tables=[table for table in tables if table.rows],
            cells=_table(data.scores, CELL),
            explained=metrics.shown("page", data.scores),
            story=summary_sentences(data, names),
            by_model=model_plot(totals, series, names),
            plots=drawn(data.scores, series, names),
            prices=price_plots(data.scores, names),
            series_of=names,
            people=by_raters(data.people),
            no_spread=NO_SPREAD,
            spreadless=any(row.low is not None and row.low == row.high for row in data.people),
            people_heads=[head.capitalize() for head in MEASURES.values()],
            judged=judged / data.graded if data.graded else 0,
            samples=[SampleRow(sample, names[sample.generator, sample.model]) for sample in data.samples],
            longest_table=LONGEST_TABLE,
            choices=_filters(data.samples, names, data.words),
        )
    )


@cache
def environment() -> Environment:
    """Return the templates' environment, which escapes all values."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    environment = Environment(
        loader=PackageLoader(__package__),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_printable,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(
        percent=_percent,
        decimal=lambda value: "–" if value is None else f"{value:z.3f}",
        range=_range,
        p_value=p_value,
        points=points,
        graph_name=graph_name,
        type_label=type_label,
        reasoning=_reasoning,
        length_of_bar=_length_of_bar,
        across=lambda share: f"{44 + 266 * share:.2f}",
        up=lambda share, least=0: f"{268 - 258 * (share - least) / (1 - least):.2f}",
        radius=lambda share: f"{3 + 7 * share**0.5:.2f}",
        agreement=_agreement,
        is_long=_is_long,
        csp_hash=_csp_hash,
        thousands=_thousands,
        capitalised=_capitalise,
    )
    return environment


def _series_names(data: ReportData) -> dict[tuple[str, str], str]:
    """Return the name of each generator and model: the model alone if there is one generator."""
    rows: tuple[Score | Sample, ...] = (*data.scores, *data.samples)
    keys = dict.fromkeys((row.generator, row.model) for row in rows)
    several = len({generator for generator, _ in keys}) > 1
    return {(generator, model): f"{model} · {generator}" if several else model for generator, model in keys}


def _graphs(data: ReportData) -> set[str]:
    """Return the graphs of the scores."""
    return {score.kg for score in data.scores} - {ALL}


def _table(scores: Iterable[Score], level: Level) -> LevelTable:
    """Return one level's rows, with models that are compared next to each other."""
    groups: dict[tuple[str, str], list[Score]] = {}
    for row in level.rows(scores):
        groups.setdefault((row.kg, level.label(row)), []).append(row)
    rows = [row for group in groups.values() for row in group]
    return LevelTable(level, rows, metrics.shown("page", rows), any(row.average == "macro" for row in rows))


def _filters(
    samples: Iterable[Sample], names: dict[tuple[str, str], str], words: ReportVocabulary
) -> tuple[Filter, ...]:
    rows = list(samples)
    verdicts, types = {row.verdict for row in rows}, {row.question_type for row in rows}
    labels = {row.relation: row.relation_label for row in rows}
    relations = [(key, f"{label} ({key})" if label not in ("", key) else key) for key, label in labels.items()]
    models = dict.fromkeys(names[row.generator, row.model] for row in rows)
    graphs = dict.fromkeys(row.kg for row in rows)
    return (
        *([Filter("Graph", "kg", tuple((name, name) for name in graphs))] if len(graphs) > 1 else []),
        Filter("Verdict", "verdict", tuple((name, name) for name in VERDICTS if name in verdicts)),
        Filter("Question type", "type", tuple((name, type_label(name)) for name in question_types() if name in types)),
        Filter(
            words.relation.capitalize(), "relation", tuple(sorted(relations, key=lambda option: option[1].casefold()))
        ),
        Filter(words.model.capitalize(), "model", tuple((name, name) for name in models)),
        Filter("Rule", "rule", tuple((name, name) for name in sorted({row.rule for row in rows}))),
        *([Filter(words.others.capitalize(), "compat", _AGREEMENTS)] if any(row.compat for row in rows) else []),
    )


_AGREEMENTS = (("agree", "agree"), ("disagree", "disagree"))


def _agreement(sample: Sample) -> str:
    """Return whether the other tools' rules call the same answers correct as factprobe's."""
    right = {sample.verdict == "correct", *(verdict == "correct" for _, verdict in sample.compat)}
    return "agree" if len(right) == 1 else "disagree"


def _printable(value: object) -> object:
    """Return every value for the template: texts cut, and unprintable characters replaced by visible ones."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    text = value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + "…"
    return _UNPRINTABLE.sub(_sign, text.replace("\r\n", "\n"))


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:z.1%}"


def _range(low: float, high: float) -> str:
    dash = "–" if low >= 0 else " to "
    return f"{100 * low:z.1f}{dash}{100 * high:z.1f}"


def _length_of_bar(share: float, least: float = 0) -> str:
    """Return a fraction of an axis that begins at `least` as an SVG length, rounded alike on all platforms."""
    return f"{min(max((share - least) / (1 - least), 0), 1):.3%}"


def _thousands(count: int) -> str:
    return f"{count:,}"


def _capitalise(head: str) -> str:
    return head[:1].upper() + head[1:]


def _reasoning(reply: str) -> tuple[str, str]:
    """Return the reasoning at the beginning of a reply and the rest; empty reasoning if there is none."""
    rest = without_reasoning(reply)
    if not rest or not reply.rstrip().endswith(rest.strip()) or rest.strip() == reply.strip():
        return "", reply
    return reply.rstrip()[: -len(rest.strip())].strip(), rest.strip()


def _is_long(text: str) -> bool:
    return len(text) > _CLIPPED_TEXT or text.count("\n") > _CLIPPED_LINES


def _csp_hash(text: str) -> str:
    """Return the hash of an inline block for the Content-Security-Policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
