"""Self-consistency as a detector of wrong answers, as a table and as a web page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from factprobe.metrics.agreement.selfcheck import SelfCheckScore
from factprobe.reports.agreement import interval_cell
from factprobe.reports.sheet import Curve, Line, Section, Sheet, SheetFigure, Square, write_sheet
from factprobe.reports.terminal import fitted

_HEADS = {"wrong": "wrong", "roc_auc": "ROC AUC", "pr_auc": "PR AUC", "risk_coverage": "risk-coverage area"}
_LEVELS = {"all": "All questions", "popularity": "By popularity of the subject", "question_type": "By question type"}


def self_check_table(rows: Sequence[SelfCheckScore]) -> str:
    """Format the scores: a section for each group of questions, intervals below."""
    groups: dict[str, list[SelfCheckScore]] = {}
    for row in rows:
        groups.setdefault(row.name, []).append(row)
    sections = [
        [[f"{name} ({found[0].questions:,} of {found[0].questions + found[0].left_out:,})"]]
        + [[f"  {row.measure}", *(interval_cell(getattr(row, measure)) for measure in _HEADS)] for row in found]
        for name, found in groups.items()
    ]
    return fitted("self-consistency against the verdicts (95% intervals)", "", [*_HEADS.values()], sections)


def write_self_check(path: Path, rows: Sequence[SelfCheckScore]) -> None:
    """Write the page, with the risk-coverage curves."""
    first = rows[0]
    tables = [_sheet(title, [row for row in rows if row.level == level]) for level, title in _LEVELS.items()]
    note = (
        "Scores know nothing of what is right: the share of further replies that give another answer, and the semantic "
        "entropy of all. Held against the verdicts on the answers that are correct or incorrect; chance is an ROC AUC "
        "of 0.5, and for the two areas beside it the share that is wrong. Questions about one subject count as alike."
    )
    counts = [("Answers", f"{first.questions:,}"), ("Left out", f"{first.left_out:,}")]
    part = Section("Scores", note, [table for table in tables if table.lines])
    write_sheet(path, "Self-consistency", f"{first.model} on {first.kg}", counts, [part, _curves(rows)])


def _sheet(title: str, rows: Sequence[SelfCheckScore]) -> Sheet:
    lines = [
        Line(
            row.measure if row.level == "all" else f"{row.name}: {row.measure}",
            f"{row.questions:,}",
            [SheetFigure.of(getattr(row, measure)) for measure in _HEADS],
        )
        for row in rows
    ]
    return Sheet(title, "", "Score", [head[:1].upper() + head[1:] for head in _HEADS.values()], lines)


def _curves(rows: Sequence[SelfCheckScore]) -> Section:
    known = [(row.measure, row.curve) for row in rows if row.curve is not None]
    curves = [
        Curve(measure, [(share, 1 - right) for share, right in zip(curve.coverage, curve.accuracy, strict=True)])
        for measure, curve in known
    ]
    note = "The share that is wrong when only those answers are taken that score lowest; lower is better."
    return Section("Risk and coverage", "", squares=[Square("Risk by coverage", note, "Coverage", "Risk", curves)])
