"""Disagreement of a model's samples as a detector of wrong answers, as a table and as a web page."""

from __future__ import annotations

from collections.abc import Sequence

from factprobe.metrics.agreement.selfcheck import SelfCheckScore
from factprobe.question_types import type_label
from factprobe.reports.agreement import decimal
from factprobe.reports.document import Block, Column, Curve, Document, Heading, Paragraph, Row, Square, Table

_HEADS = {"wrong": "wrong", "roc_auc": "ROC AUC", "pr_auc": "PR AUC", "risk_coverage": "risk-coverage area"}
_NOTE = (
    "Scores know nothing of what is right: the share of further replies that give another answer, and the semantic "
    "entropy of all. Held against the verdicts on the answers that are correct or incorrect; chance is an ROC AUC "
    "of 0.5, and for the two areas beside it the share that is wrong. Questions about one subject count as alike."
)


def self_check_document(rows: Sequence[SelfCheckScore]) -> Document:
    """Return the report: a section for each group of questions, and the risk-coverage curves."""
    lines = [
        Row(
            [row.measure],
            [decimal(getattr(row, measure)) for measure in _HEADS],
            f"{type_label(row.name)} ({row.questions:,} of {row.questions + row.left_out:,})",
        )
        for row in rows
    ]
    columns = [*map(Column, _HEADS.values())]
    table = Table("self-consistency against the verdicts (95% intervals)", ["score"], columns, lines)
    curves = [
        Curve(row.measure, [(share, 1 - right) for share, right in zip(curve.coverage, curve.accuracy, strict=True)])
        for row in rows
        if (curve := row.curve) is not None
    ]
    note = "The share that is wrong when only those answers are taken that score lowest; lower is better."
    plot = Square("Risk by coverage", note, "Coverage", "Risk", curves)
    counts = [("Answers", rows[0].questions), ("Left out", rows[0].left_out)]
    blocks: list[Block] = [Heading("Scores"), Paragraph(_NOTE, is_note=True), table, Heading("Risk and coverage"), plot]
    return Document("Self-consistency", f"{rows[0].model} on {rows[0].kg}", counts, blocks)
