"""The report's files: scores.csv, scores.json, consistency.json, report.md and report.html."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factprobe.records import Score
from factprobe.reports.collect import Graded, samples
from factprobe.reports.data import FactConsistency, ReportData
from factprobe.reports.markdown import markdown
from factprobe.storage import Layout, whole_file, write_csv, write_json


def write_scores(layout: Layout, rows: Sequence[Score], consistencies: Sequence[FactConsistency] = ()) -> None:
    """Writes the score table as CSV (a rate that is not defined is empty there) and as JSON (null)."""
    write_csv(layout.scores_csv, rows)
    write_json(layout.scores_json, rows)
    write_json(layout.consistency, consistencies)


def write_report(
    layout: Layout,
    rows: Sequence[Score],
    forms: Sequence[FactConsistency],
    graphs: Sequence[Graded],
    sample_count: int,
    seed: int,
    settings: Iterable[tuple[str, str]],
) -> None:
    """Writes report.md and report.html, which has about `sample_count` questions, the same number of each cell."""
    from factprobe.reports.html import render

    cells = sum(len(graded.tallies.cells) for graded in graphs)
    share = -(-sample_count // max(cells, 1))
    data = ReportData(
        kg=", ".join(graded.kg for graded in graphs),
        num_relations=sum(graded.summary.num_relations for graded in graphs),
        num_facts=sum(graded.summary.num_facts for graded in graphs),
        scores=tuple(rows),
        consistencies=tuple(forms),
        samples=tuple(sample for graded in graphs for sample in samples(graded, share, seed)),
        graded=sum(graded.tallies.questions for graded in graphs),
        settings=tuple(settings),
    )
    with whole_file(layout.report) as file:
        file.write(render(data).encode())
    with whole_file(layout.report_markdown) as file:
        file.write(markdown(data).encode(errors="replace"))
