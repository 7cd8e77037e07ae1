"""The report as one web page that needs nothing but itself: no network, no library, no script to be read."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Iterable
from importlib.resources import files
from typing import NamedTuple

from markupsafe import Markup

from factprobe.metrics.scores import ALL
from factprobe.records import QUESTION_TYPES, VERDICTS, Score, Verdict
from factprobe.reports.data import ReportData, Sample

LONGEST_TEXT = 4000
"""Characters of a text that the page holds; a reply may be megabytes, and a thousand of them make no page."""

_CLIPPED_TEXT, _CLIPPED_LINES = 600, 12
_LABELLED_SHARE = 0.12
_UNPRINTABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class Bar(NamedTuple):
    """What one model reached in one row of a plot."""

    series: int
    """Its place in the legend, which gives its colour."""
    name: str
    value: float | None
    questions: int


class Share(NamedTuple):
    """One verdict's part of a stacked bar; `start` and `width` are fractions of the whole bar."""

    verdict: Verdict
    questions: int
    start: float
    width: float
    labelled: bool
    """Whether its percentage fits in."""


class Stack(NamedTuple):
    """The verdicts that one model got."""

    name: str
    shares: tuple[Share, ...]


class PlotRow(NamedTuple):
    """One row of a plot: a graph, a relation or a question type with every model's bar."""

    label: str
    id: str
    """The relation's id, and its graph where there are several; empty where the label says it all."""
    questions: str
    """How many, or the least and the most where the models differ."""
    bars: tuple[Bar, ...]
    stacks: tuple[Stack, ...]


class SampleRow(NamedTuple):
    """A sample and the name that its model has in the legend."""

    sample: Sample
    series: str


class Choice(NamedTuple):
    """One list to narrow the samples by: its caption, its `data-` name on the rows, and the values that occur."""

    label: str
    name: str
    options: tuple[tuple[str, str], ...]
    """Value and what is shown for it."""


def render(data: ReportData) -> str:
    """Makes the page: scores, plots and a browsable sample of the questions.

    Whatever comes from the data is shown as text and never read as markup. The page's Content-Security-Policy allows
    the one style and the one script that the template holds, by their hashes, and nothing else.

    Args:
        data: what to show; the same data gives the same text.

    Returns:
        An HTML document, to be written as UTF-8.
    """
    from jinja2 import Environment, StrictUndefined

    environment = Environment(
        autoescape=True, undefined=StrictUndefined, finalize=_shown, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters.update(
        percent=_percent, length_of_bar=_length_of_bar, is_long=_is_long, csp_hash=_csp_hash, thousands=_thousands
    )
    template = environment.from_string(files(__package__).joinpath("report.html.j2").read_text("utf-8"))
    names = _series_names(data)
    series = list(names.values())
    return template.render(
        data=data,
        verdicts=VERDICTS,
        series=series,
        models=len({model for _, model in names}),
        generators=len({generator for generator, _ in names}),
        graphs=len(_graphs(data)),
        levels={level: _table(data.scores, level) for level in _LEVELS},
        by_graph=_plot_rows(_of_each_graph(data), "total", series, names) if len(_graphs(data)) > 1 else [],
        by_relation=sorted(_plot_rows(data.scores, "relation", series, names), key=_mean_error),
        by_question_type=sorted(_plot_rows(_of_all(data), "question_type", series, names), key=_place_of_type),
        samples=[SampleRow(sample, names[sample.generator, sample.model]) for sample in data.samples],
        choices=_choices(data.samples, names),
    )


_LEVELS = ("total", "question_type", "relation_type", "relation", "cell")


def _series_names(data: ReportData) -> dict[tuple[str, str], str]:
    """What each generator and model is called: by the model alone where there is but one generator."""
    rows: tuple[Score | Sample, ...] = (*data.scores, *data.samples)
    keys = dict.fromkeys((row.generator, row.model) for row in rows)
    several = len({generator for generator, _ in keys}) > 1
    return {(generator, model): f"{model} · {generator}" if several else model for generator, model in keys}


def _graphs(data: ReportData) -> set[str]:
    """The graphs that the scores are of."""
    return {score.kg for score in data.scores} - {ALL}


def _of_each_graph(data: ReportData) -> list[Score]:
    """The scores without those that sum over several graphs."""
    return [score for score in data.scores if score.kg != ALL]


def _of_all(data: ReportData) -> list[Score]:
    """The scores that sum over all graphs, or those of the only one."""
    several = len(_graphs(data)) > 1
    return [score for score in data.scores if not several or score.kg == ALL]


def _table(scores: Iterable[Score], level: str) -> list[Score]:
    """One level's rows, with the models next to each other that are to be compared."""
    groups: dict[tuple[str, ...], list[Score]] = {}
    for score in scores:
        if score.level == level:
            key = (score.kg, score.relation, score.relation_type, score.question_type)
            groups.setdefault(key, []).append(score)
    return [score for group in groups.values() for score in group]


def _plot_rows(
    scores: Iterable[Score], level: str, series: list[str], names: dict[tuple[str, str], str]
) -> list[PlotRow]:
    """A row for each graph, relation or question type, in the order of the scores."""
    groups: dict[tuple[str, str], list[Score]] = {}
    for score in scores:
        if score.level == level and score.average == "micro":
            key = {"relation": score.relation, "total": score.kg}.get(level, score.question_type)
            groups.setdefault((score.kg, key), []).append(score)
    several = len({kg for kg, _ in groups}) > 1
    rows = []
    for (kg, key), members in groups.items():
        named = [(names[score.generator, score.model], score) for score in members]
        label = members[0].relation_label or key if level == "relation" else key
        ids = [key if key != label else "", kg if several and level == "relation" else ""]
        counts = sorted({score.questions for score in members})
        rows.append(
            PlotRow(
                label=label,
                id=" · ".join(filter(None, ids)),
                questions=_thousands(counts[0]) + (f"–{_thousands(counts[-1])}" if len(counts) > 1 else ""),
                bars=tuple(Bar(series.index(name), name, score.accuracy, score.questions) for name, score in named),
                stacks=tuple(Stack(name, _shares(score)) for name, score in named),
            )
        )
    return rows


def _choices(samples: Iterable[Sample], names: dict[tuple[str, str], str]) -> tuple[Choice, ...]:
    rows = list(samples)
    verdicts, types = {row.verdict for row in rows}, {row.question_type for row in rows}
    labels = {row.relation: row.relation_label for row in rows}
    relations = [(key, f"{label} ({key})" if label else key) for key, label in labels.items()]
    models = dict.fromkeys(names[row.generator, row.model] for row in rows)
    graphs = dict.fromkeys(row.kg for row in rows)
    return (
        *([Choice("Graph", "kg", tuple((name, name) for name in graphs))] if len(graphs) > 1 else []),
        Choice("Verdict", "verdict", tuple((name, name) for name in VERDICTS if name in verdicts)),
        Choice("Question type", "type", tuple((name, name) for name in QUESTION_TYPES if name in types)),
        Choice("Relation", "relation", tuple(sorted(relations, key=lambda option: option[1].casefold()))),
        Choice("Model", "model", tuple((name, name) for name in models)),
    )


def _shares(score: Score) -> tuple[Share, ...]:
    counts: dict[Verdict, int] = {
        "correct": score.correct,
        "incorrect": score.incorrect,
        "abstained": score.abstained,
        "unparsed": score.unparsed,
        "failed": score.failed,
    }
    whole, before, shares = sum(counts.values()), 0, []
    for verdict, count in counts.items():
        if count:
            shares.append(Share(verdict, count, before / whole, count / whole, count / whole >= _LABELLED_SHARE))
        before += count
    return tuple(shares)


def _mean_error(row: PlotRow) -> float:
    """Puts the best known relation first and one without an accuracy last."""
    known = [bar.value for bar in row.bars if bar.value is not None]
    return 1 - sum(known) / len(known) if known else 2


def _place_of_type(row: PlotRow) -> int:
    return [*QUESTION_TYPES, row.label].index(row.label)


def _shown(value: object) -> object:
    """Every value that the template puts in: texts cut, and what no browser shows put as a sign that it does."""
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    text = value if len(value) <= LONGEST_TEXT else value[:LONGEST_TEXT] + "…"
    return _UNPRINTABLE.sub(_sign, text.replace("\r\n", "\n"))


def _sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"


def _percent(rate: float | None) -> str:
    return "–" if rate is None else f"{rate:.1%}"


def _length_of_bar(share: float) -> str:
    """A fraction as an SVG length; the formatting is fixed so that no platform rounds it otherwise."""
    return f"{share:.3%}"


def _thousands(count: int) -> str:
    return f"{count:,}"


def _is_long(text: str) -> bool:
    return len(text) > _CLIPPED_TEXT or text.count("\n") > _CLIPPED_LINES


def _csp_hash(text: str) -> str:
    """What a Content-Security-Policy calls an inline block by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
