"""Data for the tests of reports, small enough to check by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from msgspec.structs import replace

from factprobe.collection.report_data import CompatScore, ReportData, RuleShare, Sample
from factprobe.metrics import Tally
from factprobe.metrics.breakdowns.base import BreakdownTable
from factprobe.metrics.breakdowns.consistency import Consistency, FormBreakdown
from factprobe.metrics.calibration import Bin, CoverageCurve, ModelCalibration
from factprobe.metrics.comparison import compare
from factprobe.metrics.corrected import CorrectedScore
from factprobe.metrics.leaks import Leak, LeakTable
from factprobe.metrics.score_table import scores
from factprobe.metrics.statistics.intervals import Interval, ends_of
from factprobe.metrics.tallies import Cell
from factprobe.records import Grade, Relation, Score, Verdict
from factprobe.reports import html
from factprobe.reports import markdown as markdown_writer
from factprobe.reports.exam import exam_document


def render(data: ReportData) -> str:
    """The page of a report."""
    return html.page(exam_document(data))


def markdown(data: ReportData) -> str:
    """The Markdown of a report."""
    return markdown_writer.markdown(exam_document(data))


CAPITAL = Relation("P36", "[Y] is the capital of [X].", "capital", type="1-1")
LANGUAGE = Relation("P37", "[Y] is spoken in [X].", "official <b>language</b>", type="N-M")


def tally(*verdicts: Verdict) -> Tally:
    """The tally of these verdicts."""
    counted = Tally()
    for verdict in verdicts:
        counted.add(Grade("q", "single_answer", verdict, (), 0, 0, 0, "rule"))
    return counted


def rows() -> list[Score]:
    """Two relations, one model: capital 2 of 4 correct with one failed beside, language nothing but a failed one."""
    tallies = {
        Cell("template", "tiny", "P36", "single_answer"): tally(
            "correct", "correct", "incorrect", "unparsed", "failed"
        ),
        Cell("template", "tiny", "P37", "single_answer"): tally("failed"),
    }
    return scores(tallies, {"P36": CAPITAL, "P37": LANGUAGE}, "trex")


def ranked_rows() -> list[Score]:
    """One relation whose answers were ranked: the right one first and third."""
    counted = Tally()
    counted.add(Grade("q1", "multi_choices", "correct", ("Q90",), 1, 0, 0, "ranked.rank", 1))
    counted.add(Grade("q2", "multi_choices", "incorrect", (), 0, 1, 1, "ranked.rank", 3))
    return scores({Cell("likelihood", "tiny", "P36", "multi_choices"): counted}, {"P36": CAPITAL}, "trex")


def sample(reply: str, verdict: Verdict = "incorrect", question: str = "Fill the blank: ____") -> Sample:
    """A question about a capital with this reply."""
    return Sample(
        "q1", "trex", "template", "tiny", "P36", "capital", "single_answer", question, "Paris", reply, verdict, "rule"
    )


def page(samples: Sequence[Sample] = (), settings: tuple[tuple[str, str], ...] = (("seed", "0"),)) -> ReportData:
    """What a report shows of them."""
    return ReportData("trex", 2, 6, tuple(rows()), (), (), (), (), (), tuple(samples), 6, settings)


HALF = Interval(0.5, 0.3, 0.7)


def corrected_score(labels: int, corrected: Interval | None = None, **changes: Any) -> CorrectedScore:
    """A model's accuracy as people would judge it, from so many labels of four replies."""
    fields: dict[str, Any] = {"kg": "trex", "generator": "template", "model": "tiny", "replies": 4, "labels": labels}
    fields |= {"accuracy": HALF, "expected": 0.5, "labels_needed": None, "half_widths": {}, **ends_of(corrected)}
    return CorrectedScore(**fields | changes)


def full_page(samples: Sequence[Sample] = (), name: str = "tiny") -> ReportData:
    """A report with every part, of a graph, a model and rules that all bear this name."""
    owner = {"kg": name, "generator": name, "model": name}
    calibration = ModelCalibration(
        questions=4,
        error=HALF,
        brier=HALF,
        bins=(Bin(0.6, 0.7, 4, 0.65, HALF),),
        curve=CoverageCurve((0.5, 1.0), (1.0, 0.5), (0.7, 0.6), HALF),
        **owner,
    )
    pair = compare({name: [True, False, True], f"{name} 2": [False, True, True]}, np.random.default_rng(0))[0]
    row = replace(pair, accuracy_first=0.5, accuracy_second=0.5)
    return replace(
        page(samples),
        kg=name,
        scores=tuple(replace(score, **owner, relation_label=name) for score in rows()),
        breakdowns=(
            BreakdownTable("consistency", FormBreakdown, (Consistency({name: HALF}, 3, HALF, HALF, HALF, **owner),)),
            BreakdownTable(
                "leaks", LeakTable, (Leak("multi_choices", "popularity", 4, HALF, 0.1, kg=name, generator=name),)
            ),
        ),
        calibrations=(calibration,),
        rules=(RuleShare(name, name, name, "judge", 2, 0.5), RuleShare(name, name, name, name, 2, 0.5)),
        compat=(CompatScore(name, name, name, name, 4, 0.25, 0.5, 0, 1),),
        comparisons=((name, row),),
        samples=tuple(replace(one, **owner, rule=name, compat=((name, "correct"),)) for one in samples),
    )
