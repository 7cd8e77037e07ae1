"""Document of the report on an exam, or on replies from files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from factprobe.collection.report_data import ReportData, series_names
from factprobe.metrics import metrics
from factprobe.metrics.breakdowns.base import BreakdownRow, BreakdownTable
from factprobe.metrics.calibration import ModelCalibration
from factprobe.metrics.corrected import CorrectedTable
from factprobe.metrics.penalty import crossings, penalty_lines
from factprobe.metrics.score_metrics import GuessCorrected
from factprobe.metrics.statistics.intervals import Interval
from factprobe.metrics.strata import ALL
from factprobe.question_types import type_label
from factprobe.reports.agreement import agreement_with_people, corrected_of
from factprobe.reports.comparison import comparison_blocks
from factprobe.reports.document import (
    NO_SPREAD,
    Block,
    Cell,
    Column,
    Curve,
    CurvePlot,
    Details,
    Document,
    Dot,
    Figure,
    Heading,
    Paragraph,
    Part,
    Remark,
    Row,
    Table,
)
from factprobe.reports.levels import CELL, LEVELS, MAX_WIDTH, level_table
from factprobe.reports.plots import model_plot, plots_of
from factprobe.reports.samples import sample_list
from factprobe.reports.summary import summary_sentences
from factprobe.text import format_count


class Report(NamedTuple):
    """Data of a report, the names of models in it, and whether it is on several graphs."""

    data: ReportData
    names: Mapping[tuple[str, str], str]
    several: bool

    def owner(self, row: BreakdownRow | ModelCalibration) -> str:
        """Return the name of the model that a row is about, with generator and graph if there are several."""
        owner = (row.generator, row.model)
        return self.of_graph(self.names.get(owner, " · ".join(reversed(owner))), row.kg)

    def of_graph(self, name: str, kg: str) -> str:
        """Return a name, followed by the graph's name if there are several graphs."""
        return f"{name} · {kg}" if self.several else name


def exam_document(data: ReportData) -> Document:
    """Return the document of a report; equal data give equal documents."""
    names = series_names((*data.scores, *data.samples))
    graphs = {score.kg for score in data.scores} - {ALL}
    report = Report(data, names, len(graphs) > 1)
    words = data.words
    counts = [("Graphs", len(graphs))] * (len(graphs) > 1)
    counts += [("Relations", data.num_relations), ("Facts", data.num_facts)] * bool(data.num_facts)
    counts += [("Graded replies", data.graded), (f"{words.model.capitalize()}s", len({model for _, model in names}))]
    counts += [("Skipped", sum(reason.count for reason in data.skipped))] * bool(data.skipped)
    settings = [Row([name], [value]) for name, value in data.settings]
    table = Table("", ["setting"], [Column("value")], settings, is_words=True)
    blocks: list[Block] = [Details("Settings", [table])] if settings else []
    samples = Part("samples", sample_list(data, names, len(graphs)))
    for heading, members in (
        (Heading("Summary"), [*_summary_blocks(report)]),
        (Heading("Plots"), plots_of(data.scores, names, words) or [Paragraph("There is nothing to plot.", True)]),
        (Heading("Comparison"), [*_comparison_blocks(report)]),
        (Heading("Scores"), [*_score_blocks(report)]),
        (Heading("Breakdowns"), [_breakdown_table(report, one) for one in data.breakdowns if not one.kind.by_scores]),
        (Heading("Calibration"), [*_calibration_blocks(report)]),
        (Heading("Rules"), [*_rule_blocks(report)]),
        (Heading("Replies", "samples"), [samples]),
        (Heading("Skipped"), [*_skipped_blocks(data)]),
    ):
        blocks += [heading, *members] if members else []
    return Document("factprobe report", data.kg, counts, blocks)


def _summary_blocks(report: Report) -> Iterator[Block]:
    data = report.data
    if story := summary_sentences(data, report.names):
        yield Paragraph(" ".join(story))
    for note in data.notes:
        name = report.names.get((note.generator, note.model), note.model)
        yield Remark(note.text, f"{name} on {note.kg}" if report.several else name)
    for line in data.guessable:
        yield Remark(f"{line}; see the breakdowns")
    for crossing in () if data.unequal else crossings(penalty_lines(data.scores)):
        better = f"{crossing.second} scores better than {crossing.first}"
        yield Remark(f"From a penalty λ of {crossing.penalty:.2f} on for an incorrect reply, {better}")
    yield from model_plot(data.scores, report.names, data.words)


def _comparison_blocks(report: Report) -> Iterator[Block]:
    data = report.data
    if not data.comparisons:
        return
    text = (
        "Each pair on the questions that both answered. The difference is the accuracy of the first minus that of the "
        "second, with its 95% interval"
    )
    yield Paragraph(f"{text}. The test of what is better allows for the number of pairs (Holm's correction).", True)
    pairs = [(kg if report.several else "", row) for kg, row in data.comparisons]
    yield from comparison_blocks(pairs, data.words)
    if data.differing:
        note = f", a sample of {len(data.differing):,}" if len(data.differing) < data.num_differing else ""
        counted = f"{format_count(data.num_differing, 'question')}{note}"
        yield Details("Replies on which the systems differ", [Part("differing", data.differing)], counted)


def _score_blocks(report: Report) -> Iterator[Block]:
    data, words = report.data, report.data.words
    if not data.scores and not data.breakdowns:
        yield Paragraph("There are no scores.", True)
        return
    yield Paragraph(f"Rates in %. The 95% intervals allow for {words.alike} being right or wrong together.")
    total, *others = (level_table(data.scores, level, report.names, words) for level in LEVELS)
    minor = ["all metrics"] * any(column.is_minor for column in total.columns)
    minor += [f"averages over {words.relation}s (macro)"] * any(row.is_minor for row in total.rows)
    if minor:
        yield Part("toggle", " and ".join(minor))
    yield from (total, _explain_columns(data))
    yield from (_by_scores(report, table) for table in data.breakdowns if table.kind.by_scores)
    yield from others
    cells = level_table(data.scores, CELL, report.names, words)
    yield Details(cells.title, [cells._replace(title="")], f"{len(cells.rows):,} rows")
    if data.people:
        yield from (agreement_with_people(data.people)._replace(title="Agreement with people"), _people_note(data))
    if data.compat:
        note = "The list of questions can be narrowed to those on which the two do not agree."
        heads = ("questions", "accuracy", "by these rules", "correct here alone", "correct there alone")
        rows = []
        for row in data.compat:
            rates = Figure(row.accuracy), Figure(row.accuracy_compat)
            rows.append(Row([row.name, report.owner(row)], [row.questions, *rates, row.only, row.only_compat]))
        yield Table("By the rules of other tools", ["rules", words.model], [*map(Column, heads)], rows, note)


def _explain_columns(data: ReportData) -> Details:
    chosen = metrics.select("page", data.scores)
    too_wide = f", or the interval of a rate corrected for guessing is wider than {100 * MAX_WIDTH:g} points"
    meanings = {}
    for metric in chosen:
        over = f" ({metric.over})" if metric.over else ""
        meanings[metric.head("page")] = f"{metric.what}{over}" + "; lower is better" * (not metric.higher_is_better)
    meanings |= {
        "Unparsed": "the reply names no answer",
        "Failed": "there is no reply; it is in no rate",
        "Micro, macro": f"all {data.words.questions} count alike, all {data.words.relation}s count alike",
        "–": "nothing was counted" + too_wide * any(isinstance(metric, GuessCorrected) for metric in chosen),
    }
    rows = [Row([name], [meaning]) for name, meaning in meanings.items()]
    return Details("What the columns mean", [Table("", ["column"], [Column("meaning")], rows, is_words=True)])


def _people_note(data: ReportData) -> Paragraph:
    text = "Of the replies that people judged: right is correct, all else is wrong. Precision and recall are those of"
    spreadless = any(row.low is not None and row.low == row.high for row in data.people)
    why = "every resample of the replies gives the same figure, as where the two agree on all, or one of them says the"
    return Paragraph(f"{text} correct." + f" {NO_SPREAD.capitalize()}: {why} same of all." * spreadless, True)


def _breakdown_table(report: Report, table: BreakdownTable) -> Table:
    kind, rows = table.kind, []
    for row in table.rows:
        owner = report.owner(row) if kind.of_models else report.of_graph(getattr(row, kind.by), row.kg)
        names = [owner, *(type_label(getattr(row, name)) for name in table.names)]
        rows.append(Row(names, [_figure_cell(getattr(row, name)) for name in table.figures]))
    columns = [Column(head, is_main=name == kind.main) for name, head in table.figures.items()]
    names = [report.data.words.model if kind.of_models else kind.by, *table.names.values()]
    return Table(kind.title, names, columns, rows, kind.note, f"{table.name}.json")


def _by_scores(report: Report, table: BreakdownTable) -> Block:
    """Return a breakdown to show among the scores; corrected accuracies are folded if there are none."""
    block = _breakdown_table(report, table)
    if table.kind is not CorrectedTable or any(row.corrected for row in corrected_of([table])):
        return block
    return Details(block.title, [block._replace(title="")], "no replies are labelled by people, or too few")


def _figure_cell(value: str | int | float | Interval | None) -> Cell:
    match value:
        case str() | int():
            return value
        case float() | None:
            return Figure(value)
    return Figure.of(value)


def _calibration_blocks(report: Report) -> Iterator[Block]:
    rows = report.data.calibrations
    if not rows:
        return
    yield Paragraph(
        "The confidence is the one that came with the reply, if it did; else a written answer's is the probability of "
        "its text, the product of its tokens' probabilities, and a ranked answer's its share among the choices "
        "(softmax of their log-likelihoods). Over the questions that were attempted. Calibration error (ten bins of "
        "equal width) and Brier score: lower is better.",
        is_note=True,
    )
    heads = ("answers", "calibration error", "Brier score", "area under accuracy-coverage")
    lines = []
    for row in rows:
        figures = (Figure.of(value, "decimal") for value in (row.error, row.brier, row.curve.area))
        lines.append(Row([report.owner(row)], [row.questions, *figures]))
    yield Table("", [report.data.words.model], [Column(head, is_main=head == heads[1]) for head in heads], lines)
    for row in rows:
        yield from _calibration_plots(report, row)


def _calibration_plots(report: Report, row: ModelCalibration) -> Iterator[CurvePlot]:
    name, model = report.owner(row), report.data.words.model
    series = list(report.names).index((row.generator, row.model))
    dots = [reliability_dot(bin_.probability, bin_.accuracy, bin_.count, row.questions) for bin_ in row.bins]
    note = (
        f"Accuracy of the answers in ten bins of the {model}'s own probability, with 95% intervals; on the dashed line "
        "it means what it says. A larger dot is more answers."
    )
    curves = [Curve("", (), dots, series)]
    yield CurvePlot(f"Reliability: {name}", note, "Probability given", "Accuracy", curves, has_diagonal=True)
    note = f"Accuracy when only the share of questions is answered of which the {model} is surest."
    curves = [Curve(name, [*zip(row.curve.coverage, row.curve.accuracy, strict=True)], (), series)]
    yield CurvePlot(f"Accuracy by coverage: {name}", note, "Coverage", "Accuracy", curves)


def reliability_dot(probability: float, rate: Interval, count: int, whole: int, counted: str = "answers") -> Dot:
    """Return the point of one bin in a reliability plot.

    `probability` is the bin's mean probability, `rate` the observed rate, and `count` of `whole` items are in the bin.
    `counted` is the plural noun for the items.
    """
    figure = Figure.of(rate, "decimal")
    text = f"{count:,} {counted}, given {probability:.3f}: {figure.in_line}"
    return Dot(probability, rate.estimate, text, count / whole, rate.low, rate.high)


def _rule_blocks(report: Report) -> Iterator[Block]:
    data = report.data
    if not data.rules:
        return
    judged_count = sum(row.questions for row in data.rules if row.rule == "judge")
    text = f" A model judged {judged_count / data.graded:z.1%} of them." if judged_count else ""
    if any(row.rule.endswith("model") for row in data.rules):
        text += f" In rules, model means one that comes with factprobe, not the {data.words.model} that replied."
    yield Paragraph(f"What decided the grades.{text}", True)
    rows = [Row([row.rule, report.owner(row)], [row.questions, Figure(row.share)]) for row in data.rules]
    table = Table("", ["rule", data.words.model], [Column("grades"), Column("share")], rows)
    yield Details("Grades by rule", [table], f"{len(rows):,} rows")


def _skipped_blocks(data: ReportData) -> Sequence[Block]:
    if not data.skipped:
        return []
    rows = [Row([reason.text, ", ".join(reason.places)], [reason.count]) for reason in data.skipped]
    note = Paragraph("What could not be used; it is in no figure.", True)
    return [note, Table("", ["reason", "first at"], [Column("times")], rows)]
