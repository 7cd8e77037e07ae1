"""Files of the report: scores, breakdowns, report.md and report.html."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from typing import TypeVar

from factprobe.config import RunConfig
from factprobe.inputs import Reason
from factprobe.metrics.agreement.raters import Agreement
from factprobe.metrics.breakdowns.base import Table
from factprobe.metrics.comparison import Comparison
from factprobe.metrics.graphs.inspection import InspectedRelation, InspectionTable
from factprobe.metrics.quality import QualityTable, QuestionQuality
from factprobe.metrics.tallies import Cell
from factprobe.records import Score
from factprobe.reports.collection.further import calibrations, compat_scores
from factprobe.reports.collection.graph_grades import Graded, ending_notes, rule_shares
from factprobe.reports.collection.leaks import leak_lines
from factprobe.reports.collection.sampling import samples
from factprobe.reports.data import DifferingReply, ReportData, Sample
from factprobe.reports.vocabulary import GRAPH, ReportVocabulary
from factprobe.storage import Layout, is_made, read_json, whole_file, write_csv, write_json

T = TypeVar("T")


def write_scores(layout: Layout, rows: Sequence[Score], breakdowns: Iterable[Table]) -> None:
    """Write the score table and the breakdowns.

    The table is CSV, with empty cells for undefined rates, and JSON, with null. Breakdowns are written if they have
    rows or had some before.
    """
    write_csv(layout.scores_csv, rows)
    write_json(layout.scores_json, rows)
    for table in breakdowns:
        path = layout.breakdown(table.name)
        if table.rows or is_made(path):
            write_json(path, table.rows)


def write_report(
    layout: Layout,
    rows: Sequence[Score],
    breakdowns: Iterable[Table],
    graphs: Sequence[Graded],
    config: RunConfig,
    settings: Iterable[tuple[str, str]],
    shown: Iterable[Sample] | None = None,
    people: Sequence[Agreement] = (),
    skipped: Iterable[Reason] = (),
    words: ReportVocabulary = GRAPH,
    differing: tuple[int, Sequence[tuple[DifferingReply, ...]]] = (0, ()),
) -> None:
    """Write calibration.json, report.md and report.html.

    Args:
        layout: where they go.
        rows: the score table.
        breakdowns: the tables beside it.
        graphs: what was graded.
        config: how many questions are shown, and the seed.
        settings: what the run was made with.
        shown: these questions; by default those that `to_show` draws from the graphs' files.
        people: how the grades agree with people.
        skipped: why parts of the input could not be used.
        words: those of the reports.
        differing: how many questions systems differ on, and their replies to some of these.
    """
    from factprobe.reports.exam import exam_document
    from factprobe.reports.html import write_page
    from factprobe.reports.markdown import markdown

    sampled, share = to_show(graphs, config)
    shown_tables = [table for table in breakdowns if table.rows]
    data = ReportData(
        kg=", ".join(graded.kg for graded in graphs),
        num_relations=sum(graded.summary.num_relations for graded in graphs),
        num_facts=sum(graded.summary.num_facts for graded in graphs),
        scores=tuple(rows),
        breakdowns=(*shown_tables, *_quality(graphs), *_inspection(graphs)),
        calibrations=_of_all(graphs, lambda graded: calibrations(graded, config.seed)),
        rules=_of_all(graphs, rule_shares),
        compat=_of_all(graphs, compat_scores),
        comparisons=_of_all(graphs, _comparisons),
        samples=_of_all(graphs, lambda graded: samples(graded, sampled, share, config.seed))
        if shown is None
        else tuple(shown),
        graded=sum(graded.tallies.questions for graded in graphs),
        settings=tuple(settings),
        notes=_of_all(graphs, ending_notes),
        guessable=tuple(leak_lines(shown_tables)),
        people=tuple(people),
        skipped=tuple(skipped),
        words=words,
        differing=tuple(differing[1]),
        num_differing=differing[0],
    )
    write_json(layout.calibration, data.calibrations)
    document = exam_document(data)
    write_page(layout.report, document)
    with whole_file(layout.report_markdown) as file:
        file.write(markdown(document).encode(errors="replace"))


def to_show(graphs: Iterable[Graded], config: RunConfig) -> tuple[set[tuple[str, Cell]], int]:
    """Return the cells whose questions the page shows, with their graph, and how many of each.

    About as many of every cell; where there are more cells than questions to show, one question of some.
    """
    cells = [(graded.kg, cell) for graded in graphs for cell in graded.tallies.every]
    share = -(-config.samples // max(len(cells), 1))
    return set(Random(config.seed).sample(cells, min(config.samples, len(cells)))), share


def _of_all(graphs: Iterable[Graded], make: Callable[[Graded], Iterable[T]]) -> tuple[T, ...]:
    return tuple(row for graded in graphs for row in make(graded))


def _quality(graphs: Iterable[Graded]) -> Iterator[Table]:
    """Return the quality of the questions, if it was measured."""
    files = [graded.quality for graded in graphs if graded.quality is not None]
    if rows := tuple(row for file in files for row in read_json(file, list[QuestionQuality])):
        yield Table("quality", QualityTable, rows)


def _inspection(graphs: Iterable[Graded]) -> Iterator[Table]:
    """Return the inspection of the relations, if there is one."""
    files = [graded.inspection for graded in graphs if graded.inspection is not None]
    if rows := tuple(row for file in files for row in read_json(file, list[InspectedRelation])):
        yield Table("inspect", InspectionTable, rows)


def _comparisons(graded: Graded) -> Iterator[tuple[str, Comparison]]:
    if graded.comparison is not None:
        yield from ((graded.kg, row) for row in read_json(graded.comparison, list[Comparison]))
