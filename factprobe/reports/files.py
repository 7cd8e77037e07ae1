"""The report's files: scores.csv, scores.json and report.html."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

import msgspec

from factprobe.records import GraphSummary, Score
from factprobe.reports.collect import Graded, samples
from factprobe.reports.data import ReportData
from factprobe.storage import Layout, read_json, whole_file, write_json


def write_scores(layout: Layout, rows: Sequence[Score]) -> None:
    """Writes the score table as CSV (a rate that is not defined is empty there) and as JSON (null)."""
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, fieldnames=Score.__struct_fields__, lineterminator="\n")
    writer.writeheader()
    writer.writerows(msgspec.structs.asdict(row) for row in rows)
    with whole_file(layout.scores_csv) as file:
        file.write(text.getvalue().encode())
    write_json(layout.scores_json, rows)


def write_report(
    layout: Layout,
    rows: Sequence[Score],
    graded: Graded,
    sample_count: int,
    seed: int,
    settings: Iterable[tuple[str, str]],
) -> None:
    """Writes report.html."""
    from factprobe.reports.html import render

    summary = read_json(layout.graph_summary, GraphSummary)
    data = ReportData(
        kg=summary.kg,
        num_relations=summary.num_relations,
        num_facts=summary.num_facts,
        scores=tuple(rows),
        samples=tuple(samples(layout, graded, sample_count, seed)),
        graded=sum(tally.verdicts.total() for tally in graded.tallies.values()),
        settings=tuple(settings),
    )
    with whole_file(layout.report) as file:
        file.write(render(data).encode())
