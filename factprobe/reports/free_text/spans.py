"""Agreement of marked spans with people's, as a table for a terminal and as a web page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from factprobe.metrics.agreement.spans import MEASURES, SpanMeasured
from factprobe.reports.agreement import decimal
from factprobe.reports.document import Block, Document, Heading, Paragraph, Remark
from factprobe.reports.free_text.measures import Measure, measure_plot, measure_table

_NOTE = (
    "Means over the outputs, with 95% intervals; outputs for one input are drawn together. IoU: of the marked "
    "characters, 1 where both mark none. ρ: Spearman's, of the characters' probabilities; where either gives all "
    "characters one probability it is 1 if both do, else 0."
)


def span_document(rows: Sequence[SpanMeasured], labels: str, remarks: Iterable[str]) -> Document:
    """Return the report: a table with a section for each language, a line for each detector, and bars."""
    found = [
        Measure(f"{row.language} ({row.items:,})", row.detector, row.measure, decimal(row), row.items) for row in rows
    ]
    plots = [
        measure_plot(
            head,
            "Language",
            [(row.language, row.detector, decimal(row), row.items) for row in rows if row.measure == one],
        )
        for one, head in MEASURES.items()
    ]
    table = measure_table("marked spans against people's (95% intervals)", "detector", found, MEASURES)
    blocks: list[Block] = [Heading("Measures"), Paragraph(_NOTE, is_note=True), table, *map(Remark, remarks)]
    counts = [
        ("Outputs", max((row.items for row in rows), default=0)),
        ("Detectors and baselines", len({row.detector for row in rows})),
    ]
    return Document("Marked spans", labels, counts, [*blocks, Heading("By language"), *plots])
