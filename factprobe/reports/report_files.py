"""Files of the report: scores, breakdowns, report.md and report.html."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from random import Random
from typing import TypeVar

from factprobe.collection.graph_grades import GraphGrades, rule_shares, unequal_exams
from factprobe.collection.leaks import leak_lines
from factprobe.collection.report_data import ReportData
from factprobe.collection.sampling import compat_scores, samples
from factprobe.config import RunConfig
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.calibration import calibrations
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.graphs.inspection import InspectedRelation, InspectionTable
from factprobe.metrics.quality import QualityTable, QuestionQuality
from factprobe.metrics.tallies import Cell
from factprobe.records import Score
from factprobe.storage import Layout, read_json, whole_file, write_csv, write_json

T = TypeVar("T")


def write_scores(layout: Layout, rows: Sequence[Score], breakdowns: Iterable[BreakdownTable]) -> None:
    """Write the score table and the breakdowns.

    The table is written as CSV (undefined rates are empty) and as JSON (undefined rates are null). A breakdown without
    rows is not written, unless it replaces an earlier file.
    """
    write_csv(layout.scores_csv, rows)
    write_json(layout.scores_json, rows)
    for table in breakdowns:
        path = layout.breakdown(table.name)
        if table.rows or path.exists():
            write_json(path, table.rows)


def write_report(layout: Layout, data: ReportData) -> None:
    """Write the files `calibration.json`, `report.md` and `report.html`."""
    from factprobe.reports.exam import exam_document
    from factprobe.reports.html import write_page
    from factprobe.reports.markdown import markdown

    write_json(layout.calibration, data.calibrations)
    document = exam_document(data)
    write_page(layout.report, document)
    with whole_file(layout.report_markdown) as file:
        file.write(markdown(document).encode(errors="replace"))


def report_data(
    graphs: Sequence[GraphGrades],
    rows: Iterable[Score],
    breakdowns: Iterable[BreakdownTable],
    config: RunConfig,
    settings: Iterable[tuple[str, str]],
) -> ReportData:
    """Return the data of a report on graded exams; samples are read from the graphs' files."""
    sampled, share = sampled_cells(graphs, config)
    shown_tables = [table for table in breakdowns if table.rows]
    quality = _read_rows([graded.quality for graded in graphs], list[QuestionQuality])
    inspection = _read_rows([graded.inspection for graded in graphs], list[InspectedRelation])
    further = BreakdownTable("quality", QualityTable, quality), BreakdownTable("inspect", InspectionTable, inspection)
    return ReportData(
        kg=", ".join(graded.kg for graded in graphs),
        num_relations=sum(graded.summary.num_relations for graded in graphs),
        num_facts=sum(graded.summary.num_facts for graded in graphs),
        scores=tuple(rows),
        breakdowns=(*shown_tables, *(table for table in further if table.rows)),
        calibrations=_collect(graphs, lambda graded: calibrations(graded.kg, graded.tallies.cells, config.seed)),
        rules=_collect(graphs, rule_shares),
        compat=_collect(graphs, compat_scores),
        comparisons=tuple((one.kg, row) for one in graphs for row in _read_rows([one.comparison], list[Comparison])),
        samples=_collect(graphs, lambda graded: samples(graded, sampled, share, config.seed)),
        graded=sum(graded.tallies.questions for graded in graphs),
        settings=tuple(settings),
        notes=_collect(graphs, GraphGrades.notes),
        unequal=unequal_exams(graphs),
        guessable=tuple(leak_lines(shown_tables)),
    )


def sampled_cells(graphs: Iterable[GraphGrades], config: RunConfig) -> tuple[set[tuple[str, Cell]], int]:
    """Return the cells of which a report shows questions, each with its graph, and the number of questions of each.

    A cell is a combination of generator, model, relation and question type. If there are more cells than questions to
    show, a random choice of cells is returned.
    """
    cells = [*dict.fromkeys((graded.kg, cell) for graded in graphs for cell, _ in graded.tallies.all_cells)]
    share = -(-config.samples // max(len(cells), 1))
    return set(Random(config.seed).sample(cells, min(config.samples, len(cells)))), share


def _collect(graphs: Iterable[GraphGrades], make: Callable[[GraphGrades], Iterable[T]]) -> tuple[T, ...]:
    return tuple(row for graded in graphs for row in make(graded))


def _read_rows(files: Iterable[Path | None], type_: type[list[T]]) -> tuple[T, ...]:
    return tuple(
        row for file in files if file is not None for row in read_json(file, type_, "remove it, or run its step again")
    )
